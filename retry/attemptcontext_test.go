package retry_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

func TestContextsMadeFromAnAttemptsFollowIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		err := within(time.Second).Max(1).Run(t.Context(), func(ctx context.Context) error {
			child, cancel := context.WithCancel(ctx)
			defer cancel()
			grandchild, cancel := context.WithTimeout(context.WithValue(child, contextKey{}, 1), time.Hour)
			defer cancel()
			after := make(chan struct{})
			stop := context.AfterFunc(ctx, func() { close(after) })
			require.True(t, context.AfterFunc(ctx, func() { t.Error("this one was stopped") })())
			<-grandchild.Done()
			require.Equal(t, context.DeadlineExceeded, child.Err())
			<-after
			require.False(t, stop())

			late := make(chan struct{})
			own := ctx.(interface{ AfterFunc(func()) func() bool })
			require.False(t, own.AfterFunc(func() { close(late) })(), "a context that is done calls at once")
			<-late
			return grandchild.Err()
		})
		require.Equal(t, context.DeadlineExceeded, err)
	})
}

// Under synctest a goroutine or a channel that is left behind is a failure of its own.
func TestSessionsWithAttemptTimeoutsNest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		inner := within(time.Second)
		calls := 0
		err := within(10*time.Second).Run(ctx, func(ctx context.Context) error {
			return inner.Run(context.WithValue(retry.WithKey(ctx, "k"), contextKey{}, 1), func(ctx context.Context) error {
				calls++
				return hang(ctx)
			})
		})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 3, calls)

		outer := within(time.Second)
		err = outer.Run(ctx, func(ctx context.Context) error {
			return within(time.Hour).Run(ctx, hang)
		})
		require.ErrorIs(t, err, context.DeadlineExceeded, "the outer attempt's bound reaches the inner attempt")
		synctest.Wait()
		runtime.GC()
	})
}

// What waits for the end of a finished attempt must not be lost when nobody holds the attempt's context itself.
func TestWhatWaitsForAFinishedAttemptIsToldWhenTheCallerCancels(t *testing.T) {
	waits := map[string]func(t *testing.T, ctx context.Context, woken chan struct{}){
		"a func": func(_ *testing.T, ctx context.Context, woken chan struct{}) {
			context.AfterFunc(ctx, func() { close(woken) })
		},
		"a context made from it": func(t *testing.T, ctx context.Context, woken chan struct{}) {
			child, stop := context.WithCancel(ctx)
			t.Cleanup(stop) // it is the caller's cancel that is waited for
			go func() { <-child.Done(); close(woken) }()
		},
		"a session inside": func(_ *testing.T, ctx context.Context, woken chan struct{}) {
			_ = within(time.Hour).Run(ctx, func(ctx context.Context) error {
				context.AfterFunc(ctx, func() { close(woken) })
				return nil
			})
		},
	}
	for name, wait := range waits {
		for _, parent := range []string{"of the standard library", "of a type of its own"} {
			t.Run(name+", under a context "+parent, func(t *testing.T) {
				ctx, cancel := context.WithCancel(context.Background())
				if parent == "of a type of its own" {
					own := &ownDone{Context: ctx, done: make(chan struct{}), err: context.Canceled}
					ctx, cancel = own, func() { close(own.done) }
				}
				woken := make(chan struct{})
				require.NoError(t, within(time.Hour).Run(ctx, func(ctx context.Context) error { wait(t, ctx, woken); return nil }))
				for range 3 {
					runtime.GC()
				}
				cancel()
				<-woken
			})
		}
	}
}

func TestAFinishedAttemptsContextCanStillBeWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := &ownDone{Context: t.Context(), done: make(chan struct{}), err: errCause}
		var attempt context.Context
		require.NoError(t, within(time.Hour).Run(ctx, func(ctx context.Context) error { attempt = ctx; return nil }))

		require.True(t, context.AfterFunc(attempt, func() { t.Error("this one was stopped") })())
		synctest.Wait() // no goroutine is left of it

		woken := make(chan struct{})
		context.AfterFunc(attempt, func() { close(woken) })
		close(ctx.done)
		<-woken
		require.Equal(t, errCause, attempt.Err())
	})
}

// ownDone is a context of a type with a Done channel of its own, which the standard library follows by a goroutine.
type ownDone struct {
	context.Context
	done chan struct{}
	err  error
}

func (c *ownDone) Done() <-chan struct{} { return c.done }

func (c *ownDone) Err() error {
	select {
	case <-c.done:
		return c.err
	default:
		return nil
	}
}

func TestAnAttemptFollowsAContextOfAnyType(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := &ownDone{Context: t.Context(), done: make(chan struct{}), err: errCause}
		var attempt context.Context
		chain := within(time.Hour).Max(1)
		require.NoError(t, chain.Run(ctx, func(ctx context.Context) error { attempt = ctx; return nil }))
		require.NoError(t, attempt.Err(), "no goroutine is left, or synctest would say so")

		time.AfterFunc(time.Second, func() { close(ctx.done) })
		require.ErrorIs(t, chain.Run(ctx, hang), errCause)
		require.Equal(t, errCause, attempt.Err(), "a finished attempt follows too")
		<-attempt.Done()
	})
}

// calling is a context that calls funcs when it is done, as the standard library lets a type say.
type calling struct {
	ownDone
	after []func()
}

func (c *calling) AfterFunc(f func()) func() bool {
	c.after = append(c.after, f)
	return func() bool { return false }
}

func TestAnAttemptFollowsAContextThatCallsFuncs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := &calling{ownDone: ownDone{Context: t.Context(), done: make(chan struct{}), err: errCause}}
		var attempt context.Context
		require.NoError(t, within(time.Hour).Run(ctx, func(ctx context.Context) error { attempt = ctx; return nil }))
		require.Len(t, ctx.after, 1)
		close(ctx.done)
		ctx.after[0]()
		<-attempt.Done()
	})
}
