package shop

import (
	"context"
	"log/slog"
)

// InvoiceGateway is how an order is paid when the card cannot be charged now: the goods leave, and an invoice follows. It
// is an ordinary service. That it is a fallback is said where it is used as one.
type InvoiceGateway struct {
	queue *Queue
	log   *slog.Logger
}

// NewInvoiceGateway returns a gateway that puts orders into a queue.
func NewInvoiceGateway(q *Queue, log *slog.Logger) *InvoiceGateway {
	return &InvoiceGateway{queue: q, log: log}
}

// Charge puts the order into the queue. The cause is why it was not charged otherwise.
func (g *InvoiceGateway) Charge(ctx context.Context, o Order, cause error) (Receipt, bool, error) {
	g.queue.Add(o)
	g.log.InfoContext(ctx, "invoice", "order", o.Number, "total", o.Total.String(), "cause", cause)
	return Receipt{ID: "invoice for " + o.Number, By: ByInvoice}, true, nil
}
