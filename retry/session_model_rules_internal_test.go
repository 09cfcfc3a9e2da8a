package retry

import (
	"slices"
	"time"
)

// attempted goes on after an attempt.
func (s *modelSession) attempted(e modelEnd) {
	s.trying = false
	if e.exits || e.panicked != nil && !s.m.Panics {
		s.tellBreakers(true)
		s.abort(e)
		return
	}
	s.failure, s.returned, s.panicked = e.err, e.err, e.panicked
	if e.panicked != nil {
		s.failure = modelHolding(e.panicked.err)
		s.failure.name = "panic " + e.panicked.value
	} else {
		s.value = e.value
	}
	again := s.worthARetry()
	for i, p := range s.m.Policies {
		if p.Kind == "breaker" {
			o := neutral
			switch {
			case again && s.ctx.over() != "canceled":
				o = failure
			case !again && s.failure == nil:
				o = success
			}
			s.w.breakers[p.N].record(s.tickets[i], o, time.Duration(s.w.now-s.began), s.w.now)
		}
	}
	if !again && s.failure == nil {
		s.end("succeeded", "", nil)
		return
	}
	s.say("attempt %d failed: %v", s.attempt, s.failure)
	s.report.errors = append(s.report.errors, s.failure.String())
	switch over := s.ctx.over(); {
	case !again && over != "" && s.failure.is(over):
		s.end("canceled", "", nil)
	case !again:
		s.end("failed", "", nil)
	case over != "":
		s.end("canceled", "", nil)
	case s.attempt == s.m.VetoAt:
		s.end("vetoed", "", nil)
	default:
		s.again()
	}
}

// worthARetry classifies the outcome of the last attempt.
func (s *modelSession) worthARetry() bool {
	m, err := s.m, s.failure
	byResult := m.has("classifier") && m.IfZero && s.value == 0 || m.has("expression") && s.value == 0
	if err == nil {
		return byResult
	}
	if err.is("permanent") {
		return false
	}
	if !m.has("classifier") && !m.has("expression") {
		return true
	}
	byExpression := m.has("expression") && err.is("ignored")
	if !m.has("classifier") {
		return byExpression
	}
	if slices.ContainsFunc(m.Ignore, err.is) {
		return false
	}
	if byExpression {
		return true
	}
	for _, name := range m.Retry {
		if err.is(name) {
			return true
		}
	}
	any := slices.Contains(m.Retry, "any")
	nothing := slices.Contains(m.Retry, "nothing")
	opinion := ""
	err.all(func(x *modelError) bool {
		if x.name == "eager" || x.name == "stubborn" {
			opinion = x.name
		}
		return opinion == ""
	})
	if (any || !nothing) && (opinion == "eager" || any && opinion == "") {
		return true
	}
	return m.IfError != "" && err.is(m.IfError)
}

// again asks for another attempt: limits, wait, payment.
func (s *modelSession) again() {
	if s.once || s.m.Single {
		s.end("exhausted", "once", nil)
		return
	}
	if s.nested() || s.spent() {
		s.end("exhausted", "nested", nil)
		return
	}
	for i, p := range s.m.Policies {
		switch {
		case p.Kind == "breaker" && !s.w.breakers[p.N].goesOn(s.tickets[i]):
			s.end("exhausted", "circuitBreaker", nil)
			return
		case p.Kind == "timeout" && s.elapsed() >= time.Duration(p.N)*time.Second:
			s.end("exhausted", "timeout", nil)
			return
		case p.Kind == "max" && s.attempt >= p.N:
			s.end("exhausted", "maxAttempts", nil)
			return
		case p.Kind == "limiter" && s.attempt >= p.N:
			s.end("exhausted", "limiter", modelKnown["full"])
			return
		}
	}
	if s.attempt == s.limit() {
		s.end("exhausted", "maxAttempts", nil)
		return
	}
	s.wait = s.longestWait()
	for _, p := range s.m.Policies {
		if p.Kind == "timeout" && s.elapsed()+s.wait >= time.Duration(p.N)*time.Second {
			s.end("exhausted", "timeout", nil)
			return
		}
	}
	if deadline, ok := s.ctx.nearest(); ok && s.wait > 0 && s.w.now+int64(s.wait) >= deadline {
		s.end("exhausted", "deadline", nil)
		return
	}
	if limit, reason := s.pay(); limit != "" {
		s.end("exhausted", limit, reason)
		return
	}
	s.say("retry %d scheduled in %v: %v", s.attempt+1, s.wait, s.failure)
	if s.wait > 0 {
		s.waiting, s.wakeAt = true, s.w.now+int64(s.wait)
		return
	}
	s.resume()
}

func (s *modelSession) longestWait() time.Duration {
	wait := time.Duration(s.m.Hint) * time.Second
	for _, p := range s.m.Policies {
		switch p.Kind {
		case "sleep":
			wait = max(wait, time.Duration(p.N)*time.Second)
		case "linear":
			wait = max(wait, time.Duration(s.attempt)*time.Second)
		}
	}
	s.failure.all(func(x *modelError) bool {
		if x.after != nil {
			wait = max(wait, x.after())
		}
		return x.after == nil
	})
	return min(max(wait, 0), time.Duration(s.m.MaxDelay)*time.Second)
}
