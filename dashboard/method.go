package dashboard

import (
	"strings"
	"sync"
	"time"

	"github.com/backstay/backstay/retry"
)

// method is what is kept of one method, or of all those that share a reference. All of it but the stripes, which have their
// own locks, is under the lock; that is held for a few additions and never while anything else is called.
type method struct {
	ref     string
	stripes [stripes]stripe

	mu      sync.Mutex
	latest  int64 // the second that is counted in; that of the stripes too
	calls   uint64
	seconds [detailed]second // by Unix second
	series  [seriesLength]point
	failing failing // as of the seconds that are over

	lastError   string
	lastErrorAt int64
	errors      errorList
	sessions    keptSessions
}

func newMethod(ref string, sessions int) *method {
	return &method{ref: ref, sessions: newKeptSessions(sessions)}
}

// plainSuccess counts a call that succeeded at once.
func (m *method) plainSuccess(id retry.SessionID, now int64, took time.Duration) {
	s := &m.stripes[stripeOf(id)]
	for !s.add(now, took) {
		m.mu.Lock()
		m.advance(now)
		m.mu.Unlock()
	}
}

// advance goes on to the second of a time, and has then all in one place that is of seconds before it. What comes late, by a
// reading of the clock from before, is counted in the present second. The lock is held.
func (m *method) advance(now int64) {
	next := secondOf(now)
	if next <= m.latest {
		return
	}
	m.collect(next)
	over := m.present()
	m.series[over.at%seriesLength] = over.point()
	m.failing.observe(over, true)
	m.latest = next
	*m.present() = second{at: next}
}

// collect empties the stripes into the present second, and has them count in another one. The lock is held.
func (m *method) collect(next int64) {
	present := m.present()
	before := present.calls
	for i := range m.stripes {
		if plain := m.stripes[i].empty(present, next); plain.ended != 0 {
			m.sessions.addPlain(plain)
		}
	}
	m.calls += uint64(present.calls - before)
}

// present is the second that is counted in. The lock is held.
func (m *method) present() *second { return &m.seconds[m.latest%detailed] }

// secondAt is a second that is kept in full, or nil. The lock is held.
func (m *method) secondAt(at int64) *second {
	if s := &m.seconds[at%detailed]; s.at == at {
		return s
	}
	return nil
}

// fault says whose it is that an attempt was no success.
type fault uint8

const (
	thePeers   fault = iota
	nobodys          // an answer that is an error: not worth a retry
	theCallers       // who has cancelled
)

// attemptFailed counts one. It returns the text as it is kept.
func (m *method) attemptFailed(now int64, attempt int, text string, whose fault) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.advance(now)
	m.attempted(attempt, whose == thePeers)
	if whose == theCallers {
		text = strings.Clone(text) // it may be part of a larger text
	} else {
		text = m.errors.add(now, text)
	}
	if whose == thePeers {
		m.lastError, m.lastErrorAt = text, now
	}
	return text
}

// attempted counts an attempt. The lock is held.
func (m *method) attempted(attempt int, failed bool) {
	s := m.present()
	count(&s.attempts)
	if attempt > 1 {
		count(&s.retries)
	}
	if failed {
		count(&s.failed)
	}
}

// succeeded counts a call that succeeded, but not at once, and the attempt that ended it.
func (m *method) succeeded(now int64, s *session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.advance(now)
	m.attempted(s.made, false)
	m.end(s)
}

// ended counts the end of a call, and keeps its session if that is worth it. It returns the second that it was counted in and
// reports whether the session was kept.
func (m *method) ended(now int64, s *session) (at int64, kept bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.advance(now)
	return m.latest, m.end(s)
}

// end counts the end of a call. The lock is held.
func (m *method) end(s *session) (kept bool) {
	second := m.present()
	m.calls++
	count(&second.calls)
	switch s.end {
	case succeeded:
		count(&second.succeeded)
	case rejected:
		count(&second.rejected)
	}
	if s.limit != "" {
		count(&second.refused[s.limitNumber])
	}
	if s.end != rejected {
		second.latencies.add(bucketOf(s.elapsed))
	}
	return m.sessions.add(s)
}

// fellBack counts the end of a fallback, of a session that ended in a second and that may be kept.
func (m *method) fellBack(now int64, of awaited, how outcome, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.advance(now)
	if of.session != nil {
		of.session.fallback = how
	}
	if how != succeeded {
		m.errors.add(now, text)
		return
	}
	at := of.at
	if at == 0 { // nobody knows when
		at = m.latest
	}
	if s := m.secondAt(at); s != nil {
		count(&s.fallbacks)
	}
	if p := &m.series[at%seriesLength]; int64(p.at) == at {
		p.fallbacks++
		p.errors -= min(p.errors, 1)
	}
}
