package dashboard

import "time"

// tally is what a method has done in the window, beside what does not pass.
type tally struct {
	counts      // of all seconds of the window together
	latencies   latencySum
	total       uint64 // calls
	lastError   string
	lastErrorAt int64
	failing     failing // the present second included, where that is bad
	isFailing   bool
}

// tally looks at a method at one moment.
func (m *method) tally(now int64) (t tally) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.advance(now)
	m.collect(m.latest)

	t.total, t.lastError, t.lastErrorAt = m.calls, m.lastError, m.lastErrorAt
	for i := range m.seconds {
		s := &m.seconds[i]
		if m.latest-s.at > window {
			continue
		}
		t.add(&s.counts)
		t.latencies.addAll(&s.latencies)
	}
	t.failing = m.failing
	if present := m.present(); present.isPlain() {
		t.failing.observe(present, false)
	}
	t.isFailing = t.failing.established && t.failing.isRecent(m.latest)
	return t
}

// failingSince is when the failing began, in Unix nanoseconds, or 0. trouble is since when a breaker of the method has been in
// trouble, or 0: while it is, what has begun is not over.
func (t *tally) failingSince(trouble int64) int64 {
	began := t.failing.since * int64(time.Second)
	switch {
	case trouble == 0 && !t.isFailing:
		return 0
	case trouble == 0:
		return began
	case !t.failing.isRecent(secondOf(trouble)): // it was over before
		return trouble
	}
	return min(began, trouble)
}

// share is n of all; 0 of none.
func share(n, all uint32) float64 {
	if all == 0 {
		return 0
	}
	return tenThousandths(float64(n) / float64(all))
}

// summary is a method as the page lists it.
func (d *Dashboard) summary(ref string, t *tally, at *moment, trouble int64) summaryJSON {
	return summaryJSON{
		Ref: ref, Calls: t.total,
		Rate: at.rate(t.calls), AttemptRate: at.rate(t.attempts), RetryRate: at.rate(t.retries), FallbackRate: at.rate(t.fallbacks),
		ErrorShare: share(t.errors(), t.calls), AttemptFailureShare: share(t.failed, t.attempts),
		P50Ms: inMs(t.latencies.quantile(0.5)), P95Ms: inMs(t.latencies.quantile(0.95)),
		Refused:   d.refused(t, at),
		LastError: t.lastError, LastErrorAt: at.milliseconds(t.lastErrorAt),
		FailingSince: at.milliseconds(t.failingSince(trouble)),
	}
}

// refused is what was refused, by limit, per second.
func (d *Dashboard) refused(t *tally, at *moment) map[string]float64 {
	all := map[string]float64{}
	for i, n := range t.counts.refused {
		if n > 0 {
			all[d.limits.name(i)] = at.rate(n)
		}
	}
	return all
}
