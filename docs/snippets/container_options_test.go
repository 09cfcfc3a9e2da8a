package snippets_test

import (
	"context"
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/container/containertest"
)

// remote is what registrations of clients of other services have in common.
var remote = container.Options(
	container.As[Gateway](),
	container.Annotate[aliases.Retry](Gateway.Charge, annotation.MaxAttempts(3)))

// WirePayments is a module: a func that registers.
func WirePayments(c *container.Container) {
	c.Provide(NewStripeGateway, remote)
	c.Provide(NewSandbox, remote, container.Name("sandbox"))
}

// Wire is the program.
func Wire(c *container.Container) {
	WirePayments(c)
	c.Supply(http.DefaultClient)
	c.Provide(NewCheckout)
}

func TestOptionsAndModules(t *testing.T) {
	c := container.New()
	Wire(c)
	for _, ref := range []string{"StripeGateway@Charge", "Sandbox#sandbox@Charge"} {
		containertest.AssertPolicy(t, c, ref, `
			policies: fallback, classifier, budget, maxAttempts, sleep
			maxAttempts: 3
		`)
	}
	_, err := container.Get[*Checkout](c)
	require.NoError(t, err)
}

// PeerClient calls one of our own services.
type PeerClient struct{ base string }

func (p *PeerClient) Ping(context.Context) error { return nil }

type Pinger interface{ Ping(context.Context) error }

// ProvidePeer registers a client for a peer. What is wrong with it is told for the line that calls ProvidePeer.
func ProvidePeer(c *container.Container, name, base string) {
	c.Provide(func() *PeerClient { return &PeerClient{base} },
		container.As[Pinger](), container.Name(name), container.CallerSkip(1))
}

func TestFuncsThatRegisterForOthers(t *testing.T) {
	c := container.New()
	ProvidePeer(c, "orders", "https://orders.internal")
	ProvidePeer(c, "orders", "https://orders.internal")
	lines := regexp.MustCompile(`container_options_test\.go:\d+`).FindAllString(c.Verify().Error(), -1)
	require.Len(t, lines, 2)
	require.NotEqual(t, lines[0], lines[1], "where ProvidePeer is called, not the line in it")
}
