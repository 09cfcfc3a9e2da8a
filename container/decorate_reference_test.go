package container_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

// Helped has a fallback of its own, which is in no interface.
type Helped struct {
	_      annotation.On[aliases.Retry] `method:"Call" maxAttempts:"2" fallback:"Helped@Help"`
	helped int
}

func (h *Helped) Call(context.Context) error { return errDown }
func (h *Helped) Help(context.Context) error { h.helped++; return nil }

// unhelpful has a Help as well, which is another one.
type unhelpful struct{ Caller }

func (unhelpful) Help(int) {}

func TestReferencesToMethodsThatADecoratorHidesAreThoseOfTheService(t *testing.T) {
	for name, test := range map[string]struct {
		wire func(c *container.Container, h *Helped)
		get  func(t *testing.T, c *container.Container) Caller
	}{
		"own ones": {
			func(c *container.Container, h *Helped) {
				c.Provide(func() *Helped { return h }, container.As[Caller]())
			},
			func(t *testing.T, c *container.Container) Caller { return must[Caller](t, c) },
		},
		"own ones in a scope": {
			func(c *container.Container, h *Helped) {
				c.Provide(func() *Helped { return h }, container.As[Caller](), container.Scoped())
			},
			func(t *testing.T, c *container.Container) Caller { return in[Caller](t, ours(t, c)) },
		},
		"own ones, built as an interface": {
			func(c *container.Container, h *Helped) {
				c.Provide(func() Caller { return h }, container.Impl[*Helped]())
			},
			func(t *testing.T, c *container.Container) Caller { return must[Caller](t, c) },
		},
		"own ones, of an override of that type": {
			func(c *container.Container, h *Helped) {
				c.Provide(func() *Helped { t.Error("built"); return nil }, container.As[Caller]())
				c.Override(func() *Helped { return h }, container.As[Caller]())
			},
			func(t *testing.T, c *container.Container) Caller { return must[Caller](t, c) },
		},
		"own ones, around a decorator of the type itself": {
			func(c *container.Container, h *Helped) {
				c.Provide(func() *Helped { return &Helped{} }, container.As[Caller](), container.AsSelf())
				c.Decorate(func(*Helped) *Helped { return h })
			},
			func(t *testing.T, c *container.Container) Caller { return must[Caller](t, c) },
		},
		"another service's": {
			func(c *container.Container, h *Helped) {
				c.Provide(func() *Helped { return h }, container.As[Caller]())
				c.Provide(func() *Plain { return &Plain{err: errDown} }, container.As[Caller](), container.Name("plain"),
					container.Annotate[aliases.Retry](Caller.Call, annotation.Fallback((*Helped).Help)))
			},
			func(t *testing.T, c *container.Container) Caller { return must[Caller](t, c, container.Name("plain")) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := &Helped{}
			c := container.New()
			test.wire(c, h)
			c.Decorate(tag("1"))
			c.Decorate(func(c Caller) Caller { return unhelpful{c} })
			require.NoError(t, test.get(t, c).Call(t.Context()))
			require.Equal(t, 1, h.helped)
		})
	}
}

func TestTheClassOfADecoratedServiceStays(t *testing.T) {
	c := container.New()
	c.Provide(func() Both { return &Plain{} }, container.As[Caller]())
	c.Decorate(tag("1"))
	c.Provide(func() *Client { return &Client{fail: 9} }, container.As[Caller](), container.Name("client"),
		container.Annotate[aliases.Retry]("Call", annotation.Fallback("Both@Call")))
	require.NoError(t, must[Caller](t, c, container.Name("client")).Call(t.Context()))
	_, err := c.Lookup("Both")
	require.NoError(t, err)
}
