package faults_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/retry"
)

// tripping is a listener that fails when a breaker changes to a state, once.
type tripping struct {
	to   retry.BreakerState
	do   func()
	seen int
}

func (l *tripping) On(_ context.Context, e retry.Event) {
	if c, ok := e.(retry.BreakerChanged); ok && c.To == l.to {
		if l.seen++; l.seen == 1 {
			l.do()
		}
	}
}

// A listener that fails over one breaker keeps no other from learning what has become of the call.
func TestEveryBreakerIsToldThoughAListenerFailsOverOne(t *testing.T) {
	for name, d := range deeds {
		for what, settings := range map[string]retry.BreakerSettings{
			"of each attempt": {ResetTimeout: time.Second, Consecutive: 1},
			"of the session":  {ResetTimeout: time.Second},
		} {
			for how, op := range map[string]func(context.Context) error{
				"an error": func(context.Context) error { return errFull },
				"a panic":  func(context.Context) error { panic("of the attempt") },
			} {
				t.Run(name+", "+what+", "+how, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						var all []retry.Policy
						for range 3 {
							all = append(all, retry.NewCircuitBreaker(settings))
						}
						l := &tripping{to: retry.BreakerOpen, do: d.do}
						got := watched(func() { _ = retry.With(all...).Max(2).Listen(l).Run(t.Context(), op) })
						require.False(t, got.returned)
						d.seen(t, got)
						for _, p := range all {
							require.Equal(t, retry.BreakerOpen, retry.BreakerOf(p).State())
						}
						require.Equal(t, 3, l.seen)
						time.Sleep(time.Second)
						require.NoError(t, retry.With(all...).Run(t.Context(), func(context.Context) error { return nil }))
						for _, p := range all {
							require.Equal(t, retry.BreakerClosed, retry.BreakerOf(p).State())
						}
					})
				})
			}
		}
	}
}

// While one session waits, another opens the breaker; when the wait is over the first goes on as the probe. Whatever fails
// then, the probe's place is free again, and the retry that did not start is paid back.
func TestARetryThatIsAProbeHoldsNothingWhenItFails(t *testing.T) {
	for name, d := range deeds {
		for _, where := range []string{"listener open to half-open", "discard", "attempt"} {
			t.Run(name+", "+where, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r, shared := newRig(), new(retry.Shared)
					set := retry.Settings{
						Policies:    []retry.PolicyFactory{retry.Classifier, retry.CircuitBreaker, retry.MaxAttempts, retry.Sleep, takerOf},
						RetryErrors: []retry.Matcher{retry.AnyError}, MaxAttempts: 3, MaxDelay: time.Hour,
						Base: time.Minute, SleepStrategy: retry.Flat,
						Breaker: retry.BreakerSettings{ResetTimeout: time.Second}, BreakerName: "shared",
					}
					compile := func(change func(*retry.Definition)) *retry.HybridPolicy {
						def := retry.Definition{Settings: set, Shared: shared, Custom: map[retry.PolicyFactory]retry.Policy{takerOf: taker{r}}, Listener: ears{r}}
						if change != nil {
							change(&def)
						}
						h, err := retry.Compile(def)
						require.NoError(t, err)
						return h
					}
					patient := compile(func(d *retry.Definition) {
						d.Hooks.Discard = func(*retry.Session) { r.strike("discard") }
					})
					hasty := compile(func(d *retry.Definition) { d.Settings.MaxAttempts = 1 })
					run := func(h *retry.HybridPolicy, op func(context.Context) error) error {
						return h.Run(t.Context(), new(retry.Session), nil, op)
					}
					fail := func(context.Context) error { return errFull }

					calls := 0
					done := make(chan seen)
					go func() {
						done <- watched(func() {
							_ = run(patient, func(context.Context) error {
								if calls++; calls == 2 {
									r.strike("attempt")
								}
								return errFull
							})
						})
					}()
					synctest.Wait()
					require.Error(t, run(hasty, fail))
					breaker := shared.Breakers()[0]
					require.Equal(t, retry.BreakerOpen, breaker.State())
					r.arm(where, d.do)
					got := <-done
					require.False(t, got.returned)
					d.seen(t, got)

					if where == "attempt" {
						require.Equal(t, retry.BreakerOpen, breaker.State())
						require.Equal(t, 1, r.paid-r.givenBack, "it has started")
						time.Sleep(time.Second)
					} else {
						require.Equal(t, retry.BreakerHalfOpen, breaker.State())
						require.Zero(t, r.paid-r.givenBack, "it has not started")
					}
					require.NoError(t, run(hasty, func(context.Context) error { return nil }), "the next is the probe")
					require.Equal(t, retry.BreakerClosed, breaker.State())
				})
			})
		}
	}
}
