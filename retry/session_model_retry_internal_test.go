package retry

import (
	"slices"
	"time"
)

// pay asks takers and budgets in list order, and says which refused.
func (s *modelSession) pay() (limit string, reason *modelError) {
	for i, p := range s.m.Policies {
		switch p.Kind {
		case "taker":
			if s.w.taken[s.method][i] == p.N {
				return "taker", modelKnown["full"]
			}
			s.w.taken[s.method][i]++
			s.say("take of %d", i)
			s.paid = append(s.paid, modelPayment{policy: i})
		case "budget":
			b := s.w.budgets[p.N]
			if !b.take(s.w.now) {
				s.say("budget refused")
				return "budget", nil
			}
			s.paid = append(s.paid, modelPayment{i, len(b.retries) - 1})
		}
	}
	return "", nil
}

// giveBack undoes the payment of a retry that does not start, the last one first.
func (s *modelSession) giveBack() {
	for _, paid := range slices.Backward(s.paid) {
		if p := s.m.Policies[paid.policy]; p.Kind == "budget" {
			s.w.budgets[p.N].giveBack(paid.retry)
		} else {
			s.w.taken[s.method][paid.policy]--
			s.say("give back to %d", paid.policy)
		}
	}
	s.paid = nil
}

// resume goes on when the wait is over, or has ended early.
func (s *modelSession) resume() {
	s.waiting = false
	if s.ctx.over() != "" {
		s.end("canceled", "", nil)
		return
	}
	s.say("before retry %d", s.attempt+1)
	switch s.attempt {
	case s.m.HookPanicsAt:
		s.giveBack()
		s.abort(modelEnd{panicked: &modelPanic{value: "hook"}})
		return
	case s.m.HookFailsAt:
		s.end("exhausted", "beforeRetry", modelKnown["hook"])
		return
	}
	for i, p := range s.m.Policies {
		if p.Kind != "breaker" {
			continue
		}
		b := s.w.breakers[p.N]
		if b.isOut(s.tickets[i]) {
			continue
		}
		k := b.enter(s.w.now)
		if k == nil {
			s.end("exhausted", "circuitBreaker", nil)
			return
		}
		s.tickets[i] = k
	}
	s.discard()
	s.paid = nil
	s.report.waits = append(s.report.waits, s.wait)
	s.try()
}

func (s *modelSession) discard() {
	if s.panicked == nil {
		s.say("discard %d", s.value)
	}
}

// tellBreakers tells of a session that failed as a whole, running when its attempt never returned.
func (s *modelSession) tellBreakers(running bool) {
	for i, p := range s.m.Policies {
		if p.Kind == "breaker" {
			if running {
				s.w.breakers[p.N].record(s.tickets[i], failure, time.Duration(s.w.now-s.began), s.w.now)
			}
			s.w.breakers[p.N].exhausted(s.tickets[i], s.w.now)
		}
	}
}

func (s *modelSession) endHooks() {
	for i, p := range s.m.Policies {
		if p.Kind == "watch" {
			s.say("end of %d", i)
			if p.N == 9 {
				s.root.ctx.end("canceled", nil)
			}
		}
	}
	s.leave(false)
}
