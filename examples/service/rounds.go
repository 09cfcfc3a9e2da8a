package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/backstay/backstay/examples/service/internal/shop"
)

// rounds are those of a run that goes on until it is interrupted.
type rounds struct {
	n        int
	unproven int
	doubt    string // what the first of these says
}

// repeat lets the orders arrive in rounds until ctx is done, and returns the sum of them. What a round was is proven at its
// end and then forgotten, by the shop and by the peer, so that a run takes as much memory as its longest round.
func (r run) repeat(ctx context.Context, s *stand, show *screen, log *slog.Logger) report {
	sum, began := report{run: r}, time.Now()
	for {
		n := sum.rounds.n
		if n > 0 {
			if err := s.peer.Begin(ctx, r.plan, r.seed); err != nil && ctx.Err() == nil {
				log.Warn("the peer does not take its faults", "err", err)
			}
		}
		rep := r.nth(n).once(ctx, s, show)
		s.forget(context.WithoutCancel(ctx), rep, log)
		sum.add(rep)
		if ctx.Err() != nil {
			sum.wall = time.Since(began)
			return sum
		}
		show.say("%s", rep.ofRound(n+1))
	}
}

// nth is the round after n others: the orders of the file in turn, as many as arrive in its time.
func (r run) nth(n int) run {
	size := max(1, int(r.round.Seconds()*float64(r.rate)))
	orders := make([]shop.Order, size)
	for i := range orders {
		at := n*size + i
		o := r.orders[at%len(r.orders)]
		o.Number = fmt.Sprintf("%s/%d", o.Number, at/len(r.orders)+1)
		orders[i] = o
	}
	r.orders = orders
	return r
}

// forget closes the books of a round. Where the peer cannot be asked, those of the next one are closed with it.
func (s *stand) forget(ctx context.Context, rep report, log *slog.Logger) {
	s.till.queue.WriteInvoices()
	if rep.through == "" {
		return
	}
	if err := s.peer.Forget(ctx, rep.through); err != nil {
		log.Warn("the peer does not forget what it has charged", "err", err)
	}
}

// add adds a round to the sum. Orders that did not come any more are none of its.
func (r *report) add(rep report) {
	a, b := &r.audit, rep.audit
	a.online += b.online
	a.invoiced += b.invoiced
	a.refused += b.refused
	a.interrupted += b.interrupted
	a.lost.n += b.lost.n
	r.struck += rep.struck
	r.counts.Add(rep.counts)
	r.stats.Attempts += rep.stats.Attempts
	r.stats.Outage.Attempts += rep.stats.Outage.Attempts
	r.stats.Outage.Orders += rep.stats.Outage.Orders
	r.rounds.n++
	if rep.proven() {
		return
	}
	if r.rounds.unproven++; r.rounds.unproven == 1 {
		r.rounds.doubt = rep.proof()
	}
}

// ofRound is the line of the n-th round.
func (r report) ofRound(n int) string {
	if !r.proven() {
		return fmt.Sprintf("round %d: %s", n, r.proof())
	}
	a := r.audit
	return fmt.Sprintf("round %d: %d orders, %d charged on-line, %d by the fallback, %d refused; none lost, none charged twice",
		n, a.orders(), a.online, a.invoiced, a.refused)
}
