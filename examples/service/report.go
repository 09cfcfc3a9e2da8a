package main

import (
	"context"
	"time"

	"github.com/backstay/backstay/examples/service/internal/peer"
	"github.com/backstay/backstay/examples/service/internal/shop"
)

// report is what a run has come to, or a round of one, or all of its rounds.
type report struct {
	run
	audit  audit
	struck int         // orders that left the queue, since the peer had charged them
	counts shop.Counts // what the listener has heard
	stats  peer.Stats  // what the peer has seen
	wall   time.Duration
	first  error // of the orders that failed
	err    error // why the peer cannot be asked; nothing is proven then

	through string // the last charge in the ledger, "" if there is none
	rounds  rounds // that are summed here
}

// close closes the till: it reads the peer's ledger, strikes from the queue what has been charged after all, and sees what
// became of each order.
func (r run) close(ctx context.Context, s *stand, sold *sales, wall time.Duration) report {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	rep := report{run: r, counts: s.tally.Take(), wall: wall}
	var states map[string]state
	states, rep.first = sold.states()

	ledger, err := s.till.books.Ledger(ctx)
	if err == nil {
		rep.stats, err = s.peer.Stats(ctx)
	}
	if err != nil {
		rep.err = err
		ledger = believed(states)
	} else if n := len(ledger.Charges); n > 0 {
		rep.through = ledger.Charges[n-1].ID
	}
	rep.struck = s.till.queue.Strike(ledger)
	rep.audit = newAudit(r.orders, states, ledger, s.till.queue.Numbers())
	return rep
}

// proven reports whether no order was lost and none charged twice.
func (r report) proven() bool { return r.err == nil && r.audit.clean() && r.rounds.unproven == 0 }

// amplification is how many attempts an order cost in the outage, as the peer saw them. It is false when no order began
// then.
func (r report) amplification() (float64, bool) {
	o := r.stats.Outage
	if o.Orders == 0 {
		return 0, false
	}
	return float64(o.Attempts) / float64(o.Orders), true
}
