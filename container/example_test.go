package container_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

type PaymentGateway interface {
	Charge(ctx context.Context, cents int) (receipt string, err error)
}

// StripeGateway fails until it has been called three times.
type StripeGateway struct {
	_     annotation.On[aliases.Retry] `method:"Charge" maxAttempts:"4" fallback:"OfflineGateway@Charge"`
	calls int
}

func NewStripeGateway() *StripeGateway { return &StripeGateway{} }

func (g *StripeGateway) Charge(_ context.Context, cents int) (string, error) {
	if g.calls++; g.calls < 3 {
		return "", errors.New("503")
	}
	return fmt.Sprintf("stripe took %d", cents), nil
}

type OfflineGateway struct{}

func NewOfflineGateway() *OfflineGateway { return &OfflineGateway{} }

func (*OfflineGateway) Charge(_ context.Context, cents int, cause error) (string, error) {
	return fmt.Sprintf("will take %d later (%v)", cents, cause), nil
}

type Checkout struct{ gateway PaymentGateway }

func NewCheckout(g PaymentGateway) *Checkout { return &Checkout{g} }

func (c *Checkout) Pay(cents int) {
	fmt.Println(c.gateway.Charge(context.Background(), cents))
}

// The checkout knows nothing of retries; the gateway that it is given makes them.
func Example() {
	c := container.New()
	c.Provide(NewStripeGateway, container.As[PaymentGateway]())
	c.Provide(NewOfflineGateway)
	c.Provide(NewCheckout)

	err := c.Invoke(func(shop *Checkout) { shop.Pay(1999) })
	fmt.Println(err)
	// Output:
	// stripe took 1999 <nil>
	// <nil>
}

// What is said at registration beats what the struct says, setting by setting: the fallback stays.
func ExampleAnnotate() {
	c := container.New()
	c.Provide(NewStripeGateway, container.As[PaymentGateway](),
		container.Annotate[aliases.Retry](PaymentGateway.Charge, annotation.MaxAttempts(2)))
	c.Provide(NewOfflineGateway)

	gateway, err := container.Get[PaymentGateway](c)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(gateway.Charge(context.Background(), 1999))
	// Output:
	// will take 1999 later (503) <nil>
}

// Verify finds what is wrong before anything is built.
func ExampleContainer_Verify() {
	c := container.New()
	c.Provide(NewStripeGateway, container.As[PaymentGateway]())
	c.Provide(NewCheckout)

	err := c.Verify()
	var definition *annotation.DefinitionError
	if errors.As(err, &definition) {
		fmt.Println(definition.Ref)
		fmt.Println(definition.Problem)
		fmt.Println(definition.Remedy)
	}
	// Output:
	// StripeGateway@Charge
	// there is no service of class OfflineGateway
	// Provide one
}

// A test replaces the target. What is declared for StripeGateway holds for the fake.
func ExampleContainer_Override() {
	c := container.New()
	c.Provide(NewStripeGateway, container.As[PaymentGateway]())
	c.Provide(NewOfflineGateway)
	c.Override(func() PaymentGateway { return broken{} })

	gateway, err := container.Get[PaymentGateway](c)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(gateway.Charge(context.Background(), 5))
	// Output:
	// will take 5 later (out of order) <nil>
}

type broken struct{}

func (broken) Charge(context.Context, int) (string, error) { return "", errors.New("out of order") }

type Reports interface {
	Daily(ctx context.Context) error
	Monthly(ctx context.Context) error
}

type PgReports struct {
	_     annotation.On[aliases.Retry] `method:"Daily"`
	self  container.Lazy[Reports]
	calls int
}

func NewPgReports(self container.Lazy[Reports]) *PgReports { return &PgReports{self: self} }

func (r *PgReports) Daily(context.Context) error {
	if r.calls++; r.calls < 3 {
		return errors.New("deadlock")
	}
	return nil
}

func (r *PgReports) Monthly(ctx context.Context) error {
	reports, err := r.self.Get()
	if err != nil {
		return err
	}
	return reports.Daily(ctx) // r.Daily(ctx) would be one call, without a retry
}

// A service calls its own woven methods through a Lazy of its interface.
func ExampleLazy() {
	c := container.New()
	c.Provide(NewPgReports, container.As[Reports]())

	err := c.Invoke(func(reports Reports) error { return reports.Monthly(context.Background()) })
	fmt.Println(err)
	// Output:
	// <nil>
}

// A struct that embeds In asks for services by name and for groups.
func ExampleIn() {
	c := container.New()
	c.Supply("eu", container.Name("region"))
	c.Supply(8080, container.Group("ports"))
	c.Supply(8081, container.Group("ports"))

	type params struct {
		container.In
		Region string `name:"region"`
		Ports  []int  `group:"ports"`
		Limit  *int   `optional:"true"`
	}
	err := c.Invoke(func(p params) { fmt.Println(p.Region, p.Ports, p.Limit == nil) })
	fmt.Println(err)
	// Output:
	// eu [8080 8081] true
	// <nil>
}

// An aspect is a service, with what it needs.
func ExampleAsAspect() {
	c := container.New()
	c.Provide(NewStripeGateway, container.As[PaymentGateway]())
	c.Provide(NewOfflineGateway)
	c.Provide(func() aspect.Func {
		return func(jp aspect.JoinPoint) error {
			err := jp.Proceed()
			fmt.Println(jp.Ref(), err)
			return err
		}
	}, container.AsAspect(aspect.Class("*Gateway"), aspect.RetryPriority-1)) // inside the retry

	err := c.Invoke(func(g PaymentGateway) error {
		_, err := g.Charge(context.Background(), 1999)
		return err
	})
	fmt.Println(err)
	// Output:
	// StripeGateway@Charge 503
	// StripeGateway@Charge 503
	// StripeGateway@Charge <nil>
	// <nil>
}

// A matcher gets a name that tags can use.
func ExampleName() {
	c := container.New()
	c.Supply(retry.MatchFunc("busy", func(err error) bool { return err.Error() == "busy" }), container.Name("busy"))
	c.Provide(func() *Queue { return &Queue{} }, container.As[Pusher]())

	err := c.Invoke(func(q Pusher) error { return q.Push(context.Background()) })
	fmt.Println(err)
	// Output:
	// closed
}

type Pusher interface {
	Push(ctx context.Context) error
}

type Queue struct {
	_     annotation.On[aliases.Retry] `method:"Push" retryErrors:"busy"`
	calls int
}

func (q *Queue) Push(context.Context) error {
	if q.calls++; q.calls < 3 {
		return errors.New("busy")
	}
	return errors.New("closed") // not worth a retry
}
