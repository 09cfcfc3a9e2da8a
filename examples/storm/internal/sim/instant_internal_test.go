package sim

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/retry"
)

// Each call keeps to a nanosecond of its own in every tick, whatever its attempts, waits and timeouts are.
func TestNoTwoCallsActAtTheSameInstant(t *testing.T) {
	m := Default().Part(10)
	m.Before, m.Outage, m.After = 5*time.Second, 5*time.Second, 5*time.Second
	var mu sync.Mutex
	taken := map[time.Duration]bool{} // the nanoseconds of the calls
	requests, timeouts := 0, 0
	locked := func(f func()) {
		mu.Lock()
		defer mu.Unlock()
		f()
	}
	s := Strategy{"watched", func(p *peer, jitter func(n uint64) uint64) (call, error) {
		own := func() time.Duration { return time.Since(p.begin) % tick }
		chain := retry.WhenThrows().Max(attempts).With(
			retry.NewSleep(retry.WithRand(retry.Backoff, jitter), firstWait), retry.NewAttemptTimeout(patience))
		return func(ctx context.Context) error {
			at := own()
			locked(func() {
				require.False(t, taken[at])
				taken[at] = true
			})
			err := chain.Run(ctx, func(ctx context.Context) error {
				require.Equal(t, at, own())
				locked(func() { requests++ })
				err := p.request(ctx)
				require.Equal(t, at, own())
				if ctx.Err() != nil {
					locked(func() { timeouts++ })
				}
				return err
			})
			require.Equal(t, at, own())
			return err
		}, nil
	}}
	synctest.Test(t, func(t *testing.T) {
		_, err := s.Run(m)
		require.NoError(t, err)
	})
	require.Greater(t, requests, 2*len(taken))
	require.Greater(t, timeouts, 100)
}

func TestJitterIsDrawnInWholeTicksUpToItsBound(t *testing.T) {
	draw := wholeTicks(chance(1, streamJitter, 0))
	seen := map[uint64]bool{}
	for range 1000 {
		seen[draw(uint64(3*tick)+1)] = true
	}
	require.Equal(t, map[uint64]bool{0: true, uint64(tick): true, uint64(2 * tick): true, uint64(3 * tick): true}, seen)
	require.Zero(t, draw(1))
	require.Zero(t, draw(uint64(tick)), "the bound itself is not drawn")
}

func TestStreamsOfChanceAreTheirOwn(t *testing.T) {
	first := map[uint64]bool{}
	for seed := range uint64(3) {
		for _, stream := range []int{streamPeer, streamArrivals, streamJitter} {
			for n := range 5 {
				first[chance(seed, stream, n).Uint64()] = true
			}
		}
	}
	require.Len(t, first, 3*3*5)
}

// What is paid in at the very beginning of a slice stays for the window and a tenth of it; a nanosecond later it is gone.
func TestToSliceEdge(t *testing.T) {
	for _, ttl := range []time.Duration{time.Second, 10 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(123456789)
			toSliceEdge(ttl)
			p := retry.NewBudget(retry.BudgetSettings{TTL: ttl, Percent: 1})
			balance := func() float64 {
				s, known := retry.BudgetStatusOf(p)
				require.True(t, known)
				return s.Balance
			}
			require.NoError(t, retry.With(p).Run(t.Context(), func(context.Context) error { return nil }))
			time.Sleep(ttl + ttl/10 - 1)
			require.Equal(t, 1.0, balance())
			time.Sleep(time.Nanosecond)
			require.Zero(t, balance())
		})
	}
}

func TestInTicks(t *testing.T) {
	for d, want := range map[time.Duration]time.Duration{0: 0, 1: tick, tick: tick, tick + 1: 2 * tick} {
		require.Equal(t, want, inTicks(d), d)
	}
}
