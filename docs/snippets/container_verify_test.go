package snippets_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/container/containertest"
)

// WireWrongly has mistakes.
func WireWrongly(c *container.Container) {
	c.Supply(http.DefaultClient)
	c.Provide(NewStripeGateway, container.As[Gateway](),
		container.Annotate[aliases.Retry](Gateway.Charge, annotation.Fallback("Sandbx@Charge")))
	c.Provide(NewSandbox)
	c.Provide(func(shop *Checkout, log *slog.Logger) *Cart { return nil })
	c.Provide(func(g Gateway, cart *Cart) *Checkout { return nil })
	c.Override(func() Refunder { return nil })
}

type Cart struct{}

func TestTheWiringIsRight(t *testing.T) {
	c := container.New()
	Wire(c)
	if err := c.Verify(); err != nil {
		t.Fatalf("%+v", err)
	}
}

func TestWhatVerifyTells(t *testing.T) {
	c := container.New()
	WireWrongly(c)
	err := c.Verify()
	containertest.Golden(t, "testdata/container_verify_lines.txt", err.Error()+"\n")
	containertest.Golden(t, "testdata/container_verify_tree.txt", fmt.Sprintf("%+v\n", err))

	var wrong *container.VerifyError
	require.ErrorAs(t, err, &wrong)
	for _, err := range wrong.Unwrap() {
		var d *annotation.DefinitionError
		require.ErrorAs(t, err, &d)
		require.NotEmpty(t, d.Problem)
		require.NotEmpty(t, d.Remedy)
		require.NotEmpty(t, d.Place)
	}
	_, got := container.Get[*Cart](c)
	require.Equal(t, err, got, "every use gives the same error, and builds nothing")
}
