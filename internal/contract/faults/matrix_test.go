package faults_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/retry"
)

func TestWhoeverFailsNothingIsHeldLostOrMinted(t *testing.T) {
	for name, d := range deeds {
		t.Run(name, func(t *testing.T) {
			eachFault(t, func(t *testing.T, f fault, s *subject, ctx context.Context, report *retry.Report) {
				f.arm(s, d.do)
				got := watched(func() { _, _ = s.call(ctx) })
				require.True(t, s.struck(f.place), "the place was not reached")
				require.False(t, got.returned)
				d.seen(t, got)
				s.isSettled(t, f.after, report)
			})
		})
	}
}

// isSettled requires that a call that has ended holds nothing, that it has taken exactly what its report tells, and that
// later calls work.
func (s *subject) isSettled(t *testing.T, breaker retry.BreakerState, report *retry.Report) {
	t.Helper()
	require.Equal(t, s.outerIn, s.outerOut, "the outer gate is told once of each call that it has admitted")
	require.Equal(t, s.innerIn, s.innerOut, "and so is the inner one")
	require.Equal(t, s.innerIn, s.started, "a session that is admitted starts")
	require.Equal(t, s.innerIn, s.ended, "and its end hooks are told")
	require.Equal(t, s.ended, s.hits("lastEnder.End"), "also those behind one that fails")
	retries := max(report.Attempts-1, 0)
	require.Equal(t, retries, s.paid-s.givenBack, "what a taker was paid, and what it was for")
	if s.c != nil {
		require.LessOrEqual(t, s.discarded, report.Attempts, "each result once")
		thrownAway := retries
		for _, err := range report.Errors {
			if _, ok := err.(*retry.PanicError); ok {
				thrownAway-- // a panic has left no result
			}
		}
		require.GreaterOrEqual(t, s.discarded, thrownAway)
	}

	if breaker == "" {
		breaker = retry.BreakerClosed
	}
	require.Equal(t, breaker, s.breaker.State())
	if breaker == retry.BreakerOpen {
		time.Sleep(resetTimeout)
	}
	sessions := s.innerIn
	s.willing()
	s.script(outcome{receipt{s.rig, 1}, nil})
	for range 2 {
		x, err := s.call(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, x.no, "admitted, not given the fallback's result")
		sessions++
	}
	require.Equal(t, retry.BreakerClosed, s.breaker.State())
	require.Equal(t, s.outerIn, s.outerOut)
	require.Equal(t, s.innerIn, s.innerOut)
	require.Equal(t, s.reserve+sessions+1-retries, s.drain(t.Context()), "what the budget holds: the reserve, and one for each session")
}
