package retry

import "sync"

// Retries happen at one layer. A session that has given up leaves its error with the session around it; if that one then
// fails with this very error, it is exhausted at once. Where the callee has replaced or swallowed the error, the outer
// session may go on, but in its next attempts a policy that has given up before makes one attempt. Otherwise three
// layers of three attempts call the bottom 27 times.

// ledger is what the sessions inside a session have given up. It is safe for concurrent use: sessions inside one attempt
// may run in parallel.
type ledger struct {
	mu    sync.Mutex
	marks []mark
}

// mark is one session inside that has given up.
type mark struct {
	err     error // what it returned; nil when a result was the reason
	plan    *HybridPolicy
	attempt int // of the outer session, in which it happened
}

func (l *ledger) add(m mark) {
	l.mu.Lock()
	l.marks = append(l.marks, m)
	l.mu.Unlock()
}

// gaveUp reports whether err is, wraps or joins what a session inside has given up.
func (l *ledger) gaveUp(err error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.marks {
		if holds(err, l.marks[i].err) {
			return true
		}
	}
	return false
}

// gaveUpBefore reports whether a session of plan has given up in an attempt before the given one.
func (l *ledger) gaveUpBefore(plan *HybridPolicy, attempt int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.marks {
		if l.marks[i].plan == plan && l.marks[i].attempt < attempt {
			return true
		}
	}
	return false
}

// nested reports whether the failure of s is one that a session inside it has already given up.
func (s *Session) nested() bool {
	x := s.more.Load()
	return x != nil && s.failure != nil && !s.plan.settings.RetryNested && x.gaveUp(s.failure)
}

// spent reports whether a session around s is in a later attempt than one in which the policy of s has given up.
func (s *Session) spent() bool {
	for o := s.outer(); o != nil; o = o.outer() {
		if x := o.more.Load(); x != nil && !o.plan.settings.RetryNested && x.gaveUpBefore(s.plan, o.Attempt()) {
			return true
		}
	}
	return false
}

// tellOuter leaves err, which the caller is about to get, with the session around s, if s has given up.
func (s *Session) tellOuter(err error) {
	if o := s.outer(); o != nil && s.state == stateExhausted && (s.Attempt() > 1 || s.limit.ofLayer) {
		o.extend().add(mark{err, s.plan, o.Attempt()})
	}
}
