package main

import (
	"github.com/backstay/backstay/examples/service/internal/peer"
	"github.com/backstay/backstay/examples/service/internal/shop"
)

// audit says where each order has ended, by the peer's ledger and the queue of invoices. What the shop believes counts
// only where neither can know: for refusals and for orders that have not ended.
type audit struct {
	online      int // in the ledger
	invoiced    int // in the queue
	refused     int
	interrupted int
	waiting     int // not begun

	// Numbers of orders. All three are empty when all is well.
	lost           []string // begun, and nowhere
	twice          []string // in the ledger more than once, or there and in the queue
	chargedRefused []string // in the ledger, though the customer was told of a refusal
}

func newAudit(orders []shop.Order, states map[string]state, ledger peer.Ledger, queue map[string]bool) audit {
	charges := map[string]int{}
	for _, c := range ledger.Charges {
		charges[c.Order]++
	}
	var a audit
	for _, o := range orders {
		charged, queued, state := charges[o.Number], queue[o.Number], states[o.Number]
		switch {
		case state == waiting:
			a.waiting++
		case charged > 0:
			a.online++
		case queued:
			a.invoiced++
		case state == refused:
			a.refused++
		case state == interrupted:
			a.interrupted++
		default:
			a.lost = append(a.lost, o.Number)
		}
		if charged > 1 || charged == 1 && queued {
			a.twice = append(a.twice, o.Number)
		}
		if charged > 0 && state == refused {
			a.chargedRefused = append(a.chargedRefused, o.Number)
		}
	}
	return a
}

func (a audit) clean() bool {
	return len(a.lost) == 0 && len(a.twice) == 0 && len(a.chargedRefused) == 0
}

// believed is the ledger as it must be if the shop is right: for when the peer's own cannot be read.
func believed(states map[string]state) (l peer.Ledger) {
	for number, s := range states {
		if s == paidByCard {
			l.Charges = append(l.Charges, peer.Charge{Key: number, Order: number})
		}
	}
	return l
}
