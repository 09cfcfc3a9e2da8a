package retry

import (
	"context"
	"crypto/rand"
	"time"
)

// Attempt is what the code inside an attempt may know.
type Attempt struct {
	Number  int           // counted from 1
	Limit   int           // attempts allowed, or Unlimited
	Elapsed time.Duration // since the session began
	Failure error         // of the attempt before
	Key     string        // the idempotency key: the same in all attempts
}

// FromContext returns the attempt that ctx belongs to and reports whether there is one. Inside nested sessions it is the
// innermost one's.
func FromContext(ctx context.Context) (Attempt, bool) {
	sc := scopeOf(ctx)
	s := sc.outer
	if s == nil {
		return Attempt{}, false
	}
	a := Attempt{Number: s.Attempt(), Limit: s.plan.attempts, Elapsed: s.Elapsed(), Failure: s.failure, Key: sc.key}
	if s.once() || s.spent() {
		a.Limit = 1
	}
	if a.Key == "" {
		a.Key = s.madeKey()
	}
	return a, true
}

// madeKey is the session's own key, made when it is first asked for.
func (s *Session) madeKey() string {
	x := s.extend()
	if k := x.key.Load(); k != nil {
		return *k
	}
	k := rand.Text()
	x.key.CompareAndSwap(nil, &k)
	return *x.key.Load()
}
