package retry_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// What a layer may do to the error of the layer under it.
func verbatim(err error) error { return err }
func wrapped(err error) error  { return fmt.Errorf("layer: %w", err) }
func joined(err error) error   { return errors.Join(errOther, err) }
func replaced(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("layer: %v", err)
}

// tower is the operation of so many layers, each a session of its own chain over the one under it.
func tower(bottom func(context.Context) error, pass func(error) error, layers ...retry.ErrorChain) func(context.Context) error {
	next := bottom
	for _, chain := range layers {
		under := next
		next = func(ctx context.Context) error {
			return chain.Run(ctx, func(ctx context.Context) error { return pass(under(ctx)) })
		}
	}
	return next
}

func three() retry.ErrorChain { return retry.WhenThrows().Max(3) }

// threeNested is a layer of three attempts that says RetryNested.
func threeNested(t *testing.T, next func(context.Context) error) func(context.Context) error {
	t.Helper()
	set := settings(retry.Classifier, retry.MaxAttempts)
	set.RetryNested = true
	h := compiled(t, retry.Definition{Settings: set})
	return func(ctx context.Context) error { return run(ctx, h, next) }
}

func TestRetriesHappenAtOneLayer(t *testing.T) {
	for name, pass := range map[string]func(error) error{"verbatim": verbatim, "wrapped": wrapped, "joined": joined} {
		t.Run(name, func(t *testing.T) {
			op := scripted(errBoom)
			ctx, report := retry.WithReport(t.Context())
			require.ErrorIs(t, tower(op.run, pass, three(), three(), three())(ctx), errBoom)
			require.Equal(t, 3, op.calls)
			for range 2 {
				require.Equal(t, 1, report.Attempts)
				require.Equal(t, "nested", report.Limit)
				require.Len(t, report.Children, 1)
				report = report.Children[0]
			}
			require.Equal(t, 3, report.Attempts)
			require.Equal(t, "maxAttempts", report.Limit)
		})
	}
}

func TestAnOuterSessionExhaustedByWhatIsNestedRunsItsFallbackAndItsBreakerCounts(t *testing.T) {
	breaker := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Hour})
	op := scripted(errBoom)
	err := retry.With(breaker).WhenThrows().Max(3).
		Fallback(func(_ context.Context, cause error) error { require.ErrorIs(t, cause, errBoom); return nil }).
		Run(t.Context(), func(ctx context.Context) error { return wrapped(three().Run(ctx, op.run)) })
	require.NoError(t, err)
	require.Equal(t, 3, op.calls)
	require.Equal(t, retry.BreakerOpen, retry.BreakerOf(breaker).State())
}

func TestRetryNestedRetriesWhatIsGivenUpInsideAndLetsItKeepItsAttempts(t *testing.T) {
	op := scripted(errBoom)
	require.ErrorIs(t, threeNested(t, tower(op.run, verbatim, three()))(t.Context()), errBoom)
	require.Equal(t, 9, op.calls)

	op = scripted(errBoom)
	require.ErrorIs(t, threeNested(t, threeNested(t, threeNested(t, op.run)))(t.Context()), errBoom)
	require.Equal(t, 27, op.calls)

	op = scripted(errBoom)
	require.ErrorIs(t, threeNested(t, tower(op.run, verbatim, three(), three()))(t.Context()), errBoom)
	require.Equal(t, 9, op.calls, "the layer between retries nothing")

	op = scripted(errBoom)
	middle := threeNested(t, tower(op.run, verbatim, three()))
	require.ErrorIs(t, three().Run(t.Context(), middle), errBoom)
	require.Equal(t, 9, op.calls, "nor the one above, which does not say so")
}

func TestWhereTheCalleeHidesTheErrorWhatGaveUpMakesOneAttemptFromThenOn(t *testing.T) {
	swallowed := func(err error) error {
		if err != nil {
			return errors.New("something went wrong")
		}
		return nil
	}
	for name, pass := range map[string]func(error) error{"replaced": replaced, "swallowed": swallowed} {
		t.Run(name, func(t *testing.T) {
			op := scripted(errBoom)
			require.Error(t, tower(op.run, pass, three(), three())(t.Context()))
			require.Equal(t, 3+1+1, op.calls)

			op = scripted(errBoom)
			require.Error(t, tower(op.run, pass, three(), three(), three())(t.Context()))
			require.Equal(t, (3+1+1)+1+1, op.calls, "also two layers up")
		})
	}
}

func TestTheOneAttemptOfASessionThatGaveUpBeforeIsLimitedAsNested(t *testing.T) {
	inner := three().WrapExhausted()
	var limits []int
	var errs []error
	_ = three().Run(t.Context(), func(ctx context.Context) error {
		err := inner.Run(ctx, func(ctx context.Context) error {
			a, _ := retry.FromContext(ctx)
			limits = append(limits, a.Limit)
			return errBoom
		})
		errs = append(errs, err)
		return replaced(err)
	})
	exhaustedBy(t, errs[0], "maxAttempts", 3)
	exhaustedBy(t, errs[1], "nested", 1)
	exhaustedBy(t, errs[2], "nested", 1)
	require.Equal(t, []int{3, 3, 3, 1, 1}, limits, "and it is told so")
}

func TestASessionThatDidNotGiveUpKeepsItsAttempts(t *testing.T) {
	first, second := scripted(errBoom), scripted(errBoom)
	one, other := three(), three()
	_ = retry.WhenThrows().Max(2).Run(t.Context(), func(ctx context.Context) error {
		if first.calls == 0 {
			return replaced(one.Run(ctx, first.run))
		}
		return replaced(other.Run(ctx, second.run))
	})
	require.Equal(t, 3, first.calls)
	require.Equal(t, 3, second.calls, "another policy has not given up before")

	op := scripted(errBoom, nil, errBoom, nil, errBoom, nil)
	_ = three().Run(t.Context(), func(ctx context.Context) error { _ = one.Run(ctx, op.run); return errOther })
	require.Equal(t, 6, op.calls, "one that succeeds never gives up")
}

func TestEachPolicyThatGaveUpIsRememberedForAllLaterAttempts(t *testing.T) {
	one, other := three(), three()
	first, second := scripted(errBoom), scripted(errBoom)
	var calls []int
	_ = retry.WhenThrows().Max(4).Run(t.Context(), func(ctx context.Context) error {
		err := one.Run(ctx, first.run)
		if a, _ := retry.FromContext(ctx); a.Number > 1 {
			err = errors.Join(other.Run(ctx, second.run), one.Run(ctx, first.run))
		}
		calls = append(calls, first.calls, second.calls)
		return replaced(err)
	})
	require.Equal(t, []int{3, 0, 3 + 2, 3, 5 + 2, 4, 7 + 2, 5}, calls)
}

func TestEveryErrorOfOneAttemptIsKnown(t *testing.T) {
	inner := three()
	ctx, report := retry.WithReport(t.Context())
	_ = three().Run(ctx, func(ctx context.Context) error {
		first := inner.Run(ctx, func(context.Context) error { return errors.New("first") })
		_ = inner.Run(ctx, func(context.Context) error { return errors.New("second") })
		return first
	})
	require.Equal(t, "nested", report.Limit)
	require.Equal(t, 1, report.Attempts)
}

func TestAnErrorThatIsHiddenAtFirstIsKnownWhenItIsNot(t *testing.T) {
	inner := three()
	ctx, report := retry.WithReport(t.Context())
	_ = retry.WhenThrows().Max(5).Run(ctx, func(ctx context.Context) error {
		err := inner.Run(ctx, func(context.Context) error { return errors.New("new each time") })
		if a, _ := retry.FromContext(ctx); a.Number == 1 {
			return replaced(err)
		}
		return err
	})
	require.Equal(t, "nested", report.Limit)
	require.Equal(t, 2, report.Attempts)
}

func TestTwiceInOneAttemptIsNotALaterAttempt(t *testing.T) {
	op, inner := scripted(errBoom), three()
	_ = retry.WhenThrows().Max(1).Run(t.Context(), func(ctx context.Context) error {
		_ = inner.Run(ctx, op.run)
		return inner.Run(ctx, op.run)
	})
	require.Equal(t, 6, op.calls)
}

func TestACalleeThatDropsTheContextStartsANewLayer(t *testing.T) {
	op := scripted(errBoom)
	_ = three().Run(t.Context(), func(context.Context) error { return three().Run(context.Background(), op.run) })
	require.Equal(t, 9, op.calls)
}

// Between the two sessions stands one that does not retry such errors and passes them on.
func TestALayerBetweenThatDoesNotRetryHidesNothing(t *testing.T) {
	op := scripted(errBoom)
	elsewhere := retry.WhenThrows(retry.Is(errOther)).Max(3)
	require.ErrorIs(t, tower(op.run, wrapped, three(), elsewhere, three())(t.Context()), errBoom)
	require.Equal(t, 3, op.calls)
}

func TestAResultThatInnerSessionsGaveUpOnLimitsThemInLaterAttempts(t *testing.T) {
	inner := retry.WhenReturns(false).Max(3)
	calls := 0
	v, err := retry.WhenReturns(false).Max(3).Call(t.Context(), func(ctx context.Context) (bool, error) {
		return inner.Call(ctx, func(context.Context) (bool, error) { calls++; return false, nil })
	})
	require.NoError(t, err)
	require.False(t, v)
	require.Equal(t, 3+1+1, calls)
}
