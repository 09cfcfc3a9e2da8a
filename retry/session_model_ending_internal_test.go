package retry

import "strconv"

// end ends a session that no panic has ended: events and reports, what is held, end hooks, and then what the caller gets.
func (s *modelSession) end(how, limit string, reason *modelError) {
	gatesPassed := s.attempt > 0
	switch how {
	case "succeeded":
		s.say("succeeded after %d in %v", s.attempt, s.elapsed())
		s.report.ended = EndSucceeded
	case "exhausted":
		s.say("exhausted by %s after %d in %v: %v, %v", limit, s.attempt, s.elapsed(), s.failure, reason)
		s.report.ended, s.report.limit, s.report.reason = EndExhausted, limit, reason
	default:
		s.say("failed after %d in %v: %v", s.attempt, s.elapsed(), s.failure)
		s.report.ended = EndFailed
		if how == "canceled" {
			s.report.ended = EndCanceled
		}
	}
	if gatesPassed {
		s.giveBack()
		if how == "exhausted" || how == "vetoed" {
			s.tellBreakers(false)
		}
		for _, p := range s.m.Policies {
			if p.Kind == "budget" && how == "succeeded" && s.w.plan.Budgets[p.N].Deposit == DepositSuccess {
				s.w.budgets[p.N].deposit(s.w.now)
			}
		}
		s.endHooks()
	}
	switch how {
	case "succeeded":
		s.finish(modelEnd{value: s.value})
	case "exhausted":
		s.exhausted(limit, reason)
	case "canceled":
		if s.m.NoError {
			s.finish(modelEnd{value: s.value, panicked: s.panicked})
			return
		}
		s.clear()
		s.finish(modelEnd{err: s.interrupted(s.ctx.over()), value: s.value})
	default:
		if s.panicked != nil {
			s.finish(modelEnd{panicked: s.panicked})
			return
		}
		s.finish(modelEnd{err: s.failure, value: s.value})
	}
}

// abort ends a session that a panic or Goexit has ended.
func (s *modelSession) abort(e modelEnd) {
	s.endHooks()
	s.say("aborted after %d in %v", s.attempt, s.elapsed())
	s.report.ended = EndAborted
	s.finish(e)
}

// exhausted is what the caller of an exhausted session gets: what the fallback gives, or what the last attempt gave.
func (s *modelSession) exhausted(limit string, reason *modelError) {
	err, elapsed := s.failure, s.elapsed()
	late := limit == "deadline" && !s.m.NoError
	if late {
		err = s.interrupted("expired")
	}
	if s.m.Fallback != "" && s.ctx.over() == "" {
		s.discard()
		s.fallBack(err, true)
		return
	}
	if s.panicked != nil {
		given := err
		if s.panicked.err != nil {
			given = s.panicked.err
		}
		s.tellOuter(limit, given)
		s.finish(modelEnd{panicked: s.panicked})
		return
	}
	if late {
		s.clear()
	}
	if s.m.Wrap && !s.m.NoError {
		wrapped := modelHolding(err)
		wrapped.name = modelName(s.method) + " exhausted by " + limit + " after " + strconv.Itoa(s.attempt) + " in " + elapsed.String() + ": " + reason.String()
		err = wrapped
	}
	s.tellOuter(limit, err)
	s.finish(modelEnd{err: err, value: s.value})
}

// tellOuter leaves the error of an exhausted session with those around, if it has retried, or if what refused is for all
// layers.
func (s *modelSession) tellOuter(limit string, err *modelError) {
	switch limit {
	case "deadline", "nested", "once", "circuitBreaker", "taker", "budget":
		s.giveUp(err)
	default:
		if s.attempt > 1 {
			s.giveUp(err)
		}
	}
}

// rejected is what the caller gets when a gate refused.
func (s *modelSession) rejected(rejection *modelError) {
	s.say("rejected: %v", rejection.holds[0])
	s.report.ended = EndRejected
	ofBreaker := rejection.is("circuit open")
	if s.m.Fallback != "" && s.ctx.over() == "" {
		s.fallBack(rejection, ofBreaker)
		return
	}
	if ofBreaker {
		s.giveUp(rejection)
	}
	s.finish(modelEnd{err: rejection})
}

// fallBack runs the fallback, which ends the session; if it fails, its error goes to the sessions around where telling
// says so, when the limit was one of theirs.
func (s *modelSession) fallBack(cause *modelError, tells bool) {
	s.report.fallback = true
	s.say("fallback for %v", cause)
	var err *modelError
	switch s.m.Fallback {
	case "good":
		s.say("fallback succeeded: %v", cause)
		s.finish(modelEnd{value: 10})
		return
	case "panics":
		s.finish(modelEnd{panicked: &modelPanic{value: "fallback"}})
		return
	case "bad":
		err = modelKnown["spare"]
	case "cause":
		if err = modelKnown["spare"]; cause != nil {
			err = modelHolding(err, cause)
		}
	}
	s.say("fallback failed: %v, %v", cause, err)
	if cause != nil && !err.has(cause.same) {
		err = modelHolding(err, cause)
	}
	if tells {
		if s.report.ended == EndRejected {
			s.giveUp(err)
		} else {
			s.tellOuter(s.report.limit, err)
		}
	}
	s.finish(modelEnd{err: err, value: 11})
}

// clear throws a result away that would go beside an error of the session's own.
func (s *modelSession) clear() {
	if s.failure == nil && s.attempt > 0 {
		s.say("discard %d", s.value)
		s.value = 0
	}
}

// interrupted is the error of a session that its context has ended, or would: the last failure if that says it all.
func (s *modelSession) interrupted(over string) *modelError {
	last, cause := s.failure, s.ctx.cause()
	ended := modelKnown[over]
	if cause == ended {
		cause = nil
	}
	switch {
	case last == nil && cause == nil && s.ctx.over() != "":
		return ended
	case last != nil && last.is(over) && (cause == nil || last.has(cause.same)):
		return last
	}
	return modelHolding(ended, cause, last)
}

// finish leaves the session.
func (s *modelSession) finish(e modelEnd) {
	s.root.stack = s.root.stack[:len(s.root.stack)-1]
	if s.outer == nil && e.panicked == nil {
		e.err = e.err.unmarked()
	}
	s.done(e)
}
