package retry_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// An error is known again as the value that the inner session has returned. What the callee takes out of it is another.
func TestAnErrorTakenOutOfWhatIsGivenUpIsNotKnownAgain(t *testing.T) {
	for _, c := range []struct {
		name  string
		inner retry.ErrorChain
		err   error
	}{
		{"out of a wrapped exhaustion", retry.WhenThrows().Max(2).WrapExhausted(), errBoom},
		{"out of what the operation returned", retry.WhenThrows().Max(2), wrapped(errBoom)},
	} {
		t.Run(c.name, func(t *testing.T) {
			op := scripted(c.err)
			require.Same(t, errBoom, three().Run(t.Context(), func(ctx context.Context) error {
				return errors.Unwrap(c.inner.Run(ctx, op.run))
			}))
			require.Equal(t, 2+1+1, op.calls)
		})
	}
}

func TestEachOfSeveralPoliciesInsideIsKnownToHaveGivenUp(t *testing.T) {
	a, b := three(), three()
	inA, inB := scripted(errBoom), scripted(errOther)
	attempt := 0
	require.Error(t, three().Run(t.Context(), func(ctx context.Context) error {
		attempt++
		if attempt == 2 { // in another order, so that neither stands where the other did
			return errors.Join(replaced(b.Run(ctx, inB.run)), replaced(a.Run(ctx, inA.run)))
		}
		return errors.Join(replaced(a.Run(ctx, inA.run)), replaced(b.Run(ctx, inB.run)))
	}))
	require.Equal(t, 3, attempt)
	require.Equal(t, 3+1+1, inA.calls)
	require.Equal(t, 3+1+1, inB.calls)
}

func TestARetryThatBeforeRetryForbadeLeavesTheOuterSessionFree(t *testing.T) {
	inner := compiled(t, retry.Definition{
		Settings: settings(retry.Classifier, retry.MaxAttempts),
		Hooks:    retry.Hooks{BeforeRetry: func(*retry.Session) error { return errOther }},
	})
	op := scripted(errBoom)
	require.Same(t, errBoom, three().Run(t.Context(), func(ctx context.Context) error { return run(ctx, inner, op.run) }))
	require.Equal(t, 3, op.calls)
}

func TestACallThatIsRejectedAndMadeGoodLeavesNothingWithTheOuterSession(t *testing.T) {
	policy, breaker := circuit(retry.BreakerSettings{})
	breaker.ForceOpen()
	inner := retry.With(policy).WhenThrows().Max(3).Fallback(func(context.Context, error) error { return nil })
	op := scripted(errBoom, errBoom, nil)
	attempt := 0
	require.NoError(t, three().Run(t.Context(), func(ctx context.Context) error {
		attempt++
		err := inner.Run(ctx, op.run)
		if attempt == 1 {
			require.NoError(t, err)
			breaker.Reset()
			return errOther
		}
		return err
	}))
	require.Equal(t, 2, attempt)
	require.Equal(t, 3, op.calls, "all of its attempts")
}

func TestAFallbackOfARejectedCallMayEndAllLayers(t *testing.T) {
	inner := retry.With(closedGate).Fallback(func(context.Context, error) error { return retry.Permanent(errBoom) })
	attempts := 0
	err := three().Run(t.Context(), func(ctx context.Context) error { attempts++; return inner.Run(ctx, scripted(nil).run) })
	require.ErrorIs(t, err, errBoom)
	require.Equal(t, 1, attempts)
}

// The session of a rejected call has no attempt, yet what its context says holds for it.
func TestTheFallbackOfARejectedCallKnowsWhatItsContextSays(t *testing.T) {
	fallBack := func(check func(a retry.Attempt)) *retry.HybridPolicy {
		gate := retry.PolicyFrom("gate", func() gateFuncs { return closedGate })
		return compiled(t, retry.Definition{
			Settings: settings(retry.Fallback, gate, retry.MaxAttempts),
			Custom:   map[retry.PolicyFactory]retry.Policy{gate: closedGate},
			Hooks: retry.Hooks{Fallback: func(_ context.Context, s *retry.Session, cause error) error {
				require.ErrorIs(t, cause, errFull)
				a, ok := retry.FromContext(s)
				require.True(t, ok)
				check(a)
				return nil
			}},
		})
	}
	h := fallBack(func(a retry.Attempt) { require.Equal(t, retry.Attempt{Limit: 3, Key: "k", Elapsed: a.Elapsed}, a) })
	require.NoError(t, run(retry.WithKey(t.Context(), "k"), h, scripted(nil).run))

	h = fallBack(func(a retry.Attempt) { require.Equal(t, 1, a.Limit) })
	require.NoError(t, run(retry.Once(t.Context()), h, scripted(nil).run))

	h = fallBack(func(a retry.Attempt) { require.Equal(t, "k", a.Key) })
	require.NoError(t, three().Run(retry.WithKey(t.Context(), "k"), func(ctx context.Context) error {
		return run(ctx, h, scripted(nil).run)
	}))
}

func TestAGateThatTookTooLongAllowsNoAttemptWhateverPolicyFollows(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	slow := gateFuncs{enter: func(context.Context) (uint64, error) { cancel(); return 0, nil }}
	op := scripted(nil)
	chain := retry.With(slow, retry.NewBudget(retry.BudgetSettings{TTL: time.Second, MinPerSec: 1}))
	require.Equal(t, context.Canceled, chain.Run(ctx, op.run))
	require.Zero(t, op.calls)
}
