package retry

import (
	"time"
)

// modelWorld is what happens in a plan, as the rules tell it.
type modelWorld struct {
	plan       *modelPlan
	now        int64
	budgets    []*budgetModel
	breakers   []*breakerModel
	taken      []map[int]int // of takers, by method and place in the list
	rejections map[modelRejection]*modelError
	roots      []*modelRoot
}

type modelRejection struct{ method, policy int }

// modelRoot is a call that comes from outside, with all sessions inside it. They run one at a time.
type modelRoot struct {
	w       *modelWorld
	ctx     *modelContext
	reports bool
	stack   []*modelSession // those under way, the innermost last
	journal []string
	report  *modelReport
	ended   string
}

func newModelWorld(p *modelPlan, now int64) *modelWorld {
	w := &modelWorld{plan: p, now: now, rejections: map[modelRejection]*modelError{}}
	for _, s := range p.Budgets {
		w.budgets = append(w.budgets, newBudgetModel(s))
	}
	for i, s := range p.Breakers {
		w.breakers = append(w.breakers, newBreakerModel(s, p.Percents[i]))
	}
	for range p.Methods {
		w.taken = append(w.taken, map[int]int{})
	}
	return w
}

// rejection is the error with which a gate of a method refuses: one value for each.
func (w *modelWorld) rejection(method int, reason string, after func() time.Duration, policy int) *modelError {
	key := modelRejection{method, policy}
	if w.rejections[key] == nil {
		if after == nil {
			after = func() time.Duration { return 0 }
		}
		w.rejections[key] = &modelError{name: "rejected by " + modelName(method), after: after, holds: []*modelError{modelKnown[reason]}}
	}
	return w.rejections[key]
}

// do makes a step happen.
func (w *modelWorld) do(s modelStep) {
	switch s.Op {
	case "call":
		w.call(s)
	case "finish":
		if r := w.blocked(s); r != nil {
			r.finish(s)
		}
	case "cancel":
		if r := w.live(s); r != nil {
			cause := modelKnown["stop"]
			if s.B%2 == 0 {
				cause = nil
			}
			r.ctx.end("canceled", cause)
			r.heed()
		}
	case "sleep":
		w.advance(w.now + int64(s.sleep()))
	case "operator":
		if len(w.breakers) > 0 {
			w.breakers[s.A%len(w.breakers)].operate(s.operation(), w.now)
		}
	}
}

// call begins a call from outside.
func (w *modelWorld) call(s modelStep) {
	method := s.A % len(w.plan.Methods)
	r := &modelRoot{w: w, ctx: &modelContext{}, reports: s.reports()}
	w.roots = append(w.roots, r)
	if d := s.deadline(); d > 0 {
		r.ctx.ends, r.ctx.deadline = true, w.now+int64(d)
	}
	if s.canceled() {
		r.ctx.end("canceled", modelKnown["stop"])
	}
	x := &modelSession{w: w, root: r, method: method, m: &w.plan.Methods[method], once: s.once(), ctx: r.ctx}
	x.done = func(e modelEnd) {
		switch {
		case e.exits:
			r.ended = "exited"
		case e.panicked != nil:
			r.ended = "panicked: " + e.panicked.value
		default:
			r.ended = "returned " + modelReturn(e.value, e.err.String(), e.err.same(x.returned))
		}
	}
	x.begin()
}

// blocked is one of the calls in which an attempt waits for a step to end it.
func (w *modelWorld) blocked(s modelStep) *modelRoot {
	return pickRoot(w.roots, s.A, func(r *modelRoot) bool { return len(r.stack) > 0 && r.innermost().trying })
}

// live is one of the calls that have not ended.
func (w *modelWorld) live(s modelStep) *modelRoot {
	return pickRoot(w.roots, s.A, func(r *modelRoot) bool { return len(r.stack) > 0 })
}

func pickRoot(roots []*modelRoot, i int, which func(*modelRoot) bool) *modelRoot {
	var of []*modelRoot
	for _, r := range roots {
		if which(r) {
			of = append(of, r)
		}
	}
	if len(of) == 0 {
		return nil
	}
	return of[i%len(of)]
}

func (r *modelRoot) innermost() *modelSession { return r.stack[len(r.stack)-1] }

// finish ends the attempt that is under way as the step says.
func (r *modelRoot) finish(step modelStep) {
	s := r.innermost()
	kind, value := step.outcome()
	switch kind {
	case "!bang":
		s.attempted(modelEnd{panicked: &modelPanic{value: "bang"}})
	case "!boom":
		s.attempted(modelEnd{panicked: &modelPanic{value: "boom", err: modelKnown["boom"]}})
	case "!exit":
		s.attempted(modelEnd{exits: true})
	default:
		err := modelErrorOf(kind)
		if s.m.NoError {
			err = nil
		}
		s.attempted(modelEnd{err: err, value: value})
	}
}

// heed lets the innermost session see that its context is over: in a wait, or in an attempt that heeds it.
func (r *modelRoot) heed() {
	for len(r.stack) > 0 {
		s := r.innermost()
		switch {
		case s.waiting && s.ctx.over() != "":
			s.resume()
			return
		case s.trying && len(s.m.Calls) == 0 && s.m.Heeds && s.bound.over() != "":
			err := modelKnown[s.bound.over()]
			if s.m.NoError {
				err = nil
			}
			s.attempted(modelEnd{err: err})
			return
		}
		return
	}
}

// advance lets time pass, event by event.
func (w *modelWorld) advance(to int64) {
	for {
		var next func()
		at := to
		consider := func(t int64, f func()) {
			if t <= at {
				at, next = t, f
			}
		}
		for _, r := range w.roots {
			if len(r.stack) == 0 {
				continue
			}
			if r.ctx.ends && r.ctx.over() == "" {
				consider(r.ctx.deadline, func() { r.ctx.end("expired", nil); r.heed() })
			}
			for _, s := range r.stack {
				if s.trying && s.bound != s.ctx && s.bound.over() == "" {
					consider(s.bound.deadline, func() { s.bound.end("expired", nil); r.heed() })
				}
			}
			if s := r.innermost(); s.waiting {
				consider(s.wakeAt, s.resume)
			}
		}
		w.now = at
		if next == nil {
			return
		}
		next()
	}
}

// What a step means beyond its numbers.

func (s modelStep) sleep() time.Duration { return time.Duration(1+s.A) * time.Second }

// deadline comes between two whole seconds.
func (s modelStep) deadline() time.Duration {
	if s.B > 8 || s.B == 0 {
		return 0
	}
	return time.Duration(2*s.B-1) * time.Second / 2
}

func (s modelStep) canceled() bool { return s.C == 31 }
func (s modelStep) once() bool     { return s.C == 1 || s.C == 2 }
func (s modelStep) reports() bool  { return s.C%2 == 0 }

func (s modelStep) operation() BreakerState {
	return []BreakerState{BreakerForceOpen, BreakerForceClosed, BreakerMetricsOnly, BreakerClosed, BreakerClosed}[s.B%5]
}
