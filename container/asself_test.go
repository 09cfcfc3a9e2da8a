package container_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// Callable is a func that is a Caller too.
type Callable func(ctx context.Context) error

func (f Callable) Call(ctx context.Context) error { return f(ctx) }

func TestAsSelfKeepsTheTypeThatAsReplaces(t *testing.T) {
	for name, opts := range map[string][]container.ProvideOption{
		"a singleton": nil,
		"a scoped":    {container.Scoped()},
		"with a name": {container.Name("n")},
	} {
		t.Run(name, func(t *testing.T) {
			built := 0
			c := container.New()
			c.Provide(func() *Client { built++; return &Client{fail: 1} }, append(opts, container.AsSelf(), container.As[Caller](), container.As[Closer]())...)
			s := ours(t, c)
			var by []container.GetOption
			for _, o := range opts {
				if n, ok := o.(container.NameOption); ok {
					by = append(by, n)
				}
			}
			caller, client := in[Caller](t, s, by...), in[*Client](t, s, by...)
			require.Same(t, client, aspect.Unwrap(caller))
			require.NoError(t, caller.Call(t.Context()), "the woven one is retried")
			require.Equal(t, 2, client.calls)
			client.fail = 9
			require.ErrorIs(t, client.Call(t.Context()), errDown, "the bare one is not")
			require.Equal(t, 3, client.calls)
			require.Equal(t, 1, built)
		})
	}
}

func TestAsSelfOfATransientIsBuiltForEachThatAsks(t *testing.T) {
	c := container.New()
	c.Provide(func() *Client { return &Client{} }, container.As[Caller](), container.AsSelf(), container.Transient())
	caller, client := must[Caller](t, c), must[*Client](t, c)
	require.NotSame(t, client, aspect.Unwrap(caller))
}

func TestWhatAsSelfKeeps(t *testing.T) {
	for name, test := range map[string]struct {
		wire  func(c *container.Container)
		check func(t *testing.T, c *container.Container)
	}{
		"an interface that a constructor returns, woven": {
			func(c *container.Container) {
				c.Provide(func() Both { return &Client{} }, container.Impl[*Client](), container.As[Caller](), container.AsSelf())
			},
			func(t *testing.T, c *container.Container) {
				require.True(t, aspect.IsWoven(must[Both](t, c)))
				require.True(t, must[Caller](t, c) == Caller(must[Both](t, c)), "it is one service")
			},
		},
		"a func type beside an interface, bare": {
			func(c *container.Container) {
				c.Provide(func() Callable { return func(context.Context) error { return errDown } }, container.As[Caller](), container.AsSelf(),
					container.Annotate[aliases.Retry](Caller.Call, annotation.Fallback(func() error { return nil })))
			},
			func(t *testing.T, c *container.Container) {
				require.NoError(t, must[Caller](t, c).Call(t.Context()))
				require.False(t, aspect.IsWoven(must[Callable](t, c)))
				require.ErrorIs(t, must[Callable](t, c)(t.Context()), errDown)
			},
		},
		"nothing where As says the type itself or is not there": {
			func(c *container.Container) {
				c.Provide(func() Caller { return &Plain{} }, container.As[Caller](), container.AsSelf())
				c.Provide(func() *C { return &C{1} }, container.AsSelf())
			},
			func(t *testing.T, c *container.Container) {
				must[Caller](t, c)
				require.Equal(t, 1, must[*C](t, c).n)
			},
		},
		"a supplied value": {
			func(c *container.Container) { c.Supply(&Client{}, container.As[Caller](), container.AsSelf()) },
			func(t *testing.T, c *container.Container) {
				require.Same(t, must[*Client](t, c), aspect.Unwrap(must[Caller](t, c)))
			},
		},
		"of several results the one that As is for": {
			func(c *container.Container) {
				c.Provide(func() (*Client, *C) { return &Client{}, &C{} }, container.As[Caller](), container.AsSelf())
			},
			func(t *testing.T, c *container.Container) {
				require.Same(t, must[*Client](t, c), aspect.Unwrap(must[Caller](t, c)))
				must[*C](t, c)
			},
		},
		"in a group": {
			func(c *container.Container) {
				c.Provide(func() *Client { return &Client{} }, container.As[Caller](), container.AsSelf(), container.Group("g"))
			},
			func(t *testing.T, c *container.Container) {
				type both struct {
					container.In
					Callers []Caller  `group:"g"`
					Clients []*Client `group:"g"`
				}
				require.NoError(t, c.Invoke(func(p both) {
					require.Len(t, p.Callers, 1)
					require.Same(t, p.Clients[0], aspect.Unwrap(p.Callers[0]))
				}))
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			test.wire(c)
			require.NoError(t, c.Verify())
			test.check(t, c)
		})
	}
}

func TestAServiceThatKeepsItsTypeIsOneServiceForReferences(t *testing.T) {
	c := container.New()
	c.Provide(func() *Client { return &Client{fail: 1} }, container.As[Caller](), container.AsSelf())
	for name, fallback := range map[string]any{"expression": (*Client).Call, "text": "Client@Call"} {
		c.Provide(func() *Plain { return &Plain{err: errDown} }, container.As[Caller](), container.Name(name),
			container.Annotate[aliases.Retry](Caller.Call, annotation.MaxAttempts(1), annotation.Fallback(fallback)))
	}
	v, err := c.Lookup("Client")
	require.NoError(t, err)
	require.True(t, aspect.IsWoven(v))
	for _, name := range []string{"expression", "text"} {
		must[*Client](t, c).calls = 0
		require.NoError(t, must[Caller](t, c, container.Name(name)).Call(t.Context()), "the woven Client, which retries")
		require.Equal(t, 2, must[*Client](t, c).calls)
	}
}

func TestNotesTellThatAWovenServiceCanBeHadBare(t *testing.T) {
	c := container.New()
	c.Provide(func() *Client { return nil }, container.As[Caller](), container.As[Closer](), container.AsSelf())
	c.Provide(func() *Plain { return nil }, container.As[Caller](), container.AsSelf(), container.Name("plain")) // nothing is woven
	require.Equal(t, []string{"Client: who takes a *container_test.Client gets it without what is woven around it, which only those who take a container_test.Caller or container_test.Closer get; leave container.AsSelf out if nobody needs it (HERE)"}, notes(c))
}

// notes are the notes of a container.
func notes(c *container.Container) (all []string) {
	for _, n := range c.Notes() {
		all = append(all, placeOfTest.ReplaceAllString(n, "HERE"))
	}
	return all
}

func TestTheNoteOfABareServiceNamesItsTypeWhereItIsDecorated(t *testing.T) {
	for name, test := range map[string]struct {
		decorator any
		lacks     string
	}{
		"under its interface": {func(v Caller) Caller { return v }, "what is woven around it, and without the decorators of container_test.Caller"},
		"under its own type":  {func(v *Client) *Client { return v }, "what is woven around it"},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			c.Provide(func() *Client { return nil }, container.As[Caller](), container.AsSelf())
			c.Decorate(test.decorator)
			require.Equal(t, []string{"Client: who takes a *container_test.Client gets it without " + test.lacks + ", which only those who take a container_test.Caller get; leave container.AsSelf out if nobody needs it (HERE)"}, notes(c))
		})
	}
}

func TestDecoratorsOfAServiceThatKeepsItsType(t *testing.T) {
	c := container.New()
	c.Provide(func() *Plain { return &Plain{calls: 1} }, container.As[Caller](), container.AsSelf())
	c.Decorate(func(p *Plain) *Plain { return &Plain{calls: p.calls + 10} })
	c.Decorate(tag("1"))
	c.Decorate(tag("2"))
	caller, plain := must[Caller](t, c), must[*Plain](t, c)
	require.Equal(t, "21", tags(caller))
	require.Equal(t, 11, plain.calls, "that of the type itself is seen")
	require.NoError(t, caller.Call(t.Context()))
	require.Equal(t, 12, plain.calls, "and stands inside those of the interface")
}

func TestOverrideOfAServiceThatKeepsItsType(t *testing.T) {
	for name, override := range map[string]func(c *container.Container, client *Client){
		"by its type": func(c *container.Container, client *Client) {
			c.Override(func() *Client { return client }, container.As[Caller]())
		},
		"by its type, which is kept": func(c *container.Container, client *Client) {
			c.Override(func() *Client { return client }, container.As[Caller](), container.AsSelf())
		},
	} {
		t.Run(name, func(t *testing.T) {
			client := &Client{}
			c := container.New()
			c.Provide(func() *Client { t.Error("built"); return nil }, container.As[Caller](), container.AsSelf())
			override(c, client)
			require.Same(t, client, aspect.Unwrap(must[Caller](t, c)))
			require.Same(t, client, must[*Client](t, c))
		})
	}
	c := container.New()
	c.Provide(func() *Client { return nil }, container.As[Caller](), container.AsSelf())
	c.Override(func() Caller { return nil })
	require.Equal(t, []string{"backstay: Caller: Client is provided as *container_test.Client too (HERE), and what the new constructor returns need not be one; let it return a *container_test.Client (HERE)"}, verified(t, c))
}

func TestAsSelfOfAnErrorIsRefused(t *testing.T) {
	c := container.New()
	c.Provide(func() callingError { return callingError{} }, container.As[Caller](), container.AsSelf())
	require.Equal(t, []string{"backstay: callingError: container_test.callingError is an error, so it cannot be told from a failure of its constructor; provide it as an interface without Error() string, by container.As, or return the error as the last result (HERE)"}, verified(t, c))
}

type callingError struct{ error }

func (callingError) Call(context.Context) error { return nil }

func TestAScopeClosesAServiceThatKeepsItsTypeOnce(t *testing.T) {
	var l log
	c := container.New()
	c.Provide(func() *inTime { return &inTime{&l, "it", nil} }, container.As[open](), container.AsSelf(), container.Scoped())
	s := c.Scope()
	in[open](t, s)
	in[*inTime](t, s)
	require.NoError(t, s.Close(closing(t)))
	require.Equal(t, []string{"it in time"}, l.lines)
}

func TestOptionsAreAllOfTheirs(t *testing.T) {
	common := container.Options(container.As[Caller](), container.Annotate[aliases.Retry](Caller.Call, annotation.MaxAttempts(2)))
	c := container.New()
	one, other := &Plain{err: errDown}, &Plain{err: errDown}
	c.Provide(func() *Plain { return one }, common)
	c.Provide(func() *Plain { return other }, container.Options(common, container.Options(container.Name("other"))))
	require.ErrorIs(t, must[Caller](t, c).Call(t.Context()), errDown)
	require.ErrorIs(t, must[Caller](t, c, container.Name("other")).Call(t.Context()), errDown)
	require.Equal(t, []int{2, 2}, []int{one.calls, other.calls})
}

func TestOptionsMistakes(t *testing.T) {
	opts := []container.ProvideOption{container.Name("a")}
	bundle := container.Options(opts...)
	opts[0] = container.Name("changed")
	c := container.New()
	c.Supply(1, container.Options(nil))
	c.Supply(2, bundle, container.Name("b"))
	require.Equal(t, []string{
		"backstay: int: one of its options is nil; leave it out (HERE)",
		`backstay: int#a: it has two names, "a" and "b"; give it one by container.Name (HERE)`,
	}, verified(t, c))
}
