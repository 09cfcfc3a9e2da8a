package aspect_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// attempt tells which attempt a context belongs to; 0: none.
func attempt(ctx context.Context) int {
	a, _ := retry.FromContext(ctx)
	return a.Number
}

func TestTheContextOfAnAttemptIsTheSession(t *testing.T) {
	var seen []context.Context
	s := &Stripe{charge: func(ctx context.Context, _ string, _ int) (string, error) {
		seen = append(seen, ctx)
		return "", errDown
	}}
	_, err := retried(t, s).Charge(t.Context(), "7", 5)
	require.Equal(t, errDown, err)
	require.Len(t, seen, 3)
	session, ok := seen[0].(*retry.Session)
	require.True(t, ok, "%T", seen[0])
	require.True(t, seen[1] == session && seen[2] == session)
	require.Equal(t, 3, session.Attempt())
	require.Equal(t, "Stripe@Charge", session.Ref().String())
	require.Nil(t, session.Arg(1), "the call is over")
	require.Empty(t, session.Result(0))
}

func TestWhichParameterIsTheContext(t *testing.T) {
	type key struct{}
	a, b := context.WithValue(t.Context(), key{}, "a"), context.WithValue(t.Context(), key{}, "b")
	var got []any
	see := func(ctxs ...context.Context) error {
		for _, ctx := range ctxs {
			if ctx == nil {
				got = append(got, nil)
				continue
			}
			got = append(got, ctx.Value(key{}), attempt(ctx))
		}
		return nil
	}
	wrap := aspect.Annotate[Quick]("Call")
	t.Run("the first of several", func(t *testing.T) {
		got = nil
		f := wrapped(t, aspect.NewWeaver(), func(first, second context.Context) error { return see(first, second) }, wrap)
		require.NoError(t, f(a, b))
		require.Equal(t, []any{"a", 1, "b", 0}, got)
	})
	t.Run("wherever it is", func(t *testing.T) {
		got = nil
		f := wrapped(t, aspect.NewWeaver(), func(_ int, ctx context.Context, _ string) error { return see(ctx) }, wrap)
		require.NoError(t, f(1, b, ""))
		require.Equal(t, []any{"b", 1}, got)
	})
	t.Run("not a variadic one", func(t *testing.T) {
		got = nil
		f := wrapped(t, aspect.NewWeaver(), func(ctxs ...context.Context) error { return see(ctxs...) }, wrap)
		require.NoError(t, f(a, b))
		require.Equal(t, []any{"a", 0, "b", 0}, got)
	})
	t.Run("not a type that embeds one", func(t *testing.T) {
		got = nil
		type wide interface {
			context.Context
			Wide()
		}
		f := wrapped(t, aspect.NewWeaver(), func(ctx wide) error { return see(ctx) }, wrap)
		require.NoError(t, f(nil))
		require.Equal(t, []any{nil}, got[:1])
	})
	t.Run("none", func(t *testing.T) {
		calls := 0
		f := wrapped(t, aspect.NewWeaver(), func() error { calls++; return errDown }, wrap)
		require.Equal(t, errDown, f())
		require.Equal(t, 3, calls)
	})
	t.Run("nil", func(t *testing.T) {
		got = nil
		var outer context.Context
		w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), aspect.RetryPriority+1, aspect.Func(func(jp aspect.JoinPoint) error {
			outer = jp.Context()
			err := jp.Proceed()
			require.Nil(t, aspect.Arg[context.Context](jp, 0))
			return err
		})))
		f := wrapped(t, w, func(ctx context.Context) error { return see(ctx) }, wrap)
		require.NoError(t, f(nil)) //nolint:staticcheck // what a caller should not pass, but may
		require.Equal(t, []any{nil, 1}, got)
		require.Equal(t, context.Background(), outer)
	})
	t.Run("nil, without a retry", func(t *testing.T) {
		got = nil
		f := wrapped(t, aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, aspect.Func(proceed))), func(ctx context.Context) error { return see(ctx) })
		require.NoError(t, f(nil)) //nolint:staticcheck // as above
		require.Equal(t, []any{nil}, got)
	})
}

func TestTheCallersContextIsRestoredForAspectsOutside(t *testing.T) {
	var before, inside, after context.Context
	w := aspect.NewWeaver(
		aspect.WithAspect(aspect.Method("Charge"), aspect.RetryPriority+1, aspect.Func(func(jp aspect.JoinPoint) error {
			before = jp.Context()
			err := jp.Proceed()
			after = jp.Context()
			return err
		})),
		aspect.WithAspect(aspect.Method("Charge"), aspect.RetryPriority-1, aspect.Func(func(jp aspect.JoinPoint) error {
			inside = jp.Context()
			return jp.Proceed()
		})))
	ctx := t.Context()
	_, err := wrapped[Gateway](t, w, down(1), aspect.Annotate[Quick](Gateway.Charge)).Charge(ctx, "7", 5)
	require.NoError(t, err)
	require.True(t, before == ctx && after == ctx)
	require.Equal(t, 2, attempt(inside))
}

func TestAnAspectMayReplaceTheContext(t *testing.T) {
	type key struct{}
	replace := func(text string) aspect.Func {
		return func(jp aspect.JoinPoint) error {
			old, _ := jp.Context().Value(key{}).(string)
			aspect.SetArg(jp, 0, context.WithValue(jp.Context(), key{}, old+text))
			return jp.Proceed()
		}
	}
	w := aspect.NewWeaver(
		aspect.WithAspect(aspect.Method("Charge"), aspect.RetryPriority+1, replace("outside ")),
		aspect.WithAspect(aspect.Method("Charge"), aspect.RetryPriority-1, replace("inside ")))
	s := &Stripe{charge: func(ctx context.Context, _ string, _ int) (string, error) {
		require.Equal(t, "outside inside ", ctx.Value(key{}))
		require.NotZero(t, attempt(ctx))
		return "", errDown
	}}
	_, err := wrapped[Gateway](t, w, s, aspect.Annotate[Quick](Gateway.Charge)).Charge(t.Context(), "7", 5)
	require.Equal(t, errDown, err)
	require.Equal(t, 3, s.calls)
}

func TestAContextThatIsDoneBeforeTheFirstAttempt(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errFull)
	s := &Stripe{}
	receipt, err := retried(t, s).Charge(ctx, "7", 5)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, errFull)
	require.Empty(t, receipt)
	require.Zero(t, s.calls)

	called := 0
	f := wrapped(t, aspect.NewWeaver(), func(context.Context) bool { called++; return false },
		aspect.Annotate[Quick]("Call", annotation.RetryIfResult(retry.Falsy)))
	require.False(t, f(ctx))
	require.Equal(t, 1, called, "a method without an error result is called through")
}

func TestASuccessAfterCancellationIsReturned(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &Stripe{charge: func(context.Context, string, int) (string, error) { cancel(); return "late", nil }}
	receipt, err := retried(t, s).Charge(ctx, "7", 5)
	require.NoError(t, err)
	require.Equal(t, "late", receipt)
}

func TestAWaitThatWouldPassTheDeadlineIsNotBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		s := &Stripe{charge: func(context.Context, string, int) (string, error) { return "half", errDown }}
		receipt, err := retried(t, s, annotation.Base(time.Minute)).Charge(ctx, "7", 5)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, errDown)
		require.Equal(t, "half", receipt)
		require.Zero(t, time.Since(began))
		receipt, err = retried(t, s, annotation.Base(time.Minute), annotation.Fallback(func(cause error) (string, error) {
			return "offline", nil
		})).Charge(ctx, "7", 5)
		require.NoError(t, err)
		require.Equal(t, "offline", receipt)
	})
}

func TestAnAttemptTimeoutEndsTheAttemptsContextAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Stripe{}
		s.charge = func(ctx context.Context, _ string, _ int) (string, error) {
			if s.calls == 1 {
				<-ctx.Done()
				return "", ctx.Err()
			}
			require.NoError(t, ctx.Err())
			return "paid", nil
		}
		receipt, err := retried(t, s, annotation.AttemptTimeout(time.Second)).Charge(t.Context(), "7", 5)
		require.NoError(t, err)
		require.Equal(t, "paid", receipt)
		require.Equal(t, 2, s.calls)
	})
}

func TestRetriesHappenAtOneLayer(t *testing.T) {
	w := aspect.NewWeaver()
	inner := down(always)
	a := wrapped[Gateway](t, w, inner, aspect.WithName("inner"), aspect.Annotate[Quick](Gateway.Charge))
	for _, c := range []struct {
		name  string
		outer func(ctx context.Context) error
		opts  []annotation.Option
		want  int
	}{
		{"the very error", func(ctx context.Context) error { _, err := a.Charge(ctx, "7", 5); return err }, nil, 3},
		{"wrapped", func(ctx context.Context) error { _, err := a.Charge(ctx, "7", 5); return errors.Join(errFull, err) }, nil, 3},
		{"replaced", func(ctx context.Context) error { _, _ = a.Charge(ctx, "7", 5); return errFull }, nil, 3 + 1 + 1},
		{"retried nested", func(ctx context.Context) error { _, err := a.Charge(ctx, "7", 5); return err }, []annotation.Option{annotation.RetryNested(true)}, 9},
		{"the context is dropped", func(context.Context) error { _, err := a.Charge(context.Background(), "7", 5); return err }, nil, 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			inner.calls = 0
			f := wrapped[Job](t, w, c.outer, aspect.WithName(c.name), aspect.Annotate[Quick]("Call", c.opts...))
			require.Error(t, f(t.Context()))
			require.Equal(t, c.want, inner.calls)
		})
	}
}

func TestReportsTellOfWovenMethods(t *testing.T) {
	ctx, report := retry.WithReport(t.Context())
	_, err := retried(t, down(2)).Charge(ctx, "7", 5)
	require.NoError(t, err)
	require.Equal(t, "Stripe@Charge", report.Ref.String())
	require.Equal(t, 3, report.Attempts)
	require.Equal(t, []error{errDown, errDown}, report.Errors)
	require.Equal(t, retry.EndSucceeded, report.Ended)
}
