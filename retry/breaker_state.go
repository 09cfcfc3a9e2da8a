package retry

import "time"

// breakerMode is the state as it is kept. Unlike BreakerState it knows no time: an open breaker becomes half-open when
// the first call comes after its reset timeout.
type breakerMode uint64

const (
	modeClosed breakerMode = iota
	modeOpen
	modeHalfOpen
	modeForceOpen
	modeForceClosed
	modeMetricsOnly

	modeBits = 3
	modeMask = 1<<modeBits - 1
)

func newWord(generation uint64, mode breakerMode) uint64 { return generation<<modeBits | uint64(mode) }

func modeOf(word uint64) breakerMode { return breakerMode(word & modeMask) }

func (m breakerMode) state() BreakerState {
	return [...]BreakerState{
		modeClosed:      BreakerClosed,
		modeOpen:        BreakerOpen,
		modeHalfOpen:    BreakerHalfOpen,
		modeForceOpen:   BreakerForceOpen,
		modeForceClosed: BreakerForceClosed,
		modeMetricsOnly: BreakerMetricsOnly,
	}[m]
}

// outcome is how an attempt ended, as a breaker sees it.
type outcome int8

const (
	neutral outcome = iota // says nothing about the peer: classified out, or cancelled by the caller
	success
	failure
)

// breakerTicket says how a call was admitted. A probe's is probeBit and the number of its lease; any other call's is the
// breaker's word at the time, so that results of an earlier generation can be told. The zero ticket is no call's.
type breakerTicket uint64

const probeBit breakerTicket = 1 << 63

func (k breakerTicket) isProbe() bool { return k&probeBit != 0 }

// needsClock reports whether record wants the duration of every attempt, or the exact time of its end. If not, only the
// time of what may open it matters, since a breaker is open from then on: of failures, and of successes where successOpens
// says so; any other success may be recorded with an earlier reading, the session's start say, and d 0.
func (b *Breaker) needsClock() bool { return b.settings.SlowCall > 0 || b.settings.WindowTime > 0 }

// successOpens reports whether a success may open the breaker: the one that makes the window hold minCalls.
func (b *Breaker) successOpens() bool {
	return b.settings.FailureRatio > 0 && b.minCalls > 1
}

// enter admits a call at time t, or reports that it is rejected. Only where probes are admitted it takes the lock.
func (b *Breaker) enter(t int64) (breakerTicket, bool) {
	word := b.word.Load()
	switch modeOf(word) {
	case modeClosed, modeForceClosed, modeMetricsOnly:
		return breakerTicket(word), true
	case modeForceOpen:
		return 0, false
	case modeOpen:
		if !b.over(b.openedAt.Load(), t) {
			return 0, false
		}
	}
	return b.enterHalfOpen(t)
}

// enterHalfOpen is enter for a breaker that was seen half-open, or open for long enough. A call that is admitted never
// comes when a subscriber that is told of the change panics or exits; its probe makes room for another then.
func (b *Breaker) enterHalfOpen(t int64) (k breakerTicket, admitted bool) {
	told := false
	defer func() {
		if !told {
			b.leave(k, t)
		}
	}()
	b.mu.Lock()
	k, admitted = b.admitLocked(t)
	b.unlock()
	told = true
	return k, admitted
}

// admitLocked looks at the breaker again. The lock is held.
func (b *Breaker) admitLocked(t int64) (breakerTicket, bool) {
	word := b.word.Load()
	switch modeOf(word) {
	case modeForceOpen:
		return 0, false
	case modeOpen:
		if !b.over(b.openedAt.Load(), t) {
			return 0, false
		}
		b.shift(modeHalfOpen)
		return b.grant(t)
	case modeHalfOpen:
		return b.grant(t)
	}
	return breakerTicket(word), true
}

// readmit asks for another attempt of a call that was admitted before, at time t. It returns the ticket to go on with:
// the same while nothing has changed or the call is a probe still, else one as from enter.
func (b *Breaker) readmit(k breakerTicket, t int64) (breakerTicket, bool) {
	if k.isProbe() && b.holds(k) {
		return k, true
	}
	return b.enter(t)
}

// goesOn reports whether a call that was admitted before may think of another attempt: while the breaker admits every
// call, or its probe is still its own. Unlike readmit it takes no probe, so that none is held while a session waits.
func (b *Breaker) goesOn(k breakerTicket) bool {
	switch modeOf(b.word.Load()) {
	case modeClosed, modeForceClosed, modeMetricsOnly:
		return true
	case modeHalfOpen:
		return k.isProbe() && b.holds(k)
	}
	return false
}

// record takes the outcome of an attempt that ended at time t and took d. A probe's decides; any other is counted, unless
// the state has changed since its call was admitted. An attempt that ends in a panic or in Goexit is a failure.
func (b *Breaker) record(k breakerTicket, o outcome, d time.Duration, t int64) {
	if b.counting || k.isProbe() {
		b.recordCounted(k, o, d, t)
	}
}

func (b *Breaker) recordCounted(k breakerTicket, o outcome, d time.Duration, t int64) {
	if k.isProbe() {
		b.probed(k, o, d, t)
		return
	}
	if o == neutral || uint64(k) != b.word.Load() || modeOf(uint64(k)) == modeForceClosed {
		return
	}
	if b.minCalls == 0 && o == success && b.streak.Load() == 0 {
		return // with no window and no minimum, it changes nothing: the lock is spared
	}
	b.count(k, o, d, t)
}

// count puts a result into the window and opens the breaker if that is reason enough. Under the lock it looks again
// whether the ticket is of this generation.
func (b *Breaker) count(k breakerTicket, o outcome, d time.Duration, t int64) {
	b.mu.Lock()
	defer b.unlock()
	if uint64(k) != b.word.Load() {
		return
	}
	var marks callMarks
	streak := int64(0)
	if o == failure {
		marks |= callFailed
		streak = b.streak.Load() + 1
	}
	if b.slow(d) {
		marks |= callSlow
	}
	b.streak.Store(streak)
	n := b.window.add(marks, t)
	if modeOf(uint64(k)) == modeClosed && b.trips(n, streak) {
		b.open(t)
	}
}

// trips reports whether the results that are counted open the breaker.
func (b *Breaker) trips(n tally, streak int64) bool {
	s := &b.settings
	return n.calls >= b.minCalls &&
		(s.Consecutive > 0 && streak >= int64(s.Consecutive) ||
			reaches(n.failed, n.calls, s.FailureRatio) ||
			reaches(n.slow, n.calls, s.SlowRatio))
}

// slow reports whether an attempt that took d is a slow one.
func (b *Breaker) slow(d time.Duration) bool {
	return b.settings.SlowCall > 0 && d > b.settings.SlowCall
}

// exhausted tells that the session of the ticket ended exhausted at time t. That is a probe's failure, if it has not
// reported one; and it opens a breaker that records no attempts.
func (b *Breaker) exhausted(k breakerTicket, t int64) {
	if k.isProbe() {
		b.probed(k, failure, 0, t)
		return
	}
	if b.counting {
		return
	}
	b.mu.Lock()
	defer b.unlock()
	if uint64(k) == b.word.Load() && modeOf(uint64(k)) == modeClosed {
		b.open(t)
	}
}

// leave ends the call of the ticket. A probe that has reported nothing makes room for another.
func (b *Breaker) leave(k breakerTicket, t int64) {
	if k.isProbe() {
		b.probed(k, neutral, 0, t)
	}
}

// over reports whether ResetTimeout has passed since a time. A clock that went back by more than clockLeap, too: it is
// another clock, which cannot tell, and to wait for the old one's time might be for ever.
func (b *Breaker) over(since, t int64) bool {
	passed := between(since, t)
	return passed >= int64(b.settings.ResetTimeout) || passed < -clockLeap
}

// overSince is when the reset timeout of an open breaker has passed, if it has. The lock is held.
func (b *Breaker) overSince() time.Time {
	at := b.changedAt.Add(b.settings.ResetTimeout)
	if t := time.Now(); t.Before(at) {
		return t // by another clock
	}
	return at
}

// open opens the breaker at time t. The lock is held.
func (b *Breaker) open(t int64) {
	b.openedAt.Store(t) // before the word: who reads that the breaker is open finds since when
	b.shift(modeOpen)
}

// shift begins a generation in a mode, with nothing counted and no probe out. The lock is held.
func (b *Breaker) shift(to breakerMode) {
	word := b.word.Load()
	if b.window != nil {
		b.window.clear()
	}
	b.streak.Store(0)
	b.successes, b.leases = 0, b.leases[:0]
	if to == modeHalfOpen {
		b.changedAt = b.overSince()
	} else {
		b.changedAt = time.Now()
	}
	b.word.Store(newWord(word>>modeBits+1, to))
	b.announce(modeOf(word), to)
}
