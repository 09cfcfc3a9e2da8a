package retry

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// C23, B8: results of calls that began in an earlier state.
func TestBreakerLateResultsDoNotCount(t *testing.T) {
	settings := BreakerSettings{ResetTimeout: time.Second, Window: 2, FailureRatio: 1, Probes: 2}
	for _, o := range []outcome{neutral, success, failure} {
		b := newBreaker("", settings)
		late, k := admit(t, b, 0), admit(t, b, 0)
		b.record(k, failure, 0, 0)
		b.record(k, failure, 0, 0)
		require.Equal(t, BreakerOpen, b.stateAt(0))

		b.record(late, o, 0, breakerReset/2)
		b.exhausted(late, breakerReset/2)
		b.leave(late, breakerReset/2)
		require.Equal(t, BreakerHalfOpen, b.stateAt(breakerReset), "open no longer than it was")

		probe := admit(t, b, breakerReset)
		b.record(late, o, 0, breakerReset)
		b.exhausted(late, breakerReset)
		b.leave(late, breakerReset)
		require.Equal(t, BreakerHalfOpen, b.stateAt(breakerReset), "neither opened nor closed")
		second := admit(t, b, breakerReset)
		reject(t, b, breakerReset) // the late call freed no probe
		b.record(probe, success, 0, breakerReset)
		b.record(second, success, 0, breakerReset)
		require.Equal(t, BreakerClosed, b.stateAt(breakerReset))

		for range 5 {
			b.record(late, o, 0, breakerReset)
			b.record(probe, o, 0, breakerReset)
			b.exhausted(probe, breakerReset)
		}
		require.Equal(t, BreakerClosed, b.stateAt(breakerReset), "nothing of an earlier state is in the new window")
	}
}

// C24, B2: at the instant of half-open.
func TestBreakerAdmitsExactlyItsProbes(t *testing.T) {
	for _, probes := range []int{1, 2, 5} {
		b := openedBreaker(t, probes)
		reject(t, b, breakerReset-1)
		var out []breakerTicket
		for range probes {
			out = append(out, admit(t, b, breakerReset))
		}
		for range 20 {
			reject(t, b, breakerReset)
		}
		for i, k := range out {
			require.Equal(t, BreakerHalfOpen, b.stateAt(breakerReset))
			reject(t, b, breakerReset) // those that succeeded are not replaced: no more is needed
			b.record(k, success, 0, breakerReset)
			b.leave(k, breakerReset)
			require.Equal(t, i == probes-1, b.stateAt(breakerReset) == BreakerClosed)
		}
	}
}

// B3, with the one setting there is: five at once, all five must succeed.
func TestBreakerOneFailedProbeReopensAtOnce(t *testing.T) {
	b := openedBreaker(t, 5)
	var out []breakerTicket
	for range 5 {
		out = append(out, admit(t, b, breakerReset))
	}
	b.record(out[0], success, 0, breakerReset)
	b.record(out[1], success, 0, breakerReset)
	b.record(out[2], failure, 0, breakerReset)
	require.Equal(t, BreakerOpen, b.stateAt(breakerReset))
	for _, k := range out[3:] {
		b.record(k, success, 0, breakerReset)
		b.leave(k, breakerReset)
	}
	require.Equal(t, BreakerOpen, b.stateAt(2*breakerReset-1), "the others' results are of an earlier state")

	for i := range 5 { // from nothing again
		require.Equal(t, BreakerHalfOpen, b.stateAt(2*breakerReset), "after %d successes", i)
		b.record(admit(t, b, 2*breakerReset), success, 0, 2*breakerReset)
	}
	require.Equal(t, BreakerClosed, b.stateAt(2*breakerReset))
}

// C25, B9, B10: the loop records a failure for an attempt that ends in a panic or in Goexit, then leaves.
func TestBreakerProbeThatPanicsCountsOnce(t *testing.T) {
	b := openedBreaker(t, 1)
	k := admit(t, b, breakerReset)
	b.record(k, failure, 0, breakerReset)
	b.leave(k, breakerReset)
	b.exhausted(k, breakerReset+1)
	require.Equal(t, BreakerOpen, b.stateAt(2*breakerReset-1))
	require.Equal(t, BreakerHalfOpen, b.stateAt(2*breakerReset), "opened once, by the first report")
	admit(t, b, 2*breakerReset)
}

// C26, B6: cancelled by the caller, or ended without a word.
func TestBreakerProbeThatIsNeutralMakesRoom(t *testing.T) {
	b := openedBreaker(t, 1)
	k := admit(t, b, breakerReset)
	b.record(k, neutral, 0, breakerReset)
	k = admit(t, b, breakerReset)
	b.leave(k, breakerReset)
	k = admit(t, b, breakerReset)
	reject(t, b, breakerReset)
	b.record(k, success, 0, breakerReset)
	require.Equal(t, BreakerClosed, b.stateAt(breakerReset))
}

func TestBreakerExhaustedProbeReopens(t *testing.T) {
	for _, s := range []BreakerSettings{{}, {Window: 1, FailureRatio: 1}, {Consecutive: 1}} {
		s.ResetTimeout = time.Second
		b := newBreaker("", s)
		b.open(0)
		b.exhausted(admit(t, b, breakerReset), breakerReset)
		require.Equal(t, BreakerOpen, b.stateAt(breakerReset), "%+v", s)
	}
}

// C27: a probe that never returns.
func TestBreakerProbeLosesItsLease(t *testing.T) {
	for _, o := range []outcome{neutral, success, failure} {
		b := openedBreaker(t, 1)
		at := breakerReset
		lost := admit(t, b, at)
		reject(t, b, at+breakerReset-1)
		at += breakerReset
		next := admit(t, b, at)
		reject(t, b, at)

		b.record(lost, o, 0, at)
		b.exhausted(lost, at)
		b.leave(lost, at)
		require.Equal(t, BreakerHalfOpen, b.stateAt(at), "the late result does not count")
		reject(t, b, at) // nor does it free the other's lease
		b.record(next, success, 0, at)
		require.Equal(t, BreakerClosed, b.stateAt(at))
	}
}

func TestBreakerSlowProbeCountsWhileNobodyHasItsLease(t *testing.T) {
	b := openedBreaker(t, 1)
	k := admit(t, b, breakerReset)
	b.record(k, success, 0, 10*breakerReset)
	require.Equal(t, BreakerClosed, b.stateAt(10*breakerReset), "calls longer than the reset timeout can close it")
}

func TestBreakerOldestLeaseIsLostFirst(t *testing.T) {
	b := openedBreaker(t, 3)
	at := breakerReset
	first, second, third := admit(t, b, at), admit(t, b, at+1), admit(t, b, at+2)
	at += breakerReset + 2
	fourth := admit(t, b, at)
	b.record(first, failure, 0, at)
	require.Equal(t, BreakerHalfOpen, b.stateAt(at))
	for _, k := range []breakerTicket{second, third, fourth} {
		b.record(k, success, 0, at)
	}
	require.Equal(t, BreakerClosed, b.stateAt(at))
}

func TestBreakerReadmit(t *testing.T) {
	t.Run("closed: the same ticket", func(t *testing.T) {
		b := newBreaker("", BreakerSettings{ResetTimeout: time.Second})
		k := admit(t, b, 0)
		again, ok := b.readmit(k, 5)
		require.True(t, ok)
		require.Equal(t, k, again)
	})
	t.Run("opened meanwhile: rejected, then a probe like any other", func(t *testing.T) {
		b := newBreaker("", BreakerSettings{ResetTimeout: time.Second})
		k := admit(t, b, 0)
		b.open(0)
		_, ok := b.readmit(k, breakerReset-1)
		require.False(t, ok)
		probe, ok := b.readmit(k, breakerReset)
		require.True(t, ok)
		require.NotEqual(t, k, probe)
		reject(t, b, breakerReset)
		b.record(k, success, 0, breakerReset)
		require.Equal(t, BreakerHalfOpen, b.stateAt(breakerReset))
		b.record(probe, success, 0, breakerReset)
		require.Equal(t, BreakerClosed, b.stateAt(breakerReset))
	})
	t.Run("half-open with another's probe: rejected", func(t *testing.T) {
		b := newBreaker("", BreakerSettings{ResetTimeout: time.Second})
		k := admit(t, b, 0)
		b.open(0)
		admit(t, b, breakerReset)
		_, ok := b.readmit(k, breakerReset)
		require.False(t, ok)
	})
	t.Run("half-open as a probe: the same ticket, and room for no other", func(t *testing.T) {
		b := openedBreaker(t, 1)
		probe := admit(t, b, breakerReset)
		again, ok := b.readmit(probe, breakerReset+5)
		require.True(t, ok)
		require.Equal(t, probe, again)
		reject(t, b, breakerReset+5)
	})
	t.Run("probe that failed: rejected", func(t *testing.T) {
		b := openedBreaker(t, 1)
		probe := admit(t, b, breakerReset)
		b.record(probe, failure, 0, breakerReset)
		_, ok := b.readmit(probe, breakerReset)
		require.False(t, ok)
	})
	t.Run("opened and closed again: a ticket of the new generation, which counts", func(t *testing.T) {
		b := newBreaker("", BreakerSettings{ResetTimeout: time.Second, Consecutive: 2})
		k := admit(t, b, 0)
		b.open(0)
		b.record(admit(t, b, breakerReset), success, 0, breakerReset)
		again, ok := b.readmit(k, breakerReset)
		require.True(t, ok)
		require.NotEqual(t, k, again)
		b.record(again, failure, 0, breakerReset)
		b.record(again, failure, 0, breakerReset)
		require.Equal(t, BreakerOpen, b.stateAt(breakerReset))
	})
	t.Run("forced", func(t *testing.T) {
		b := newBreaker("", BreakerSettings{ResetTimeout: time.Second})
		k := admit(t, b, 0)
		b.ForceOpen()
		_, ok := b.readmit(k, math.MaxInt64)
		require.False(t, ok)
		b.ForceClose()
		_, ok = b.readmit(k, 0)
		require.True(t, ok)
		b.MetricsOnly()
		_, ok = b.readmit(k, 0)
		require.True(t, ok)
	})
}
