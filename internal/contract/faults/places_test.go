package faults_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// What the target does, and who refuses, so that a place is reached.
type course string

const (
	once     course = "one failure, then a success"
	never    course = "a success"
	falsy    course = "one falsy result, then a success"
	down     course = "failures only"
	unpaid   course = "one failure, and the last taker refuses"
	rejected course = "the inner gate rejects"
	hopeless course = "an error that is not worth a retry"
	stopped  course = "one failure, and the context ends during the wait"
	forsaken course = "failures only, the fallback's too"
	broke    course = "failures only, and no more in the budget than the call earns"
	open     course = "the breaker is open"
)

// fault is a place at which somebody may be at fault.
type fault struct {
	place  string
	course course
	woven  bool               // the fluent form has no such place
	probe  bool               // the call is the probe of a half-open breaker
	after  retry.BreakerState // of the breaker, when the call has ended; closed if empty
	skip   int                // strikes that are let pass
	since  string             // it happens only when this place has been reached
}

var faults = []fault{
	// Before the session.
	{place: "outside", course: once, woven: true},
	{place: "context.Err", course: once},
	{place: "context.Value", course: once},
	{place: "context.Done", course: once, after: retry.BreakerOpen}, // it is asked to make an attempt's context
	{place: "outerGate.Enter", course: once},
	{place: "innerGate.Enter", course: once},
	{place: "outerGate.Leave", course: rejected},
	{place: "listener retry.Rejected", course: rejected},
	{place: "starter.Start", course: once},
	// In an attempt.
	{place: "inside", course: never, woven: true, after: retry.BreakerOpen},
	{place: "inside, after", course: never, woven: true, after: retry.BreakerOpen},
	{place: "target", course: never, after: retry.BreakerOpen},
	{place: "target", course: down, skip: 2, after: retry.BreakerOpen},
	// Classification.
	{place: "judge.Judge", course: once},
	{place: "judge.Judge", course: never},
	{place: "condition", course: once},
	{place: "matcher.Match", course: once},
	{place: "error.Is", course: once},
	{place: "error.As", course: once},
	{place: "error.Unwrap", course: once},
	{place: "error.Retryable", course: once},
	{place: "retryIfError(error)", course: once, woven: true},
	{place: "retryIfError(session)", course: once, woven: true},
	{place: "retryIfResult(result)", course: falsy, woven: true},
	{place: "result.Falsy", course: falsy},
	{place: "listener retry.AttemptFailed", course: once},
	{place: "context.Err", course: once, since: "target"},
	// The end of a session that succeeds or fails.
	{place: "listener retry.Succeeded", course: never},
	{place: "listener retry.Failed", course: hopeless},
	{place: "listener retry.Failed", course: stopped},
	// Between two attempts.
	{place: "onlyIf", course: once, woven: true},
	{place: "limiter.Limit", course: once},
	{place: "strategy.Wait", course: once},
	{place: "waiter.Wait", course: once},
	{place: "waitHint", course: once, woven: true},
	{place: "error.RetryAfter", course: once},
	{place: "taker.Take", course: once},
	{place: "lastTaker.Take", course: once},
	{place: "taker.GiveBack", course: unpaid, after: retry.BreakerOpen},
	{place: "taker.GiveBack", course: stopped},
	{place: "listener retry.RetryScheduled", course: once},
	{place: "context.Deadline", course: once, since: "waiter.Wait"},
	{place: "context.Done", course: once, since: "waiter.Wait"},
	{place: "context.Err", course: once, since: "lastTaker.Take"},
	{place: "beforeRetry", course: once, woven: true},
	{place: "discard", course: once, woven: true},
	{place: "discard", course: falsy, woven: true},
	// The end.
	{place: "listener retry.Exhausted", course: down, after: retry.BreakerOpen},
	{place: "listener closed to open", course: down, after: retry.BreakerOpen},
	{place: "ender.End", course: never},
	{place: "ender.End", course: down, after: retry.BreakerOpen},
	{place: "lastEnder.End", course: never},
	{place: "innerGate.Leave", course: never},
	{place: "innerGate.Leave", course: down, after: retry.BreakerOpen},
	{place: "outerGate.Leave", course: never},
	{place: "discard", course: down, woven: true, skip: 2, after: retry.BreakerOpen},
	{place: "fallback", course: down, after: retry.BreakerOpen},
	{place: "fallback", course: rejected},
	{place: "listener retry.FallbackSucceeded", course: down, after: retry.BreakerOpen},
	{place: "listener retry.FallbackFailed", course: forsaken, after: retry.BreakerOpen},
	{place: "listener retry.BudgetRefused", course: broke, after: retry.BreakerOpen},
	{place: "outside, after", course: once, woven: true},
	// An open breaker.
	{place: "listener retry.Rejected", course: open, after: retry.BreakerOpen},
	{place: "outerGate.Leave", course: open, after: retry.BreakerOpen},
	{place: "fallback", course: open, after: retry.BreakerOpen},
	{place: "listener retry.FallbackSucceeded", course: open, after: retry.BreakerOpen},
	// The probe of a half-open breaker.
	{place: "outside", course: never, woven: true, probe: true, after: retry.BreakerHalfOpen},
	{place: "context.Value", course: never, probe: true, after: retry.BreakerHalfOpen},
	{place: "context.Err", course: never, probe: true, after: retry.BreakerHalfOpen},
	{place: "outerGate.Enter", course: never, probe: true, after: retry.BreakerHalfOpen},
	{place: "listener open to half-open", course: never, probe: true, after: retry.BreakerHalfOpen},
	{place: "innerGate.Enter", course: never, probe: true, after: retry.BreakerHalfOpen},
	{place: "outerGate.Leave", course: rejected, probe: true, after: retry.BreakerHalfOpen},
	{place: "listener retry.Rejected", course: rejected, probe: true, after: retry.BreakerHalfOpen},
	{place: "fallback", course: rejected, probe: true, after: retry.BreakerHalfOpen},
	{place: "starter.Start", course: never, probe: true, after: retry.BreakerHalfOpen},
	{place: "inside", course: never, woven: true, probe: true, after: retry.BreakerOpen},
	{place: "target", course: never, probe: true, after: retry.BreakerOpen},
	{place: "judge.Judge", course: never, probe: true, after: retry.BreakerHalfOpen},
	{place: "condition", course: never, probe: true, after: retry.BreakerHalfOpen},
	{place: "matcher.Match", course: once, probe: true, after: retry.BreakerHalfOpen},
	{place: "error.Is", course: once, probe: true, after: retry.BreakerHalfOpen},
	{place: "error.Unwrap", course: once, probe: true, after: retry.BreakerHalfOpen},
	{place: "retryIfError(session)", course: once, woven: true, probe: true, after: retry.BreakerHalfOpen},
	{place: "result.Falsy", course: falsy, probe: true, after: retry.BreakerHalfOpen},
	{place: "listener retry.Failed", course: hopeless, probe: true, after: retry.BreakerHalfOpen},
	{place: "listener half-open to closed", course: never, probe: true},
	{place: "listener retry.Succeeded", course: never, probe: true},
	{place: "listener half-open to open", course: down, probe: true, after: retry.BreakerOpen},
	{place: "listener retry.AttemptFailed", course: down, probe: true, after: retry.BreakerOpen},
	{place: "listener retry.Exhausted", course: down, probe: true, after: retry.BreakerOpen},
	{place: "onlyIf", course: down, woven: true, probe: true, after: retry.BreakerOpen},
	{place: "ender.End", course: never, probe: true},
	{place: "ender.End", course: down, probe: true, after: retry.BreakerOpen},
	{place: "innerGate.Leave", course: never, probe: true},
	{place: "fallback", course: down, probe: true, after: retry.BreakerOpen},
}

func (f *fault) name() string {
	name := f.place
	if f.since != "" {
		name += " since " + f.since
	}
	if name += ", " + string(f.course); f.probe {
		name += ", of a probe"
	}
	return name
}

// set prepares s for the course of f, and returns the context of the call and its report.
func (f *fault) set(t *testing.T, s *subject) (context.Context, *retry.Report) {
	bad, good := outcome{receipt{}, &sour{s.rig}}, outcome{receipt{s.rig, 1}, nil}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	s.script(good)
	switch f.course {
	case once:
		s.script(bad, good)
	case falsy:
		s.script(outcome{receipt{s.rig, -1}, nil}, good)
	case down:
		s.script(bad)
	case unpaid:
		s.script(bad, good)
		s.refusesToPay = true
	case rejected:
		s.refusesEntry = true
	case hopeless:
		s.script(outcome{receipt{}, retry.Permanent(errFull)})
	case forsaken:
		s.script(bad)
		s.forsaken = true
	case broke:
		s.script(bad)
		s.drain(t.Context())
		s.reserve = 0
	case open:
		s.trip(t)
	case stopped:
		s.script(bad, good)
		s.arm("listener retry.RetryScheduled", cancel)
	}
	if f.probe {
		s.trip(t)
		time.Sleep(resetTimeout)
	}
	ctx, report := retry.WithReport(ctx)
	return stubborn{ctx, s.rig}, report
}

// eachFault runs a test for every fault, in every form that has its place.
func eachFault(t *testing.T, test func(t *testing.T, f fault, s *subject, ctx context.Context, report *retry.Report), extra ...annotation.Option) {
	for form, make := range forms {
		for _, f := range faults {
			if f.woven && form == "chain" || f.place == "condition" && form == "woven" {
				continue
			}
			t.Run(form+"/"+f.name(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := make(t, newRig(), extra...)
					ctx, report := f.set(t, s)
					test(t, f, s, ctx, report)
				})
			})
		}
	}
}

// arm lets do happen at the place of f.
func (f *fault) arm(s *subject, do func()) {
	for range f.skip {
		next := do
		do = func() { s.arm(f.place, next) }
	}
	if f.since != "" {
		s.arm(f.since, func() { s.arm(f.place, do) })
		return
	}
	s.arm(f.place, do)
}
