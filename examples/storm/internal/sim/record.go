package sim

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/backstay/backstay/retry"
)

// Record is what was counted in a run, second by second. A call counts in the second in which it began, however long it took;
// a request in that in which it came to the peer.
type Record struct {
	Strategy string
	Model    Model
	Calls    []int // begun
	Answered []int // of these, those that got their answer
	Load     []int // requests that came to the peer
	Refused  int   // calls that a breaker refused without an attempt, in all

	mu sync.Mutex
}

func newRecord(m Model, strategy string) *Record {
	seconds := int(m.Length() / time.Second)
	return &Record{Strategy: strategy, Model: m, Calls: make([]int, seconds), Answered: make([]int, seconds), Load: make([]int, seconds)}
}

// called counts a call that began at a time and ended with err.
func (r *Record) called(at time.Duration, err error) {
	if at >= r.Model.Length() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Calls[at/time.Second]++
	switch {
	case err == nil:
		r.Answered[at/time.Second]++
	case errors.Is(err, retry.ErrCircuitOpen):
		r.Refused++
	}
}

// requested counts a request that came to the peer at a time.
func (r *Record) requested(at time.Duration) {
	if at >= r.Model.Length() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Load[at/time.Second]++
}

// healthy is the share of a second's calls that have to be answered for the fleet to be well: percent.
const healthy = 95

// PeakLoad is the largest number of requests that came to the peer in a second.
func (r *Record) PeakLoad() int { return slices.Max(r.Load) }

// AmplificationInOutage is the requests that came to the peer during the outage, per call that began in it.
func (r *Record) AmplificationInOutage() float64 {
	from, to := r.outage()
	return ratio(sum(r.Load[from:to]), sum(r.Calls[from:to]))
}

// Amplification is the requests that came to the peer per call.
func (r *Record) Amplification() float64 { return ratio(sum(r.Load), sum(r.Calls)) }

// Recovery is how long after the outage the fleet is well for good: from then on, at least 95 % of the calls of each second
// are answered. It reports false when that is not so before the run ends.
func (r *Record) Recovery() (after time.Duration, recovered bool) {
	_, end := r.outage()
	for second := len(r.Calls) - 1; second >= end; second-- {
		if 100*r.Answered[second] < healthy*r.Calls[second] {
			return time.Duration(second+1-end) * time.Second, second+1 < len(r.Calls)
		}
	}
	return 0, true
}

// Lost is the calls that did not get an answer.
func (r *Record) Lost() int { return sum(r.Calls) - sum(r.Answered) }

// LostBefore is the calls that did not get an answer though they began before the outage: those of bad luck.
func (r *Record) LostBefore() int {
	from, _ := r.outage()
	return sum(r.Calls[:from]) - sum(r.Answered[:from])
}

// outage is the first second of the outage, and the first one after it.
func (r *Record) outage() (from, to int) {
	return int(r.Model.Before / time.Second), int(r.Model.outageEnd() / time.Second)
}

func sum(seconds []int) (n int) {
	for _, s := range seconds {
		n += s
	}
	return n
}

// ratio is n/of; of nothing it is zero.
func ratio(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}
