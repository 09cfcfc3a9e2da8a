package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"

	"github.com/backstay/backstay/examples/service/internal/shop"
)

// till is where orders are paid, and what is needed to close it at the end of the day.
type till struct {
	shop      *shop.Shop
	books     shop.Books
	queue     *shop.Queue
	container *container.Container

	proxies string // which services are woven, and how their proxies are made
}

// open opens the till: the shop as it is wired, or with hand-written retries. The listeners are told what happens in it, as
// the deployment's tally is.
func (r run) open(ctx context.Context, d shop.Deployment, listeners ...retry.Listener) (till, error) {
	c := container.New()
	shop.Wire(c, d)
	for _, l := range listeners {
		c.Supply(l, container.As[retry.Listener]())
	}
	if err := c.Start(ctx); err != nil {
		return till{}, err
	}
	t := till{container: c}
	err := c.Invoke(func(s *shop.Shop, b shop.Books, q *shop.Queue, invoice *shop.InvoiceGateway) {
		if r.naive {
			s = shop.New(&plainRetries{
				card:    shop.NewCardGateway(d.Peer),
				invoice: invoice,
				pace:    d.Pace,
				tally:   d.Tally,
			})
		}
		t.shop, t.books, t.queue = s, b, q
	})
	if err != nil {
		return t, err
	}
	t.proxies = proxies(c.Proxies())
	if r.onlyCounts() {
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
