package snippets_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

// limited refuses sums that are too large.
type limited struct {
	Gateway
	log   *slog.Logger
	limit int
}

func (l *limited) Charge(ctx context.Context, cents int) (string, error) {
	if cents > l.limit {
		l.log.Warn("refused", "cents", cents)
		return "", fmt.Errorf("%d cents are too many", cents)
	}
	return l.Gateway.Charge(ctx, cents)
}

// fee adds what the gateway takes.
type fee struct {
	Gateway
	cents int
}

func (f fee) Charge(ctx context.Context, cents int) (string, error) {
	return f.Gateway.Charge(ctx, cents+f.cents)
}

func TestDecorators(t *testing.T) {
	ctx := t.Context()
	c := container.New()
	c.Supply(http.DefaultClient)
	c.Supply(slog.New(slog.DiscardHandler))
	c.Provide(NewSandbox, container.As[Gateway](), container.Name("sandbox"))

	c.Provide(NewStripeGateway, container.As[Gateway](),
		container.Annotate[aliases.Retry](Gateway.Charge, annotation.MaxAttempts(2)))
	c.Decorate(func(g Gateway, log *slog.Logger) Gateway { return &limited{g, log, 5000} })
	c.Decorate(func(g Gateway) Gateway { return fee{g, 30} }) // outside of the limit

	c.Decorate(func(g Gateway) Gateway { return fee{g, 0} }, container.Name("sandbox"))

	gateway, err := container.Get[Gateway](c)
	require.NoError(t, err)
	receipt, err := gateway.Charge(ctx, 1000)
	require.NoError(t, err)
	require.Equal(t, "stripe took 1030", receipt)
	_, err = gateway.Charge(ctx, 4990)
	require.EqualError(t, err, "5020 cents are too many")
}

func TestADecoratorOfAGroupIsForEachMember(t *testing.T) {
	c := container.New()
	c.Provide(NewMailChannel, container.As[Channel](), container.Group("channels"))
	c.Provide(NewSMSChannel, container.As[Channel](), container.Group("channels"))

	c.Decorate(func(ch Channel) Channel { return polite{ch} }, container.Group("channels"))

	require.NoError(t, c.Invoke(func(p struct {
		container.In
		All []Channel `group:"channels"`
	}) {
		require.Equal(t, "mail: dear customer, hello", p.All[0].Send("hello"))
		require.Equal(t, "sms: dear customer, hello", p.All[1].Send("hello"))
	}))
}

type polite struct{ Channel }

func (p polite) Send(text string) string { return p.Channel.Send("dear customer, " + text) }

func TestADecoratorAddsNothingThatIsMissing(t *testing.T) {
	c := container.New()
	c.Decorate(func(g Gateway) Gateway { return g })
	require.ErrorContains(t, c.Verify(), "Decorate decorates snippets_test.Gateway, and nothing provides it")
}
