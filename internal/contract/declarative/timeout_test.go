package declarative_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// decl:7. The timeout of the session is a limit like any other: it is reached, and the fallback runs.
func TestAFallbackRunsWhenTheTimeoutOfTheSessionIsReached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal()
		s := weave(t, j.failing(100*ms), container.Annotate[aliases.Retry](Peer.Call,
			annotation.MaxAttempts(101), annotation.Timeout(300*ms),
			annotation.Fallback(func() (string, error) { return "fallback", nil })))
		got, err := s.Call(t.Context())
		require.NoError(t, err)
		require.Equal(t, "fallback", got)
		require.Equal(t, []time.Duration{0, 100 * ms, 200 * ms}, j.times)
		require.Equal(t, 300*ms, time.Since(j.begin))
	})
}

// decl:9. A timeout that watches a future alone does not see what blocks before there is one. Here it ends the context of
// all that runs inside, the aspects between retry and method included.
func TestATimeoutCoversAllThatRunsInsideAnAttempt(t *testing.T) {
	block := func(ctx context.Context) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
			return nil
		}
	}
	for name, test := range map[string]struct {
		remote *Remote
		inner  aspect.Func
	}{
		"the method": {
			&Remote{do: func(ctx context.Context, _ int) (string, error) { return "", block(ctx) }},
			func(jp aspect.JoinPoint) error { return jp.Proceed() },
		},
		"an aspect before it": {
			fails(0),
			func(jp aspect.JoinPoint) error {
				if err := block(jp.Context()); err != nil {
					return err
				}
				return jp.Proceed()
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := weaveIn(t, test.remote, func(c *container.Container) {
					c.Supply(test.inner, container.AsAspect(aspect.Method(Peer.Call), aspect.RetryPriority-1))
				}, container.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(1), annotation.AttemptTimeout(100*ms)))
				begin := time.Now()
				_, err := s.Call(t.Context())
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, 100*ms, time.Since(begin))
			})
		})
	}
}

// Store has no contexts.
type Store interface {
	Load(key string) (string, error)
}

type storeFunc func() error

func (f storeFunc) Load(string) (string, error) { return "", f() }

// decl:10. A time limit on a method that cannot be interrupted is refused before the first call, not by each call. The
// timeout of a session needs no interruption, so it holds there as well.
func TestAnAttemptTimeoutOnAMethodWithoutAContextIsADefinitionError(t *testing.T) {
	text := onlyProblem(t, func(c *container.Container) {
		c.Provide(func() storeFunc { panic("never built") }, container.As[Store](),
			container.Annotate[aliases.Retry](Store.Load, annotation.AttemptTimeout(100*ms)))
	})
	require.Contains(t, text, "storeFunc@Load")
	require.Contains(t, text, "attemptTimeout needs a context")

	synctest.Test(t, func(t *testing.T) {
		j := newJournal()
		c := container.New()
		c.Provide(func() storeFunc { return func() error { j.note(); return errBoom } }, container.As[Store](),
			container.Annotate[aliases.Retry](Store.Load, annotation.Timeout(time.Second), annotation.Base(400*ms)))
		_, err := get[Store](t, c).Load("k")
		require.Equal(t, errBoom, err)
		require.Equal(t, []time.Duration{0, 400 * ms, 800 * ms}, j.times)
	})
}

// decl:102. No attempt starts after the deadline, whatever the budget and the number of attempts would allow.
func TestNoAttemptStartsAfterTheDeadline(t *testing.T) {
	for name, test := range map[string]struct {
		opts     []annotation.Option
		deadline time.Duration
	}{
		"of the session": {[]annotation.Option{annotation.Timeout(5 * time.Second)}, time.Hour},
		"of the caller":  {nil, 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				j := newJournal()
				s := weave(t, j.failing(700*ms), container.Annotate[aliases.Retry](Peer.Call, append(test.opts,
					annotation.MaxAttempts(retry.Unlimited), annotation.Base(time.Second),
					annotation.Budget(retry.BudgetSettings{TTL: time.Hour, MinPerSec: 1e6, Percent: 10}))...))
				ctx, cancel := context.WithTimeout(t.Context(), test.deadline)
				defer cancel()
				_, err := s.Call(ctx)
				require.ErrorIs(t, err, errBoom)
				require.Equal(t, []time.Duration{0, 1700 * ms, 3400 * ms}, j.times)
				require.Equal(t, 4100*ms, time.Since(j.begin), "a wait that would end at 5.1 s is not begun")
			})
		})
	}
}

// decl:106. Elsewhere a caller can be let go while the method runs on. Here an attempt that does not heed its context is
// waited for: a goroutine that nobody waits for holds what it holds, and its outcome is lost.
func TestAnAttemptThatIgnoresItsContextIsNotAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := errBoom
		remote := &Remote{do: func(ctx context.Context, _ int) (string, error) {
			time.Sleep(time.Second)
			ended = ctx.Err()
			return "late", nil
		}}
		s := weave(t, remote, container.Annotate[aliases.Retry](Peer.Call, annotation.AttemptTimeout(50*ms)))
		begin := time.Now()
		got, err := s.Call(t.Context())
		require.NoError(t, err, "a success that comes late is one")
		require.Equal(t, "late", got)
		require.Equal(t, time.Second, time.Since(begin))
		require.Equal(t, 1, remote.count())
		require.ErrorIs(t, ended, context.DeadlineExceeded, "it was told in time")
	})
}

// decl:108. What bounds a session from outside also bounds its waits: a retry that waits when the time is over starts no
// more, and is not even waited for.
func TestARetryThatWaitsDoesNotStartAfterATimeoutAroundIt(t *testing.T) {
	retries := container.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(6), annotation.Base(80*ms))
	for name, call := range map[string]func(*testing.T, *Remote) error{
		"of the same session": func(t *testing.T, r *Remote) error {
			s := weave(t, r, container.Annotate[aliases.Retry](Peer.Call,
				annotation.MaxAttempts(6), annotation.Base(80*ms), annotation.Timeout(100*ms)))
			_, err := s.Call(t.Context())
			return err
		},
		"of the caller": func(t *testing.T, r *Remote) error {
			ctx, cancel := context.WithTimeout(t.Context(), 100*ms)
			defer cancel()
			_, err := weave(t, r, retries).Call(ctx)
			return err
		},
		"of a layer above": func(t *testing.T, r *Remote) error {
			s := weaveIn(t, r, func(c *container.Container) {
				c.Provide(newShop, container.As[Shop](), container.Annotate[aliases.Retry](Shop.Buy,
					annotation.MaxAttempts(1), annotation.AttemptTimeout(100*ms)))
			}, retries)
			_, err := get[Shop](t, s.c).Buy(t.Context())
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				j := newJournal()
				require.ErrorIs(t, call(t, j.failing(0)), errBoom)
				require.Equal(t, []time.Duration{0, 80 * ms}, j.times)
				require.Equal(t, 80*ms, time.Since(j.begin))
				time.Sleep(time.Second)
				require.Len(t, j.times, 2)
			})
		})
	}
}
