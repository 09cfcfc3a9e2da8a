package sim

import (
	"context"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// Three services of one program, of which each calls the next and the last one calls the peer. Each is declared to retry, as
// happens where three teams have each made their part robust.
type (
	// Shop is the front.
	Shop interface {
		Order(ctx context.Context) error
	}
	// Checkout is the middle.
	Checkout interface {
		Pay(ctx context.Context) error
	}
	// Gateway is the back.
	Gateway interface {
		Charge(ctx context.Context) error
	}
)

type (
	shop     struct{ checkout Checkout }
	checkout struct{ gateway Gateway }
	gateway  struct{ peer *peer }
)

func (s *shop) Order(ctx context.Context) error     { return s.checkout.Pay(ctx) }
func (c *checkout) Pay(ctx context.Context) error   { return c.gateway.Charge(ctx) }
func (g *gateway) Charge(ctx context.Context) error { return g.peer.request(ctx) }

// attemptsOfALayer is what each of the three layers may make.
const attemptsOfALayer = 3

// Layers are ways to retry at three layers: rule 15 (a layer does not repeat what the one inside it has given up) off and on,
// without budgets and with those that Backstay gives each method where nothing is said.
func Layers() []Strategy {
	noBudget := annotation.Policies(retry.Classifier, retry.MaxAttempts, retry.Sleep)
	return []Strategy{
		layers("every layer (rule 15 off)", annotation.RetryNested(true), noBudget),
		layers("one layer (rule 15 on)", noBudget),
		layers("every layer, with budgets", annotation.RetryNested(true)),
		layers("one layer, with budgets"),
	}
}

// layers is the strategy of clients with three layers that all have the options.
func layers(name string, opts ...annotation.Option) Strategy {
	return Strategy{name, func(p *peer, jitter func(n uint64) uint64) (call, error) {
		c := container.New()
		all := append([]annotation.Option{
			annotation.MaxAttempts(attemptsOfALayer),
			annotation.Base(firstWait),
			annotation.SleepStrategy(retry.WithRand(retry.Backoff, jitter)),
		}, opts...)
		c.Provide(func(next Checkout) *shop { return &shop{next} }, container.As[Shop](),
			container.Annotate[aliases.Retry](Shop.Order, all...))
		c.Provide(func(next Gateway) *checkout { return &checkout{next} }, container.As[Checkout](),
			container.Annotate[aliases.Retry](Checkout.Pay, all...))
		c.Provide(func() *gateway { return &gateway{p} }, container.As[Gateway](),
			container.Annotate[aliases.Retry](Gateway.Charge, append(all, annotation.AttemptTimeout(patience))...))
		front, err := container.Get[Shop](c)
		if err != nil {
			return nil, err
		}
		return front.Order, nil
	}}
}
