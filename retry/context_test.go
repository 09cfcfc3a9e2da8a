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

var errCause = errors.New("the caller hung up")

func TestAContextThatIsDoneAllowsNoAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		canceled, cancel := context.WithCancelCause(t.Context())
		cancel(errCause)
		expired, stop := context.WithTimeoutCause(t.Context(), 0, errCause)
		defer stop()
		for _, c := range []struct {
			ctx  context.Context
			want error
		}{{canceled, context.Canceled}, {expired, context.DeadlineExceeded}} {
			log, op := new(journal), new(counting)
			ctx, report := retry.WithReport(c.ctx)
			a := &phased{name: "a", log: log}
			_, err := retry.For[int]().With(a).Max(3).Fallback(noFallback(t)).Listen(log).Call(ctx, op.run)
			require.ErrorIs(t, err, c.want)
			require.ErrorIs(t, err, errCause)
			require.Zero(t, op.calls)
			require.Equal(t, []string{"failed after 0: <nil>"}, log.all(), "no gate is asked, nothing starts")
			require.Equal(t, retry.EndCanceled, report.Ended)
			require.Zero(t, report.Attempts)
		}
	})
}

func TestTheErrorOfAContextWithoutACauseOfItsOwnIsTheContexts(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, context.Canceled, retry.WhenThrows().Run(ctx, scripted(nil).run))
}

func TestAMethodWithoutAnErrorResultIsCalledThroughUnderADoneContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := retry.Definition{Settings: settings(retry.MaxAttempts), NoError: true}
	op := scripted(nil)
	require.NoError(t, run(ctx, compiled(t, d), op.run))
	require.Equal(t, 1, op.calls)
}

func TestCancelEndsTheWaitAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(20*time.Millisecond, func() { cancel(errCause) })
		ctx, report := retry.WithReport(ctx)
		start, op := time.Now(), &counting{errs: []error{errBoom, errBoom}}
		v, err := retry.For[int]().Max(5).Sleep(10*time.Second).Named("rates").Fallback(noFallback(t)).Call(ctx, op.run)
		require.Equal(t, 20*time.Millisecond, time.Since(start))
		require.Equal(t, 1, op.calls)
		require.Equal(t, 1, v)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, errCause)
		require.ErrorIs(t, err, errBoom, "and the last failure")
		require.EqualError(t, err, "rates: ended by its context: context canceled (the caller hung up), last failure: boom")
		require.Equal(t, retry.EndCanceled, report.Ended)
		require.Empty(t, report.Waits, "no retry came of it")
	})
}

func TestADeadlineThatPassesDuringAnAttemptEndsTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		calls := 0
		err := retry.WhenThrows().Max(3).Run(ctx, func(ctx context.Context) error {
			calls++
			<-ctx.Done()
			return errBoom
		})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, errBoom)
		require.Equal(t, 1, calls)
	})
}

func TestAFailureThatAlreadyTellsOfTheContextIsReturnedItself(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var last error
	err := retry.WhenThrows().Run(ctx, func(ctx context.Context) error {
		cancel()
		last = errors.Join(errBoom, ctx.Err())
		return last
	})
	require.Same(t, last, err)
}

func TestAFailureThatTellsOfTheContextButNotOfItsCauseIsToldBoth(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	err := retry.WhenThrows(retry.NoError).Run(ctx, func(ctx context.Context) error {
		cancel(errCause)
		return errors.Join(errBoom, ctx.Err())
	})
	for _, want := range []error{context.Canceled, errCause, errBoom} {
		require.ErrorIs(t, err, want)
	}
}

func TestAWaitThatWouldPassTheDeadlineIsNotBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, wait := range []time.Duration{100 * time.Millisecond, 400 * time.Millisecond} {
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			start, op := time.Now(), scripted(errBoom)
			ctx, report := retry.WithReport(ctx)
			err := retry.WhenThrows().Sleep(wait).WrapExhausted().Run(ctx, op.run)
			require.Zero(t, time.Since(start))
			require.NoError(t, ctx.Err())
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.ErrorIs(t, err, errBoom)
			require.ErrorContains(t, err, "the wait would pass the context's deadline, last failure: boom")
			exhaustedBy(t, err, "deadline", 1)
			require.Equal(t, 1, op.calls)
			require.Equal(t, "deadline", report.Limit)
			cancel()
		}
	})
}

func TestADeadlineBeyondTheWaitIsNoLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 1001*time.Millisecond)
		defer cancel()
		op := scripted(errBoom, nil)
		require.NoError(t, retry.WhenThrows().Sleep(time.Second).Run(ctx, op.run))
		require.Equal(t, 2, op.calls)
	})
}

func TestTheFallbackRunsWhereTheDeadlineIsTooNear(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var cause error
		v, err := retry.For[int]().Sleep(time.Minute).
			Fallback(func(ctx context.Context, err error) (int, error) { cause = err; return 9, ctx.Err() }).
			Call(ctx, (&counting{errs: []error{errBoom}}).run)
		require.NoError(t, err)
		require.Equal(t, 9, v)
		require.ErrorIs(t, cause, context.DeadlineExceeded)
		require.ErrorIs(t, cause, errBoom)
	})
}

func TestADeadlineLimitTellsOfAResultToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		v, err := retry.WhenReturns(1).Sleep(time.Minute).Call(ctx, new(counting).run)
		require.Equal(t, 1, v)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.EqualError(t, err, "the wait would pass the context's deadline")
	})
}

func TestASuccessThatArrivesAfterCancellationIsReturned(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	v, err := retry.For[int]().Max(3).Call(ctx, func(context.Context) (int, error) { cancel(); return 5, nil })
	require.NoError(t, err)
	require.Equal(t, 5, v)
}
