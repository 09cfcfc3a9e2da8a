package gopeers_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

const reset = 10 * time.Second

// guarded runs a case in both forms under a breaker, with so many attempts; errBoom alone is worth a retry.
func guarded(t *testing.T, s retry.BreakerSettings, attempts int, f func(t *testing.T, p *form)) {
	t.Helper()
	s.ResetTimeout = reset
	inBothForms(t,
		func() retry.ErrorChain {
			return retry.With(retry.NewCircuitBreaker(s)).WhenThrows(retry.Is(errBoom)).Max(attempts)
		},
		options(annotation.Breaker(s), annotation.RetryErrors(retry.Is(errBoom)), annotation.MaxAttempts(attempts)), f)
}

// trip opens the breaker of p by one call that fails.
func trip(t *testing.T, p *form) {
	t.Helper()
	require.ErrorIs(t, p.run(t.Context(), scripted(errBoom).run), errBoom)
	require.Equal(t, retry.BreakerOpen, p.breaker.State())
}

// halfOpen trips the breaker of p and waits until it is half-open.
func halfOpen(t *testing.T, p *form) {
	t.Helper()
	trip(t, p)
	time.Sleep(reset)
	require.Equal(t, retry.BreakerHalfOpen, p.breaker.State())
}

// held is an operation that ends when it is told to.
type held struct{ end chan error }

func hold() *held                          { return &held{make(chan error)} }
func (h *held) run(context.Context) error  { return <-h.end }
func (h *held) start(p *form) <-chan error { return h.startUnder(context.Background(), p) }
func (h *held) finish(err error)           { h.end <- err; synctest.Wait() }
func (h *held) startUnder(ctx context.Context, p *form) <-chan error {
	out := make(chan error, 1)
	go func() { out <- p.run(ctx, h.run) }()
	synctest.Wait()
	return out
}

// go:B2
func TestAHalfOpenBreakerRunsAsManyOfTwentyConcurrentCallsAsItHasProbes(t *testing.T) {
	for _, probes := range []int{0, 1, 5} { // 0 is 1
		t.Run(fmt.Sprint(probes, " probes"), func(t *testing.T) {
			guarded(t, retry.BreakerSettings{Consecutive: 1, Probes: probes}, 1, func(t *testing.T, p *form) {
				halfOpen(t, p)
				var ran atomic.Int32
				errs := make([]error, 20)
				var wg sync.WaitGroup
				for i := range errs {
					wg.Go(func() {
						errs[i] = p.run(t.Context(), func(context.Context) error {
							ran.Add(1)
							time.Sleep(time.Second)
							return nil
						})
					})
				}
				wg.Wait()
				rejected := 0
				for _, err := range errs {
					if err != nil {
						var r *retry.RejectedError
						require.ErrorAs(t, err, &r, "no error of the peer's")
						require.ErrorIs(t, err, retry.ErrCircuitOpen)
						rejected++
					}
				}
				want := max(probes, 1)
				require.Equal(t, want, int(ran.Load()))
				require.Equal(t, 20-want, rejected)
				require.Equal(t, rejected, count[retry.Rejected](p.events))
				require.Equal(t, retry.BreakerClosed, p.breaker.State())
			})
		})
	}
}

// go:B3. Elsewhere the trials at once, the successes needed and the failures tolerated are three settings: five at once,
// three successes close, one failure is tolerated. Ours is one, probes: so many at once, that many successes close, and one
// failure re-opens, since the peer is known to be bad until it is proven good.
func TestProbesAreTheCallsAdmittedAtOnceAndTheSuccessesThatClose(t *testing.T) {
	guarded(t, retry.BreakerSettings{Consecutive: 1, Probes: 5}, 1, func(t *testing.T, p *form) {
		halfOpen(t, p)
		var out []*held
		for range 5 {
			h := hold()
			h.start(p)
			out = append(out, h)
		}
		require.ErrorIs(t, p.run(t.Context(), scripted(nil).run), retry.ErrCircuitOpen, "a sixth at once")
		out[0].finish(nil)
		out[1].finish(nil)
		out[2].finish(nil)
		require.Equal(t, retry.BreakerHalfOpen, p.breaker.State(), "three successes of five")
		require.ErrorIs(t, p.run(t.Context(), scripted(nil).run), retry.ErrCircuitOpen, "the two that are out may be enough")
		out[3].finish(errBoom)
		require.Equal(t, retry.BreakerOpen, p.breaker.State(), "one failure")
		out[4].finish(nil)
		require.Equal(t, retry.BreakerOpen, p.breaker.State(), "what comes after it is of an earlier state")

		time.Sleep(reset)
		for i := range 5 {
			require.Equal(t, retry.BreakerHalfOpen, p.breaker.State(), "after %d successes", i)
			require.NoError(t, p.run(t.Context(), scripted(nil).run))
		}
		require.Equal(t, retry.BreakerClosed, p.breaker.State())
	})
}

// go:B8
func TestAResultOfACallFromBeforeTheBreakerOpenedChangesNothing(t *testing.T) {
	for _, late := range []error{nil, errBoom, errOther} {
		for _, attempts := range []int{1, 3} {
			t.Run(fmt.Sprintf("%v under %d attempts", late, attempts), func(t *testing.T) {
				guarded(t, retry.BreakerSettings{Consecutive: 1}, attempts, func(t *testing.T, p *form) {
					first, second, third := hold(), hold(), hold()
					firstResult, secondResult, thirdResult := first.start(p), second.start(p), third.start(p)
					trip(t, p)
					time.Sleep(reset)

					first.finish(late)
					require.Equal(t, late, <-firstResult, "it has no other attempt: it is no probe")
					require.Equal(t, retry.BreakerHalfOpen, p.breaker.State(), "before any probe")

					probe := hold()
					probeResult := probe.start(p)
					second.finish(late)
					require.Equal(t, late, <-secondResult)
					require.Equal(t, retry.BreakerHalfOpen, p.breaker.State(), "while a probe is out")
					require.ErrorIs(t, p.run(t.Context(), scripted(nil).run), retry.ErrCircuitOpen, "it has not freed the probe's place")

					probe.finish(errOther) // neutral: its place is free
					require.Equal(t, errOther, <-probeResult)
					third.finish(late)
					require.Equal(t, late, <-thirdResult, "it does not become a probe either")
					require.Equal(t, retry.BreakerHalfOpen, p.breaker.State(), "between two probes")

					require.NoError(t, p.run(t.Context(), scripted(nil).run))
					require.Equal(t, retry.BreakerClosed, p.breaker.State())
				})
			})
		}
	}
}

// go:B9
func TestAPanicInATrialReopensTheBreakerAndGoesOnToTheCaller(t *testing.T) {
	for name, s := range map[string]retry.BreakerSettings{
		"one exhausted session opens": {},
		"attempts are counted":        {Consecutive: 1},
		"attempts are timed":          {WindowTime: time.Minute, FailureRatio: 1, MinCalls: 1},
	} {
		t.Run(name, func(t *testing.T) {
			guarded(t, s, 3, func(t *testing.T, p *form) {
				halfOpen(t, p)
				for range 3 { // again and again
					require.Equal(t, ending{panics: "lost"}, inGoroutine(func() error { return p.run(t.Context(), panics("lost")) }))
					require.Equal(t, retry.BreakerOpen, p.breaker.State())
					require.Equal(t, reset, p.breaker.RetryAfter())
					require.ErrorIs(t, p.run(t.Context(), scripted(nil).run), retry.ErrCircuitOpen)
					time.Sleep(reset)
				}
				require.NoError(t, p.run(t.Context(), scripted(nil).run), "later trials are possible")
				require.Equal(t, retry.BreakerClosed, p.breaker.State())
			})
		})
	}
	// go:B9, where panics are asked for: the last one is raised again.
	t.Run("a panic that is retried", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := annotated(t, annotation.Breaker(retry.BreakerSettings{ResetTimeout: reset, Consecutive: 1}),
				annotation.RetryPanics(true), annotation.MaxAttempts(3))
			halfOpen(t, p)
			calls := 0
			require.Equal(t, ending{panics: "lost"}, inGoroutine(func() error {
				return p.run(t.Context(), func(context.Context) error { calls++; panic("lost") })
			}))
			require.Equal(t, 1, calls, "the breaker has opened")
			require.Equal(t, retry.BreakerOpen, p.breaker.State())
			time.Sleep(reset)
			require.NoError(t, p.run(t.Context(), scripted(nil).run))
			require.Equal(t, retry.BreakerClosed, p.breaker.State())
		})
	})
}

// go:B10
func TestGoexitInATrialFreesIt(t *testing.T) {
	for name, s := range map[string]retry.BreakerSettings{
		"one exhausted session opens": {},
		"attempts are counted":        {Consecutive: 1},
	} {
		t.Run(name, func(t *testing.T) {
			guarded(t, s, 3, func(t *testing.T, p *form) {
				halfOpen(t, p)
				require.Equal(t, ending{exited: true}, inGoroutine(func() error { return p.run(t.Context(), goexit) }))
				require.Equal(t, retry.BreakerOpen, p.breaker.State(), "it counts as a failure")
				time.Sleep(reset)
				require.NoError(t, p.run(t.Context(), scripted(nil).run))
				require.Equal(t, retry.BreakerClosed, p.breaker.State())
			})
		})
	}
}

// go:B10, and what no peer does: a trial that never ends keeps its place for as long as the breaker stays open, no longer.
func TestATrialThatHangsLosesItsPlace(t *testing.T) {
	guarded(t, retry.BreakerSettings{Consecutive: 1}, 1, func(t *testing.T, p *form) {
		halfOpen(t, p)
		hung := hold()
		result := hung.start(p)
		time.Sleep(reset - 1)
		require.ErrorIs(t, p.run(t.Context(), scripted(nil).run), retry.ErrCircuitOpen)
		time.Sleep(1)
		require.NoError(t, p.run(t.Context(), scripted(nil).run))
		require.Equal(t, retry.BreakerClosed, p.breaker.State())
		hung.finish(errBoom)
		require.True(t, errors.Is(<-result, errBoom))
		require.Equal(t, retry.BreakerClosed, p.breaker.State(), "its result comes too late to count")
	})
}
