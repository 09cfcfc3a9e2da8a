package snippets_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// Gateway takes money.
type Gateway interface {
	Charge(ctx context.Context, cents int) (receipt string, err error)
}

// Refunder gives it back.
type Refunder interface {
	Refund(ctx context.Context, receipt string) error
}

// StripeGateway is both.
type StripeGateway struct{ client *http.Client }

func NewStripeGateway(client *http.Client) *StripeGateway { return &StripeGateway{client} }

func (g *StripeGateway) Charge(_ context.Context, cents int) (string, error) {
	return fmt.Sprintf("stripe took %d", cents), nil
}

func (g *StripeGateway) Refund(context.Context, string) error { return nil }

// Sandbox takes no money.
type Sandbox struct{}

func NewSandbox() *Sandbox { return &Sandbox{} }

func (*Sandbox) Charge(context.Context, int) (string, error) { return "sandbox", nil }

// Checkout is what needs a gateway.
type Checkout struct{ gateway Gateway }

func NewCheckout(gateway Gateway) (*Checkout, error) { return &Checkout{gateway}, nil }

func (c *Checkout) Pay(ctx context.Context, cents int) error {
	_, err := c.gateway.Charge(ctx, cents)
	return err
}

func TestProvideAndGet(t *testing.T) {
	ctx := t.Context()

	c := container.New()
	c.Provide(NewCheckout)                               // func(Gateway) (*Checkout, error)
	c.Provide(NewStripeGateway, container.As[Gateway]()) // func(*http.Client) *StripeGateway
	c.Supply(http.DefaultClient)

	err := c.Invoke(func(shop *Checkout) error { return shop.Pay(ctx, 1999) })

	require.NoError(t, err)

	shop, err := container.Get[*Checkout](c)  // by its type
	gateway, err := c.Lookup("StripeGateway") // by the name of its class, whatever it is provided as

	require.NoError(t, err)
	require.Same(t, shop.gateway, gateway)
	require.NoError(t, c.Invoke(func(again *Checkout) { require.Same(t, shop, again) }), "built once")
}

func TestKeys(t *testing.T) {
	c := container.New()
	c.Supply(http.DefaultClient)

	c.Provide(NewStripeGateway, container.As[Gateway](), container.As[Refunder](), container.AsSelf())
	c.Provide(NewSandbox, container.As[Gateway](), container.Name("sandbox"))

	require.NoError(t, c.Verify())
	gateway, err := container.Get[Gateway](c)
	require.NoError(t, err)
	refunder, err := container.Get[Refunder](c)
	require.NoError(t, err)
	stripe, err := container.Get[*StripeGateway](c)
	require.NoError(t, err)
	require.Same(t, stripe, gateway)
	require.Same(t, stripe, refunder)
	require.False(t, aspect.IsWoven(gateway), "nothing is declared for it, so it is not wrapped")

	sandbox, err := container.Get[Gateway](c, container.Name("sandbox"))

	require.NoError(t, err)
	require.IsType(t, &Sandbox{}, sandbox)
	_, err = container.Get[*Sandbox](c)
	require.ErrorContains(t, err, "nothing provides *snippets_test.Sandbox")
}

func TestImplSaysWhatAnInterfaceHides(t *testing.T) {
	client := http.DefaultClient
	c := container.New()

	newGateway := func() Gateway { return NewStripeGateway(client) }
	c.Provide(newGateway, container.Impl[*StripeGateway]())

	_, err := c.Lookup("StripeGateway")
	require.NoError(t, err)
}

// CheckoutParams is what a checkout takes.
type CheckoutParams struct {
	container.In

	Gateway Gateway
	Sandbox Gateway      `name:"sandbox"`
	Log     *slog.Logger `optional:"true"` // nil where nobody provides one
}

// Stores is what a constructor provides.
type Stores struct {
	container.Out

	Orders  *Orders
	Primary *DB `name:"primary"`
	Replica *DB `name:"replica"`
}

type (
	DB     struct{ dsn string }
	Orders struct{ db *DB }
)

func TestStructsOfParametersAndResults(t *testing.T) {
	c := container.New()
	c.Supply(http.DefaultClient)
	c.Provide(NewStripeGateway, container.As[Gateway]())
	c.Provide(NewSandbox, container.As[Gateway](), container.Name("sandbox"))

	c.Provide(func(p CheckoutParams) *Checkout {
		if p.Log != nil {
			p.Log.Info("live")
		}
		return &Checkout{p.Gateway}
	})
	c.Provide(func() (Stores, error) {
		primary := &DB{"primary"}
		return Stores{Orders: &Orders{primary}, Primary: primary, Replica: &DB{"replica"}}, nil
	})

	require.NoError(t, c.Invoke(func(shop *Checkout, orders *Orders, p struct {
		container.In
		DB *DB `name:"primary"`
	}) {
		require.IsType(t, &StripeGateway{}, shop.gateway)
		require.Same(t, orders.db, p.DB)
	}))
	replica, err := container.Get[*DB](c, container.Name("replica"))
	require.NoError(t, err)
	require.Equal(t, "replica", replica.dsn)
}

// Optional is for what nobody provides. What is provided and cannot be built is an error.
func TestOptionalIsForWhatNobodyProvides(t *testing.T) {
	type params struct {
		container.In
		Gateway Gateway `optional:"true"`
	}
	c := container.New()
	c.Provide(NewStripeGateway, container.As[Gateway]())
	c.Provide(func(p params) *Checkout { return &Checkout{p.Gateway} })
	require.ErrorContains(t, c.Verify(), "StripeGateway: nothing provides *http.Client")

	c = container.New()
	c.Provide(func(p params) *Checkout { return &Checkout{p.Gateway} })
	shop, err := container.Get[*Checkout](c)
	require.NoError(t, err)
	require.Nil(t, shop.gateway)
}
