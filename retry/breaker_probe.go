package retry

import (
	"slices"
	"time"
)

// lease is the right of one probe to be out. Numbers are never used twice, so that a result under a lease that was lost
// counts nowhere.
type lease struct {
	number uint64
	since  int64
}

// grant admits a probe at time t if the probes that are out leave room. Those that have succeeded still take theirs, so
// that no more calls are admitted than can be needed. A probe that has been out for ResetTimeout loses its lease to the
// next call; until then its result counts. The breaker is half-open and the lock held.
func (b *Breaker) grant(t int64) (breakerTicket, bool) {
	if b.successes+len(b.leases) >= b.probes {
		lost := slices.IndexFunc(b.leases, func(l lease) bool { return b.over(l.since, t) })
		if lost < 0 {
			return 0, false
		}
		b.revoke(lost) // the one granted first
	}
	b.lastLease++
	b.leases = append(b.leases, lease{b.lastLease, t})
	return probeBit | breakerTicket(b.lastLease), true
}

// revoke ends the i-th lease. The lock is held.
func (b *Breaker) revoke(i int) { b.leases = slices.Delete(b.leases, i, i+1) }

// leaseOf is the place of the lease that the ticket is for, negative when it has none any more. The lock is held.
func (b *Breaker) leaseOf(k breakerTicket) int {
	return slices.IndexFunc(b.leases, func(l lease) bool { return l.number == uint64(k&^probeBit) })
}

// holds reports whether the call of the ticket is a probe still.
func (b *Breaker) holds(k breakerTicket) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.leaseOf(k) >= 0
}

// probed ends the lease of a probe by what it found at time t: a failure, or a success that was slow, re-opens at once;
// enough successes close; what is neutral makes room for another probe.
func (b *Breaker) probed(k breakerTicket, o outcome, d time.Duration, t int64) {
	b.mu.Lock()
	defer b.unlock()
	i := b.leaseOf(k)
	if i < 0 {
		return
	}
	b.revoke(i)
	switch {
	case o == failure, o == success && b.slow(d):
		b.open(t)
	case o == success:
		if b.successes++; b.successes >= b.probes {
			b.shift(modeClosed)
		}
	}
}
