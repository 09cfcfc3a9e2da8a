package retry

import (
	"sync"
	"sync/atomic"
	"time"
)

// BreakerState is the state of a breaker.
type BreakerState string

const (
	// BreakerClosed admits every call and counts.
	BreakerClosed BreakerState = "closed"
	// BreakerOpen rejects every call until the reset timeout has passed.
	BreakerOpen BreakerState = "open"
	// BreakerHalfOpen admits a few calls, the probes, whose outcome opens or closes it.
	BreakerHalfOpen BreakerState = "half-open"
	// BreakerForceOpen rejects every call until Reset.
	BreakerForceOpen BreakerState = "force-open"
	// BreakerForceClosed admits every call until Reset and counts nothing.
	BreakerForceClosed BreakerState = "force-closed"
	// BreakerMetricsOnly admits every call until Reset and counts, but never opens.
	BreakerMetricsOnly BreakerState = "metrics-only"
)

// Breaker is the handle of a circuit breaker, for operators. It is safe for concurrent use, from a listener too. The
// zero Breaker guards nothing.
type Breaker struct {
	name     atomic.Pointer[string]
	settings BreakerSettings
	counting bool // whether attempts are recorded
	minCalls int
	probes   int

	// word is generation<<modeBits | mode. Each transition begins a generation. It is read without the lock and written
	// under it, as are openedAt and streak.
	word     atomic.Uint64
	openedAt atomic.Int64

	_      [64]byte     // what a closed breaker's calls read stays in cache while results are counted
	streak atomic.Int64 // failures in a row
	mu     sync.Mutex
	// window is nil in a zero Breaker.
	window    breakerWindow
	changedAt time.Time // when State became what the mode says
	successes int       // of probes, since half-open
	leases    []lease   // of the probes that are out, in the order of grant
	lastLease uint64

	subscribers []func(from, to BreakerState)
	pending     []transition // not told yet, oldest first
	telling     bool         // whether somebody is telling them
}

// newBreaker returns a closed breaker. The settings must pass check.
func newBreaker(name string, s BreakerSettings) *Breaker {
	b := &Breaker{
		settings: s,
		counting: s.counts(),
		minCalls: s.minCalls(),
		probes:   max(s.Probes, 1),
		window:   newBreakerWindow(s),

		changedAt: time.Now(),
	}
	b.leases = make([]lease, 0, b.probes)
	b.name.Store(&name)
	b.word.Store(newWord(1, modeClosed))
	return b
}

// Name is the shared name, or the method reference of the one method that it guards; in chains the name of the first
// that has one.
func (b *Breaker) Name() string {
	if name := b.name.Load(); name != nil {
		return *name
	}
	return ""
}

// nameIfNone names a breaker that was made without a name.
func (b *Breaker) nameIfNone(name string) {
	if old := b.name.Load(); *old == "" {
		b.name.CompareAndSwap(old, &name)
	}
}

// State is the state now. An open breaker whose reset timeout has passed is half-open, though no call has come yet.
func (b *Breaker) State() BreakerState { return b.stateAt(now()) }

// RetryAfter is the time until a call may be admitted; 0 unless open.
func (b *Breaker) RetryAfter() time.Duration { return b.retryAfterAt(now()) }

// ForceOpen rejects every call until Reset.
func (b *Breaker) ForceOpen() { b.force(modeForceOpen) }

// ForceClose admits every call until Reset. Nothing is counted meanwhile.
func (b *Breaker) ForceClose() { b.force(modeForceClosed) }

// MetricsOnly admits every call and goes on counting, until Reset.
func (b *Breaker) MetricsOnly() { b.force(modeMetricsOnly) }

// Reset forgets what was counted and closes. Calls that are under way count no more.
func (b *Breaker) Reset() {
	b.mu.Lock()
	defer b.unlock()
	b.shift(modeClosed)
}

// force goes to a mode that only an operator can set. What is forced already goes on as it is.
func (b *Breaker) force(to breakerMode) {
	b.mu.Lock()
	defer b.unlock()
	if modeOf(b.word.Load()) != to {
		b.shift(to)
	}
}

func (b *Breaker) stateAt(t int64) BreakerState {
	mode := modeOf(b.word.Load())
	if mode == modeOpen && b.over(b.openedAt.Load(), t) {
		mode = modeHalfOpen
	}
	return mode.state()
}

func (b *Breaker) retryAfterAt(t int64) time.Duration {
	if modeOf(b.word.Load()) != modeOpen {
		return 0
	}
	openedAt := b.openedAt.Load()
	if b.over(openedAt, t) {
		return 0
	}
	// A reading from before the opening must not make the wait longer than it is.
	return b.settings.ResetTimeout - max(time.Duration(between(openedAt, t)), 0)
}
