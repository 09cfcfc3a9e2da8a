package gopeers_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// go:B4
func TestAnIgnoredErrorInHalfOpenDoesNotReopen(t *testing.T) {
	guarded(t, retry.BreakerSettings{Consecutive: 1}, 3, func(t *testing.T, p *form) {
		halfOpen(t, p)
		for range 3 { // each frees its place
			require.Equal(t, errOther, p.run(t.Context(), scripted(errOther).run), "errOther is not worth a retry")
			require.Equal(t, retry.BreakerHalfOpen, p.breaker.State())
		}
		require.NoError(t, p.run(t.Context(), scripted(nil).run))
		require.Equal(t, retry.BreakerClosed, p.breaker.State())
	})
	// go:B4, by the attributes that have the last word of an error, and by an error that says it itself.
	for name, c := range map[string]struct {
		opt annotation.Option
		err error
	}{
		"ignoreErrors":          {annotation.IgnoreErrors(retry.Is(errOther)), errOther},
		"retryIfError":          {annotation.RetryIfError(func(err error) bool { return errors.Is(err, errBoom) }), errOther},
		"marked as permanent":   {annotation.RetryErrors(retry.AnyError), retry.Permanent(errOther)},
		"Retryable of an error": {annotation.RetryErrors(retry.AnyError), hopeless{}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := annotated(t, annotation.Breaker(retry.BreakerSettings{ResetTimeout: reset, Consecutive: 1}), annotation.MaxAttempts(1), c.opt)
				halfOpen(t, p)
				require.Error(t, p.run(t.Context(), scripted(c.err).run))
				require.Equal(t, retry.BreakerHalfOpen, p.breaker.State())
				require.NoError(t, p.run(t.Context(), scripted(nil).run), "its place is free")
			})
		})
	}
}

// hopeless is an error that says that it is not worth a retry.
type hopeless struct{}

func (hopeless) Error() string   { return "hopeless" }
func (hopeless) Retryable() bool { return false }

// go:B6
func TestTheCallersCancelIsNeitherAFailureNorASuccess(t *testing.T) {
	canceled := func(p *form) error {
		ctx, cancel := context.WithCancel(context.Background())
		return p.run(ctx, func(ctx context.Context) error {
			cancel()
			return ctx.Err()
		})
	}
	for name, s := range map[string]retry.BreakerSettings{
		"two in a row open":   {Consecutive: 2},
		"two of two open":     {Window: 2, FailureRatio: 1},
		"two of a while open": {WindowTime: time.Minute, FailureRatio: 1, MinCalls: 2},
	} {
		t.Run(name, func(t *testing.T) {
			s.ResetTimeout = reset
			inBothForms(t,
				func() retry.ErrorChain { return retry.With(retry.NewCircuitBreaker(s), retry.NewMaxAttempts(1)) },
				options(annotation.Breaker(s), annotation.MaxAttempts(1)),
				func(t *testing.T, p *form) {
					for range 3 {
						require.ErrorIs(t, canceled(p), context.Canceled)
					}
					require.Equal(t, retry.BreakerClosed, p.breaker.State(), "no failures")
					require.Equal(t, errBoom, p.run(t.Context(), scripted(errBoom).run))
					for range 3 {
						require.ErrorIs(t, canceled(p), context.Canceled)
					}
					require.Equal(t, retry.BreakerClosed, p.breaker.State(), "one failure still")
					require.Equal(t, errBoom, p.run(t.Context(), scripted(errBoom).run))
					require.Equal(t, retry.BreakerOpen, p.breaker.State(), "and no success between the two")

					time.Sleep(reset)
					for range 3 {
						require.ErrorIs(t, canceled(p), context.Canceled)
						require.Equal(t, retry.BreakerHalfOpen, p.breaker.State())
					}
					require.NoError(t, p.run(t.Context(), scripted(nil).run), "the trial is free")
					require.Equal(t, retry.BreakerClosed, p.breaker.State())
				})
		})
	}
}

// go:B7. A breaker that learns of failures after 30 s learns too late. What helps is a limit of calls in flight, here a gate
// as users write one, or a bound of each attempt, which makes a slow call a failed one early.
func TestAPeerThatFailsSlowlyIsNotCalledThirtyThousandTimes(t *testing.T) {
	breaker := retry.BreakerSettings{ResetTimeout: time.Minute, Window: 10, FailureRatio: 0.5}
	slow := breaker
	slow.FailureRatio, slow.SlowCall, slow.SlowRatio = 0, time.Second/2, 0.5
	for _, c := range []struct {
		name  string
		chain func() retry.ErrorChain
		opts  func() []annotation.Option
		most  int32
	}{
		{"in-flight limit",
			func() retry.ErrorChain {
				return retry.With(newBulkhead(100), retry.NewCircuitBreaker(breaker), retry.NewMaxAttempts(1))
			},
			options(annotation.AddPolicies(bulkheadOf100), annotation.Breaker(breaker), annotation.MaxAttempts(1)),
			100},
		{"attempt timeout",
			func() retry.ErrorChain {
				return retry.With(retry.NewAttemptTimeout(time.Second), retry.NewCircuitBreaker(breaker), retry.NewMaxAttempts(1))
			},
			options(annotation.AttemptTimeout(time.Second), annotation.Breaker(breaker), annotation.MaxAttempts(1)),
			1100},
		{"slow calls",
			func() retry.ErrorChain {
				return retry.With(retry.NewAttemptTimeout(time.Second), retry.NewCircuitBreaker(slow), retry.NewMaxAttempts(1))
			},
			options(annotation.AttemptTimeout(time.Second), annotation.Breaker(slow), annotation.MaxAttempts(1)),
			1100},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBothForms(t, c.chain, c.opts, func(t *testing.T, p *form) {
				var started atomic.Int32
				var wg sync.WaitGroup
				for range 30_000 {
					wg.Go(func() {
						_ = p.run(t.Context(), func(ctx context.Context) error {
							started.Add(1)
							select {
							case <-ctx.Done():
								return ctx.Err()
							case <-time.After(30 * time.Second):
								return errBoom
							}
						})
					})
					time.Sleep(time.Millisecond)
				}
				wg.Wait()
				require.LessOrEqual(t, started.Load(), c.most)
				require.Positive(t, started.Load())
				require.Equal(t, retry.BreakerOpen, p.breaker.State())
			})
		})
	}
}

// go:B11
func TestAnOperatorForcesABreaker(t *testing.T) {
	guarded(t, retry.BreakerSettings{Consecutive: 1}, 1, func(t *testing.T, p *form) {
		ok, boom := scripted(nil), scripted(errBoom)
		p.breaker.ForceOpen()
		for _, later := range []time.Duration{0, reset, 1000 * time.Hour} {
			time.Sleep(later)
			require.Equal(t, retry.BreakerForceOpen, p.breaker.State())
			require.ErrorIs(t, p.run(t.Context(), ok.run), retry.ErrCircuitOpen)
		}
		require.Zero(t, ok.calls)
		p.breaker.Reset()
		require.NoError(t, p.run(t.Context(), ok.run), "released")

		p.breaker.ForceClose() // disabled
		for range 5 {
			require.Equal(t, errBoom, p.run(t.Context(), boom.run))
		}
		require.Equal(t, retry.BreakerForceClosed, p.breaker.State())

		p.breaker.MetricsOnly()
		for range 5 {
			require.Equal(t, errBoom, p.run(t.Context(), boom.run))
		}
		require.Equal(t, retry.BreakerMetricsOnly, p.breaker.State())
		require.Equal(t, 10, boom.calls)

		p.breaker.Reset()
		require.Equal(t, retry.BreakerClosed, p.breaker.State(), "what was counted is forgotten")
		trip(t, p)
		p.breaker.Reset()
		require.NoError(t, p.run(t.Context(), ok.run), "an open one is released too")
	})
}

// go:B11, as the users asked for it: open at a 429, for as long as its Retry-After says.
func TestAUserTripsABreakerForAsLongAsThePeerSays(t *testing.T) {
	guarded(t, retry.BreakerSettings{Consecutive: 100}, 1, func(t *testing.T, p *form) {
		require.Equal(t, errBoom, p.run(t.Context(), func(context.Context) error {
			p.breaker.ForceOpen()
			time.AfterFunc(time.Hour, p.breaker.Reset)
			return errBoom
		}))
		time.Sleep(time.Hour - 1)
		require.ErrorIs(t, p.run(t.Context(), scripted(nil).run), retry.ErrCircuitOpen)
		time.Sleep(1)
		synctest.Wait()
		require.NoError(t, p.run(t.Context(), scripted(nil).run))
	})
}
