package retry_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// hyperf:7.4
func TestAncestorsCircuitBreakerState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Millisecond})
		breaker := retry.BreakerOf(policy)
		require.Equal(t, retry.BreakerClosed, breaker.State())
		_ = retry.With(policy).Max(1).Run(t.Context(), scripted(errBoom).run)
		require.Equal(t, retry.BreakerOpen, breaker.State())
		time.Sleep(time.Millisecond)
		// The ancestor's is closed now, for all who call. Ours lets a probe find out.
		require.Equal(t, retry.BreakerHalfOpen, breaker.State())
	})
}

func TestAncestorsGoldenTimes(t *testing.T) {
	again := func(int, error) bool { return true }
	t.Run("two sleeps (S1 then S2)", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			// The ancestor sleeps the second twice; ours waits once, the larger.
			start := time.Now()
			_ = retry.WhenThrows().Max(2).Sleep(time.Second).Sleep(3*time.Second).Run(t.Context(), scripted(errBoom).run)
			require.Equal(t, 3*time.Second, time.Since(start))
		})
	})
	t.Run("inSeconds(0), with and without fallback", func(t *testing.T) {
		// The ancestor returns null, or what the fallback makes of null. Ours never returns a silent zero value.
		op := new(counting)
		_, err := retry.For[int]().Within(0).Call(t.Context(), op.run)
		require.ErrorIs(t, err, retry.ErrTimeout)
		v, err := retry.For[int]().Within(0).Fallback(func(_ context.Context, cause error) (int, error) {
			require.ErrorIs(t, cause, retry.ErrTimeout)
			return 10, nil
		}).Call(t.Context(), op.run)
		require.NoError(t, err)
		require.Equal(t, 10, v)
		require.Zero(t, op.calls)
	})
	t.Run("inSeconds(0.02).sleep(50), always repeat", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			// The ancestor sleeps past its own deadline: 2 calls, 50 ms.
			start := time.Now()
			v, err := retry.When(again).Within(20*time.Millisecond).Sleep(50*time.Millisecond).Call(t.Context(), new(counting).run)
			require.NoError(t, err)
			require.Equal(t, 1, v)
			require.Zero(t, time.Since(start))
		})
	})
}

func TestAncestorsGoldenCircuitsAndBudgets(t *testing.T) {
	t.Run("circuit opened by someone during attempt 2", func(t *testing.T) {
		policy, breaker := circuit(retry.BreakerSettings{})
		calls := 0
		err := retry.With(policy).Run(t.Context(), func(context.Context) error {
			if calls++; calls == 2 {
				breaker.ForceOpen()
			}
			return errBoom
		})
		require.Same(t, errBoom, err)
		require.Equal(t, 2, calls)
		require.Equal(t, retry.BreakerForceOpen, breaker.State())
	})
	t.Run("circuit reset 50 ms, one failure, then a 60 ms pause", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: 50 * time.Millisecond})
			chain := retry.With(policy).Max(1)
			_ = chain.Run(t.Context(), scripted(errBoom).run)
			time.Sleep(60 * time.Millisecond)
			require.NoError(t, chain.Run(t.Context(), scripted(nil).run))
			require.Equal(t, retry.BreakerClosed, retry.BreakerOf(policy).State())
		})
	})
	t.Run("circuit reset 50 ms, one failure, then a call every 30 ms", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			// The ancestor's rejected calls extend the open time, so it never recovers.
			chain := retry.With(retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: 50 * time.Millisecond})).Max(1)
			_ = chain.Run(t.Context(), scripted(errBoom).run)
			var outcomes []error
			for range 4 {
				time.Sleep(30 * time.Millisecond)
				outcomes = append(outcomes, errors.Unwrap(chain.Run(t.Context(), scripted(nil).run)))
			}
			require.Equal(t, []error{retry.ErrCircuitOpen, nil, nil, nil}, outcomes)
		})
	})
	attempts := func(t *testing.T, budget retry.Policy, sessions int) (list []int) {
		for range sessions {
			op := scripted(errBoom)
			_ = retry.With(budget).Run(t.Context(), op.run)
			list = append(list, op.calls)
		}
		return list
	}
	t.Run("budget (10,0,0.5) shared, 4 always-failing sessions", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			budget := retry.NewBudget(retry.BudgetSettings{TTL: 10 * time.Second, Percent: 0.5})
			require.Equal(t, []int{1, 2, 1, 2}, attempts(t, budget, 4))
		})
	})
	t.Run("two dry runs on one affordable retry", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			// The ancestor asks first and takes later, so two sessions may be promised one retry. Ours takes in one step.
			budget := retry.NewBudget(retry.BudgetSettings{TTL: time.Second, MinPerSec: 1})
			chain := retry.With(budget, retry.NewSleep(retry.Flat, time.Millisecond))
			first, second := scripted(errBoom, nil), scripted(errBoom, nil)
			go func() { _ = chain.Run(t.Context(), first.run) }()
			go func() { _ = chain.Run(t.Context(), second.run) }()
			time.Sleep(500 * time.Millisecond)
			synctest.Wait()
			require.Equal(t, 3, first.calls+second.calls)
		})
	})
	t.Run("default budget, cold, always failing, no ticks", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			// The ancestor, whose reserve is filled by ticks: 2,1,1,1,2 ... Ours has a full reserve of ten at the start, and
			// from then on one retry for five sessions.
			budget := retry.NewBudget(retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1, Percent: 0.2})
			require.Equal(t, []int{11, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2}, attempts(t, budget, 15))
		})
	})
}
