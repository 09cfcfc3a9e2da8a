package main

import (
	"context"
	"fmt"
	"log/slog"
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
	round  time.Duration // how long the orders of a round arrive, with -forever
}

// charge lets the orders arrive and returns what became of them. An error means that no order has been charged.
func (r run) charge(ctx context.Context, s *stand, show *screen, log *slog.Logger) (report, error) {
	if err := s.peer.Begin(ctx, r.plan, r.seed); err != nil {
		return report{}, fmt.Errorf("the peer does not take its faults: %w", err)
	}
	r.announce(s, show)
	defer show.leave()
	if r.forever {
		return r.repeat(ctx, s, show, log), nil
	}
	return r.once(ctx, s, show), nil
}

func (r run) announce(s *stand, show *screen) {
	how := "as declared"
	if r.naive {
		how = "by hand"
	}
	if r.forever {
		show.say("%d orders again and again, %d a second, to the payment peer at %s; Ctrl-C ends it", len(r.orders), r.rate, s.peer.URL)
	} else {
		show.say("%d orders, %d a second, to the payment peer at %s", len(r.orders), r.rate, s.peer.URL)
	}
	show.say("faults: %s (%v), seed %d; retries: %s", r.faults, r.plan, r.seed, how)
	show.say("proxies: %s\n", s.till.proxies)
}

// once lets the orders arrive, shows how far they have come, and closes the till.
func (r run) once(ctx context.Context, s *stand, show *screen) report {
	sold, began := newSales(len(r.orders)), time.Now()
	end := show.follow(func() string {
		line := progress(time.Since(began), sold.counts(), s.tally.Counts())
		if ctx.Err() != nil {
			line += "  interrupted"
		}
		return line
	})
	r.sell(ctx, s.till.shop, sold)
	wall := time.Since(began)
	end()
	return r.close(context.WithoutCancel(ctx), s, sold, wall)
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
