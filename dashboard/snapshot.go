package dashboard

import (
	"bytes"
	"sync"
	"time"

	"github.com/backstay/backstay/retry"
)

// snapshot is the state at one moment, written once for all who read it.
type snapshot struct {
	at         int64
	head, tail []byte // stateHead and stateTail
	rows       []row
}

// row is a method in it.
type row struct {
	ref  string
	data []byte // summaryJSON
}

// snapshot looks at everything.
func (h *handler) snapshot() *snapshot {
	d, status := h.board, h.source.Status() // which may take its time, the first one above all
	at := d.moment()
	breakers := d.breakersOf(h.source, status.Breakers, &at)
	doors := doorsOf(breakers)

	s := &snapshot{at: at.now}
	var incidents []incident
	note := func(ref string, t *tally) {
		if i, ok := d.incident(ref, t, &at, doors); ok {
			incidents = append(incidents, i)
		}
	}
	for _, m := range d.methods.all() {
		t := m.tally(at.now)
		s.rows = append(s.rows, row{m.ref, encode(d.summary(m.ref, &t, &at, doors.trouble(m.ref)))})
		note(m.ref, &t)
	}
	for ref := range doors {
		if d.methods.find(ref) == nil {
			note(ref, &tally{})
		}
	}

	s.head = encode(stateHead{Now: at.milliseconds(at.now), Started: at.milliseconds(d.clock.started()), Controls: d.allow != nil})
	tail := stateTail{Breakers: make([]retry.BreakerStatus, len(breakers)), Budgets: status.Budgets, Incidents: []incidentJSON{}}
	for i := range breakers {
		tail.Breakers[i] = breakers[i].status
	}
	if tail.Budgets == nil {
		tail.Budgets = []retry.BudgetStatus{}
	}
	if len(incidents) > 0 {
		tail.Incidents = sortIncidents(incidents, h.source.facts(at.now))
	}
	s.tail = encode(tail)
	return s
}

// sent is what a stream has told of methods, by reference.
type sent map[string][]byte

// write adds the state as JSON, with the methods that were not sent as they are. It notes them there.
func (s *snapshot) write(to *bytes.Buffer, sent sent) {
	to.Write(s.head[:len(s.head)-1])
	to.WriteString(`,"methods":[`)
	separator := ""
	for _, r := range s.rows {
		if bytes.Equal(sent[r.ref], r.data) {
			continue
		}
		sent[r.ref] = r.data
		to.WriteString(separator)
		to.Write(r.data)
		separator = ","
	}
	to.WriteString("],")
	to.Write(s.tail[1:])
}

// sharedAge is how old a snapshot may be that is made for one tick and serves another: many who watch cost little more than
// one.
const sharedAge = 100 * time.Millisecond

// shared is the last snapshot that was made for somebody.
type shared struct {
	mu   sync.Mutex
	last *snapshot
}

// recent is a snapshot of the time at which it was asked for, or nearly. That may have been while another one was made: those
// who have waited for it all take it, however long it took.
func (h *handler) recent(asked int64) *snapshot {
	h.shared.mu.Lock()
	defer h.shared.mu.Unlock()
	if last := h.shared.last; last == nil || asked-last.at > int64(sharedAge) {
		h.shared.last = h.snapshot()
	}
	return h.shared.last
}
