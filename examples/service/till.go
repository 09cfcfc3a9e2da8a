package main

import (
	"fmt"
	"strings"

	"github.com/backstay/backstay/container"

	"github.com/backstay/backstay/examples/service/internal/shop"
)

// till is where orders are paid, and what is needed to close it at the end of the day.
type till struct {
	shop  *shop.Shop
	books shop.Books
	queue *shop.Queue

	proxies string // which services are woven, and how their proxies are made
}

// open opens the till: the shop as it is wired, or with hand-written retries.
func (r run) open(d shop.Deployment) (till, error) {
	c := container.New()
	shop.Wire(c, d)
	var t till
	err := c.Invoke(func(s *shop.Shop, b shop.Books, q *shop.Queue, invoice *shop.InvoiceGateway) {
		if r.naive {
			s = shop.New(&plainRetries{
				card:    shop.NewCardGateway(d.Peer),
				invoice: invoice,
				pace:    d.Pace,
				tally:   d.Tally,
			})
		}
		t = till{shop: s, books: b, queue: q}
	})
	if err != nil {
		return t, err
	}
	t.proxies = proxies(c.Proxies())
	if r.faults == "outage" && !r.naive {
		// What is to be seen here is the budget. An open breaker would keep nearly all attempts from the peer and hide
		// it, so this one admits every call and only counts.
		breaker, err := c.Breaker(shop.PaymentGateway.Charge)
		if err != nil {
			return t, err
		}
		breaker.MetricsOnly()
	}
	return t, nil
}

// proxies says in one line how each woven service is woven.
func proxies(all []container.Proxy) string {
	texts := make([]string, len(all))
	for i, p := range all {
		texts[i] = fmt.Sprintf("%v %v", p.Ref, p.Kind)
	}
	return strings.Join(texts, ", ")
}
