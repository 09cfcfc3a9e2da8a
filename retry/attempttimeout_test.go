package retry_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

func within(d time.Duration) retry.ErrorChain {
	return retry.With(retry.NewAttemptTimeout(d), retry.NewMaxAttempts(3))
}

func hang(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestAnAttemptThatTakesTooLongIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, calls := time.Now(), 0
		err := within(50*time.Millisecond).Run(t.Context(), func(ctx context.Context) error {
			calls++
			deadline, ok := ctx.Deadline()
			require.True(t, ok)
			require.Equal(t, 50*time.Millisecond, time.Until(deadline), "each attempt has all of the time")
			return hang(ctx)
		})
		require.Equal(t, context.DeadlineExceeded, err, "an attempt's timeout is not the caller's cancel")
		require.Equal(t, 3, calls)
		require.Equal(t, 150*time.Millisecond, time.Since(start))
	})
}

func TestTheCallersCancelEndsAnAttemptUnderATimeoutAndTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		calls := 0
		err := within(time.Hour).Run(ctx, func(ctx context.Context) error {
			if calls++; calls == 2 {
				time.AfterFunc(time.Second, func() { cancel(errCause) })
				return errors.Join(errOther, hang(ctx), context.Cause(ctx))
			}
			return errBoom
		})
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, errCause)
		require.ErrorIs(t, err, errOther)
		require.Equal(t, 2, calls)
	})
}

func TestAnAttemptSeesItsCallersCancelAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_ = within(time.Hour).Run(ctx, func(ctx context.Context) error {
		cancel()
		require.Equal(t, context.Canceled, ctx.Err())
		select {
		case <-ctx.Done():
		default:
			t.Error("Err is not nil, yet Done is not closed")
		}
		return ctx.Err()
	})
}

func TestTheDeadlineOfAnAttemptIsTheCallersIfThatIsEarlier(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		want, _ := ctx.Deadline()
		require.NoError(t, within(time.Minute).Run(ctx, func(ctx context.Context) error {
			got, ok := ctx.Deadline()
			require.True(t, ok)
			require.Equal(t, want, got)
			return nil
		}))
	})
}

func TestTheSmallestOfSeveralAttemptTimeoutsHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, list := range [][2]time.Duration{{time.Second, time.Hour}, {time.Hour, time.Second}} {
			start := time.Now()
			_ = retry.With(retry.NewAttemptTimeout(list[0]), retry.NewAttemptTimeout(list[1])).Max(1).Run(t.Context(), hang)
			require.Equal(t, time.Second, time.Since(start))
		}
	})
}

// A body that is still to be read must not be cut off by the timeout of the attempt that returned it.
func TestAFinishedAttemptIsNeverCanceledByItsTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		body, err := retry.For[context.Context]().With(retry.NewAttemptTimeout(time.Second)).
			Call(ctx, func(ctx context.Context) (context.Context, error) { return ctx, nil })
		require.NoError(t, err)
		time.Sleep(time.Hour)
		synctest.Wait()
		require.NoError(t, body.Err())

		cancel(errCause)
		<-body.Done()
		require.Equal(t, context.Canceled, body.Err(), "yet it goes on following the caller")
		require.Equal(t, errCause, context.Cause(body))
	})
}

func TestTheContextOfAnAttemptThatPanickedIsCanceled(t *testing.T) {
	for _, retryPanics := range []bool{false, true} {
		set := settings(retry.AttemptTimeout, retry.MaxAttempts)
		set.AttemptTimeout, set.MaxAttempts, set.RetryPanics = time.Hour, 1, retryPanics
		var attempt context.Context
		require.PanicsWithValue(t, "lost", func() {
			_ = run(t.Context(), compiled(t, retry.Definition{Settings: set}), func(ctx context.Context) error {
				attempt = ctx
				panic("lost")
			})
		})
		require.Equal(t, context.Canceled, attempt.Err(), "nobody will read what it left")
	}
}

func TestAnAttemptTimeoutLeavesNothingBehindInALongLivedParent(t *testing.T) {
	parent, cancel := context.WithCancel(context.Background())
	defer cancel()
	chain := retry.With(retry.NewAttemptTimeout(time.Hour))
	calls := func(n int) {
		for range n {
			var stop func() bool
			require.NoError(t, chain.Run(parent, func(ctx context.Context) error {
				child, cancel := context.WithCancel(ctx)
				defer cancel()
				child.Done()
				stop = context.AfterFunc(ctx, func() {})
				return ctx.Err()
			}))
			require.True(t, stop())
		}
	}
	objects := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapObjects
	}
	calls(100)
	before, after := objects(), uint64(0)
	calls(5000)
	for range 1000 { // what is let go in one collection is gone after a later one
		if after = objects(); after < before+1000 {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("%d objects before 5000 calls, %d after", before, after)
}
