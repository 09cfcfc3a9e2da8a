package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/backstay/backstay/examples/service/internal/shop"
)

// plainRetries is what -naive runs: the loop that is written by hand where nothing like Backstay is at hand. It makes the
// same attempts after the same waits and has the same fallback, but there is no budget and no breaker, so in an outage
// every order makes all of its attempts.
type plainRetries struct {
	card    *shop.CardGateway
	invoice *shop.InvoiceGateway
	pace    shop.Pace
	tally   *shop.Tally
}

// patience is what the tag of shop.CardGateway says.
const patience = 2 * time.Second

func (p *plainRetries) Charge(ctx context.Context, o shop.Order) (shop.Receipt, bool, error) {
	backoff := p.pace.FirstWait
	for attempt := 1; ; attempt++ {
		r, settled, err := p.attempt(ctx, o)
		if err == nil && settled || errors.Is(err, shop.ErrDeclined) || ctx.Err() != nil {
			return r, settled, err
		}
		wait := backoff + rand.N(backoff/5+1)
		backoff *= 2
		var busy *shop.BusyError
		if errors.As(err, &busy) {
			wait = max(wait, busy.After)
		}
		if attempt == p.pace.Attempts {
			return p.fallBack(ctx, o, "maxAttempts", err)
		}
		if wait > patience {
			return p.fallBack(ctx, o, "patience", err)
		}
		p.tally.Count(func(c *shop.Counts) { c.Retries++ })
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return shop.Receipt{}, false, ctx.Err()
		}
	}
}

func (p *plainRetries) attempt(ctx context.Context, o shop.Order) (shop.Receipt, bool, error) {
	ctx, cancel := context.WithTimeout(ctx, p.pace.AnswerWithin)
	defer cancel()
	p.tally.Count(func(c *shop.Counts) { c.Attempts++ })
	return p.card.Charge(ctx, o)
}

func (p *plainRetries) fallBack(ctx context.Context, o shop.Order, why string, err error) (shop.Receipt, bool, error) {
	p.tally.Count(func(c *shop.Counts) { c.Fallbacks[why]++ })
	return p.invoice.Charge(ctx, o, err)
}
