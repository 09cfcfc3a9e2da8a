package backstayotel

import (
	"slices"
	"time"

	"github.com/backstay/backstay/retry"
)

// breakerStates are all states of a breaker, in the order in which they are kept.
var breakerStates = []retry.BreakerState{
	retry.BreakerClosed, retry.BreakerOpen, retry.BreakerHalfOpen,
	retry.BreakerForceOpen, retry.BreakerForceClosed, retry.BreakerMetricsOnly,
}

// timeline is how long a breaker has been in each of its states.
type timeline struct {
	state retry.BreakerState
	since time.Time
	spent [6]time.Duration // in earlier stays
}

// move goes to a state at a time. An open breaker becomes half-open when its reset timeout has passed, though nobody tells
// of that before the next call comes.
func (l *timeline) move(to retry.BreakerState, at time.Time, reset time.Duration) {
	if over := l.since.Add(reset); l.state == retry.BreakerOpen && at.After(over) {
		l.enter(retry.BreakerHalfOpen, over)
	}
	if l.state != to {
		l.enter(to, at)
	}
}

// enter goes to a state. A time before the last change is that of the last change: the parts add up to the whole.
func (l *timeline) enter(to retry.BreakerState, at time.Time) {
	if at.Before(l.since) {
		at = l.since
	}
	if i := slices.Index(breakerStates, l.state); i >= 0 {
		l.spent[i] += at.Sub(l.since)
	}
	l.state, l.since = to, at
}

// follow goes to where a status says that the breaker is.
func (l *timeline) follow(s retry.BreakerStatus) {
	if l.state != s.State {
		l.move(s.State, s.Since, s.Settings.ResetTimeout)
	}
}

// until is how long the breaker has been in each state at time t.
func (l *timeline) until(t time.Time) [6]time.Duration {
	now := *l
	now.enter(l.state, t)
	return now.spent
}
