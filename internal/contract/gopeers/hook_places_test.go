package gopeers_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// phased is a user's policy of all phases, which are told apart by name.
type phased struct {
	at      func(phase string)
	refuses bool // its Take
}

func (phased) Kind() string                               { return "phased" }
func (x phased) Enter(context.Context) (uint64, error)    { x.at("enter"); return 0, nil }
func (x phased) Leave(uint64, *retry.Session)             { x.at("leave") }
func (x phased) Start(*retry.Session)                     { x.at("start") }
func (x phased) Judge(*retry.Session) (v retry.Verdict)   { x.at("judge"); return v }
func (x phased) Limit(*retry.Session) error               { x.at("limit"); return nil }
func (x phased) Wait(*retry.Session) (none time.Duration) { x.at("wait"); return none }
func (x phased) GiveBack(*retry.Session)                  { x.at("giveBack") }
func (x phased) End(*retry.Session)                       { x.at("end") }
func (x phased) Take(*retry.Session) error {
	x.at("take")
	if x.refuses {
		return errOther
	}
	return nil
}

// hookPlace is a place where code of the user's runs in a session.
type hookPlace struct {
	name  string
	chain func(c retry.ErrorChain, at func()) retry.ErrorChain // nil: not in the fluent form
	opts  func(at func()) []annotation.Option
	event func(retry.Event) bool // a listener's
	when  moment
}

// moment is when a place is reached in a session whose first attempt fails and whose second succeeds.
type moment int

const (
	early     moment = iota // before the limits are asked, of any failed attempt
	between                 // when a retry is about to start: not in a trial, whose failure is the end of it
	inSuccess               // when an attempt has succeeded
	inFailure               // when the session has failed: its second attempt fails too
	atEnd                   // when the session has ended
)

func event[E retry.Event](e retry.Event) bool { _, ok := e.(E); return ok }

func option(opts ...annotation.Option) []annotation.Option { return opts }

// hookPlaces are all there are.
func hookPlaces() []hookPlace {
	places := []hookPlace{
		{name: "When", chain: func(c retry.ErrorChain, at func()) retry.ErrorChain {
			return c.When(func(err error) bool { at(); return err != nil })
		}},
		{name: "RetryIfError", opts: func(at func()) []annotation.Option {
			return option(annotation.RetryIfError(func(error) bool { at(); return true }))
		}},
		{name: "RetryIfResult", opts: func(at func()) []annotation.Option {
			return option(annotation.RetryIfResult(func(*retry.Session) bool { at(); return false }), annotation.RetryErrors(retry.AnyError))
		}, when: inSuccess},
		{name: "OnlyIf", opts: func(at func()) []annotation.Option {
			return option(annotation.OnlyIf(func(*retry.Session) bool { at(); return true }))
		}},
		{name: "WaitHint", opts: func(at func()) []annotation.Option {
			return option(annotation.WaitHint(func(*retry.Session) time.Duration { at(); return 0 }))
		}, when: between},
		{name: "BeforeRetry", opts: func(at func()) []annotation.Option {
			return option(annotation.BeforeRetry(func(context.Context, operation) error { at(); return nil }))
		}, when: between},
		{name: "Discard", opts: func(at func()) []annotation.Option {
			return option(annotation.Discard(func(*retry.Session) { at() }))
		}, when: between},
		{name: "Fallback",
			chain: func(c retry.ErrorChain, at func()) retry.ErrorChain {
				return c.Fallback(func(context.Context, error) error { at(); return nil })
			},
			opts: func(at func()) []annotation.Option {
				return option(annotation.Fallback(func(context.Context, error) error { at(); return nil }))
			}, when: inFailure},
		{name: "SleepStrategy",
			chain: func(c retry.ErrorChain, at func()) retry.ErrorChain {
				return c.With(retry.NewSleep(strategy(func(*retry.Session) time.Duration { at(); return 0 }), 0))
			},
			opts: func(at func()) []annotation.Option {
				return option(annotation.SleepStrategy(strategy(func(*retry.Session) time.Duration { at(); return 0 })))
			}, when: between},
		{name: "a listener of AttemptFailed", event: event[retry.AttemptFailed]},
		{name: "a listener of RetryScheduled", event: event[retry.RetryScheduled], when: between},
		{name: "a listener of Succeeded", event: event[retry.Succeeded], when: inSuccess},
		{name: "a listener of Exhausted", event: event[retry.Exhausted], when: inFailure},
		{name: "a listener of BreakerChanged", event: event[retry.BreakerChanged], when: inFailure},
	}
	for phase, when := range map[string]moment{
		"enter": early, "start": early, "judge": early, "limit": between, "wait": between, "take": between, "giveBack": between,
		"leave": atEnd, "end": atEnd,
	} {
		policies := func(at func()) []retry.Policy {
			x := phased{at: func(p string) {
				if p == phase {
					at()
				}
			}}
			if phase == "giveBack" {
				return []retry.Policy{x, phased{func(string) {}, true}}
			}
			return []retry.Policy{x}
		}
		places = append(places, hookPlace{
			name:  "a policy's " + phase,
			chain: func(c retry.ErrorChain, at func()) retry.ErrorChain { return c.With(policies(at)...) },
			opts: func(at func()) (opts []annotation.Option) {
				for _, p := range policies(at) {
					opts = append(opts, annotation.AddPolicies(retry.PolicyFrom("phased", func() retry.Policy { return p })))
				}
				return opts
			},
			when: when,
		})
	}
	return places
}

// strategy is a func that is a retry.SleepStrategy.
type strategy func(*retry.Session) time.Duration

func (f strategy) Wait(s *retry.Session) time.Duration { return f(s) }

// holding is a form with a breaker, a bulkhead and a budget that holds one retry. What is in trap runs at the place, once
// it is set.
type holding struct {
	*form
	bulkhead *bulkhead
	trap     func()
}

func hookForms(place hookPlace, size int64) map[string]func(t *testing.T) *holding {
	breaker := retry.BreakerSettings{ResetTimeout: reset}
	budget := retry.BudgetSettings{TTL: 1000 * time.Second, MinPerSec: 0.001}
	forms := map[string]func(t *testing.T) *holding{}
	if place.chain != nil || place.event != nil {
		forms["fluent"] = func(t *testing.T) *holding {
			h := &holding{bulkhead: newBulkhead(size)}
			chain := retry.With(retry.NewCircuitBreaker(breaker), h.bulkhead, retry.NewBudget(budget)).WhenThrows().Max(2)
			if place.chain != nil {
				chain = place.chain(chain, h.spring)
			}
			h.form = fluent(t, chain)
			h.listen(place)
			return h
		}
	}
	if place.opts != nil || place.event != nil {
		forms["annotated"] = func(t *testing.T) *holding {
			h := &holding{bulkhead: newBulkhead(size)}
			opts := option(annotation.Breaker(breaker), annotation.Budget(budget), annotation.MaxAttempts(2),
				annotation.AddPolicies(retry.PolicyFrom("bulkhead", func() *bulkhead { return h.bulkhead })))
			if place.opts != nil {
				opts = append(opts, place.opts(h.spring)...)
			}
			h.form = annotated(t, opts...)
			h.listen(place)
			return h
		}
	}
	return forms
}

func (h *holding) spring() {
	if trap := h.trap; trap != nil {
		h.trap = nil
		trap()
	}
}

func (h *holding) listen(place hookPlace) {
	if place.event != nil {
		h.events.then = func(_ context.Context, e retry.Event) {
			if place.event(e) {
				h.spring()
			}
		}
	}
}

// probing makes the next call of h a trial.
func (h *holding) probing(t *testing.T) {
	t.Helper()
	_ = h.run(retry.Once(t.Context()), scripted(errBoom).run)
	require.Equal(t, retry.BreakerOpen, h.breaker.State())
	time.Sleep(reset)
}

// operation is what reaches the place.
func (place hookPlace) operation(trial bool) operation {
	switch {
	case place.when == inFailure:
		return scripted(errBoom).run
	case trial && place.when == inSuccess:
		return scripted(nil).run
	}
	return scripted(errBoom, nil).run
}
