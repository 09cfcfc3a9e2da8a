package main

import (
	"context"
	"time"

	"github.com/backstay/backstay/examples/service/internal/peer"
	"github.com/backstay/backstay/examples/service/internal/shop"
)

// report is what a run has come to.
type report struct {
	run
	audit  audit
	struck int         // orders that left the queue, since the peer had charged them
	counts shop.Counts // what the listener has heard
	stats  peer.Stats  // what the peer has seen
	wall   time.Duration
	first  error // of the orders that failed
	err    error // why the peer cannot be asked; nothing is proven then
}

// close closes the till: it reads the peer's ledger, strikes from the queue what has been charged after all, and sees what
// became of each order.
func (r run) close(ctx context.Context, t till, control peer.Control, sold *sales, counts shop.Counts, wall time.Duration) report {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	rep := report{run: r, counts: counts, wall: wall}
	var states map[string]state
	states, rep.first = sold.states()

	ledger, err := t.books.Ledger(ctx)
	if err == nil {
		rep.stats, err = control.Stats(ctx)
	}
	if err != nil {
		rep.err = err
		ledger = believed(states)
	}
	rep.struck = t.queue.Strike(ledger)
	rep.audit = newAudit(r.orders, states, ledger, t.queue.Numbers())
	return rep
}

// proven reports whether no order was lost and none charged twice.
func (r report) proven() bool { return r.err == nil && r.audit.clean() }

// amplification is how many attempts an order cost in the outage, as the peer saw them. It is false when no order began
// then.
func (r report) amplification() (float64, bool) {
	o := r.stats.Outage
	if o.Orders == 0 {
		return 0, false
	}
	return float64(o.Attempts) / float64(o.Orders), true
}
