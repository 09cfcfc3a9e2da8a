package container_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// tagged is a Caller around another one. The chain of tags is read from outside in.
type tagged struct {
	Caller
	tag string
}

// tags are those of what stands around a Caller, under its weave.
func tags(c Caller) (all string) {
	for {
		if u, ok := aspect.Unwrap(c).(Caller); ok {
			c = u
		}
		t, ok := c.(*tagged)
		if !ok {
			return all
		}
		all += t.tag
		c = t.Caller
	}
}

// tag is a decorator of Callers.
func tag(name string) func(Caller) Caller {
	return func(c Caller) Caller { return &tagged{c, name} }
}

type takesAll struct {
	container.In
	One    Caller
	Named  Caller            `name:"other"`
	Slice  []Caller          `group:"callers"`
	Map    map[string]Caller `group:"callers"`
	Lazy   container.Lazy[Caller]
	Absent *C `optional:"true"`
}

func TestDecoratorsStandAroundEachOtherInOrderOfRegistration(t *testing.T) {
	c := container.New()
	c.Decorate(tag("1"))
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller]())
	c.Decorate(tag("2"))
	c.Decorate(tag("3"))
	require.Equal(t, "321", tags(must[Caller](t, c)))
}

func TestADecoratedServiceIsTheSameForEverybody(t *testing.T) {
	c := container.New()
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller]())
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), container.Name("other"))
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), container.Group("callers"), container.Name("a"))
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), container.Group("callers"), container.Name("b"))
	c.Decorate(tag("o"))
	c.Decorate(tag("n"), container.Name("other"))
	c.Decorate(tag("g"), container.Group("callers"))
	c.Decorate(tag("b"), container.Name("b"))
	var seen takesAll
	c.Provide(func(all takesAll) *A { seen = all; return &A{} })
	c.Provide(func(caller Caller) *B { require.Equal(t, "o", tags(caller)); return &B{} }, container.Scoped())
	must[*A](t, c)
	check := func(all takesAll) {
		t.Helper()
		require.Equal(t, "o", tags(all.One))
		require.Equal(t, "n", tags(all.Named))
		require.Equal(t, []string{"g", "bg"}, []string{tags(all.Slice[0]), tags(all.Slice[1])})
		require.Len(t, all.Map, 2)
		require.Same(t, all.Slice[0], all.Map["a"])
		require.Same(t, all.Slice[1], all.Map["b"])
		lazy, err := all.Lazy.Get()
		require.NoError(t, err)
		require.Same(t, all.One, lazy)
		require.Nil(t, all.Absent)
	}
	check(seen)
	require.NoError(t, c.Invoke(func(all takesAll) { check(all) }))
	scope := c.Scope()
	_, err := container.Get[*B](scope)
	require.NoError(t, err)
	require.NoError(t, scope.Invoke(func(all takesAll) { check(all) }))
	require.Same(t, seen.One, must[Caller](t, c))
	require.Same(t, seen.Named, must[Caller](t, c, container.Name("other")))
	found, err := c.Lookup("Plain#b")
	require.NoError(t, err)
	require.Same(t, seen.Map["b"], found)
}

func TestDecoratorsStandUnderTheWeave(t *testing.T) {
	calls := 0
	c := container.New()
	c.Provide(func() *Client { return &Client{fail: 9} }, container.As[Caller](), container.As[Closer]())
	c.Decorate(func(c Caller) Caller { return tallied{c.(Both), &calls} })
	ctx, report := retry.WithReport(t.Context())
	require.ErrorIs(t, must[Caller](t, c).Call(ctx), errDown)
	require.Equal(t, 3, calls, "the mark of Client holds, and each attempt calls the decorator")
	require.Equal(t, "Client@Call", report.Ref.String())
	require.NoError(t, must[Closer](t, c).Shut(t.Context()))
	v, err := c.Lookup("Client")
	require.NoError(t, err)
	require.IsType(t, tallied{}, aspect.Unwrap(v))
}

// tallied counts the calls of what is in it.
type tallied struct {
	Both
	calls *int
}

func (c tallied) Call(ctx context.Context) error { *c.calls++; return c.Both.Call(ctx) }

func TestDecoratorsStandAroundAnOverride(t *testing.T) {
	for name, wire := range map[string]func(c *container.Container, o func() Caller){
		"that comes after":  func(c *container.Container, o func() Caller) { c.Decorate(tag("1")); c.Override(o) },
		"that comes before": func(c *container.Container, o func() Caller) { c.Override(o); c.Decorate(tag("1")) },
	} {
		t.Run(name, func(t *testing.T) {
			plain := &Plain{err: errDown}
			c := container.New()
			c.Provide(func() *Client { t.Error("built"); return nil }, container.As[Caller]())
			wire(c, func() Caller { return plain })
			caller := must[Caller](t, c)
			require.Equal(t, "1", tags(caller))
			require.ErrorIs(t, caller.Call(t.Context()), errDown)
			require.Equal(t, 3, plain.calls, "the mark of Client holds")
		})
	}
}

type decoratedOut struct {
	container.Out
	Caller Caller `name:"out"`
	B      *B
}

func TestWhatCanBeDecorated(t *testing.T) {
	double := func(f Fetch) Fetch {
		return func(ctx context.Context, n int) (int, error) { n, err := f(ctx, n); return 2 * n, err }
	}
	for name, test := range map[string]struct {
		wire  func(c *container.Container)
		check func(t *testing.T, c *container.Container)
	}{
		"a supplied value": {
			func(c *container.Container) {
				c.Supply("a")
				c.Decorate(func(s string) string { return s + "b" })
			},
			func(t *testing.T, c *container.Container) { require.Equal(t, "ab", must[string](t, c)) },
		},
		"a supplied value as an interface": {
			func(c *container.Container) {
				c.Supply(&Plain{}, container.As[Caller]())
				c.Decorate(tag("1"))
			},
			func(t *testing.T, c *container.Container) { require.Equal(t, "1", tags(must[Caller](t, c))) },
		},
		"a concrete type": {
			func(c *container.Container) {
				c.Provide(func() *C { return &C{1} })
				c.Decorate(func(v *C) (*C, error) { return &C{v.n + 1}, nil })
			},
			func(t *testing.T, c *container.Container) { require.Equal(t, 2, must[*C](t, c).n) },
		},
		"a func type, under its weave": {
			func(c *container.Container) {
				c.Provide(func() Fetch { return func(_ context.Context, n int) (int, error) { return n + 1, nil } },
					container.Annotate[aliases.Retry]("Call"))
				c.Decorate(double)
			},
			func(t *testing.T, c *container.Container) {
				fetch := must[Fetch](t, c)
				require.True(t, aspect.IsWoven(fetch))
				n, err := fetch(t.Context(), 3)
				require.NoError(t, err)
				require.Equal(t, 8, n)
			},
		},
		"one of several results": {
			func(c *container.Container) {
				c.Provide(func() (*C, Caller, error) { return &C{1}, &Plain{}, nil })
				c.Decorate(tag("1"))
			},
			func(t *testing.T, c *container.Container) {
				require.Equal(t, "1", tags(must[Caller](t, c)))
				require.Equal(t, 1, must[*C](t, c).n)
			},
		},
		"several results, each by its own decorator": {
			func(c *container.Container) {
				c.Provide(func() (*C, Caller) { return &C{1}, &Plain{} })
				c.Decorate(tag("1"))
				c.Decorate(func(v *C) *C { return &C{v.n + 1} })
				c.Decorate(tag("2"))
			},
			func(t *testing.T, c *container.Container) {
				require.Equal(t, "21", tags(must[Caller](t, c)))
				require.Equal(t, 2, must[*C](t, c).n)
			},
		},
		"a field of a result struct": {
			func(c *container.Container) {
				c.Provide(func() (decoratedOut, error) { return decoratedOut{Caller: &Plain{}, B: &B{}}, nil })
				c.Decorate(tag("1"), container.Name("out"))
			},
			func(t *testing.T, c *container.Container) {
				require.Equal(t, "1", tags(must[Caller](t, c, container.Name("out"))))
				require.NotNil(t, must[*B](t, c))
			},
		},
		"what is flattened into a group, and what is in it by itself": {
			func(c *container.Container) {
				c.Provide(func() []Caller { return []Caller{&Plain{}, nil, &tagged{&Plain{}, "0"}} }, container.Group(flat))
				c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), container.Group("g"))
				c.Provide(func() *A { return nil }, container.Group("g"))
				c.Decorate(tag("1"), container.Group("g"))
				c.Decorate(tag("2"), container.Group("g"))
			},
			func(t *testing.T, c *container.Container) {
				require.NoError(t, c.Invoke(func(p callers) {
					require.Len(t, p.All, 4)
					require.Nil(t, p.All[1], "there is nothing to decorate")
					require.Equal(t, []string{"21", "210", "21"}, []string{tags(p.All[0]), tags(p.All[2]), tags(p.All[3])})
				}))
			},
		},
		"an aspect": {
			func(c *container.Container) {
				c.Supply(aspect.Func(aspect.JoinPoint.Proceed), container.AsAspect(aspect.Method("Call"), 1))
				c.Decorate(func(a aspect.Func) aspect.Func {
					return func(jp aspect.JoinPoint) error { return errors.Join(a(jp), io.EOF) }
				})
				c.Provide(func() *Plain { return &Plain{} }, container.As[Caller]())
			},
			func(t *testing.T, c *container.Container) {
				require.ErrorIs(t, must[Caller](t, c).Call(t.Context()), io.EOF)
			},
		},
		"the predicate of a tag": {
			func(c *container.Container) {
				c.Supply(func(error) bool { return true }, container.Name("again"))
				c.Decorate(func(f func(error) bool) func(error) bool { return func(err error) bool { return !f(err) } }, container.Name("again"))
				c.Provide(func() *Plain { return &Plain{err: errDown} }, container.As[Caller](),
					container.Annotate[aliases.Retry]("Call", annotation.RetryIfError("again")))
			},
			func(t *testing.T, c *container.Container) {
				ctx, report := retry.WithReport(t.Context())
				require.ErrorIs(t, must[Caller](t, c).Call(ctx), errDown)
				require.Equal(t, 1, report.Attempts)
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

func TestADecoratorRunsWheneverItsServiceIsBuilt(t *testing.T) {
	for name, test := range map[string]struct {
		opts []container.ProvideOption
		want int // decorations of two scopes that ask twice, and of the container that asks twice if it can
	}{
		"once for a singleton":       {nil, 1},
		"in each scope for a scoped": {[]container.ProvideOption{container.Scoped()}, 2},
		"each time for a transient":  {[]container.ProvideOption{container.Transient()}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			var built, decorated int
			c := container.New()
			c.Provide(func() *Client { built++; return &Client{} }, append(test.opts, container.As[Caller]())...)
			c.Supply(&B{})
			c.Decorate(func(_ *B, c Caller) Caller { decorated++; return &tagged{c, "1"} })
			require.NoError(t, c.Verify())
			require.Zero(t, built+decorated)
			for range 2 {
				s := ours(t, c)
				for range 2 {
					caller := in[Caller](t, s)
					require.Equal(t, "1", tags(caller))
					require.True(t, aspect.IsWoven(caller))
				}
			}
			require.Equal(t, test.want, decorated)
			require.Equal(t, test.want, built)
		})
	}
}

type decoratorParams struct {
	container.In
	Decorated Caller
	Other     Caller        `name:"other"`
	Absent    *A            `optional:"true"`
	Present   *B            `optional:"true"`
	All       []*C          `group:"cs"`
	ByName    map[string]*C `group:"cs,required"`
	Itself    container.Lazy[Caller]
	New       container.Provider[*Conn]
	Fresh     *Conn
	Words     string `name:"words"`
}

func TestADecoratorTakesWhatAConstructorTakes(t *testing.T) {
	for name, scoped := range map[string][]container.ProvideOption{"of a singleton": nil, "of a scoped service": {container.Scoped()}} {
		t.Run(name, func(t *testing.T) {
			var got decoratorParams
			var direct *B
			c := container.New()
			c.Provide(func(p inCaller) *Plain { require.Equal(t, "x", p.Words); return &Plain{} }, append(scoped, container.As[Caller]())...)
			c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), container.Name("other"))
			c.Provide(func() *C { return &C{1} }, container.Group("cs"), container.Name("one"))
			c.Provide(func() *Conn { return &Conn{} }, container.Transient())
			c.Supply(&B{})
			c.Supply("x", container.Name("words"))
			c.Decorate(func(b *B, p decoratorParams, again *B) Caller {
				got, direct = p, b
				require.Same(t, b, again)
				_, err := p.Itself.Get()
				require.ErrorContains(t, err, "before the service that took it is built")
				return &tagged{p.Decorated, "1"}
			})
			s := ours(t, c)
			caller := in[Caller](t, s)
			require.Equal(t, "1", tags(caller))
			require.IsType(t, &Plain{}, got.Decorated)
			require.Same(t, must[Caller](t, c, container.Name("other")), got.Other)
			require.Nil(t, got.Absent)
			require.Same(t, direct, got.Present)
			require.Equal(t, []*C{{1}}, got.All)
			require.Equal(t, map[string]*C{"one": got.All[0]}, got.ByName)
			require.Equal(t, "x", got.Words)
			require.NotNil(t, got.Fresh)
			itself, err := got.Itself.Get()
			require.NoError(t, err)
			require.Same(t, caller, itself)
			conn, err := got.New.Get()
			require.NoError(t, err)
			require.NotSame(t, got.Fresh, conn)
		})
	}
}

func TestScopesDecorateConcurrently(t *testing.T) {
	c := container.New()
	c.Provide(func() *Client { return &Client{} }, container.As[Caller](), container.Scoped())
	c.Decorate(tag("1"))
	c.Decorate(func(c Caller, b *B) Caller { return &tagged{c, "2"} })
	c.Provide(func() *B { return &B{} }, container.Scoped())
	together(8, func(int) {
		s := ours(t, c)
		caller, err := container.Get[Caller](s)
		if err != nil || tags(caller) != "21" {
			t.Error(err, tags(caller))
		}
	})
}
