package retry

import (
	"encoding/json"
	"time"
)

// BreakerStatus is what there is to know of a breaker at one moment. Its JSON form is stable: names in lower camel case,
// durations in nanoseconds, settings that are off left out.
type BreakerStatus struct {
	Name    string   `json:"name"`
	Methods []string `json:"methods,omitempty"` // references of those that it guards, sorted; only [Shared] and a container know them

	State BreakerState `json:"state"`
	Since time.Time    `json:"since"` // when it became that
	// RetryAfter is the time until a call may be admitted; 0 unless open.
	RetryAfter time.Duration `json:"retryAfterNanoseconds,omitempty"`

	// The results that are in the window now, or where MinCalls waits for so many without a window, that have come since
	// the last change of state. Other breakers have none: they do not count what changes nothing.
	Calls  int `json:"calls"`
	Failed int `json:"failed"`
	Slow   int `json:"slow"`
	InRow  int `json:"failuresInRow"` // the latest ones

	Settings BreakerSettings `json:"settings"`
}

// Status is what there is to know of the breaker now. Operators may ask as often as they like: it takes the breaker's lock
// for a moment and changes nothing.
func (b *Breaker) Status() BreakerStatus {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := now()
	s := BreakerStatus{Name: b.Name(), State: b.stateAt(t), RetryAfter: b.retryAfterAt(t), InRow: int(b.streak.Load()), Settings: b.settings}
	s.Since = b.changedAt
	if s.State == BreakerHalfOpen && modeOf(b.word.Load()) == modeOpen {
		s.Since = b.overSince()
	}
	if b.window != nil && b.minCalls > 0 {
		n := b.window.at(t)
		s.Calls, s.Failed, s.Slow = n.calls, n.failed, n.slow
	}
	return s
}

// MarshalJSON writes the breaker's status.
func (b *Breaker) MarshalJSON() ([]byte, error) { return json.Marshal(b.Status()) }
