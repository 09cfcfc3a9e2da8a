package container_test

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

// Prefix is what a decorator takes beside the gateway.
type Prefix string

// prefixed puts a prefix before the receipts of the gateway in it.
type prefixed struct {
	PaymentGateway
	prefix Prefix
}

func (p prefixed) Charge(ctx context.Context, cents int) (string, error) {
	receipt, err := p.PaymentGateway.Charge(ctx, cents)
	return string(p.prefix) + receipt, err
}

// The last decorator is the outermost one. The retry that StripeGateway declares stands around both: the gateway fails twice.
func ExampleContainer_Decorate() {
	c := container.New()
	c.Provide(NewStripeGateway, container.As[PaymentGateway]())
	c.Provide(NewOfflineGateway)
	c.Supply(Prefix("shop: "))
	c.Decorate(func(g PaymentGateway, p Prefix) PaymentGateway { return prefixed{g, p} })
	c.Decorate(func(g PaymentGateway) PaymentGateway { return prefixed{g, "> "} })

	gateway, err := container.Get[PaymentGateway](c)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(gateway.Charge(context.Background(), 1999))
	// Output:
	// > shop: stripe took 1999 <nil>
}

// What a decorator takes and nobody provides is found before anything is built.
func ExampleContainer_Decorate_verify() {
	c := container.New()
	c.Provide(NewOfflineGateway)
	c.Provide(NewStripeGateway, container.As[PaymentGateway](), container.Name("stripe"))
	c.Decorate(func(g PaymentGateway) PaymentGateway { return g })

	for _, d := range definitionErrors(c) {
		fmt.Println(d.Problem)
		fmt.Println(d.Remedy)
	}
	// Output:
	// Decorate decorates container_test.PaymentGateway, and nothing provides it
	// did you mean the container_test.PaymentGateway named "stripe", by container.Name("stripe")? Else Provide it
}

// definitionErrors are those that Verify finds.
func definitionErrors(c *container.Container) (all []*annotation.DefinitionError) {
	if joined, ok := c.Verify().(interface{ Unwrap() []error }); ok {
		for _, err := range joined.Unwrap() {
			all = append(all, err.(*annotation.DefinitionError))
		}
	}
	return all
}

type Channel interface{ Send(text string) string }

type post string

func (p post) Send(text string) string { return fmt.Sprintf("%s by %s", text, string(p)) }

type NotifierParams struct {
	container.In
	Channels map[string]Channel `group:"channels,required"`
}

// A group as a map has its members by their names.
func ExampleGroup() {
	c := container.New()
	channel := container.Options(container.As[Channel](), container.Group("channels"))
	c.Supply(post("letter"), channel, container.Name("paper"))
	c.Supply(post("mail"), channel, container.Name("mail"))

	err := c.Invoke(func(p NotifierParams) {
		for _, name := range slices.Sorted(maps.Keys(p.Channels)) {
			fmt.Println(name+":", p.Channels[name].Send("hello"))
		}
	})
	fmt.Println(err)
	// Output:
	// mail: hello by mail
	// paper: hello by letter
	// <nil>
}

// The target can be had beside the woven service, bare: without the retries that are declared for it.
func ExampleAsSelf() {
	c := container.New()
	c.Provide(NewStripeGateway, container.As[PaymentGateway](), container.AsSelf())
	c.Provide(NewOfflineGateway)

	err := c.Invoke(func(woven PaymentGateway, bare *StripeGateway) {
		fmt.Println(bare.Charge(context.Background(), 1))
		fmt.Println(woven.Charge(context.Background(), 2))
		fmt.Println(bare.calls)
	})
	fmt.Println(err)
	// Output:
	//  503
	// stripe took 2 <nil>
	// 3
	// <nil>
}

// What several registrations have in common is said once.
func ExampleOptions() {
	remote := container.Options(
		container.As[PaymentGateway](),
		container.Annotate[aliases.Retry](PaymentGateway.Charge, annotation.MaxAttempts(2)))

	c := container.New()
	c.Provide(func() broken { return broken{} }, remote)
	c.Provide(NewOfflineGateway)
	gateway, err := container.Get[PaymentGateway](c)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(gateway.Charge(context.Background(), 5))
	// Output:
	//  out of order
}
