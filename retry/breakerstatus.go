package retry

import (
	"encoding/json"
	"time"
)

// BreakerStatus is what there is to know of a breaker at one moment. Its JSON form is stable: names in lower camel case,
// durations in nanoseconds, what is off left out.
type BreakerStatus struct {
	Name    string   `json:"name"`
	Methods []string `json:"methods,omitempty"` // references of those that it guards, sorted; only [Shared] and a container know them

	State BreakerState `json:"state"`
	Since time.Time    `json:"since"` // when it became that
	// RetryAfter is the time until a call may be admitted; 0 unless open.
	RetryAfter time.Duration `json:"retryAfterNanoseconds,omitempty"`

	// The results that are in the window now, or without a window that have come since the last change of state. A
	// breaker that records no attempts has none.
	Calls  int `json:"calls"`
	Failed int `json:"failed"`
	Slow   int `json:"slow,omitempty"`
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
	since := b.changedAt
	if modeOf(b.word.Load()) == modeOpen {
		since = b.openedAt.Load()
		if s.State == BreakerHalfOpen {
			since += int64(b.settings.ResetTimeout)
		}
	}
	s.Since = wallClock(since)
	if b.window != nil {
		n := b.window.at(t)
		s.Calls, s.Failed, s.Slow = n.calls, n.failed, n.slow
	}
	return s
}

// MarshalJSON writes the breaker's status.
func (b *Breaker) MarshalJSON() ([]byte, error) { return json.Marshal(b.Status()) }
