package retry

import (
	"fmt"
	"time"
)

// modelSession is a session as the rules of the design tell it: it goes on when an attempt of it has ended, when its
// wait is over, or when its context has ended.
type modelSession struct {
	w       *modelWorld
	root    *modelRoot
	method  int
	m       *modelMethod
	outer   *modelSession
	once    bool
	ctx     *modelContext
	done    func(modelEnd) // goes on where the session was called
	started int64

	tickets  []*modelCall // of the breakers, by their place in the list
	entered  int          // policies whose gates have been passed
	attempt  int
	began    int64         // the attempt
	bound    *modelContext // of the attempt
	trying   bool          // an attempt is under way
	waiting  bool
	wakeAt   int64
	wait     time.Duration
	paid     []modelPayment
	failure  *modelError
	returned *modelError // by the last attempt; nil if it panicked
	value    int
	panicked *modelPanic // caught
	marks    []modelMark
	report   *modelReport
}

// modelEnd is how an attempt, or a session, ends.
type modelEnd struct {
	err      *modelError
	value    int
	panicked *modelPanic
	exits    bool // runtime.Goexit
}

// modelPanic is what was given to panic.
type modelPanic struct {
	value string
	err   *modelError // when it is an error
}

// modelPayment is what was taken for one retry: from the taker or the budget at a place in the list.
type modelPayment struct{ policy, retry int }

func (s *modelSession) say(format string, args ...any) {
	s.root.journal = append(s.root.journal, modelName(s.method)+": "+fmt.Sprintf(format, args...))
}

func (s *modelSession) elapsed() time.Duration { return time.Duration(s.w.now - s.started) }

// begin is the session up to its first attempt.
func (s *modelSession) begin() {
	s.started = s.w.now
	s.root.stack = append(s.root.stack, s)
	s.report = &modelReport{method: s.method}
	if s.outer != nil {
		s.outer.report.children = append(s.outer.report.children, s.report)
	} else {
		s.root.report = s.report
	}
	s.tickets = make([]*modelCall, len(s.m.Policies))
	if s.ctx.over() != "" && !s.m.NoError {
		s.end("canceled", "", nil)
		return
	}
	if rejection := s.pass(); rejection != nil {
		s.leave(true)
		s.rejected(rejection)
		return
	}
	for i, p := range s.m.Policies {
		switch {
		case p.Kind == "budget" && s.w.plan.Budgets[p.N].Deposit != DepositSuccess:
			s.w.budgets[p.N].deposit(s.w.now)
		case p.Kind == "watch":
			s.say("start of %d", i)
		}
	}
	if s.ctx.over() != "" && !s.m.NoError {
		panic("nothing takes time before the first attempt")
	}
	s.try()
}

// pass asks the gates.
func (s *modelSession) pass() *modelError {
	for i, p := range s.m.Policies {
		switch {
		case p.Kind == "breaker":
			k := s.w.breakers[p.N].enter(s.w.now)
			if k == nil {
				return s.w.rejection(s.method, "circuit open", func() time.Duration { return s.w.breakers[p.N].retryAfter(s.w.now) }, i)
			}
			s.tickets[i] = k
		case p.Kind == "timeout" && p.N == 0:
			return s.w.rejection(s.method, "no time", nil, i)
		case p.Kind == "gate":
			s.say("enter %d", i)
			if p.N == 0 {
				return s.w.rejection(s.method, "full", nil, i)
			}
		}
		s.entered = i + 1
	}
	return nil
}

// leave tells the gates that have been passed, the last one first.
func (s *modelSession) leave(rejected bool) {
	for i := s.entered - 1; i >= 0; i-- {
		switch p := s.m.Policies[i]; p.Kind {
		case "breaker":
			if k := s.tickets[i]; k.probe {
				s.w.breakers[p.N].record(k, neutral, 0, s.w.now)
			}
		case "gate":
			s.say("leave %d, rejected %v", i, rejected)
		}
	}
}

// try begins an attempt.
func (s *modelSession) try() {
	s.attempt++
	s.report.attempts++
	s.trying, s.waiting, s.began, s.bound = true, false, s.w.now, s.ctx
	shortest := time.Duration(0)
	for _, p := range s.m.Policies {
		if d := p.attemptTimeout(s.method); p.Kind == "attemptTimeout" && (shortest == 0 || d < shortest) {
			shortest = d
		}
	}
	if shortest > 0 {
		s.bound = &modelContext{parent: s.ctx, deadline: s.w.now + int64(shortest), ends: true}
	}
	limit := s.limit()
	if s.once || s.m.Single || s.spent() {
		limit = 1
	}
	s.say("attempt %d of %d after %v", s.attempt, limit, s.failure)
	s.returned = nil
	s.body(0)
}

// limit is the number of attempts allowed, Unlimited where none is said.
func (s *modelSession) limit() int {
	n, bounded := Unlimited, false
	for _, p := range s.m.Policies {
		switch p.Kind {
		case "max":
			if n == Unlimited || p.N < n {
				n = p.N
			}
			bounded = true
		case "timeout", "budget", "taker", "limiter":
			bounded = true
		}
	}
	if !bounded {
		return DefaultMaxAttempts
	}
	return n
}

// body calls what the attempt calls, from the i-th call on. A leaf waits for a step to end it.
func (s *modelSession) body(i int) {
	switch {
	case len(s.m.Calls) == 0:
		s.root.heed()
		return
	case i == len(s.m.Calls):
		s.attempted(modelEnd{value: s.value})
		return
	}
	inner := &modelSession{
		w: s.w, root: s.root, method: s.m.Calls[i], m: &s.w.plan.Methods[s.m.Calls[i]], outer: s,
		once: s.once || s.m.CallsOnce, ctx: s.bound,
	}
	inner.done = func(e modelEnd) {
		if e.panicked != nil || e.exits {
			s.attempted(e)
			return
		}
		s.say("got %d and %v, its own %v", e.value, e.err, e.err.same(inner.returned))
		s.value = e.value
		if e.err == nil {
			s.body(i + 1)
			return
		}
		switch s.m.Passes[(s.attempt-1)%len(s.m.Passes)] {
		case "wrapped":
			e.err = modelHolding(e.err)
		case "joined":
			e.err = modelHolding(e.err, modelKnown["ignored"])
		case "replaced":
			e.err = modelKnown["other"]
		case "swallowed":
			s.value, e.err = 0, nil
		}
		s.attempted(modelEnd{err: e.err, value: s.value})
	}
	inner.begin()
}
