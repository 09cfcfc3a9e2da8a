package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/backstay/backstay/examples/service/internal/peer"
	"github.com/backstay/backstay/examples/service/internal/shop"
)

// run is one demonstration, ready to begin.
type run struct {
	options
	orders []shop.Order
	plan   peer.Plan
	pace   shop.Pace
	grace  time.Duration // for the orders in hand, when it is interrupted
}

// charge lets the orders arrive and returns what became of them. An error means that no order has been charged.
func (r run) charge(ctx context.Context, show *screen, log *slog.Logger) (report, error) {
	url := r.peer
	if url == "" {
		server, err := peer.Start("127.0.0.1:0", peer.New())
		if err != nil {
			return report{}, err
		}
		defer server.Close()
		url = server.URL
	}
	endpoint := shop.Endpoint{URL: url, Client: newClient()}
	defer endpoint.Client.CloseIdleConnections() // first, or the server waits for them
	tally := &shop.Tally{}
	till, err := r.open(shop.Deployment{Peer: endpoint, Pace: r.pace, Log: log, Tally: tally})
	if err != nil {
		return report{}, err
	}
	control := peer.Control{URL: endpoint.URL, Client: endpoint.Client}
	if err := control.Begin(ctx, r.plan, r.seed); err != nil {
		return report{}, fmt.Errorf("the peer does not take its faults: %w", err)
	}
	show.say("%d orders, %d a second, to the payment peer at %s", len(r.orders), r.rate, endpoint.URL)
	how := "as declared"
	if r.naive {
		how = "by hand"
	}
	show.say("faults: %s (%v), seed %d; retries: %s", r.faults, r.plan, r.seed, how)
	show.say("proxies: %s\n", till.proxies)

	sold, began := newSales(len(r.orders)), time.Now()
	hide := show.follow(func() string {
		line := progress(time.Since(began), sold.counts(), tally.Counts())
		if ctx.Err() != nil {
			line += "  interrupted"
		}
		return line
	})
	r.sell(ctx, till.shop, sold)
	wall := time.Since(began)
	hide()
	return r.close(context.WithoutCancel(ctx), till, control, sold, tally.Counts(), wall), nil
}

// sell places the orders as they arrive. When ctx is done no more arrive, and those in hand have the grace to end well.
func (r run) sell(ctx context.Context, s *shop.Shop, sold *sales) {
	inHand, drop := context.WithCancel(context.WithoutCancel(ctx))
	defer drop()
	defer context.AfterFunc(ctx, func() {
		select {
		case <-time.After(r.grace):
			drop()
		case <-inHand.Done():
		}
	})()
	arrive(ctx, r.orders, r.rate, func(o shop.Order) {
		sold.begin(o.Number)
		receipt, err := s.Place(inHand, o)
		sold.end(o.Number, receipt, err)
	})
}

// newClient returns a client that keeps enough connections for a rush.
func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: 10 * time.Second}}
}
