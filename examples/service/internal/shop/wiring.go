package shop

import (
	"log/slog"
	"time"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// Deployment is what is known only where the shop runs.
type Deployment struct {
	Peer  Endpoint
	Pace  Pace
	Log   *slog.Logger
	Tally *Tally // told of every event
}

// Pace is how a deployment tunes the attempts to charge an order.
type Pace struct {
	Attempts     int           // at most, the first one included
	FirstWait    time.Duration // before the second attempt; then it doubles
	AnswerWithin time.Duration // for each attempt
	BreakerReset time.Duration // from open to half-open
}

// Wire declares the services of the shop.
func Wire(c *container.Container, d Deployment) {
	c.Supply(d.Peer)
	c.Supply(d.Log)
	c.Supply(d.Tally, container.As[retry.Listener]())

	// The tags of CardGateway say what is retried, and what then. A deployment adds the breaker, and says how often and
	// how fast.
	c.Provide(NewCardGateway, container.As[PaymentGateway](),
		container.Annotate[aliases.CircuitBreaker](PaymentGateway.Charge,
			annotation.MaxAttempts(d.Pace.Attempts),
			annotation.Base(d.Pace.FirstWait),
			annotation.AttemptTimeout(d.Pace.AnswerWithin),
			annotation.Breaker(retry.BreakerSettings{
				ResetTimeout: d.Pace.BreakerReset,
				Window:       100,
				MinCalls:     50,
				FailureRatio: 0.5,
			})))
	c.Provide(NewQueue)
	c.Provide(NewInvoiceGateway)

	c.Provide(NewPeerBooks, container.As[Books](),
		container.Annotate[aliases.BackoffRetryThrowable](Books.Ledger, annotation.MaxAttempts(5)))

	c.Provide(NewLogAspect, container.AsAspect(aspect.Method(PaymentGateway.Charge), aspect.RetryPriority+1))
	c.Provide(New)
}
