package retry_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

func TestAHybridPolicyIsTheListThatItWasMadeOf(t *testing.T) {
	list := []retry.Policy{
		retry.NewClassifier(), retry.NewTimeout(time.Second), retry.NewAttemptTimeout(time.Second),
		retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Second}),
		retry.NewBudget(retry.BudgetSettings{TTL: time.Second, MinPerSec: 1}),
		retry.NewMaxAttempts(3), retry.NewSleep(retry.Flat, 0), retry.NewExpression(saysNo),
	}
	h := hybrid(t, list...)
	require.Equal(t, "classifier, timeout, attemptTimeout, circuitBreaker, budget, maxAttempts, sleep, expression", h.String())
	require.Equal(t, list, h.Policies())
	h.Policies()[0] = nil
	require.Equal(t, list, h.Policies(), "the list is a copy")
	require.Equal(t, 3, h.Settings().MaxAttempts)
	require.Equal(t, retry.DefaultMaxDelay, h.Settings().MaxDelay)
}

func TestAHybridPolicyGetsABoundIfItHasNone(t *testing.T) {
	require.Equal(t, "classifier, maxAttempts", hybrid(t, retry.NewClassifier()).String())
	require.Equal(t, "maxAttempts", hybrid(t, retry.NewMaxAttempts(retry.Unlimited)).String())
	require.Equal(t, retry.Unlimited, hybrid(t, retry.NewMaxAttempts(retry.Unlimited)).Settings().MaxAttempts)
}

func TestAHybridPolicyOfNothingIsADefinitionError(t *testing.T) {
	for name, list := range map[string][]retry.Policy{"no policy": nil, "a policy is nil": {nil}, "policy idle": {idle{}}} {
		h, err := retry.NewHybridPolicy(list...)
		require.Nil(t, h)
		defined(t, err, name)
	}
	_, err := retry.NewHybridPolicy(idle{}, nil, retry.NewMaxAttempts(0))
	defined(t, err, "idle has no phase", "a policy is nil", "maxAttempts is 0")
	_, err = retry.Compile(retry.Definition{Settings: settings()})
	defined(t, err, "StripeGateway@Charge: there is no policy")
	_, err = retry.NewHybridPolicy(slices.Repeat([]retry.Policy{retry.NewMaxAttempts(2)}, 100)...)
	require.NoError(t, err)
	_, err = retry.NewHybridPolicy(slices.Repeat([]retry.Policy{retry.NewMaxAttempts(2)}, 101)...)
	defined(t, err, "there are 101 policies, and 100 are the most; leave some out")
}

func TestAJudgeThatSaysNeverIsHeardBesideAClassifierOfEveryError(t *testing.T) {
	never := judgeFunc(func(*retry.Session) retry.Verdict { return retry.Never })
	for name, list := range map[string][]retry.Policy{
		"before": {never, retry.NewClassifier(), retry.NewMaxAttempts(3)}, "behind": {retry.NewClassifier(), never, retry.NewMaxAttempts(3)},
	} {
		attempts := 0
		_ = retry.With(list...).Run(t.Context(), func(context.Context) error { attempts++; return errBoom })
		require.Equal(t, 1, attempts, name)
	}
}

func TestRunGivesTheAttemptsTheSessionAndTheCall(t *testing.T) {
	call := &frame{args: []any{"ctx", 2}, results: []any{"r0"}}
	session := new(retry.Session)
	h := hybrid(t, retry.NewMaxAttempts(2), judgeFunc(func(s *retry.Session) retry.Verdict {
		require.Same(t, session, s)
		require.Same(t, call, s.Call())
		require.Equal(t, "ctx", s.Arg(0))
		require.Equal(t, 2, s.Arg(1))
		require.Nil(t, s.Arg(2))
		require.Equal(t, "r0", s.Result(0))
		require.Nil(t, s.Result(1))
		return retry.Again
	}))
	calls := 0
	require.Same(t, errBoom, h.Run(t.Context(), session, call, func(ctx context.Context) error {
		calls++
		require.Same(t, session, ctx)
		return errBoom
	}))
	require.Equal(t, 2, calls)
}

func TestARejectedRunStillTellsTheFallbackOfItsCall(t *testing.T) {
	factory := retry.PolicyFrom("gate", func() gateFuncs { return closedGate })
	call := &frame{args: []any{"order"}}
	h := compiled(t, retry.Definition{
		Settings: settings(retry.Fallback, factory, retry.MaxAttempts),
		Custom:   map[retry.PolicyFactory]retry.Policy{factory: closedGate},
		Hooks: retry.Hooks{Fallback: func(_ context.Context, s *retry.Session, cause error) error {
			require.Equal(t, "order", s.Arg(0))
			require.Zero(t, s.Attempt())
			require.Equal(t, "StripeGateway@Charge", s.Ref().String())
			require.GreaterOrEqual(t, s.Elapsed(), time.Duration(0))
			return cause
		}},
	})
	err := h.Run(t.Context(), new(retry.Session), call, scripted(nil).run)
	require.EqualError(t, err, "StripeGateway@Charge: rejected: full")
}

func TestPoliciesOfADefinitionReadItsSettings(t *testing.T) {
	set := settings(retry.BuiltinPolicies()...)
	set.Base, set.Timeout, set.AttemptTimeout = time.Second, time.Minute, time.Second
	set.SleepStrategy = retry.Backoff
	h := compiled(t, retry.Definition{Settings: set})
	require.Equal(t, "fallback, classifier, timeout, attemptTimeout, circuitBreaker, budget, maxAttempts, sleep", h.String())
	got := h.Settings()
	require.Equal(t, set.Ref, got.Ref)
	require.Equal(t, set.MaxAttempts, got.MaxAttempts)
	require.Equal(t, time.Second, got.Base)
	require.Equal(t, set.Policies, got.Policies)
}

// The strategies of other policies have bases of their own.
func TestTheSettingsOfAMethodTellItsOwnWait(t *testing.T) {
	mine := retry.PolicyFrom("mine", func() retry.Policy { return nil })
	set := settings(retry.MaxAttempts, retry.Sleep, mine)
	set.Base, set.SleepStrategy = time.Second, retry.Backoff
	h := compiled(t, retry.Definition{Settings: set, Custom: map[retry.PolicyFactory]retry.Policy{
		mine: retry.NewSleep(fibonacci{}, time.Hour),
	}})
	require.Equal(t, time.Second, h.Settings().Base)
	require.Equal(t, "backoff", fmt.Sprint(h.Settings().SleepStrategy))
}

func TestOneRejectedErrorIsMadePerMethodAndReason(t *testing.T) {
	reason := error(errFull)
	chain := retry.With(gateFuncs{enter: func(context.Context) (uint64, error) { return 0, reason }})
	first := chain.Run(t.Context(), scripted(nil).run)
	require.Same(t, first, chain.Run(t.Context(), scripted(nil).run))

	reason = errBoom
	second := chain.Run(t.Context(), scripted(nil).run)
	require.ErrorIs(t, second, errBoom)
	require.ErrorIs(t, first, errFull, "what a caller holds does not change")

	reason = errorList{errBoom}
	require.NotPanics(t, func() {
		for range 2 {
			require.Error(t, chain.Run(t.Context(), scripted(nil).run))
		}
	})
}

func TestPoliciesOfOneListCanBePutIntoAnother(t *testing.T) {
	ran := false
	h := compiled(t, retry.Definition{
		Settings: settings(retry.BuiltinPolicies()[:2]...),
		Hooks:    retry.Hooks{Fallback: func(context.Context, *retry.Session, error) error { ran = true; return nil }},
	})
	require.NoError(t, run(t.Context(), hybrid(t, h.Policies()...), scripted(errBoom).run))
	require.True(t, ran, "the fallback goes along")
}

func TestAFallbackHoldsOnlyWhereTheListHasThePolicy(t *testing.T) {
	fallback := func(context.Context, *retry.Session, error) error { return nil }
	for _, c := range []struct {
		policies []retry.PolicyFactory
		want     error
	}{
		{[]retry.PolicyFactory{retry.Fallback, retry.MaxAttempts}, nil},
		{[]retry.PolicyFactory{retry.MaxAttempts}, errBoom},
	} {
		d := retry.Definition{Settings: settings(c.policies...)}
		d.Settings.MaxAttempts, d.Hooks.Fallback = 2, fallback
		err := compiled(t, d).Run(t.Context(), new(retry.Session), &frame{}, func(context.Context) error { return errBoom })
		require.Equal(t, c.want, err)
	}
}
