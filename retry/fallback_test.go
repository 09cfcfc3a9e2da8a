package retry_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

var errFull = errors.New("full")

// closedGate rejects every call.
var closedGate = gateFuncs{enter: func(context.Context) (uint64, error) { return 0, errFull }}

func TestTheFallbackRunsOnceWithTheCauseWhenExhausted(t *testing.T) {
	runs, op := 0, &counting{errs: []error{errBoom, errOther}}
	v, err := retry.For[int]().Max(2).Fallback(func(_ context.Context, cause error) (int, error) {
		runs++
		require.Same(t, errOther, cause, "the error of the last attempt")
		return 10, nil
	}).Call(t.Context(), op.run)
	require.NoError(t, err)
	require.Equal(t, 10, v)
	require.Equal(t, 2, op.calls)
	require.Equal(t, 1, runs)
}

func TestTheCauseIsNilWhereAResultExhaustedTheSession(t *testing.T) {
	v, err := retry.WhenReturns(0).Max(2).Fallback(func(_ context.Context, cause error) (int, error) {
		require.NoError(t, cause)
		return 10, nil
	}).Call(t.Context(), func(context.Context) (int, error) { return 0, nil })
	require.NoError(t, err)
	require.Equal(t, 10, v)
}

func TestTheFallbackRunsWhenRejected(t *testing.T) {
	v, err := retry.For[int]().With(closedGate).Fallback(func(_ context.Context, cause error) (int, error) {
		var r *retry.RejectedError
		require.ErrorAs(t, cause, &r)
		require.Same(t, errFull, r.Reason)
		return 10, nil
	}).Call(t.Context(), new(counting).run)
	require.NoError(t, err)
	require.Equal(t, 10, v)
}

func TestTheFallbackDoesNotRunWhereTheContextIsDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	fallback := noFallback(t)

	_, err := retry.For[int]().Max(1).Fallback(fallback).Call(ctx, func(context.Context) (int, error) { cancel(); return 0, errBoom })
	require.ErrorIs(t, err, context.Canceled)

	canceling, cancel := context.WithCancel(t.Context())
	gate := gateFuncs{enter: func(context.Context) (uint64, error) { cancel(); return 0, errFull }}
	_, err = retry.For[int]().With(gate).Fallback(fallback).Call(canceling, new(counting).run)
	require.ErrorIs(t, err, errFull, "nor where it ended while a gate refused")

	ended, cancel := context.WithCancel(t.Context())
	_, err = retry.For[int]().With(enderFunc(func(*retry.Session) { cancel() })).Max(1).Fallback(fallback).
		Call(ended, (&counting{errs: []error{errBoom}}).run)
	require.Same(t, errBoom, err, "nor where an end hook ended it")
}

func TestTheFallbackIsOutsideEveryLimit(t *testing.T) {
	ctx, report := retry.WithReport(t.Context())
	err := retry.With(retry.NewAttemptTimeout(time.Hour), retry.NewTimeout(time.Hour)).Max(1).
		Fallback(func(inner context.Context, _ error) error {
			require.Equal(t, ctx, inner, "it has the caller's context, bounded by nothing else")
			_, inside := retry.FromContext(inner)
			require.False(t, inside, "it is beside the session, not inside")
			return nil
		}).Run(ctx, scripted(errBoom).run)
	require.NoError(t, err)
	require.True(t, report.Fallback)
	require.Equal(t, retry.EndExhausted, report.Ended)
}

func TestASessionThatAFallbackStartsIsNotNested(t *testing.T) {
	op := scripted(errOther)
	err := retry.WhenThrows().Max(2).
		Fallback(func(ctx context.Context, _ error) error { return retry.WhenThrows().Max(4).Run(ctx, op.run) }).
		Run(t.Context(), scripted(errBoom).run)
	require.ErrorIs(t, err, errOther)
	require.Equal(t, 4, op.calls)
}

func TestTheErrorOfAFallbackThatFailsMatchesItsOwnAndTheCause(t *testing.T) {
	v, err := retry.For[int]().Max(1).Fallback(func(context.Context, error) (int, error) { return 3, errOther }).
		Call(t.Context(), (&counting{errs: []error{errBoom}}).run)
	require.ErrorIs(t, err, errOther)
	require.ErrorIs(t, err, errBoom)
	require.EqualError(t, err, "fallback: other (it ran because of: boom)")
	require.Equal(t, 3, v, "with the result that it returned")

	err = retry.With(closedGate).Fallback(func(context.Context, error) error { return errOther }).Run(t.Context(), scripted(nil).run)
	require.ErrorIs(t, err, errOther)
	require.ErrorIs(t, err, errFull)
}

func TestAFallbacksErrorThatTellsOfTheCauseIsReturnedItself(t *testing.T) {
	var own error
	err := retry.WhenThrows().Max(1).
		Fallback(func(_ context.Context, cause error) error { own = errors.Join(errOther, cause); return own }).
		Run(t.Context(), scripted(errBoom).run)
	require.Same(t, own, err)

	_, err = retry.WhenReturns(1).Max(1).Fallback(func(context.Context, error) (int, error) { return 0, errOther }).
		Call(t.Context(), new(counting).run)
	require.Same(t, errOther, err, "there was no cause to tell of")
}

func TestTheFallbackIsAskedInsteadOfWrapExhausted(t *testing.T) {
	err := retry.WhenThrows().Max(1).WrapExhausted().
		Fallback(func(_ context.Context, cause error) error { require.Same(t, errBoom, cause); return errOther }).
		Run(t.Context(), scripted(errBoom).run)
	var e *retry.ExhaustedError
	require.NotErrorAs(t, err, &e)
}

func TestOfSeveralFallbacksTheLastHolds(t *testing.T) {
	v, err := retry.For[int]().Max(1).Fallback(noFallback(t)).
		Fallback(func(context.Context, error) (int, error) { return 2, nil }).
		Call(t.Context(), (&counting{errs: []error{errBoom}}).run)
	require.NoError(t, err)
	require.Equal(t, 2, v)
}

func TestAFallbackThatPanicsRunsAfterEverythingWasFreed(t *testing.T) {
	log := new(journal)
	a := &phased{name: "a", log: log}
	require.PanicsWithValue(t, "no luck", func() {
		_ = retry.With(a).With(judgeFunc(func(*retry.Session) retry.Verdict { return retry.Again })).Max(1).
			Fallback(func(context.Context, error) error { panic("no luck") }).
			Run(t.Context(), scripted(errBoom).run)
	})
	require.Contains(t, log.all(), "a.end")
	require.Contains(t, log.all(), "a.leave a session=true")
}

func TestTheFallbackOfADefinitionSetsTheResultsThroughItsCall(t *testing.T) {
	call := &frame{args: []any{"order"}, results: []any{"none"}}
	h := compiled(t, retry.Definition{
		Settings: settings(retry.Fallback, retry.Classifier, retry.MaxAttempts),
		Hooks: retry.Hooks{Fallback: func(ctx context.Context, s *retry.Session, cause error) error {
			require.Same(t, t.Context(), ctx)
			require.Same(t, errBoom, cause)
			require.Equal(t, "order", s.Arg(0))
			s.Call().(*frame).results[0] = "from the fallback"
			return nil
		}},
	})
	require.NoError(t, h.Run(t.Context(), new(retry.Session), call, scripted(errBoom).run))
	require.Equal(t, "from the fallback", call.results[0])
}

func TestAFallbackOfADefinitionMayBeOneThatNobodyNamed(t *testing.T) {
	h := compiled(t, retry.Definition{Settings: settings(retry.Fallback, retry.Classifier, retry.MaxAttempts)})
	require.Same(t, errBoom, run(t.Context(), h, scripted(errBoom).run))
}
