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

// parts are the errors that err joins.
func parts(t *testing.T, err error) []error {
	t.Helper()
	joins, ok := err.(interface{ Unwrap() []error })
	require.True(t, ok, "%T joins nothing", err)
	return joins.Unwrap()
}

func TestTheErrorOfAnInterruptedSessionJoinsWhatIsKnown(t *testing.T) {
	for _, c := range []struct {
		name  string
		cause error
		last  error
		want  []error
	}{
		{"a failure", nil, errBoom, []error{context.Canceled, errBoom}},
		{"a failure and a cause", errCause, errBoom, []error{context.Canceled, errCause, errBoom}},
		{"a cause", errCause, nil, []error{context.Canceled, errCause}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			set := settings(retry.Classifier, retry.MaxAttempts)
			h := compiled(t, retry.Definition{Settings: set, Hooks: retry.Hooks{RetryIfResult: predicates(saysAgain)}})
			err := run(ctx, h, func(context.Context) error { cancel(c.cause); return c.last })
			require.Equal(t, c.want, parts(t, err))
		})
	}
}

// fickle is a context that ends and takes its end back.
type fickle struct {
	context.Context
	err error
}

func (c *fickle) Err() error { return c.err }

func TestAContextThatSaysAllIsTheErrorItself(t *testing.T) {
	t.Run("that takes its end back", func(t *testing.T) {
		ctx := &fickle{Context: context.Background()}
		back := retry.ListenerFunc(func(_ context.Context, e retry.Event) {
			if _, ended := e.(retry.Failed); ended {
				ctx.err = nil
			}
		})
		_, err := retry.WhenReturns(1).Listen(back).Call(ctx, func(context.Context) (int, error) {
			ctx.err = context.Canceled
			return 1, nil
		})
		require.Equal(t, context.Canceled, err)
	})
	t.Run("whose deadline passes while a listener is told that it is too near", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			slow := retry.ListenerFunc(func(_ context.Context, e retry.Event) {
				if _, ended := e.(retry.Exhausted); ended {
					time.Sleep(time.Minute)
				}
			})
			_, err := retry.WhenReturns(1).Sleep(time.Hour).Listen(slow).Call(ctx, new(counting).run)
			require.Equal(t, context.DeadlineExceeded, err)
		})
	})
}

func TestAFailureThatTellsOfTheContextAndOfItsCauseIsReturnedItself(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	var last error
	err := retry.WhenThrows(retry.NoError).Run(ctx, func(ctx context.Context) error {
		cancel(errCause)
		last = errors.Join(errBoom, ctx.Err(), context.Cause(ctx))
		return last
	})
	require.Same(t, last, err)
}

func TestTheMarkOfPermanentIsTakenOutOfAnInterruptedSessionsError(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	err := retry.WhenThrows().Run(ctx, func(ctx context.Context) error {
		cancel(errCause)
		return retry.Permanent(ctx.Err())
	})
	require.Equal(t, []error{context.Canceled, errCause, context.Canceled}, parts(t, err))
	require.EqualError(t, err, "ended by its context: context canceled (the caller hung up), last failure: context canceled")
}

func TestACallThatEndedBeforeItsFirstAttemptHasNothingToDiscard(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := &bodies{errs: []error{nil}}
	h := compiled(t, retry.Definition{Settings: settings(retry.MaxAttempts), Hooks: retry.Hooks{Discard: b.discard}})
	require.Equal(t, context.Canceled, b.session(ctx, h))
	require.Empty(t, b.discarded)
}

// A method without an error result has nothing that a result could go beside.
func TestAMethodWithoutAnErrorResultKeepsItsResultWhenTheDeadlineIsTooNear(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		set := settings(retry.Classifier, retry.MaxAttempts, retry.Sleep)
		set.Base = time.Minute
		b := &bodies{errs: []error{nil}}
		h := compiled(t, retry.Definition{Settings: set, NoError: true, Hooks: retry.Hooks{
			Discard: b.discard, RetryIfResult: predicates(saysAgain),
		}})
		require.NoError(t, b.session(ctx, h))
		require.Equal(t, []any{1}, b.results)
		require.Empty(t, b.discarded)
	})
}

// A panic is raised again by the session that has caught it; an error that tells of one is an error.
func TestAPanicErrorThatIsNotWorthARetryIsReturned(t *testing.T) {
	lost := &retry.PanicError{Value: "lost"}
	for _, retryPanics := range []bool{false, true} {
		set := settings(retry.Classifier, retry.MaxAttempts)
		set.RetryPanics = retryPanics
		set.RetryErrors = []retry.Matcher{retry.Is(errBoom)}
		require.Same(t, lost, run(t.Context(), compiled(t, retry.Definition{Settings: set}), scripted(lost).run))
	}
}

func TestAnExhaustedErrorIsItsReasonAndItsFailure(t *testing.T) {
	e := &retry.ExhaustedError{Err: errBoom, Reason: errOther}
	require.ErrorIs(t, e, errBoom)
	require.ErrorIs(t, e, errOther)
	require.NotErrorIs(t, e, errCause)
	require.False(t, new(retry.ExhaustedError).Is(nil), "it has no reason, which is not to be the reason nil")
}

// A policy may throw the result away, as a session does.
func TestTheResultOfAChainCanBeCleared(t *testing.T) {
	clears := judgeFunc(func(s *retry.Session) retry.Verdict { s.Call().Clear(); return retry.Abstain })
	v, err := retry.For[int]().With(clears).Call(t.Context(), new(counting).run)
	require.NoError(t, err)
	require.Zero(t, v)
}
