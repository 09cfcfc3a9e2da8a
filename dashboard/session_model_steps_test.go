package dashboard_test

import (
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/backstay/backstay/retry"
)

// pick is one of those that are in a state, if there is one.
func pick(t step, all []*modelSession, is func(*modelSession) bool) *modelSession {
	var some []*modelSession
	for _, s := range all {
		if is(s) {
			some = append(some, s)
		}
	}
	if len(some) == 0 {
		return nil
	}
	return some[t.Number%len(some)]
}

// attempting are those with an attempt under way, decided those that stand after one that failed.
func attempting(s *modelSession) bool { return !s.failed && !s.resumes.After(time.Now()) }
func decided(s *modelSession) bool    { return s.failed }
func waiting(s *modelSession) bool    { return !s.failed && s.resumes.After(time.Now()) }

// action is something that may happen to a session, if there is one that it can happen to.
type action struct {
	name string
	of   func(*model, step) *modelSession
	do   func(*model, step, *modelSession)
}

func oneThatIs(is func(*modelSession) bool) func(*model, step) *modelSession {
	return func(m *model, t step) *modelSession { return pick(t, m.running, is) }
}

// actions are all that may happen to sessions, beside that time passes.
var actions = []action{
	{"a session begins", (*model).begin, func(m *model, _ step, s *modelSession) { m.running = append(m.running, s) }},
	{"an attempt fails", oneThatIs(attempting), func(m *model, _ step, s *modelSession) {
		m.attempted(s, text503)
		s.failed = true
		m.on(retry.AttemptFailed{MethodRef: s.ref, Attempt: s.told.Made, Err: err503, Session: s.id})
	}},
	{"a retry is scheduled", oneThatIs(decided), func(m *model, t step, s *modelSession) {
		long := []time.Duration{0, 50 * time.Millisecond, 300 * time.Millisecond}[t.Choice%3]
		if s.failed, s.resumes = false, time.Now().Add(long); long > 0 {
			s.told.Waits = append(s.told.Waits, wait{s.since(time.Now()), float64(long) / float64(time.Millisecond)})
		}
		m.on(retry.RetryScheduled{MethodRef: s.ref, Attempt: s.told.Made + 1, Wait: long, Err: err503, Session: s.id})
	}},
	{"it succeeds", oneThatIs(attempting), func(m *model, _ step, s *modelSession) {
		m.attempted(s, "")
		s.told.Error = ""
		m.end(s, "succeeded")
		m.on(retry.Succeeded{MethodRef: s.ref, Attempts: s.told.Made, Elapsed: m.elapsed(s), Session: s.id})
	}},
	{"it fails", oneThatIs(decided), func(m *model, _ step, s *modelSession) {
		m.end(s, "failed")
		m.on(retry.Failed{MethodRef: s.ref, Attempts: s.told.Made, Elapsed: m.elapsed(s), Err: err503, Session: s.id})
	}},
	{"it is cancelled while it waits", oneThatIs(waiting), func(m *model, _ step, s *modelSession) {
		last := &s.told.Waits[len(s.told.Waits)-1]
		last.Ms = s.since(time.Now()) - last.StartMs
		m.end(s, "canceled")
		m.on(retry.Failed{MethodRef: s.ref, Attempts: s.told.Made, Elapsed: m.elapsed(s), Err: err503, Canceled: true, Session: s.id})
	}},
	{"it is exhausted", oneThatIs(decided), func(m *model, t step, s *modelSession) {
		s.told.Limit, s.awaiting = "budget", t.Choice%2 == 0
		m.end(s, "exhausted")
		m.on(retry.Exhausted{MethodRef: s.ref, Limit: "budget", Attempts: s.told.Made, Elapsed: m.elapsed(s), Err: err503, Session: s.id})
	}},
	{"it panics", oneThatIs(attempting), func(m *model, _ step, s *modelSession) {
		m.attempted(s, "panic or runtime.Goexit")
		m.end(s, "aborted")
		m.on(retry.Aborted{MethodRef: s.ref, Attempts: s.told.Made, Elapsed: m.elapsed(s), Session: s.id})
	}},
	{"a hook panics", oneThatIs(decided), func(m *model, _ step, s *modelSession) {
		m.end(s, "aborted")
		m.on(retry.Aborted{MethodRef: s.ref, Attempts: s.told.Made, Elapsed: m.elapsed(s), Session: s.id})
	}},
	{"a call is rejected", (*model).begin, func(m *model, t step, s *modelSession) {
		s.told.Limit, s.told.Error, s.awaiting = "circuitBreaker", "circuit breaker is open", t.Choice%2 == 0
		m.end(s, "rejected")
		e := retry.Rejected{MethodRef: s.ref, Reason: retry.ErrCircuitOpen, Gate: "circuitBreaker"}
		if s.awaiting {
			e.Session = s.id
		}
		m.on(e)
	}},
	{"a fallback ends", func(m *model, t step) *modelSession {
		return pick(t, m.awaiting, func(*modelSession) bool { return true })
	}, func(m *model, t step, s *modelSession) {
		m.awaiting = slices.DeleteFunc(m.awaiting, func(r *modelSession) bool { return r == s })
		m.free = append(m.free, s.id)
		if t.Choice%2 == 0 {
			s.told.Fallback = "succeeded"
			then := m.at(s.ref, s.endedAt)
			then.Errors--
			then.Fallbacks++
			m.on(retry.FallbackSucceeded{MethodRef: s.ref, Cause: err503, Session: s.id})
		} else {
			s.told.Fallback = "failed"
			m.on(retry.FallbackFailed{MethodRef: s.ref, Cause: err503, Err: err503, Session: s.id})
		}
	}},
}

// step is one of a plan: time passes, and something happens to a session, if there is one to which it can.
type step struct {
	Pause          time.Duration
	Action         int
	Number, Choice int
}

func drawPlan(t *rapid.T) []step {
	one := rapid.Custom(func(t *rapid.T) step {
		return step{
			Pause:  time.Duration(rapid.SampledFrom([]int{0, 0, 0, 10, 50, 300, 1000, 1700}).Draw(t, "ms")) * time.Millisecond,
			Action: rapid.IntRange(0, len(actions)-1).Draw(t, "action"),
			Number: rapid.IntRange(0, 11).Draw(t, "number"),
			Choice: rapid.IntRange(0, 5).Draw(t, "choice"),
		}
	})
	return rapid.SliceOfN(one, 1, 150).Draw(t, "plan")
}
