package retry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// What outlives a test lives through many clocks: the machine's, and a bubble's, which begins in the year 2000.
func TestAChainLivesThroughClocksThatJump(t *testing.T) {
	policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Hour})
	breaker := retry.BreakerOf(policy)
	chain := retry.With(policy, retry.NewBudget(retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: 0.2}), // two retries
		retry.NewTimeout(time.Hour), retry.NewMaxAttempts(retry.Unlimited))
	attempts := func(errs ...error) int {
		op := scripted(errs...)
		_ = chain.Run(t.Context(), func(ctx context.Context) error {
			a, _ := retry.FromContext(ctx)
			require.GreaterOrEqual(t, a.Elapsed, time.Duration(0))
			return op.run(ctx)
		})
		return op.calls
	}
	require.Equal(t, 3, attempts(errBoom))
	require.Equal(t, retry.BreakerOpen, breaker.State())

	synctest.Test(t, func(t *testing.T) {
		require.Equal(t, retry.BreakerHalfOpen, breaker.State(), "another clock cannot tell how long it was open")
		require.Equal(t, 1, attempts(nil))
		require.Equal(t, retry.BreakerClosed, breaker.State())
		require.Equal(t, 1, attempts(errBoom), "a clock that goes back earns nothing")
		require.Equal(t, retry.BreakerOpen, breaker.State())
		breaker.Reset()

		time.Sleep(5 * time.Second)
		require.Equal(t, 2, attempts(errBoom), "one retry was earned")
	})

	require.Equal(t, 1, attempts(nil), "a quarter of a century later it is half-open")
	require.Equal(t, 3, attempts(errBoom), "and the reserve is full, no more")
}
