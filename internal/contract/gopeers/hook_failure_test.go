package gopeers_test

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// atHookPlaces runs f in a bubble for each place, in each form, in a trial and without.
func atHookPlaces(t *testing.T, size int64, f func(t *testing.T, h *holding, place hookPlace, trial bool)) {
	for _, place := range hookPlaces() {
		for form, protect := range hookForms(place, size) {
			for _, trial := range []bool{false, true} {
				if trial && place.when == between {
					continue
				}
				t.Run(fmt.Sprintf("%s, %s, trial %v", place.name, form, trial), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						h := protect(t)
						if trial {
							h.probing(t)
						}
						f(t, h, place, trial)
					})
				})
			}
		}
	}
}

// go:H3
func TestAHookThatPanicsOrExitsLeavesNothingBehind(t *testing.T) {
	for how, c := range map[string]struct {
		trap func()
		want ending
	}{
		"panics": {func() { panic("lost") }, ending{panics: "lost"}},
		"exits":  {runtime.Goexit, ending{exited: true}},
	} {
		t.Run(how, func(t *testing.T) {
			atHookPlaces(t, 1, func(t *testing.T, h *holding, place hookPlace, trial bool) {
				h.trap = c.trap
				require.Equal(t, c.want, inGoroutine(func() error { return h.run(t.Context(), place.operation(trial)) }))
				require.Zero(t, h.bulkhead.inside.Load(), "a permit is held")

				time.Sleep(h.breaker.RetryAfter())
				require.NoError(t, h.run(t.Context(), scripted(nil).run), "a trial is held")
				require.Equal(t, retry.BreakerClosed, h.breaker.State())

				if trial || place.name == "a policy's giveBack" {
					return // no retry of these ever starts
				}
				report, err := reported(t.Context(), h.form, scripted(errBoom, nil).run)
				if place.when > between {
					require.Equal(t, "budget", report.Limit, "the retry that has started was paid for")
					return
				}
				require.NoError(t, err, "what was paid for the retry that did not start is lost")
				require.Equal(t, 2, report.Attempts)
			})
		})
	}
}

// go:H3
func TestAHookThatBlocksHoldsNobodyElse(t *testing.T) {
	atHookPlaces(t, 100, func(t *testing.T, h *holding, place hookPlace, trial bool) {
		blocked, release, done := false, make(chan struct{}), make(chan struct{})
		h.trap = func() { blocked = true; <-release }
		go func() {
			_ = h.run(context.Background(), place.operation(trial))
			close(done)
		}()
		synctest.Wait()
		require.True(t, blocked)

		time.Sleep(reset) // a trial loses its place to others by then
		require.NoError(t, h.run(t.Context(), scripted(nil).run))
		require.Equal(t, retry.BreakerClosed, h.breaker.State())
		_ = h.run(t.Context(), scripted(errBoom).run) // through the budget, paid for or not
		close(release)
		<-done
		require.Zero(t, h.bulkhead.inside.Load())
	})
}

// go:H3, where the breaker becomes half-open by a retry, not by a call.
func TestAListenerThatPanicsAsARetryBecomesATrialLeavesItFree(t *testing.T) {
	breaker := retry.BreakerSettings{ResetTimeout: reset}
	inBothForms(t,
		func() retry.ErrorChain {
			return retry.With(retry.NewCircuitBreaker(breaker)).WhenThrows().Max(2).Sleep(2 * reset)
		},
		options(annotation.Breaker(breaker), annotation.MaxAttempts(2), annotation.Base(2*reset)),
		func(t *testing.T, p *form) {
			var armed atomic.Bool
			p.events.then = func(_ context.Context, e retry.Event) {
				if e, ok := e.(retry.BreakerChanged); ok && e.To == retry.BreakerHalfOpen && armed.Swap(false) {
					panic("lost")
				}
			}
			done := make(chan ending)
			go func() {
				done <- inGoroutine(func() error { return p.run(context.Background(), scripted(errBoom).run) })
			}()
			time.Sleep(time.Second)
			require.Equal(t, errBoom, p.run(retry.Once(t.Context()), scripted(errBoom).run))
			require.Equal(t, retry.BreakerOpen, p.breaker.State())
			armed.Store(true)
			require.Equal(t, ending{panics: "lost"}, <-done)
			require.NoError(t, p.run(t.Context(), scripted(nil).run))
			require.Equal(t, retry.BreakerClosed, p.breaker.State())
		})
}
