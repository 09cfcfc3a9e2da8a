package snippets_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
)

// fakeGateway fails so many times.
type fakeGateway struct {
	fail  int
	calls int
}

func (f *fakeGateway) Charge(context.Context, int) (string, error) {
	if f.calls++; f.calls <= f.fail {
		return "", errors.New("503")
	}
	return "fake", nil
}

func TestOverride(t *testing.T) {
	c := container.New()
	Wire(c)
	fake := &fakeGateway{fail: 2}

	c.Override(func() Gateway { return fake })

	shop, err := container.Get[*Checkout](c)
	require.NoError(t, err)
	require.NoError(t, shop.Pay(t.Context(), 1999))
	require.Equal(t, 3, fake.calls, "what is declared for the StripeGateway holds")
}

func TestAnOverrideOfNothingIsADefinitionError(t *testing.T) {
	c := container.New()
	Wire(c)
	c.Override(func() Refunder { return nil })
	require.ErrorContains(t, c.Verify(), "Override replaces snippets_test.Refunder, and nothing provides it; did you mean to provide *snippets_test.StripeGateway as it")

	c = container.New()
	c.Supply(http.DefaultClient)
	require.NoError(t, c.Verify())
	c.Override(func() *http.Client { return nil })
	_, err := container.Get[*http.Client](c)
	require.ErrorContains(t, err, "it comes after Verify (snippets/container_override_test.go:")
}
