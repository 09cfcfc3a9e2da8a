package dashboard

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/backstay/backstay/retry"
)

// snapshot is the state at one moment.
type snapshot struct {
	at    int64
	state stateJSON // without methods
	rows  []row
}

// row is a method in it.
type row struct {
	ref  string
	data json.RawMessage // summaryJSON
}

// snapshot looks at everything.
func (h *handler) snapshot() *snapshot {
	d, now := h.board, h.board.clock.now()
	status := h.source.Status()
	breakers := d.breakersOf(h.source, status.Breakers)
	doors, span := doorsOf(breakers), d.span(now)

	s := &snapshot{at: now}
	var incidents []incident
	note := func(ref string, t *tally) {
		if i, ok := d.incident(ref, t, span, doors); ok {
			incidents = append(incidents, i)
		}
	}
	for _, m := range d.methods.all() {
		t := m.tally(now)
		s.rows = append(s.rows, row{m.ref, encode(d.summary(m.ref, &t, span, doors.trouble(m.ref)))})
		note(m.ref, &t)
	}
	for ref := range doors {
		if d.methods.find(ref) == nil {
			note(ref, &tally{})
		}
	}

	s.state = stateJSON{
		Now: milliseconds(now), Started: milliseconds(d.clock.started()), Controls: d.allow != nil,
		Breakers: make([]retry.BreakerStatus, len(breakers)), Budgets: status.Budgets, Incidents: []incidentJSON{},
	}
	for i := range breakers {
		s.state.Breakers[i] = breakers[i].status
	}
	if s.state.Budgets == nil {
		s.state.Budgets = []retry.BudgetStatus{}
	}
	if len(incidents) > 0 {
		s.state.Incidents = sortIncidents(incidents, h.source.facts(now))
	}
	return s
}

// complete is the state with all methods, changed that with those that are not in sent as they are. Both note them there.
func (s *snapshot) complete() stateJSON { return s.changed(map[string]string{}) }

func (s *snapshot) changed(sent map[string]string) stateJSON {
	state := s.state
	state.Methods = []json.RawMessage{}
	for _, r := range s.rows {
		if sent[r.ref] != string(r.data) {
			sent[r.ref] = string(r.data)
			state.Methods = append(state.Methods, r.data)
		}
	}
	return state
}

// sharedAge is how old a snapshot may be that is made for one tick and serves another: many who watch cost little more than
// one.
const sharedAge = 100 * time.Millisecond

// shared is the last snapshot that was made for somebody.
type shared struct {
	mu   sync.Mutex
	last *snapshot
}

// recent is a snapshot of now, or nearly.
func (h *handler) recent() *snapshot {
	h.shared.mu.Lock()
	defer h.shared.mu.Unlock()
	if last := h.shared.last; last == nil || h.board.clock.now()-last.at > int64(sharedAge) {
		h.shared.last = h.snapshot()
	}
	return h.shared.last
}
