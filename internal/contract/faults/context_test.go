package faults_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// quirk is a context that breaks the rules that contexts have. What is nil is as in the one within.
type quirk struct {
	context.Context
	err      func() error
	done     func() <-chan struct{}
	value    func(key any) any
	deadline func() (time.Time, bool)
}

func (q *quirk) Err() error {
	if q.err != nil {
		return q.err()
	}
	return q.Context.Err()
}

func (q *quirk) Done() <-chan struct{} {
	if q.done != nil {
		return q.done()
	}
	return q.Context.Done()
}

func (q *quirk) Value(key any) any {
	if q.value != nil {
		return q.value(key)
	}
	return q.Context.Value(key)
}

func (q *quirk) Deadline() (time.Time, bool) {
	if q.deadline != nil {
		return q.deadline()
	}
	return q.Context.Deadline()
}

// onlyAt is an Err that reports an end the n-th time it is asked, and takes it back.
func onlyAt(n int, err error) func() error {
	return func() error {
		if n--; n == 0 {
			return err
		}
		return nil
	}
}

func TestAContextThatTakesItsEndBackHasEndedTheSession(t *testing.T) {
	for _, attemptTimeout := range []bool{false, true} {
		for n := 1; n <= 12; n++ {
			synctest.Test(t, func(t *testing.T) {
				chain := retry.WhenThrows().Max(3).Sleep(time.Second)
				if attemptTimeout {
					chain = chain.With(retry.NewAttemptTimeout(time.Hour))
				}
				ctx, report := retry.WithReport(t.Context())
				calls := 0
				err := chain.Run(&quirk{Context: ctx, err: onlyAt(n, context.DeadlineExceeded)}, func(context.Context) error {
					calls++
					return errFull
				})
				require.Error(t, err, "never a silent success")
				if report.Ended != retry.EndCanceled {
					require.Equal(t, retry.EndExhausted, report.Ended)
					require.Equal(t, 3, calls, "nobody in the session has seen it")
					return
				}
				require.LessOrEqual(t, calls, 3)
				require.True(t, errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded), "%v", err)
				require.Equal(t, calls > 0, errors.Is(err, errFull))
			})
		}
	}
}

func TestAContextMayEndWithAnErrorOfItsOwn(t *testing.T) {
	for name, odd := range oddErrors() {
		t.Run(name, func(t *testing.T) {
			ended := false
			ctx := &quirk{Context: t.Context(), err: func() error {
				if ended {
					return odd
				}
				return nil
			}}
			err := retry.WhenThrows().Max(3).Run(ctx, func(ctx context.Context) error {
				ended = true
				return ctx.Err()
			})
			require.Contains(t, err.Error(), odd.Error())
			err = retry.WhenThrows().Max(3).Run(ctx, func(context.Context) error { t.Error("called"); return nil })
			require.Contains(t, err.Error(), odd.Error(), "and no attempt")
		})
	}
}

func TestAContextThatIsDoneWithoutAnErrorCutsWaitsShortAlone(t *testing.T) {
	closed := make(chan struct{})
	close(closed)
	synctest.Test(t, func(t *testing.T) { // without an AttemptTimeout: the standard library makes no child of such a context
		start, calls := time.Now(), 0
		ctx := &quirk{Context: t.Context(), done: func() <-chan struct{} { return closed }}
		err := retry.WhenThrows().Max(4).Sleep(time.Hour).Run(ctx, func(context.Context) error { calls++; return errFull })
		require.Same(t, errFull, err)
		require.Equal(t, 4, calls)
		require.Zero(t, time.Since(start))
	})
}

func TestAContextMayFindAnythingUnderAnyKey(t *testing.T) {
	for name, value := range map[string]func(q *quirk) any{
		"a number":        func(*quirk) any { return 42 },
		"nothing":         func(*quirk) any { return nil },
		"itself":          func(q *quirk) any { return q },
		"another context": func(*quirk) any { return context.Background() },
		"what cannot be compared": func(*quirk) any {
			return []int{1}
		},
	} {
		for _, chain := range []retry.ErrorChain{
			retry.WhenThrows().Max(3),
			retry.WhenThrows().Max(3).With(retry.NewAttemptTimeout(time.Minute)),
		} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					q := &quirk{Context: t.Context()}
					q.value = func(any) any { return value(q) }
					calls := 0
					got := watched(func() {
						require.Same(t, errFull, chain.Run(q, func(ctx context.Context) error {
							a, ok := retry.FromContext(ctx)
							require.True(t, ok)
							calls++
							require.Equal(t, calls, a.Number)
							return errFull
						}))
						_, ok := retry.FromContext(retry.WithKey(q, "key"))
						require.False(t, ok)
					})
					require.True(t, got.returned, "%v\n%s", got.value, got.stack)
					require.Equal(t, 3, calls)
				})
			})
		}
	}
}

func TestADeadlineInThePastIsNoEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := &quirk{Context: t.Context(), deadline: func() (time.Time, bool) { return time.Time{}, true }}
		calls := 0
		fail := func(context.Context) error { calls++; return errFull }
		require.Same(t, errFull, retry.WhenThrows().Max(3).Run(ctx, fail))
		require.Equal(t, 3, calls, "who does not wait cannot wait too long")

		calls = 0
		err := retry.WhenThrows().Max(3).Sleep(time.Second).Run(ctx, fail)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, errFull)
		require.Equal(t, 1, calls, "who does would pass it")
	})
}

// A nil context is taken as context.Background, in both forms, and also where an attempt passes one on.
func TestANilContextIsTheBackground(t *testing.T) {
	inner, outer := retry.WhenThrows().Max(2), retry.WhenThrows().Max(2)
	calls := 0
	err := outer.Run(nil, func(ctx context.Context) error { //nolint:staticcheck // this is the point
		require.NoError(t, ctx.Err())
		return inner.Run(nil, func(context.Context) error { calls++; return errFull }) //nolint:staticcheck // and this
	})
	require.Same(t, errFull, err)
	require.Equal(t, 4, calls, "a callee without the context begins a new layer")

	x := &pinger{}
	g, err := aspect.Wrap[interface{ Ping(context.Context) error }](aspect.NewWeaver(), x,
		aspect.Annotate[aliases.Retry]("Ping", annotation.MaxAttempts(2)))
	require.NoError(t, err)
	require.Same(t, errFull, g.Ping(nil)) //nolint:staticcheck // and this
	require.Equal(t, 2, x.calls)
}

type pinger struct{ calls int }

func (p *pinger) Ping(ctx context.Context) error {
	p.calls++
	if ctx.Err() != nil {
		return nil
	}
	return errFull
}
