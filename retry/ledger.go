package retry

import (
	"slices"
	"sync"
)

// Retries happen at one layer. A session that has given up leaves its error with the sessions around it; if one of them
// then fails with this very error, it is exhausted at once. Where the callee has replaced or swallowed the error, the
// outer session may go on, but in its next attempts a policy that has given up before makes one attempt. Otherwise three
// layers of three attempts call the bottom 27 times. A session that says RetryNested is the last to retry: what is inside
// it leaves nothing with it, nor beyond.

// ledger is what the sessions inside a session have given up. It is safe for concurrent use: sessions inside one attempt
// may run in parallel.
type ledger struct {
	mu    sync.Mutex
	marks []mark
}

// mark is a session inside that has given up.
type mark struct {
	err     error // what it returned; nil when a result was the reason
	plan    *HybridPolicy
	attempt int // of the outer session, in which it happened
	first   int // the first attempt in which a session of the plan gave up
}

// add remembers that a session of plan has given up err. It forgets one that did so in an attempt before, so that an
// outer session of many attempts does not remember them all.
func (l *ledger) add(err error, plan *HybridPolicy, attempt int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := mark{err, plan, attempt, attempt}
	for i := range l.marks {
		if old := &l.marks[i]; old.plan == plan && old.attempt < attempt {
			m.first = old.first
			*old = m
			return
		}
	}
	l.marks = append(l.marks, m)
}

// gaveUp reports whether err is, wraps or joins what a session inside has given up.
func (l *ledger) gaveUp(err error) bool {
	l.mu.Lock()
	marks := slices.Clone(l.marks) // without the lock: the user's errors are asked, which may begin a session inside
	l.mu.Unlock()
	return slices.ContainsFunc(marks, func(m mark) bool { return holds(err, m.err) })
}

// gaveUpBefore reports whether a session of plan has given up in an attempt before the given one.
func (l *ledger) gaveUpBefore(plan *HybridPolicy, attempt int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.marks {
		if l.marks[i].plan == plan && l.marks[i].first < attempt {
			return true
		}
	}
	return false
}

// oneLayer is the limit by which another layer, or somebody above, forbids s another attempt; nil when nobody does.
func (s *Session) oneLayer() *limit {
	switch {
	case s.once():
		return limitOnce
	case s.nested(), s.spent():
		return limitNested
	}
	return nil
}

// nested reports whether the failure of s is one that a session inside it has already given up.
func (s *Session) nested() bool {
	x := s.more.Load()
	return x != nil && x.gaveUp(s.failure)
}

// spent reports whether a session around s is in a later attempt than one in which the policy of s has given up.
func (s *Session) spent() bool {
	for o := s.outer(); o.limitsInner(); o = o.outer() {
		if x := o.more.Load(); x != nil && x.gaveUpBefore(s.plan, o.Attempt()) {
			return true
		}
	}
	return false
}

// limitsInner reports whether there is a session s whose inner sessions leave what they give up with it.
func (s *Session) limitsInner() bool { return s != nil && !s.plan.settings.RetryNested }

// tellOuter leaves err, which the caller is about to get, with the sessions around s, if s has given up.
func (s *Session) tellOuter(err error) {
	if s.state == stateExhausted && (s.Attempt() > 1 || s.limit().ofLayer) {
		giveUp(s.outer(), s.plan, err)
	}
}

// giveUp leaves err with outer and the sessions around that.
func giveUp(outer *Session, plan *HybridPolicy, err error) {
	for o := outer; o.limitsInner(); o = o.outer() {
		o.extend().add(err, plan, o.Attempt())
	}
}
