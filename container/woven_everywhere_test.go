package container_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// However a service is registered, and whichever way it reaches its consumer: there is one weave around it, with one breaker
// and one budget.

// Line is the service. Every call of it fails, and all instances count together.
type Line struct{ calls *int }

func (l *Line) Call(context.Context) error { *l.calls++; return errDown }

func (l *Line) Shut(context.Context) error { return nil }

// framed is what a decorator makes of a Line.
type framed struct {
	Caller
	Closer
}

// cable is a Line that is a func.
type cable func(ctx context.Context) error

// reached is the service as somebody has got it. A fallback is called, and nobody has it.
type reached struct {
	value any
	call  func(ctx context.Context) error
}

func reachedBy(v Caller) reached { return reached{v, v.Call} }

// way is one of those by which a service reaches a consumer.
type way struct {
	name  string
	reach func(t *testing.T, c *container.Container, s *container.Scope) reached
}

// The consumers.
type (
	byParameter      struct{ v Caller }
	byOtherInterface struct{ v Closer }
	byField          struct{ v Caller }
	byOptional       struct{ v Caller }
	byLazy           struct{ v container.Lazy[Caller] }
	byProvider       struct{ v container.Provider[Caller] }
	byScoped         struct{ v Caller }
	byName           struct{ p namedLine }
	byFunc           struct{ v cable }

	fieldLine struct {
		container.In
		V Caller
	}
	optionalLine struct {
		container.In
		V Caller `optional:"true"`
	}
	namedLine struct {
		container.In
		V     Caller                 `name:"main"`
		Other Closer                 `name:"main"`
		Lazy  container.Lazy[Caller] `name:"main"`
		All   []Caller               `group:"lines"`
		Map   map[string]Caller      `group:"lines"`
	}
	resultLine struct {
		container.Out
		V Caller
	}
)

// consumed is the way of a consumer, which the scope builds or finds in the container.
func consumed[T any](name string, reach func(t *testing.T, by T) reached) way {
	return way{name, func(t *testing.T, _ *container.Container, s *container.Scope) reached { return reach(t, in[T](t, s)) }}
}

// later is what a Lazy or Provider gives.
func later(t *testing.T, get func() (Caller, error)) reached {
	t.Helper()
	v, err := get()
	require.NoError(t, err)
	return reachedBy(v)
}

// consumers provides those of a service without a name.
func consumers(c *container.Container, lifetime ...container.ProvideOption) {
	c.Provide(func(v Caller) *byParameter { return &byParameter{v} }, lifetime...)
	c.Provide(func(p fieldLine) *byField { return &byField{p.V} }, lifetime...)
	c.Provide(func(p optionalLine) *byOptional { return &byOptional{p.V} }, lifetime...)
	c.Provide(func(v Caller) *byScoped { return &byScoped{v} }, container.Scoped())
}

// laterConsumers provides those that ask when they are called.
func laterConsumers(c *container.Container, lifetime ...container.ProvideOption) {
	c.Provide(func(v Closer) *byOtherInterface { return &byOtherInterface{v} }, lifetime...)
	c.Provide(func(v container.Lazy[Caller]) *byLazy { return &byLazy{v} }, lifetime...)
}

// usualWays are those of every service that has no name.
var usualWays = []way{
	consumed("a parameter", func(_ *testing.T, by *byParameter) reached { return reachedBy(by.v) }),
	consumed("a field", func(_ *testing.T, by *byField) reached { return reachedBy(by.v) }),
	consumed("an optional field", func(_ *testing.T, by *byOptional) reached { return reachedBy(by.v) }),
	consumed("a parameter of what is scoped", func(_ *testing.T, by *byScoped) reached { return reachedBy(by.v) }),
	{"Get from a scope", func(t *testing.T, _ *container.Container, s *container.Scope) reached {
		return reachedBy(in[Caller](t, s))
	}},
	{"Invoke of a scope", func(t *testing.T, _ *container.Container, s *container.Scope) (r reached) {
		require.NoError(t, s.Invoke(func(v Caller) { r = reachedBy(v) }))
		return r
	}},
	{"Invoke of a scope, a field", func(t *testing.T, _ *container.Container, s *container.Scope) (r reached) {
		require.NoError(t, s.Invoke(func(p fieldLine) { r = reachedBy(p.V) }))
		return r
	}},
}

// waysOfSeveral are those of a service that is provided as several interfaces.
var waysOfSeveral = []way{
	consumed("a parameter of another interface", func(_ *testing.T, by *byOtherInterface) reached { return reachedBy(by.v.(Caller)) }),
	consumed("a Lazy", func(t *testing.T, by *byLazy) reached { return later(t, by.v.Get) }),
	{"Get of another interface", func(t *testing.T, _ *container.Container, s *container.Scope) reached {
		return reachedBy(in[Closer](t, s).(Caller))
	}},
}

// waysOfTheContainer are those of what is not bound to a scope.
func waysOfTheContainer(class string) []way {
	return []way{
		{"Get", func(t *testing.T, c *container.Container, _ *container.Scope) reached {
			return reachedBy(must[Caller](t, c))
		}},
		{"Invoke", func(t *testing.T, c *container.Container, _ *container.Scope) (r reached) {
			require.NoError(t, c.Invoke(func(v Caller) { r = reachedBy(v) }))
			return r
		}},
		{"Lookup", func(t *testing.T, c *container.Container, _ *container.Scope) reached {
			v, err := c.Lookup(class)
			require.NoError(t, err)
			return reachedBy(v.(Caller))
		}},
	}
}

// Fallen falls back to the service.
type Fallen struct{}

var errFallen = errors.New("fallen")

func (*Fallen) Call(context.Context) error { return errFallen }

var aFallback = way{"a fallback", func(t *testing.T, c *container.Container, _ *container.Scope) reached {
	return reached{call: must[Caller](t, c, container.Name("fallen")).Call}
}}

// fallen provides what falls back to a class.
func fallen(c *container.Container, class string) {
	c.Provide(func() *Fallen { return &Fallen{} }, container.As[Caller](), container.Name("fallen"),
		container.Annotate[aliases.Retry]("Call", annotation.Policies(retry.Fallback, retry.MaxAttempts), annotation.MaxAttempts(1), annotation.Fallback(class+"@Call")))
}

// everywhere are the registrations, each with all ways by which its service can be reached.
var everywhere = []struct {
	name   string
	wire   func(c *container.Container, line *Line, annotate container.ProvideOption)
	ways   [][]way
	shared bool // all reach the same instance
	method any  // that is annotated; nil: Caller.Call
}{
	{"a singleton", func(c *container.Container, line *Line, annotate container.ProvideOption) {
		c.Provide(func() *Line { return line }, container.As[Caller](), container.As[Closer](), annotate)
		consumers(c)
		laterConsumers(c)
		fallen(c, "Line")
	}, [][]way{usualWays, waysOfSeveral, waysOfTheContainer("Line"), {aFallback}}, true, nil},

	{"a singleton that keeps its type", func(c *container.Container, line *Line, annotate container.ProvideOption) {
		c.Provide(func() *Line { return line }, container.As[Caller](), container.As[Closer](), container.AsSelf(), annotate)
		consumers(c)
		laterConsumers(c)
		fallen(c, "Line")
	}, [][]way{usualWays, waysOfSeveral, waysOfTheContainer("Line"), {aFallback}}, true, nil},

	{"a supplied value", func(c *container.Container, line *Line, annotate container.ProvideOption) {
		c.Supply(line, container.As[Caller](), container.As[Closer](), annotate)
		consumers(c)
		laterConsumers(c)
		fallen(c, "Line")
	}, [][]way{usualWays, waysOfSeveral, waysOfTheContainer("Line"), {aFallback}}, true, nil},

	{"one result of several", func(c *container.Container, line *Line, annotate container.ProvideOption) {
		c.Provide(func() (*C, *Line, error) { return &C{}, line, nil }, container.As[Caller](), container.As[Closer](), annotate)
		consumers(c)
		laterConsumers(c)
		fallen(c, "Line")
	}, [][]way{usualWays, waysOfSeveral, waysOfTheContainer("Line"), {aFallback}}, true, nil},

	{"a field of a result", func(c *container.Container, line *Line, annotate container.ProvideOption) {
		c.Provide(func() resultLine { return resultLine{V: line} }, container.Impl[*Line](), annotate)
		consumers(c)
	}, [][]way{usualWays, waysOfTheContainer("Line")}, true, nil},

	{"an override", func(c *container.Container, line *Line, annotate container.ProvideOption) {
		c.Provide(func() *Plain { panic("it is replaced") }, container.As[Caller](), container.As[Closer](), annotate)
		c.Override(func() *Line { return line }, container.As[Caller](), container.As[Closer]())
		consumers(c)
		laterConsumers(c)
		fallen(c, "Plain")
	}, [][]way{usualWays, waysOfSeveral, waysOfTheContainer("Plain"), {aFallback}}, true, nil},

	{"a decorated one", func(c *container.Container, line *Line, annotate container.ProvideOption) {
		c.Provide(func() *Line { return line }, container.As[Caller](), container.As[Closer](), annotate)
		c.Decorate(func(v Caller) Caller { return framed{v, v.(Closer)} })
		c.Decorate(func(v Closer) Closer { return framed{v.(Caller), v} })
		consumers(c)
		laterConsumers(c)
		fallen(c, "Line")
	}, [][]way{usualWays, waysOfSeveral, waysOfTheContainer("Line"), {aFallback}}, true, nil},

	{"one with a name, in a group", func(c *container.Container, line *Line, annotate container.ProvideOption) {
		c.Provide(func() *Line { return line }, container.As[Caller](), container.As[Closer](), container.Name("main"), container.Group("lines"), annotate)
		c.Provide(func(p namedLine) *byName { return &byName{p} })
		fallen(c, "Line#main")
	}, [][]way{{
		consumed("a field by name", func(_ *testing.T, by *byName) reached { return reachedBy(by.p.V) }),
		consumed("a field of another interface by name", func(_ *testing.T, by *byName) reached { return reachedBy(by.p.Other.(Caller)) }),
		consumed("a Lazy by name", func(t *testing.T, by *byName) reached { return later(t, by.p.Lazy.Get) }),
		consumed("a group", func(_ *testing.T, by *byName) reached { return reachedBy(by.p.All[0]) }),
		consumed("a group as a map", func(_ *testing.T, by *byName) reached { return reachedBy(by.p.Map["main"]) }),
		{"Invoke", func(t *testing.T, c *container.Container, _ *container.Scope) (r reached) {
			require.NoError(t, c.Invoke(func(p namedLine) { r = reachedBy(p.All[0]) }))
			return r
		}},
		{"Get by name", func(t *testing.T, c *container.Container, _ *container.Scope) reached {
			return reachedBy(must[Caller](t, c, container.Name("main")))
		}},
		{"Get from a scope by name", func(t *testing.T, _ *container.Container, s *container.Scope) reached {
			return reachedBy(in[Closer](t, s, container.Name("main")).(Caller))
		}},
		{"Lookup", func(t *testing.T, c *container.Container, _ *container.Scope) reached {
			v, err := c.Lookup("Line#main")
			require.NoError(t, err)
			return reachedBy(v.(Caller))
		}},
		aFallback,
	}}, true, nil},

	{"a func", func(c *container.Container, line *Line, annotate container.ProvideOption) {
		c.Supply(cable(line.Call), annotate)
		c.Provide(func(v cable) *byFunc { return &byFunc{v} })
		fallen(c, "cable")
	}, [][]way{{
		consumed("a parameter", func(_ *testing.T, by *byFunc) reached { return reached{by.v, by.v} }),
		{"Get", func(t *testing.T, c *container.Container, _ *container.Scope) reached {
			v := must[cable](t, c)
			return reached{v, v}
		}},
		{"Lookup", func(t *testing.T, c *container.Container, _ *container.Scope) reached {
			v, err := c.Lookup("cable")
			require.NoError(t, err)
			return reached{v, v.(cable)}
		}},
		aFallback,
	}}, false, "Call"}, // funcs cannot be compared

	{"a scoped one", func(c *container.Container, line *Line, annotate container.ProvideOption) {
		c.Provide(func() *Line { return &Line{line.calls} }, container.As[Caller](), container.As[Closer](), container.Scoped(), annotate)
		consumers(c, container.Scoped())
		laterConsumers(c, container.Scoped())
	}, [][]way{usualWays, waysOfSeveral}, true, nil},

	{"a scoped one, decorated, from several scopes", func(c *container.Container, line *Line, annotate container.ProvideOption) {
		c.Provide(func() *Line { return &Line{line.calls} }, container.As[Caller](), container.As[Closer](), container.Scoped(), annotate)
		c.Decorate(func(v Caller) Caller { return framed{v, v.(Closer)} })
		consumers(c, container.Scoped())
	}, [][]way{usualWays, {
		{"another scope", func(t *testing.T, c *container.Container, _ *container.Scope) reached {
			return reachedBy(in[Caller](t, ours(t, c)))
		}},
		{"a consumer in another scope", func(t *testing.T, c *container.Container, _ *container.Scope) reached {
			return reachedBy(in[*byParameter](t, ours(t, c)).v)
		}},
	}}, false, nil},

	{"a transient one", func(c *container.Container, line *Line, annotate container.ProvideOption) {
		c.Provide(func() *Line { return &Line{line.calls} }, container.As[Caller](), container.As[Closer](), container.Transient(), annotate)
		c.Provide(func(v container.Provider[Caller]) *byProvider { return &byProvider{v} })
		consumers(c)
	}, [][]way{usualWays, waysOfTheContainer("Line"), {
		consumed("a Provider", func(t *testing.T, by *byProvider) reached { return later(t, by.v.Get) }),
	}}, false, nil},
}

// reachAll wires a container with the annotation on the service, and reaches it by all ways.
func reachAll(t *testing.T, i int, annotate func(method any) container.ProvideOption) (c *container.Container, ways []way, all []reached, calls *int) {
	t.Helper()
	r, calls := everywhere[i], new(int)
	var method any = Caller.Call
	if r.method != nil {
		method = r.method
	}
	c = container.New()
	r.wire(c, &Line{calls}, annotate(method))
	s := ours(t, c)
	for _, some := range r.ways {
		ways = append(ways, some...)
	}
	for _, w := range ways {
		all = append(all, w.reach(t, c, s))
	}
	require.Zero(t, *calls)
	return c, ways, all, calls
}

func TestEveryWayToAServiceHandsOutTheWovenOne(t *testing.T) {
	for i, r := range everywhere {
		t.Run(r.name, func(t *testing.T) {
			_, ways, all, calls := reachAll(t, i, func(method any) container.ProvideOption {
				return container.Annotate[aliases.Retry](method, annotation.MaxAttempts(2), annotation.Policies(retry.Classifier, retry.MaxAttempts))
			})
			var first any
			for i, got := range all {
				*calls = 0
				require.ErrorIs(t, got.call(t.Context()), errDown, ways[i].name)
				require.Equal(t, 2, *calls, "%s: it is retried", ways[i].name)
				if got.value == nil {
					continue
				}
				require.True(t, aspect.IsWoven(got.value), ways[i].name)
				require.False(t, aspect.IsWoven(aspect.Unwrap(got.value)), "%s: once", ways[i].name)
				if first == nil {
					first = got.value
				}
				require.True(t, !r.shared || first == got.value, "%s: it is the same one", ways[i].name)
			}
		})
	}
}

func TestAllWaysToAServiceShareItsBreaker(t *testing.T) {
	for i, r := range everywhere {
		t.Run(r.name, func(t *testing.T) {
			annotate := func(method any) container.ProvideOption {
				return container.Annotate[aliases.CircuitBreaker](method, annotation.MaxAttempts(2))
			}
			_, ways, _, _ := reachAll(t, i, annotate)
			for breaking := range ways {
				c, _, all, calls := reachAll(t, i, annotate)
				require.Len(t, c.Breakers(), 1)
				require.ErrorIs(t, all[breaking].call(t.Context()), errDown)
				require.Equal(t, 2, *calls, "an exhausted session opens it")
				for asking, got := range all {
					require.ErrorIs(t, got.call(t.Context()), retry.ErrCircuitOpen, "opened through %s, called through %s", ways[breaking].name, ways[asking].name)
				}
				require.Equal(t, 2, *calls)
			}
		})
	}
}

func TestAllWaysToAServiceShareItsBudget(t *testing.T) {
	for i, r := range everywhere {
		t.Run(r.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // where no time passes, in which the reserve would fill again
				const reserve = 2
				_, ways, all, calls := reachAll(t, i, func(method any) container.ProvideOption {
					return container.Annotate[aliases.Retry](method, annotation.MaxAttempts(2),
						annotation.Policies(retry.Classifier, retry.Budget, retry.MaxAttempts),
						annotation.Budget(retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: reserve / 10.0}))
				})
				require.Greater(t, len(all), reserve)
				for i, got := range all {
					require.ErrorIs(t, got.call(t.Context()), errDown, ways[i].name)
				}
				require.Equal(t, len(all)+reserve, *calls, "as many retries as the reserve pays for, whoever calls")
			})
		})
	}
}
