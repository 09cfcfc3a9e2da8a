package retry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// A success may open a breaker: the one that makes its window hold enough. It is open from the end of that call, however
// long the call took.
func TestABreakerThatASuccessOpensIsOpenFromItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: 10 * time.Second, Window: 2, FailureRatio: 0.5})
		breaker, chain := retry.BreakerOf(policy), retry.With(policy).Max(1)
		require.Error(t, chain.Run(t.Context(), scripted(errBoom).run))
		require.NoError(t, chain.Run(t.Context(), func(context.Context) error { time.Sleep(time.Minute); return nil }))
		require.Equal(t, retry.BreakerOpen, breaker.State())
		require.Equal(t, 10*time.Second, breaker.RetryAfter())
	})
}

func TestEachOfSeveralBreakersIsOpenFromTheEndOfWhatOpensIt(t *testing.T) {
	ratio := retry.BreakerSettings{ResetTimeout: 10 * time.Second, Window: 2, FailureRatio: 0.5}
	never := retry.BreakerSettings{ResetTimeout: 10 * time.Second, Consecutive: 3}
	for i := range 2 {
		synctest.Test(t, func(t *testing.T) {
			opens, stays := retry.NewCircuitBreaker(ratio), retry.NewCircuitBreaker(never)
			policies := []retry.Policy{opens, stays}
			if i == 1 {
				policies = []retry.Policy{stays, opens}
			}
			chain := retry.With(policies...).Max(1)
			require.Error(t, chain.Run(t.Context(), scripted(errBoom).run))
			require.NoError(t, chain.Run(t.Context(), func(context.Context) error { time.Sleep(time.Minute); return nil }))
			require.Equal(t, 10*time.Second, retry.BreakerOf(opens).RetryAfter())
			require.Equal(t, retry.BreakerClosed, retry.BreakerOf(stays).State())
		})
	}
}

// A user's gate may let a call wait. A breaker after it is asked at the time it is asked, not at that of the call.
func TestABreakerBehindASlowGateIsAskedWhenTheGateHasLetTheCallIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: 10 * time.Second})
		breaker := retry.BreakerOf(policy)
		slow := gateFuncs{enter: func(context.Context) (uint64, error) { time.Sleep(10 * time.Second); return 0, nil }}
		behind, plain := retry.With(slow, policy).Max(1), retry.With(policy).Max(1)
		require.Error(t, plain.Run(t.Context(), scripted(errBoom).run))

		admitted := make(chan struct{})
		go func() {
			_ = behind.Run(t.Context(), func(context.Context) error { close(admitted); time.Sleep(5 * time.Second); return nil })
		}()
		<-admitted // half-open after the ten seconds in the gate
		require.ErrorIs(t, plain.Run(t.Context(), scripted(nil).run), retry.ErrCircuitOpen, "the probe keeps its place from when it was admitted")
		time.Sleep(5 * time.Second)
		synctest.Wait()
		require.Equal(t, retry.BreakerClosed, breaker.State())
	})
}

// An attempt is slow whatever its outcome, a panic too.
func TestASlowAttemptThatPanicsCountsAsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Minute, Window: 1, SlowCall: time.Second, SlowRatio: 1})
		require.Panics(t, func() {
			_ = retry.With(policy).Max(1).Run(t.Context(), func(context.Context) error { time.Sleep(2 * time.Second); panic("slow") })
		})
		require.Equal(t, retry.BreakerOpen, retry.BreakerOf(policy).State())
	})
}
