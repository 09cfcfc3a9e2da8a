package gopeers_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// waiting runs a case in both forms with five attempts and a wait of d before each retry.
func waiting(t *testing.T, d time.Duration, f func(t *testing.T, p *form)) {
	t.Helper()
	inBothForms(t,
		func() retry.ErrorChain { return retry.WhenThrows().Max(5).Sleep(d).WrapExhausted() },
		options(annotation.MaxAttempts(5), annotation.Base(d), annotation.WrapExhausted(true)), f)
}

// cancelIn returns a context that is canceled for errCause in d.
func cancelIn(d time.Duration) context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(d, func() { cancel(errCause) })
	return ctx
}

// go:C1
func TestNoCallUnderAContextThatIsDoneBefore(t *testing.T) {
	waiting(t, 0, func(t *testing.T, p *form) {
		canceled, cancel := context.WithCancelCause(t.Context())
		cancel(errCause)
		late, cancelLate := context.WithDeadlineCause(t.Context(), time.Now().Add(-time.Second), errCause)
		defer cancelLate()
		for want, ctx := range map[error]context.Context{context.Canceled: canceled, context.DeadlineExceeded: late} {
			op := scripted(nil)
			report, err := reported(ctx, p, op.run)
			require.ErrorIs(t, err, want)
			require.ErrorIs(t, err, errCause)
			require.Zero(t, op.calls)
			require.Zero(t, report.Attempts)
			require.Equal(t, retry.EndCanceled, report.Ended)
		}
	})
}

// go:C2
func TestACancelInTheSleepEndsItAtOnce(t *testing.T) {
	waiting(t, 10*time.Second, func(t *testing.T, p *form) {
		op := scripted(errBoom)
		require.Equal(t, 20*time.Millisecond, within(func() {
			require.Error(t, p.run(cancelIn(20*time.Millisecond), op.run))
		}))
		require.Equal(t, 1, op.calls)
	})
}

// go:C3
func TestTheErrorOfACancelKeepsTheLastFailureToo(t *testing.T) {
	waiting(t, 10*time.Second, func(t *testing.T, p *form) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(15*time.Second, cancel)
		err := p.run(ctx, scripted(errOther, errBoom).run)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, errBoom)
		require.NotErrorIs(t, err, errOther, "the last one, not the first")
		require.ErrorContains(t, err, "boom")
	})
}

// go:C4
func TestTheErrorOfACancelMatchesItsCauseAndTheContextsError(t *testing.T) {
	waiting(t, 10*time.Second, func(t *testing.T, p *form) {
		deadline := func(d time.Duration) context.Context {
			ctx, cancel := context.WithTimeoutCause(context.Background(), d, errCause)
			time.AfterFunc(time.Hour, cancel)
			return ctx
		}
		hang := func(ctx context.Context) error { <-ctx.Done(); return errBoom }
		for _, c := range []struct {
			name string
			in   func(time.Duration) context.Context
			op   operation
			want error
		}{
			{"canceled in the sleep", cancelIn, scripted(errBoom).run, context.Canceled},
			{"canceled in an attempt", cancelIn, hang, context.Canceled},
			{"a deadline in sight of the sleep", deadline, scripted(errBoom).run, context.DeadlineExceeded},
			{"a deadline in an attempt", deadline, hang, context.DeadlineExceeded},
		} {
			ctx := c.in(time.Second)
			err := p.run(ctx, c.op)
			require.ErrorIs(t, err, c.want, c.name)
			require.ErrorIs(t, err, errBoom, c.name)
			if ctx.Err() != nil { // a deadline that is only in sight has no cause yet
				require.ErrorIs(t, err, errCause, c.name)
				require.ErrorContains(t, err, errCause.Error(), c.name)
			}
		}
	})
}

// go:C5
func TestASleepThatWouldPassTheDeadlineIsNotBegun(t *testing.T) {
	waiting(t, 400*time.Millisecond, func(t *testing.T, p *form) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		op := scripted(errBoom)
		require.Zero(t, within(func() {
			err := p.run(ctx, op.run)
			exhaustedBy(t, err, "deadline", 1)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.ErrorIs(t, err, errBoom)
			require.ErrorContains(t, err, "would pass the context's deadline")
		}))
		require.NoError(t, ctx.Err())
		require.Equal(t, 1, op.calls)
	})
	// go:C5, where the wait just fits: the attempt is made.
	waiting(t, 99*time.Millisecond, func(t *testing.T, p *form) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		op := scripted(errBoom)
		exhaustedBy(t, p.run(ctx, op.run), "deadline", 2)
	})
}

// go:C7
func TestACancelInAHookBeforeTheRetryPreventsIt(t *testing.T) {
	waiting(t, 0, func(t *testing.T, p *form) {
		ctx, cancel := context.WithCancel(t.Context())
		p.events.then = func(_ context.Context, e retry.Event) {
			if event[retry.RetryScheduled](e) {
				cancel()
			}
		}
		op := scripted(errBoom)
		err := p.run(ctx, op.run)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, errBoom)
		require.Equal(t, 1, op.calls)
	})
	t.Run("BeforeRetry", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			p := annotated(t, annotation.MaxAttempts(5), annotation.BeforeRetry(func(context.Context, operation) { cancel() }))
			op := scripted(errBoom)
			require.ErrorIs(t, p.run(ctx, op.run), context.Canceled)
			require.Equal(t, 1, op.calls)
		})
	})
}

// Outer is a service that calls a Peer.
type Outer interface {
	Do(ctx context.Context, op operation) error
}

// OuterService is the Outer.
type OuterService struct{ peer Peer }

func (o *OuterService) Do(ctx context.Context, op operation) error { return o.peer.Do(ctx, op) }

// go:C8. Ours has no policies around policies whose context could hide; layers are calls inside calls, and the order of a
// list does not matter.
func TestALayerAroundAnotherDoesNotHideTheContext(t *testing.T) {
	inner := func() retry.ErrorChain { return retry.WhenThrows().Sleep(10 * time.Second).Max(retry.Unlimited) }
	for name, protect := range map[string]func(t *testing.T) func(context.Context, operation) error{
		"layers, fluent": func(*testing.T) func(context.Context, operation) error {
			in, out := inner(), retry.WhenThrows().Max(5)
			return func(ctx context.Context, op operation) error {
				return out.Run(ctx, func(ctx context.Context) error { return in.Run(ctx, op) })
			}
		},
		"layers, annotated": func(t *testing.T) func(context.Context, operation) error {
			c := container.New()
			c.Provide(func() *LocalPeer { return &LocalPeer{} }, container.As[Peer](), container.Annotate[Bare](Peer.Do,
				annotation.MaxAttempts(retry.Unlimited), annotation.Base(10*time.Second)))
			c.Provide(func(p Peer) *OuterService { return &OuterService{p} }, container.As[Outer](), container.Annotate[Bare](Outer.Do,
				annotation.MaxAttempts(5), annotation.RetryNested(true)))
			o, err := container.Get[Outer](c)
			require.NoError(t, err)
			return o.Do
		},
		"the limit last in the list": func(*testing.T) func(context.Context, operation) error {
			return retry.With(retry.NewSleep(retry.Flat, 10*time.Second), retry.NewMaxAttempts(5)).Run
		},
		"the limit first in the list": func(*testing.T) func(context.Context, operation) error {
			return retry.With(retry.NewMaxAttempts(5), retry.NewSleep(retry.Flat, 10*time.Second)).Run
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				run, op := protect(t), scripted(errBoom)
				require.Equal(t, 20*time.Millisecond, within(func() {
					err := run(cancelIn(20*time.Millisecond), op.run)
					require.ErrorIs(t, err, context.Canceled)
					require.ErrorIs(t, err, errCause)
					require.ErrorIs(t, err, errBoom)
				}))
				require.Equal(t, 1, op.calls)
			})
		})
	}
}

// go:C10
func TestAnAttemptTimeoutIsNotTheCallersCancel(t *testing.T) {
	const bound = 50 * time.Millisecond
	inBothForms(t,
		func() retry.ErrorChain { return retry.With(retry.NewAttemptTimeout(bound)).WhenThrows().Max(3) },
		options(annotation.AttemptTimeout(bound), annotation.MaxAttempts(3)),
		func(t *testing.T, p *form) {
			calls := 0
			hang := func(ctx context.Context) error {
				calls++
				<-ctx.Done()
				return ctx.Err()
			}
			require.Equal(t, 3*bound, within(func() {
				report, err := reported(t.Context(), p, hang)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, retry.EndExhausted, report.Ended)
			}))
			require.Equal(t, 3, calls)

			calls = 0
			require.Equal(t, bound+bound/2, within(func() {
				report, err := reported(cancelIn(bound+bound/2), p, hang)
				require.ErrorIs(t, err, context.Canceled)
				require.ErrorIs(t, err, errCause)
				require.Equal(t, retry.EndCanceled, report.Ended)
			}))
			require.Equal(t, 2, calls)

			calls = 0
			ctx, cancel := context.WithTimeout(t.Context(), bound+bound/2)
			defer cancel()
			require.True(t, errors.Is(p.run(ctx, hang), context.DeadlineExceeded))
			require.Equal(t, 2, calls, "nor is it the caller's deadline")
		})
}
