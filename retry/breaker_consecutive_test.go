package retry_test

import (
	"testing"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// Failures in a row are in a row: one success between them, however early or late, begins the row anew. What is neutral
// leaves it as it is.
func TestConsecutiveFailuresAreCountedFromTheLatestSuccess(t *testing.T) {
	outcomes := map[byte]error{'s': nil, 'f': errBoom, 'n': errOther}
	for _, c := range []struct {
		settings retry.BreakerSettings
		calls    string
		opens    bool
	}{
		{retry.BreakerSettings{Consecutive: 2}, "ff", true},
		{retry.BreakerSettings{Consecutive: 2}, "fsf", false},
		{retry.BreakerSettings{Consecutive: 2}, "fsfsfsf", false},
		{retry.BreakerSettings{Consecutive: 2}, "fsff", true},
		{retry.BreakerSettings{Consecutive: 2}, "fnf", true},
		{retry.BreakerSettings{Consecutive: 2}, "nnf", false},
		{retry.BreakerSettings{Consecutive: 3}, "fsff", false},
		{retry.BreakerSettings{Consecutive: 3}, "ffsff", false},
		{retry.BreakerSettings{Consecutive: 3}, "ssssfff", true},
		{retry.BreakerSettings{Consecutive: 1}, "ssssf", true},
		{retry.BreakerSettings{Consecutive: 2, MinCalls: 4}, "ff", false},
		{retry.BreakerSettings{Consecutive: 2, MinCalls: 4}, "ssff", true},
		{retry.BreakerSettings{Consecutive: 2, MinCalls: 4}, "ffff", true},
		{retry.BreakerSettings{Consecutive: 2, MinCalls: 4}, "sffs", false},
		{retry.BreakerSettings{Consecutive: 2, Window: 4}, "ffff", true},
		{retry.BreakerSettings{Consecutive: 2, Window: 4}, "ssff", true},
		{retry.BreakerSettings{Consecutive: 2, Window: 4}, "fsfsf", false},
	} {
		policy, breaker := circuit(c.settings)
		chain := retry.With(policy).WhenThrows(retry.Is(errBoom)).Max(1)
		for i := range len(c.calls) {
			require.Equal(t, retry.BreakerClosed, breaker.State(), "%+v before call %d of %s", c.settings, i, c.calls)
			require.Equal(t, outcomes[c.calls[i]], chain.Run(t.Context(), scripted(outcomes[c.calls[i]]).run))
		}
		require.Equal(t, c.opens, breaker.State() == retry.BreakerOpen, "%+v after %s", c.settings, c.calls)
	}
}

// A minimum of calls counts all of them, also the successes that come before anything has gone wrong.
func TestMinCallsCountsSuccessesBeforeTheFirstFailure(t *testing.T) {
	for _, settings := range []retry.BreakerSettings{
		{Consecutive: 1, MinCalls: 10},
		{Window: 10, FailureRatio: 0.1},
		{WindowTime: time.Minute, FailureRatio: 0.1},
	} {
		policy, breaker := circuit(settings)
		chain := retry.With(policy).Max(1)
		for range 9 {
			require.NoError(t, chain.Run(t.Context(), scripted(nil).run))
		}
		require.Error(t, chain.Run(t.Context(), scripted(errBoom).run))
		require.Equal(t, retry.BreakerOpen, breaker.State(), "%+v", settings)
	}
}
