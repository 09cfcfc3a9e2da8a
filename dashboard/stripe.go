package dashboard

import (
	"sync"
	"time"

	"github.com/backstay/backstay/retry"
)

// stripes is how many stripes a method has; a power of two.
const stripes = 4

// stripe counts calls that succeeded at once, in the present second: what nearly all calls do. There are several in a method,
// so that calls at the same time rarely meet. Its lock is held for a few additions.
type stripe struct {
	mu        sync.Mutex
	at        int64 // the Unix second; written under the method's lock as well
	succeeded uint32
	sample    sample // the first one of the second
	latencies latencies

	_ [24]byte // fills the last cache line
}

// sample is a plain success that stands for the others of its second.
type sample struct {
	ended int64 // 0: none
	took  time.Duration
}

// stripeOf picks a stripe. Sessions that one processor has made lie side by side in memory, and so share a stripe.
func stripeOf(id retry.SessionID) int { return int((id>>13)^(id>>17)) % stripes }

// add counts a call, unless the second of the stripe is over.
func (s *stripe) add(now int64, took time.Duration) bool {
	bucket := bucketOf(took)
	s.mu.Lock()
	if secondOf(now) > s.at {
		s.mu.Unlock()
		return false
	}
	if s.succeeded == 0 {
		s.sample = sample{now, took}
	}
	count(&s.succeeded)
	s.latencies.add(bucket)
	s.mu.Unlock()
	return true
}

// empty moves what was counted into the second that it is of, and begins another one. It reports a sample, if there is one.
func (s *stripe) empty(into *second, next int64) (plain sample) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = next
	if s.succeeded == 0 {
		return plain
	}
	plain = s.sample
	into.calls += s.succeeded
	into.succeeded += s.succeeded
	into.attempts += s.succeeded
	into.latencies.addAll(&s.latencies)
	s.succeeded, s.sample, s.latencies = 0, sample{}, latencies{}
	return plain
}
