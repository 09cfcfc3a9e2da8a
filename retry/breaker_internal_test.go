package retry

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

const breakerReset = int64(time.Second)

// openedBreaker returns a breaker that an exhausted session opened at time 0.
func openedBreaker(t *testing.T, probes int) *Breaker {
	t.Helper()
	b := newBreaker("", BreakerSettings{ResetTimeout: time.Second, Probes: probes})
	k, ok := b.enter(0)
	require.True(t, ok)
	b.exhausted(k, 0)
	require.Equal(t, BreakerOpen, b.stateAt(0))
	return b
}

func admit(t *testing.T, b *Breaker, at int64) breakerTicket {
	t.Helper()
	k, ok := b.enter(at)
	require.True(t, ok, "admitted")
	return k
}

func reject(t *testing.T, b *Breaker, at int64) {
	t.Helper()
	k, ok := b.enter(at)
	require.False(t, ok, "rejected")
	require.Zero(t, k)
}

func TestBreakerHandle(t *testing.T) {
	b := newBreaker("smtp", BreakerSettings{ResetTimeout: time.Second})
	require.Equal(t, "smtp", b.Name())
	require.Equal(t, BreakerClosed, b.State())
	require.Zero(t, b.RetryAfter())

	synctest.Test(t, func(t *testing.T) {
		b.exhausted(admit(t, b, now()), now())
		require.Equal(t, BreakerOpen, b.State())
		require.Equal(t, time.Second, b.RetryAfter())
		time.Sleep(300 * time.Millisecond)
		require.Equal(t, 700*time.Millisecond, b.RetryAfter())
		time.Sleep(700*time.Millisecond - 1)
		require.Equal(t, BreakerOpen, b.State())
		require.Equal(t, time.Duration(1), b.RetryAfter())
		time.Sleep(1)
		require.Equal(t, BreakerHalfOpen, b.State(), "though no call has come")
		require.Zero(t, b.RetryAfter())

		k := admit(t, b, now())
		require.Equal(t, BreakerHalfOpen, b.State())
		require.Zero(t, b.RetryAfter())
		b.record(k, success, 0, now())
		require.Equal(t, BreakerClosed, b.State())
	})
}

func TestBreakerZeroHandleGuardsNothing(t *testing.T) {
	var b Breaker
	require.Empty(t, b.Name())
	require.Equal(t, BreakerClosed, b.State())
	require.Zero(t, b.RetryAfter())
	for _, f := range []func(){b.ForceOpen, b.ForceClose, b.MetricsOnly, b.Reset} {
		f()
	}
	require.Equal(t, BreakerClosed, b.State())
}

func TestBreakerTicketsAreNeverZero(t *testing.T) {
	b := newBreaker("", BreakerSettings{ResetTimeout: time.Second})
	require.NotZero(t, admit(t, b, 0))
	b.exhausted(0, 0)
	require.Equal(t, BreakerClosed, b.stateAt(0), "the zero ticket is no call's")
}

func TestBreakerNeedsClock(t *testing.T) {
	for _, c := range []struct {
		s    BreakerSettings
		want bool
	}{
		{BreakerSettings{}, false},
		{BreakerSettings{Consecutive: 3}, false},
		{BreakerSettings{Window: 10, FailureRatio: 1}, false},
		{BreakerSettings{Window: 10, SlowCall: time.Second, SlowRatio: 1}, true},
		{BreakerSettings{WindowTime: time.Second, FailureRatio: 1}, true},
	} {
		c.s.ResetTimeout = time.Second
		require.Equal(t, c.want, newBreaker("", c.s).needsClock(), "%+v", c.s)
	}
}

func TestBreakerRecordsNoAttemptsWithResetTimeoutAlone(t *testing.T) {
	b := newBreaker("", BreakerSettings{ResetTimeout: time.Second})
	k := admit(t, b, 0)
	for range 100 {
		b.record(k, failure, time.Hour, 0)
	}
	b.leave(k, 0)
	require.Equal(t, BreakerClosed, b.stateAt(0))
	b.exhausted(k, 0)
	require.Equal(t, BreakerOpen, b.stateAt(0))
}

func TestBreakerThatRecordsAttemptsIsNotOpenedByAnExhaustedSession(t *testing.T) {
	for _, s := range []BreakerSettings{
		{Window: 10, FailureRatio: 0.5},
		{WindowTime: time.Second, FailureRatio: 0.5},
		{Consecutive: 5},
	} {
		s.ResetTimeout = time.Second
		b := newBreaker("", s)
		k := admit(t, b, 0)
		b.record(k, failure, 0, 0)
		b.exhausted(k, 0)
		require.Equal(t, BreakerClosed, b.stateAt(0), "%+v", s)
	}
}

func TestBreakerSessionsThatEndWhileOpenDoNotExtendIt(t *testing.T) {
	b := newBreaker("", BreakerSettings{ResetTimeout: time.Second})
	first, second := admit(t, b, 0), admit(t, b, 0)
	b.exhausted(first, 0)
	b.exhausted(second, breakerReset/2)
	require.Equal(t, BreakerHalfOpen, b.stateAt(breakerReset))
}

// B11.
func TestBreakerForced(t *testing.T) {
	settings := BreakerSettings{ResetTimeout: time.Second, Window: 2, FailureRatio: 1}
	fail := func(t *testing.T, b *Breaker, at int64, n int) {
		for range n {
			k := admit(t, b, at)
			b.record(k, failure, 0, at)
			b.exhausted(k, at)
			b.leave(k, at)
		}
	}

	t.Run("open rejects past any delay, until reset", func(t *testing.T) {
		b := newBreaker("", settings)
		b.ForceOpen()
		for _, at := range []int64{math.MinInt64, 0, breakerReset, math.MaxInt64} {
			reject(t, b, at)
			require.Equal(t, BreakerForceOpen, b.stateAt(at))
			require.Zero(t, b.retryAfterAt(at))
		}
		b.Reset()
		require.Equal(t, BreakerClosed, b.State())
		admit(t, b, 0)
	})
	t.Run("closed admits all and counts nothing", func(t *testing.T) {
		b := newBreaker("", settings)
		b.ForceClose()
		fail(t, b, 0, 100)
		require.Equal(t, BreakerForceClosed, b.stateAt(0))
		require.Zero(t, b.window.(*callWindow).calls)
	})
	t.Run("metrics only admits all and counts, and never opens", func(t *testing.T) {
		b := newBreaker("", settings)
		b.MetricsOnly()
		fail(t, b, 0, 1)
		require.Equal(t, tally{calls: 1, failed: 1}, b.window.(*callWindow).tally)
		fail(t, b, 0, 100)
		require.Equal(t, tally{calls: 2, failed: 2}, b.window.(*callWindow).tally)
		require.EqualValues(t, 101, b.streak.Load())
		require.Equal(t, BreakerMetricsOnly, b.stateAt(0))
	})
	t.Run("metrics only without a window never opens either", func(t *testing.T) {
		b := newBreaker("", BreakerSettings{ResetTimeout: time.Second})
		b.MetricsOnly()
		fail(t, b, 0, 100)
		require.Equal(t, BreakerMetricsOnly, b.stateAt(0))
	})
	t.Run("reset forgets what was counted, and what is under way", func(t *testing.T) {
		b := newBreaker("", settings)
		k := admit(t, b, 0)
		fail(t, b, 0, 1)
		b.Reset()
		b.record(k, failure, 0, 0)
		fail(t, b, 0, 1)
		require.Equal(t, BreakerClosed, b.stateAt(0))
		fail(t, b, 0, 1)
		require.Equal(t, BreakerOpen, b.stateAt(0))
		b.Reset()
		require.Equal(t, BreakerClosed, b.stateAt(0))
		require.Zero(t, b.retryAfterAt(0))
	})
	t.Run("while half-open drops the probes", func(t *testing.T) {
		for _, force := range []func(*Breaker){(*Breaker).ForceOpen, (*Breaker).ForceClose, (*Breaker).MetricsOnly, (*Breaker).Reset} {
			b := openedBreaker(t, 1)
			k := admit(t, b, breakerReset)
			force(b)
			state := b.stateAt(breakerReset)
			b.record(k, failure, 0, breakerReset)
			b.exhausted(k, breakerReset)
			b.leave(k, breakerReset)
			require.Equal(t, state, b.stateAt(breakerReset))
		}
	})
	t.Run("again changes nothing", func(t *testing.T) {
		b := newBreaker("", settings)
		b.MetricsOnly()
		fail(t, b, 0, 1)
		b.MetricsOnly()
		require.Equal(t, 1, b.window.(*callWindow).calls)
	})
}

func TestBreakerTakesAnyTime(t *testing.T) {
	extremes := []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64 - 1, math.MaxInt64}
	for _, s := range []BreakerSettings{
		{ResetTimeout: time.Microsecond},
		{ResetTimeout: math.MaxInt64},
		{ResetTimeout: time.Second, WindowTime: time.Microsecond, MinCalls: 1, FailureRatio: 1},
		{ResetTimeout: time.Second, WindowTime: math.MaxInt64, MinCalls: 1, FailureRatio: 1},
	} {
		require.Empty(t, s.check())
		for _, first := range extremes {
			for _, second := range extremes {
				b := newBreaker("", s)
				k := admit(t, b, first)
				b.record(k, failure, math.MaxInt64, first)
				b.exhausted(k, first)
				b.leave(k, first)
				require.Equal(t, BreakerOpen, b.stateAt(first))
				for _, at := range []int64{second, first} {
					after := b.retryAfterAt(at)
					require.GreaterOrEqual(t, after, time.Duration(0))
					require.LessOrEqual(t, after, s.ResetTimeout)
					if k, ok := b.enter(at); ok {
						b.leave(k, at)
					}
				}
			}
		}
	}
}

func TestBreakerClockThatGoesBack(t *testing.T) {
	t.Run("a late reading does not wait longer than the reset timeout", func(t *testing.T) {
		b := openedBreaker(t, 1)
		require.Equal(t, time.Second, b.retryAfterAt(-5*breakerReset))
		reject(t, b, -5*breakerReset)
	})
	t.Run("another clock's reading admits a probe rather than wait for the old clock", func(t *testing.T) {
		b := openedBreaker(t, 1)
		at := -int64(time.Hour)
		require.Equal(t, BreakerHalfOpen, b.stateAt(at))
		admit(t, b, at)
		reject(t, b, at)
	})
	t.Run("a lease of another clock is lost", func(t *testing.T) {
		b := openedBreaker(t, 1)
		admit(t, b, breakerReset)
		admit(t, b, -int64(time.Hour))
	})
	t.Run("a breaker outlives a bubble", func(t *testing.T) {
		b := newBreaker("", BreakerSettings{ResetTimeout: 10 * time.Second})
		b.exhausted(admit(t, b, now()), now())
		require.Equal(t, BreakerOpen, b.State())
		synctest.Test(t, func(t *testing.T) {
			k := admit(t, b, now())
			b.record(k, success, 0, now())
			require.Equal(t, BreakerClosed, b.State())
		})
	})
}

func TestBreakerCallsAllocateNothing(t *testing.T) {
	s := BreakerSettings{ResetTimeout: time.Second, Window: 10, FailureRatio: 0.5, SlowCall: time.Second, SlowRatio: 0.5, Probes: 2}
	byTime := s
	byTime.Window, byTime.WindowTime = 0, 10*time.Second
	for _, s := range []BreakerSettings{{ResetTimeout: time.Second}, {ResetTimeout: time.Second, Consecutive: 2}, s, byTime} {
		b := newBreaker("", s)
		at := int64(0)
		require.Zero(t, testing.AllocsPerRun(100, func() { // closed, opened, rejected, half-open, closed
			k, _ := b.enter(at)
			k, _ = b.readmit(k, at)
			for range 20 {
				b.record(k, failure, 0, at)
			}
			b.exhausted(k, at)
			b.leave(k, at)
			b.enter(at)
			at += breakerReset
			for range 3 {
				k, _ = b.enter(at)
				b.enter(at)
				b.record(k, success, 0, at)
				b.leave(k, at)
			}
		}), "%+v", s)
	}
}
