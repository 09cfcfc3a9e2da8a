package main

import (
	"strings"

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

	// All three are empty when all is well.
	lost           culprits // begun, and nowhere
	twice          culprits // in the ledger more than once, or there and in the queue
	chargedRefused culprits // in the ledger, though the customer was told of a refusal
}

// culprits are orders: how many, and the numbers of the first few.
type culprits struct {
	n     int
	first []string
}

func (c *culprits) add(number string) {
	if c.n++; len(c.first) < 3 {
		c.first = append(c.first, number)
	}
}

func (c culprits) String() string {
	text := strings.Join(c.first, " ")
	if c.n > len(c.first) {
		text += " ..."
	}
	return text
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
			a.lost.add(o.Number)
		}
		if charged > 1 || charged == 1 && queued {
			a.twice.add(o.Number)
		}
		if charged > 0 && state == refused {
			a.chargedRefused.add(o.Number)
		}
	}
	return a
}

func (a audit) clean() bool {
	return a.lost.n == 0 && a.twice.n == 0 && a.chargedRefused.n == 0
}

// orders is how many there were.
func (a audit) orders() int {
	return a.online + a.invoiced + a.refused + a.interrupted + a.waiting + a.lost.n
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
