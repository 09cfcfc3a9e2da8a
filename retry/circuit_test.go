package retry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

const reset = 10 * time.Second

// circuit is a breaker's policy and its handle.
func circuit(settings retry.BreakerSettings) (retry.Policy, *retry.Breaker) {
	settings.ResetTimeout = reset
	p := retry.NewCircuitBreaker(settings)
	return p, retry.BreakerOf(p)
}

func TestWithResetTimeoutAloneOneExhaustedSessionOpens(t *testing.T) {
	for _, c := range []struct {
		name string
		errs []error
		want retry.BreakerState
	}{
		{"success", []error{nil}, retry.BreakerClosed},
		{"success after a retry", []error{errBoom, nil}, retry.BreakerClosed},
		{"a failure that is not retriable", []error{errOther}, retry.BreakerClosed},
		{"exhausted", []error{errBoom}, retry.BreakerOpen},
	} {
		policy, breaker := circuit(retry.BreakerSettings{})
		op := scripted(c.errs...)
		_ = retry.With(policy).WhenThrows(retry.Is(errBoom)).Max(2).Run(t.Context(), op.run)
		require.Equal(t, c.want, breaker.State(), c.name)
	}
}

func TestAnOpenBreakerRejects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy, breaker := circuit(retry.BreakerSettings{})
		chain := retry.With(policy).Max(1).Named("rates")
		require.Same(t, errBoom, chain.Run(t.Context(), scripted(errBoom).run))
		time.Sleep(time.Second)

		op := scripted(nil)
		err := chain.Run(t.Context(), op.run)
		require.ErrorIs(t, err, retry.ErrCircuitOpen)
		require.EqualError(t, err, "rates: rejected: circuit breaker is open")
		require.Zero(t, op.calls)
		var rejected *retry.RejectedError
		require.ErrorAs(t, err, &rejected)
		require.Equal(t, 9*time.Second, rejected.RetryAfter())
		require.Equal(t, 9*time.Second, breaker.RetryAfter())
		require.Same(t, err, chain.Run(t.Context(), op.run), "one value for the method")

		var cause error
		require.NoError(t, chain.Fallback(func(_ context.Context, err error) error { cause = err; return nil }).Run(t.Context(), op.run))
		require.ErrorIs(t, cause, retry.ErrCircuitOpen)
	})
}

func TestABreakerIsOpenFromTheEndOfTheAttemptThatOpenedIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy, breaker := circuit(retry.BreakerSettings{Consecutive: 1})
		_ = retry.With(policy).Run(t.Context(), func(context.Context) error { time.Sleep(reset / 2); return errBoom })
		require.Equal(t, reset, breaker.RetryAfter())
	})
}

func TestRejectedCallsNeverExtendTheOpenTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy, breaker := circuit(retry.BreakerSettings{})
		chain := retry.With(policy).Max(1)
		_ = chain.Run(t.Context(), scripted(errBoom).run)
		for range 9 {
			time.Sleep(time.Second)
			require.ErrorIs(t, chain.Run(t.Context(), scripted(nil).run), retry.ErrCircuitOpen)
		}
		time.Sleep(time.Second)
		require.NoError(t, chain.Run(t.Context(), scripted(nil).run))
		require.Equal(t, retry.BreakerClosed, breaker.State())
	})
}

func TestABreakerIsALimitWhenItOpensDuringTheSession(t *testing.T) {
	policy, _ := circuit(retry.BreakerSettings{Consecutive: 2})
	op := scripted(errBoom)
	err := retry.With(policy).Max(5).WrapExhausted().Run(t.Context(), op.run)
	exhaustedBy(t, err, "circuitBreaker", 2)
	require.ErrorIs(t, err, errBoom, "with the last failure, not a rejection")
}

func TestABreakerThatAnotherOpensEndsTheSession(t *testing.T) {
	for _, during := range []string{"an attempt", "a wait"} {
		t.Run(during, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				policy, breaker := circuit(retry.BreakerSettings{Consecutive: 100})
				log := new(journal)
				if during == "a wait" {
					time.AfterFunc(1500*time.Millisecond, breaker.ForceOpen)
				}
				calls := 0
				err := retry.With(purse(log, "purse", 0), policy).Max(9).WrapExhausted().With(retry.NewSleep(retry.Flat, time.Second)).
					Run(t.Context(), func(context.Context) error {
						if calls++; calls == 2 && during == "an attempt" {
							breaker.ForceOpen()
						}
						return errBoom
					})
				exhaustedBy(t, err, "circuitBreaker", 2)
				lines := log.all()
				require.Equal(t, 1, count(lines, "purse takes")-count(lines, "purse gives back"), "what the retry that did not start was paid is given back")
			})
		})
	}
}

func TestABreakerThatClosedAgainMeanwhileLetsTheSessionGoOn(t *testing.T) {
	policy, breaker := circuit(retry.BreakerSettings{Consecutive: 2})
	calls := 0
	err := retry.With(policy).Max(9).WrapExhausted().Run(t.Context(), func(context.Context) error {
		if calls++; calls == 1 {
			breaker.ForceOpen()
			breaker.Reset()
		}
		return errBoom
	})
	exhaustedBy(t, err, "circuitBreaker", 3)
	require.Equal(t, retry.BreakerOpen, breaker.State(), "the second and the third failure count; the first is of an earlier time")
}

func TestTheCallersCancelIsNoFailureOfThePeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, settings := range []retry.BreakerSettings{{}, {Consecutive: 1}} {
			policy, breaker := circuit(settings)
			ctx, cancel := context.WithCancel(t.Context())
			_ = retry.With(policy).Run(ctx, func(context.Context) error { cancel(); return errBoom })
			require.Equal(t, retry.BreakerClosed, breaker.State())
		}
		policy, breaker := circuit(retry.BreakerSettings{Consecutive: 1})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_ = retry.With(policy).Run(ctx, hang)
		require.Equal(t, retry.BreakerOpen, breaker.State(), "a peer too slow for the caller's deadline is")
	})
}

func TestEveryAttemptIsRecordedAndRetriesForResultsAreFailures(t *testing.T) {
	policy, breaker := circuit(retry.BreakerSettings{Window: 4, FailureRatio: 0.75})
	chain := retry.WhenReturns(1).With(policy).Max(3)
	_, _ = chain.Call(t.Context(), (&counting{}).run) // 1 is retried, 2 is not
	require.Equal(t, retry.BreakerClosed, breaker.State())
	one := func(context.Context) (int, error) { return 1, nil }
	_, _ = chain.Call(t.Context(), one)
	require.Equal(t, retry.BreakerOpen, breaker.State(), "three of four")
}

func TestSlowAttemptsOpenABreakerThatMindsThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy, breaker := circuit(retry.BreakerSettings{Window: 2, SlowCall: time.Second, SlowRatio: 1})
		chain := retry.With(policy)
		for _, took := range []time.Duration{2 * time.Second, time.Second, 2 * time.Second, 2 * time.Second} {
			require.Equal(t, retry.BreakerClosed, breaker.State())
			require.NoError(t, chain.Run(t.Context(), func(context.Context) error { time.Sleep(took); return nil }))
		}
		require.Equal(t, retry.BreakerOpen, breaker.State())
	})
}

func TestTheTimeOfAnAttemptIsItsOwnNotTheSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy, breaker := circuit(retry.BreakerSettings{Window: 1, SlowCall: time.Second, SlowRatio: 1})
		err := retry.With(policy).Max(3).With(retry.NewSleep(retry.Flat, 5*time.Second)).Run(t.Context(), scripted(errBoom, nil).run)
		require.NoError(t, err)
		require.Equal(t, retry.BreakerClosed, breaker.State())
	})
}

func TestChainsThatHoldTheSameValueShareTheBreaker(t *testing.T) {
	policy, breaker := circuit(retry.BreakerSettings{})
	require.Same(t, errBoom, retry.With(policy).Max(1).Run(t.Context(), scripted(errBoom).run))
	_, err := retry.For[int]().With(policy).Max(5).Call(t.Context(), new(counting).run)
	require.ErrorIs(t, err, retry.ErrCircuitOpen)
	require.Equal(t, retry.BreakerOpen, breaker.State())
}

func TestOneChainMayHaveSeveralBreakers(t *testing.T) {
	lenient, first := circuit(retry.BreakerSettings{Consecutive: 3})
	strict, second := circuit(retry.BreakerSettings{Consecutive: 2})
	chain := retry.With(gateFuncs{enter: func(context.Context) (uint64, error) { return 0, nil }}, lenient, strict).Max(9)
	op := scripted(errBoom)
	exhaustedBy(t, chain.WrapExhausted().Run(t.Context(), op.run), "circuitBreaker", 2)
	require.Equal(t, retry.BreakerClosed, first.State())
	require.Equal(t, retry.BreakerOpen, second.State())
	require.ErrorIs(t, chain.Run(t.Context(), op.run), retry.ErrCircuitOpen)
	require.Equal(t, 2, op.calls)
}

func TestAnOperatorsHandGoesThroughTheChain(t *testing.T) {
	policy, breaker := circuit(retry.BreakerSettings{})
	chain := retry.With(policy).Max(1)
	breaker.ForceOpen()
	require.ErrorIs(t, chain.Run(t.Context(), scripted(nil).run), retry.ErrCircuitOpen)
	breaker.ForceClose()
	for range 3 {
		require.Same(t, errBoom, chain.Run(t.Context(), scripted(errBoom).run))
	}
	breaker.Reset()
	require.NoError(t, chain.Run(t.Context(), scripted(nil).run))
	require.Nil(t, retry.BreakerOf(retry.NewMaxAttempts(1)), "other policies have no breaker")
}

func TestANestedSessionWaitsForTheBreakerThatRejectedIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy, _ := circuit(retry.BreakerSettings{})
		inner := retry.With(policy).Max(1)
		_ = inner.Run(t.Context(), scripted(errBoom).run)
		start := time.Now()
		require.NoError(t, retry.WhenThrows().Max(2).Run(t.Context(), func(context.Context) error {
			return inner.Run(context.Background(), scripted(nil).run) // a new layer
		}))
		require.Equal(t, reset, time.Since(start), "its error says when to come back")
	})
}
