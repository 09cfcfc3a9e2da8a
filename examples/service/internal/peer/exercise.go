package peer

import (
	"sync"
	"time"
)

// exercise is one plan on its way: its clock, and what has arrived since it began.
type exercise struct {
	plan  Plan
	seed  uint64
	began time.Time

	mu      sync.Mutex
	stats   Stats
	arrived map[string]int // attempts by key
	audited bool           // somebody has asked for the ledger
}

func begin(plan Plan, seed uint64) *exercise {
	return &exercise{plan: plan, seed: seed, began: time.Now(), arrived: map[string]int{}}
}

// arrive counts an attempt and returns what happens to it.
func (e *exercise) arrive(key string) fault {
	at := time.Since(e.began)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.arrived[key]++
	e.stats.Attempts++
	if e.plan.down(at) {
		e.stats.Outage.Attempts++
		if e.arrived[key] == 1 {
			e.stats.Outage.Orders++
		}
	}
	return e.plan.fault(e.seed, key, e.arrived[key], at)
}

// auditBusy reports whether the ledger is busy: at the first request for it, where the plan has the peer be busy at all.
func (e *exercise) auditBusy() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	first := !e.audited
	e.audited = true
	return first && e.plan.Busy > 0
}

func (e *exercise) soFar() Stats {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.stats
}
