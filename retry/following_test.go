package retry_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// foreign returns contexts of a type of its own, over one of the standard library's and over none. They never end unless
// a test closes done.
func foreign(t *testing.T) map[string]*ownDone {
	return map[string]*ownDone{
		"over one that can be canceled": {Context: t.Context(), done: make(chan struct{}), err: errCause},
		"over one that cannot":          {Context: context.Background(), done: make(chan struct{}), err: errCause},
	}
}

// To follow a context of a foreign type takes a goroutine. That a test has ended while one is left is a failure under
// synctest.
func TestTheGoroutineByWhichAnAttemptFollowsEndsWithIt(t *testing.T) {
	for _, c := range []struct {
		name string
		call func(t *testing.T, ctx context.Context)
	}{
		{"when it succeeds", func(t *testing.T, ctx context.Context) {
			require.NoError(t, within(time.Hour).Run(ctx, scripted(nil).run))
		}},
		{"when it is retried", func(t *testing.T, ctx context.Context) {
			require.NoError(t, within(time.Hour).Run(ctx, scripted(errBoom, nil).run))
		}},
		{"when it takes too long", func(t *testing.T, ctx context.Context) {
			require.Equal(t, context.DeadlineExceeded, within(time.Second).Run(ctx, hang))
		}},
		{"when it takes too long and goes on", func(t *testing.T, ctx context.Context) {
			require.NoError(t, within(time.Second).Run(ctx, func(context.Context) error { time.Sleep(time.Hour); return nil }))
		}},
		{"when it panics", func(t *testing.T, ctx context.Context) {
			require.Panics(t, func() { _ = within(time.Hour).Run(ctx, panicky("lost")) })
		}},
		{"when what waited for it has stopped", func(t *testing.T, ctx context.Context) {
			var stop func() bool
			require.NoError(t, within(time.Hour).Run(ctx, func(ctx context.Context) error {
				stop = context.AfterFunc(ctx, func() { t.Error("it was stopped") })
				return nil
			}))
			require.True(t, stop())
		}},
		{"when it is retried though a func waits for it", func(t *testing.T, ctx context.Context) {
			calls, woken := 0, make(chan struct{})
			require.NoError(t, within(time.Hour).Run(ctx, func(ctx context.Context) error {
				if calls++; calls == 1 {
					context.AfterFunc(ctx, func() { close(woken) })
					return errBoom
				}
				return nil
			}))
			<-woken
		}},
	} {
		for what := range foreign(t) {
			t.Run(c.name+", under a context of a foreign type "+what, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { c.call(t, foreign(t)[what]) })
			})
		}
	}
}

func TestAnAttemptGoesOnFollowingWhenWhatWaitedForItHasStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := &ownDone{Context: t.Context(), done: make(chan struct{}), err: errCause}
		start := time.Now()
		err := within(time.Hour).Max(1).Run(ctx, func(attempt context.Context) error {
			_, stop := context.WithCancel(attempt)
			stop()
			time.AfterFunc(time.Second, func() { close(ctx.done) })
			return hang(attempt)
		})
		require.ErrorIs(t, err, errCause)
		require.Equal(t, time.Second, time.Since(start))
	})
}

func TestAnAttemptFollowsItsCallersContextOnceWhateverWaitsForIt(t *testing.T) {
	ctx := &calling{ownDone: ownDone{Context: t.Context(), done: make(chan struct{}), err: errCause}}
	require.NoError(t, within(time.Hour).Max(1).Run(ctx, func(ctx context.Context) error {
		for range 3 {
			_, stop := context.WithCancel(ctx)
			defer stop()
		}
		return nil
	}))
	require.Len(t, ctx.after, 1)
}

// A context may call what was stopped, since nobody can tell it in time.
func TestACallerThatEndsLongAfterAnAttemptWasForgottenFindsNobody(t *testing.T) {
	ctx := &calling{ownDone: ownDone{Context: t.Context(), done: make(chan struct{}), err: errCause}}
	var session weak.Pointer[retry.Session]
	see := judgeFunc(func(s *retry.Session) retry.Verdict { session = weak.Make(s); return retry.Abstain })
	require.ErrorIs(t, within(time.Hour).With(see).Run(ctx, scripted(errBoom).run), errBoom)
	for session.Value() != nil { // the attempt's context holds it
		runtime.GC()
	}
	close(ctx.done)
	require.NotPanics(t, ctx.after[0])
}

// An attempt inside another's follows it by its own means, also through contexts that hide them. So it goes on when it has
// finished, as under a context of the standard library's.
func TestAFinishedAttemptInsideAnotherEndsWithIt(t *testing.T) {
	for name, between := range map[string]func(context.Context) context.Context{
		"directly":                     func(ctx context.Context) context.Context { return ctx },
		"under a value":                func(ctx context.Context) context.Context { return context.WithValue(ctx, contextKey{}, 1) },
		"under a key and the fluent's": func(ctx context.Context) context.Context { return retry.Once(retry.WithKey(ctx, "k")) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				err := within(time.Second).Max(1).Run(t.Context(), func(ctx context.Context) error {
					var inner context.Context
					require.NoError(t, within(time.Hour).Run(between(ctx), func(ctx context.Context) error { inner = ctx; return nil }))
					<-ctx.Done()
					synctest.Wait()
					select {
					case <-inner.Done():
					default:
						t.Error("it has not ended")
					}
					return inner.Err()
				})
				require.Equal(t, context.DeadlineExceeded, err)
			})
		})
	}
}

func TestAnAttemptInsideAnotherEndsWithAContextBetweenThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		err := within(time.Hour).Max(1).Run(t.Context(), func(ctx context.Context) error {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(time.Second, cancel)
			return within(time.Minute).Run(ctx, hang)
		})
		require.Equal(t, context.Canceled, err)
		require.Equal(t, time.Second, time.Since(start))
	})
}

func TestTheStopOfAWaitingFuncTellsWhetherItCameInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stop, late func() bool
		err := within(time.Second).Max(1).Run(t.Context(), func(ctx context.Context) error {
			own := ctx.(interface{ AfterFunc(func()) func() bool })
			stop, late = own.AfterFunc(func() { t.Error("this one was stopped") }), own.AfterFunc(func() {})
			require.True(t, stop(), "it will not run")
			require.False(t, stop(), "it was stopped before")
			return hang(ctx)
		})
		require.Equal(t, context.DeadlineExceeded, err)
		require.False(t, late(), "it has run")
	})
}

func TestTheDeadlineOfAnAttemptIsItsOwnIfTheCallersIsLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		require.NoError(t, within(time.Minute).Run(ctx, func(ctx context.Context) error {
			got, ok := ctx.Deadline()
			require.True(t, ok)
			require.Equal(t, time.Minute, time.Until(got))
			return nil
		}))
	})
}

// slowErr is a context whose Err takes its time, once.
type slowErr struct {
	context.Context
	takes time.Duration
	err   error
}

func (c *slowErr) Err() error {
	if c.takes > 0 {
		time.Sleep(c.takes)
		c.takes, c.err = 0, errCause
	}
	return c.err
}

func TestAnAttemptThatEndsOfTwoReasonsAtOnceTellsOneOfThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := &slowErr{Context: t.Context()}
		require.Error(t, within(time.Second).Max(1).Run(ctx, func(attempt context.Context) error {
			ctx.takes = time.Minute // its timeout passes while its caller is asked
			require.Equal(t, context.DeadlineExceeded, attempt.Err())
			require.Equal(t, context.DeadlineExceeded, attempt.Err())
			return attempt.Err()
		}))
	})
}
