package annotation_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// PaymentGateway is what a checkout takes.
type PaymentGateway interface {
	Charge(ctx context.Context, amount int) (string, error)
}

var (
	ErrDeclined = errors.New("card declined")
	errNetwork  = errors.New("network")
)

// StripeGateway is called again when the network fails, at most three times in all.
type StripeGateway struct {
	_ annotation.On[aliases.Retry] `method:"Charge" maxAttempts:"3"`

	failures, calls int
}

func (g *StripeGateway) Charge(_ context.Context, amount int) (string, error) {
	g.calls++
	if g.calls <= g.failures {
		return "", errNetwork
	}
	return fmt.Sprintf("paid %d", amount), nil
}

// A mark on the implementation: neither the gateway nor who calls it contains a retry.
func ExampleOn() {
	target := &StripeGateway{failures: 2}
	gateway, err := aspect.Wrap[PaymentGateway](aspect.NewWeaver(), target)
	if err != nil {
		panic(err)
	}
	paid, err := gateway.Charge(context.Background(), 7)
	fmt.Println(paid, err, target.calls)
	// Output: paid 7 <nil> 3
}

// PaymentRetry is a team's rule: a refusal is an answer and is never repeated.
type PaymentRetry struct{ aliases.Retry }

// Defaults lists what differs from Retry.
func (PaymentRetry) Defaults() []annotation.Option {
	return []annotation.Option{annotation.MaxAttempts(5), annotation.IgnoreErrors(retry.Is(ErrDeclined))}
}

// AdyenGateway has no mark, and is down.
type AdyenGateway struct{ calls int }

func (g *AdyenGateway) Charge(_ context.Context, amount int) (string, error) {
	if g.calls++; amount > 100 {
		return "", ErrDeclined
	}
	return "", errNetwork
}

// An own annotation, attached where the gateway is wired.
func Example_ownAnnotation() {
	target := &AdyenGateway{}
	gateway, err := aspect.Wrap[PaymentGateway](aspect.NewWeaver(), target,
		aspect.Annotate[PaymentRetry](PaymentGateway.Charge))
	if err != nil {
		panic(err)
	}
	_, err = gateway.Charge(context.Background(), 7)
	fmt.Println(err, target.calls)
	_, err = gateway.Charge(context.Background(), 700)
	fmt.Println(err, target.calls)
	// Output:
	// network 5
	// card declined 6
}
