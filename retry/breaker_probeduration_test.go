package retry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// How long a probe took matters where SlowCall says so, and of successes and failures alone.
func TestTheDurationOfAProbe(t *testing.T) {
	consecutive := retry.BreakerSettings{Consecutive: 1}
	windowTime := retry.BreakerSettings{WindowTime: time.Minute, MinCalls: 1, FailureRatio: 1}
	minds := retry.BreakerSettings{Window: 1, FailureRatio: 1, SlowCall: time.Second, SlowRatio: 1}
	for _, c := range []struct {
		name     string
		settings retry.BreakerSettings
		took     time.Duration
		err      error
		want     retry.BreakerState
	}{
		{"a slow success closes a breaker that minds no slow calls", consecutive, time.Hour, nil, retry.BreakerClosed},
		{"also one that keeps the time of its calls", windowTime, time.Hour, nil, retry.BreakerClosed},
		{"a slow success re-opens one that minds them", minds, time.Second + 1, nil, retry.BreakerOpen},
		{"a success that is not slow yet closes it", minds, time.Second, nil, retry.BreakerClosed},
		{"a slow probe that says nothing of the peer says nothing by its slowness", minds, time.Hour, errOther, retry.BreakerHalfOpen},
		{"a fast failure re-opens", minds, 0, errBoom, retry.BreakerOpen},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				policy, breaker := circuit(c.settings)
				chain := retry.With(policy).WhenThrows(retry.Is(errBoom)).Max(1)
				require.Same(t, errBoom, chain.Run(t.Context(), scripted(errBoom).run))
				time.Sleep(reset)
				require.Equal(t, c.err, chain.Run(t.Context(), func(context.Context) error { time.Sleep(c.took); return c.err }))
				require.Equal(t, c.want, breaker.State())
				if c.want == retry.BreakerHalfOpen {
					require.NoError(t, chain.Run(t.Context(), scripted(nil).run), "its place is free")
				}
			})
		})
	}
}

// A result that would be retried, under a context that its caller has cancelled meanwhile, is neither the peer's failure
// nor a success of its.
func TestAResultToBeRetriedThatComesAfterTheCallersCancelIsNeutral(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy, breaker := circuit(retry.BreakerSettings{Consecutive: 1})
		chain := retry.WhenReturns(1).With(policy).Max(2)
		one := func(context.Context) (int, error) { return 1, nil }
		_, _ = chain.Max(1).Call(t.Context(), one)
		time.Sleep(reset)

		ctx, cancel := context.WithCancel(t.Context())
		_, err := chain.Call(ctx, func(context.Context) (int, error) { cancel(); return 1, nil })
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, retry.BreakerHalfOpen, breaker.State(), "a success would have closed it, a failure opened")
	})
}
