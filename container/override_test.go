package container_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

func TestOverrideReplacesTheTargetUnderTheWeave(t *testing.T) {
	for name, override := range map[string]func(c *container.Container, p *Plain){
		"by a constructor that returns the interface": func(c *container.Container, p *Plain) {
			c.Override(func() Caller { return p })
		},
		"by one with As, an error and a parameter": func(c *container.Container, p *Plain) {
			c.Override(func(*A) (*Plain, error) { return p, nil }, container.As[Caller]())
		},
		"by a type with a mark of its own, which is not read": func(c *container.Container, p *Plain) {
			c.Override(func() Caller { return &marked{Plain: p} })
		},
		"by the last of several": func(c *container.Container, p *Plain) {
			c.Override(func() Caller { t.Error("built"); return nil })
			c.Override(func() Caller { return p })
		},
	} {
		for _, before := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				plain := &Plain{err: errDown}
				c := container.New()
				if before {
					override(c, plain)
				}
				c.Provide(func() *A { return &A{} })
				c.Provide(func(*Missing) *Client { t.Error("built"); return nil }, container.As[Caller](), container.As[Closer]())
				c.Provide(func() *Missing { t.Error("built"); return nil })
				if !before {
					override(c, plain)
				}
				ctx, report := retry.WithReport(t.Context())
				require.ErrorIs(t, must[Caller](t, c).Call(ctx), errDown)
				require.Equal(t, 3, plain.calls, "the mark of Client holds")
				require.Equal(t, "Client@Call", report.Ref.String())
				require.NoError(t, must[Closer](t, c).Shut(t.Context()))
				v, err := c.Lookup("Client")
				require.NoError(t, err)
				require.True(t, aspect.IsWoven(v))
			})
		}
	}
}

type Missing struct{}

type marked struct {
	_ annotation.On[aliases.Retry] `method:"Call" maxAttempts:"7"`
	*Plain
}

func TestOverrideOfAServiceThatOthersFallBackTo(t *testing.T) {
	c := container.New()
	c.Provide(func() *Client { return &Client{fail: 9} }, container.As[Caller](),
		container.Annotate[aliases.Retry](Caller.Call, annotation.Fallback((*Offline).Call)))
	c.Provide(func() *Offline { return &Offline{result: errDown} })
	c.Override(func() *Offline { return &Offline{} })
	require.NoError(t, must[Caller](t, c).Call(t.Context()))
}

type Offline struct{ result error }

func (o *Offline) Call(context.Context) error { return o.result }

func TestOverrideOfASuppliedValueAndOfANamedOne(t *testing.T) {
	c := container.New()
	c.Supply("eu", container.Name("region"))
	c.Supply("us", container.Name("other"))
	c.Override(func() string { return "test" }, container.Name("region"))
	require.Equal(t, "test", must[string](t, c, container.Name("region")))
	require.Equal(t, "us", must[string](t, c, container.Name("other")))
}

func TestOverrideOfSeveralResults(t *testing.T) {
	type results struct {
		container.Out
		B *B
		A *A
	}
	a, b := &A{}, &B{}
	c := container.New()
	c.Provide(func() (*A, *B) { return nil, nil })
	c.Override(func() results { return results{A: a, B: b} })
	require.Same(t, a, must[*A](t, c))
	require.Same(t, b, must[*B](t, c))
}

type (
	rolls      interface{ Roll() }
	spareWheel struct{}
)

func (*spareWheel) Roll() {}

func TestOverrideMistakes(t *testing.T) {
	for name, test := range map[string]struct {
		override func(c *container.Container)
		want     []string
	}{
		"of what nobody provides": {
			func(c *container.Container) { c.Override(func() *Client { return nil }) },
			[]string{"backstay: Client: Override replaces *container_test.Client, and nothing provides it; say container.As[container_test.Caller](), or container.As[container_test.Closer]() (HERE)"},
		},
		"by an implementation, under another name": {
			func(c *container.Container) {
				c.Override(func() *Offline { return nil }, container.Name("backup"))
			},
			[]string{"backstay: Offline#backup: Override replaces *container_test.Offline named \"backup\", and nothing provides it; say container.As[container_test.Caller]() and no name, or let the constructor return that interface (HERE)"},
		},
		"by an implementation of what has a name": {
			func(c *container.Container) {
				c.Provide(func() *spareWheel { return nil }, container.As[rolls](), container.Name("spare"))
				c.Override(func() *spareWheel { return nil })
			},
			[]string{"backstay: spareWheel: Override replaces *container_test.spareWheel, and nothing provides it; say container.As[container_test.rolls]() and container.Name(\"spare\"), or let the constructor return that interface (HERE)"},
		},
		"under another name": {
			func(c *container.Container) {
				c.Override(func() Caller { return nil }, container.Name("backup"))
			},
			[]string{"backstay: Caller#backup: Override replaces container_test.Caller named \"backup\", and nothing provides it; did you mean the container_test.Caller without a name? Else Provide it (HERE)"},
		},
		"with annotations": {
			func(c *container.Container) {
				c.Override(func() Caller { return nil }, container.Annotate[aliases.Retry]("Call"))
				c.Override(func() Caller { return nil }, container.Group("x"))
			},
			[]string{
				"backstay: Caller: Override takes no annotation, aspect or group: those of the service that it replaces stay; leave them out, or say them where the service is provided (HERE)",
				"backstay: Caller: Override takes no annotation, aspect or group: those of the service that it replaces stay; leave them out, or say them where the service is provided (HERE)",
			},
		},
		"of one of several results": {
			func(c *container.Container) { c.Override(func() *A { return nil }) },
			[]string{"backstay: A: the constructor at HERE builds B as well; let the new constructor return all of: A, B (HERE)"},
		},
		"of two registrations": {
			func(c *container.Container) { c.Override(func() (*A, *C) { return nil, nil }) },
			[]string{"backstay: A: Override replaces services of two registrations, HERE and HERE; override each by itself (HERE)"},
		},
		"of one service twice": {
			func(c *container.Container) { c.Override(func() (Caller, Closer) { return nil, nil }) },
			[]string{"backstay: Caller: Override replaces Client twice; return it once (HERE)"},
		},
		"by what lacks an interface": {
			func(c *container.Container) {
				c.Override(func() *Offline { return nil }, container.As[Caller]())
			},
			[]string{"backstay: Offline: Client is provided as container_test.Closer too, and *container_test.Offline does not implement it: it has no method Shut; implement it (HERE)"},
		},
		"by what is no constructor": {
			func(c *container.Container) { c.Override(&Plain{}) },
			[]string{"backstay: *container_test.Plain is no constructor; give it a func that returns what stands in for the service, or use containertest.Override, which takes a value (HERE)"},
		},
		"by a constructor with a missing dependency": {
			func(c *container.Container) { c.Override(func(*Missing) Caller { return nil }) },
			[]string{"backstay: Client: nothing provides *container_test.Missing, which its constructor takes; Provide one (HERE)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			c.Provide(func() *Client { return nil }, container.As[Caller](), container.As[Closer]())
			c.Provide(func() (*A, *B) { return nil, nil })
			c.Provide(func() *C { return nil })
			test.override(c)
			require.Equal(t, test.want, verified(t, c))
		})
	}
}

func TestOverrideThatBuildsWhatLacksAnInterface(t *testing.T) {
	c := container.New()
	c.Provide(func() *Client { return nil }, container.As[Caller](), container.As[Closer]())
	c.Override(func() Caller { return &Offline{} })
	_, err := container.Get[Caller](c)
	require.Equal(t, "backstay: container.Get (HERE) needs Client (HERE): Override built a *container_test.Offline, which does not implement container_test.Closer: it has no method Shut; implement it", text(err))
}
