package sim

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/backstay/backstay/retry"
)

// tick is what all waits are multiples of: the peer's answers, timeouts, and what a strategy proposes. Each call begins in a
// tick at a nanosecond that no other call has, so it stays at that nanosecond of every tick until it ends, and no two
// calls ever act at the same instant. Goroutines that are awake at the same instant may run in any order; here there is
// never more than one of them that does anything.
const (
	tick           = time.Millisecond
	ticksPerSecond = int(time.Second / tick)
)

// inTicks is d, rounded up to whole ticks.
func inTicks(d time.Duration) time.Duration { return (d + tick - 1) / tick * tick }

// The streams of chance, so that one more draw for one thing changes nothing about another.
const (
	streamPeer = iota
	streamArrivals
	streamJitter
)

// chance returns a generator of its own for the n-th of those who draw from the stream.
func chance(seed uint64, stream, n int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(stream)<<32|uint64(n)))
}

// wholeTicks makes of a generator a source of jitter for [retry.WithRand]: it draws durations of whole ticks. It may be used
// by several goroutines.
func wholeTicks(r *rand.Rand) func(n uint64) uint64 {
	var mu sync.Mutex
	return func(n uint64) uint64 {
		mu.Lock()
		defer mu.Unlock()
		return uint64(tick) * r.Uint64N((n-1)/uint64(tick)+1)
	}
}

// toSliceEdge sleeps until a slice of a budget's window begins. A budget moves its window by tenths of it, and counts them
// from a moment before the bubble: how far into a slice a run begins would differ between two runs of the program. A budget
// that is paid into shows where a slice begins, by the moment at which the payment leaves the window, a tenth of it after it
// is over.
func toSliceEdge(ttl time.Duration) {
	probe := retry.NewBudget(retry.BudgetSettings{TTL: ttl, Percent: 1})
	pays := retry.With(probe)
	holds := func() bool {
		status, _ := retry.BudgetStatusOf(probe)
		return status.Balance > 0
	}
	slice := ttl / 10
	for step := slice / 10; step > 0; step /= 10 { // each round knows the edge ten times better
		_ = pays.Run(context.Background(), func(context.Context) error { return nil })
		time.Sleep(ttl + slice - 10*step)
		for holds() {
			time.Sleep(step)
		}
	}
}
