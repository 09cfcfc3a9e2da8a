package retry

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A call that saw the breaker half-open, or open for long enough, may find it changed once it has the lock.
func TestBreakerIsLookedAtAgainUnderTheLock(t *testing.T) {
	for _, c := range []struct {
		name     string
		change   func(*Breaker)
		admitted bool
		probe    bool
	}{
		{"closed", func(b *Breaker) { b.Reset() }, true, false},
		{"opened again", func(b *Breaker) { b.open(breakerReset) }, false, false},
		{"forced open", (*Breaker).ForceOpen, false, false},
		{"forced closed", (*Breaker).ForceClose, true, false},
		{"half-open", func(*Breaker) {}, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := openedBreaker(t, 1)
			c.change(b)
			k, ok := b.enterHalfOpen(breakerReset)
			require.Equal(t, c.admitted, ok)
			require.Equal(t, c.probe, k.isProbe())
		})
	}
}

func TestBreakerResultThatWaitedForTheLockIsLookedAtAgain(t *testing.T) {
	b := newBreaker("", BreakerSettings{ResetTimeout: time.Second, Consecutive: 1})
	late := admit(t, b, 0)
	b.Reset()
	b.count(late, failure, 0, 0)
	require.Equal(t, BreakerClosed, b.stateAt(0))
	b.count(admit(t, b, 0), failure, 0, 0)
	require.Equal(t, BreakerOpen, b.stateAt(0))
}

// C24, B2 with real contention: the first of many to come after the reset timeout.
func TestBreakerRaceForProbes(t *testing.T) {
	for _, probes := range []int{1, 10} {
		for range 5 {
			b := openedBreaker(t, probes)
			var mu sync.Mutex
			admitted := map[breakerTicket]bool{}
			stampede(1000, func(int) {
				if k, ok := b.enter(breakerReset); ok {
					mu.Lock()
					defer mu.Unlock()
					admitted[k] = true
				}
			})
			require.Len(t, admitted, probes)
			for k := range admitted {
				require.Equal(t, BreakerHalfOpen, b.stateAt(breakerReset))
				b.record(k, success, 0, breakerReset)
			}
			require.Equal(t, BreakerClosed, b.stateAt(breakerReset))
		}
	}
}

func TestBreakerRaceOfResultsOpensOnce(t *testing.T) {
	b := newBreaker("", BreakerSettings{ResetTimeout: time.Second, Window: 1000, FailureRatio: 0.5})
	var opened atomic.Int64
	b.subscribe(func(_, to BreakerState) {
		if to == BreakerOpen {
			opened.Add(1)
		}
	})
	k := admit(t, b, 0)
	stampede(999, func(i int) { b.record(k, outcome(1+i%2), 0, 0) }) // 500 successes, 499 failures
	require.Equal(t, BreakerClosed, b.stateAt(0))
	require.Equal(t, tally{calls: 999, failed: 499}, b.window.(*callWindow).tally)
	stampede(1000, func(int) { b.record(k, failure, 0, 0) })
	require.Equal(t, BreakerOpen, b.stateAt(0))
	require.EqualValues(t, 1, opened.Load())
}

func TestBreakerRaceOfFailuresOpensOnce(t *testing.T) {
	for _, s := range []BreakerSettings{{}, {Consecutive: 1}, {Window: 1, FailureRatio: 1}} {
		s.ResetTimeout = time.Second
		for range 20 {
			b := newBreaker("", s)
			k := admit(t, b, 0)
			stampede(100, func(i int) {
				b.record(k, failure, 0, int64(i))
				b.exhausted(k, int64(i))
			})
			require.Equal(t, newWord(2, modeOpen), b.word.Load(), "%+v: one change", s)
		}
	}
}
