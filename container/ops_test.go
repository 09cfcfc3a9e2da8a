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
	othershop "github.com/backstay/backstay/container/testdata/other/shop"
	"github.com/backstay/backstay/container/testdata/shop"
	"github.com/backstay/backstay/retry"
)

// Ears notes the kinds of events that it is told of.
type Ears struct{ heard []string }

func (e *Ears) On(_ context.Context, event retry.Event) {
	e.heard = append(e.heard, event.Ref().String())
}

func TestListenersThatAreServicesAreToldFromTheFirstCallOn(t *testing.T) {
	given, service, named := &Ears{}, &Ears{}, &Ears{}
	var order []string
	c := container.New(container.WithListener(given), container.WithListener(nil))
	c.Provide(func() *Client { order = append(order, "client"); return &Client{} }, container.As[Caller]())
	c.Provide(func() *C { order = append(order, "needed by a listener"); return &C{} })
	c.Provide(func(*C) *Ears { order = append(order, "listener"); return service }, container.As[retry.Listener]())
	c.Provide(func() (retry.Listener, error) { return named, nil }, container.Name("named"))
	require.NoError(t, must[Caller](t, c).Call(t.Context()))
	require.Equal(t, []string{"needed by a listener", "listener", "client"}, order)
	for _, ears := range []*Ears{given, service, named} {
		require.Equal(t, []string{"Client@Call"}, ears.heard)
	}
}

// Who gives a listener to the container and provides it too, for those that need it, does not mean to be told twice.
func TestAListenerThatIsGivenAndAServiceIsToldOnce(t *testing.T) {
	ears := &Ears{}
	c := container.New(container.WithListener(ears))
	c.Supply(ears, container.As[retry.Listener]())
	c.Provide(func() *Client { return &Client{} }, container.As[Caller]())
	require.NoError(t, must[Caller](t, c).Call(t.Context()))
	require.Equal(t, []string{"Client@Call"}, ears.heard)
}

func TestListenersAreToldAlsoWhenOneOfThemPanics(t *testing.T) {
	given, service := &Ears{}, &Ears{}
	c := container.New(container.WithListener(retry.ListenerFunc(func(context.Context, retry.Event) { panic("listener") })), container.WithListener(given))
	c.Supply(service, container.As[retry.Listener]())
	c.Provide(func() *Client { return &Client{} }, container.As[Caller]())
	require.PanicsWithValue(t, "listener", func() { _ = must[Caller](t, c).Call(t.Context()) })
	for _, ears := range []*Ears{given, service} {
		require.Equal(t, []string{"Client@Call"}, ears.heard)
	}
}

func TestListenersAndAspectsNeedNoNameToTellThemApart(t *testing.T) {
	one, two, grouped := &Ears{}, &Ears{}, &Ears{}
	around := 0
	pass := aspect.Func(func(jp aspect.JoinPoint) error { around++; return jp.Proceed() })
	c := container.New()
	c.Supply(one, container.As[retry.Listener]())
	c.Provide(func() *Ears { return two }, container.As[retry.Listener]())
	c.Provide(func() *Ears { return grouped }, container.As[retry.Listener](), container.Group("ears"))
	c.Supply(pass, container.AsAspect(aspect.Any(), 1))
	c.Provide(func() aspect.Func { return pass }, container.AsAspect(aspect.Any(), 2))
	c.Provide(func() aspect.Func { return pass }, container.AsAspect(aspect.Any(), 3), container.Group("aspects"))
	c.Provide(func() *Client { return &Client{} }, container.As[Caller]())
	require.NoError(t, must[Caller](t, c).Call(t.Context()))
	require.Equal(t, 3, around)
	for _, ears := range []*Ears{one, two, grouped} {
		require.Equal(t, []string{"Client@Call"}, ears.heard)
	}
}

func TestAListenerThatCannotBeBuiltIsAnErrorOfEveryGet(t *testing.T) {
	fail := true
	c := container.New()
	c.Supply(1)
	c.Provide(func() (retry.Listener, error) {
		if fail {
			return nil, errDown
		}
		return &Ears{}, nil
	})
	for range 2 {
		_, err := container.Get[int](c)
		require.Equal(t, "backstay: container.Get (HERE) needs Listener (HERE): down", text(err))
	}
	fail = false
	require.Equal(t, 1, must[int](t, c))
}

func TestLookupFindsByClassInAnyUnambiguousForm(t *testing.T) {
	c := container.New()
	c.Provide(func() *Client { return &Client{} }, container.As[Caller](), container.Name("eu"))
	c.Provide(func() *Client { return &Client{} }, container.As[Caller](), container.Name("us"))
	c.Provide(func() *A { return &A{} })
	c.Provide(func() *shop.A { return &shop.A{} })
	c.Provide(func() *othershop.A { return &othershop.A{} })
	c.Provide(func() *Repo[A] { return &Repo[A]{} })
	c.Provide(func() *Plain { return &Plain{} }, container.As[Closer]())
	for class, want := range map[string]any{
		"Client#eu":                must[Caller](t, c, container.Name("eu")),
		"container_test.Client#us": must[Caller](t, c, container.Name("us")),
		"container_test.A":         must[*A](t, c),
		"github.com/backstay/backstay/container/testdata/shop.A": must[*shop.A](t, c),
		"Repo[A]": must[*Repo[A]](t, c),
		"Plain":   must[Closer](t, c),
		"Closer":  must[Closer](t, c), // the only one that provides it
	} {
		got, err := c.Lookup(class)
		require.NoError(t, err, class)
		require.Equal(t, want, got, class)
	}
	for class, problem := range map[string]string{
		"Client": "there are 2 services of class Client: Client#eu (HERE), Client#us (HERE)",
		"A":      "there are 3 services of class A: container_test.A (HERE), github.com/backstay/backstay/container/testdata/shop.A (HERE), github.com/backstay/backstay/container/testdata/other/shop.A (HERE)",
		"Caller": "there are 2 services of class Caller: Client#eu (HERE), Client#us (HERE)",
	} {
		_, err := c.Lookup(class)
		require.ErrorContains(t, err, "tell them apart")
		require.Contains(t, text(err), problem)
	}
}

type Repo[E any] struct{ all []E }

func TestBreakersAreFoundByMethodClassAndName(t *testing.T) {
	c := container.New()
	breaker := container.Annotate[aliases.CircuitBreaker]
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), breaker("Call"))
	c.Provide(func() *Plain { return &Plain{} }, container.As[Closer](), container.Name("b"), breaker("Shut", annotation.BreakerName("shared")))
	all := c.Breakers()
	require.Len(t, all, 2)
	require.Equal(t, []string{"Plain@Call", "shared"}, []string{all[0].Name(), all[1].Name()})
	for _, method := range []any{"Plain@Call", "container_test.Plain@Call", Caller.Call} {
		b, err := c.Breaker(method)
		require.NoError(t, err)
		require.Same(t, all[0], b)
	}
	b, err := c.Breaker("shared")
	require.NoError(t, err)
	require.Same(t, all[1], b)

	b.ForceOpen()
	require.ErrorIs(t, must[Closer](t, c, container.Name("b")).Shut(t.Context()), retry.ErrCircuitOpen)

	for _, test := range []struct {
		method any
		want   string
	}{
		{"sharde", "backstay: there is no breaker sharde; did you mean shared? (HERE)"},
		{"Plain@Shout", "backstay: there is no breaker Plain@Shout; Breakers lists all (HERE)"},
		{"@", "backstay: there is no breaker @; Breakers lists all (HERE)"},
		{(*Buffer).Close, "backstay: nothing provides *container_test.Buffer; Provide one (HERE)"},
		{7, `backstay: a value of type int is no method; write the method expression, such as Gateway.Charge, or the method's name, such as "Charge" (HERE)`},
	} {
		_, err := c.Breaker(test.method)
		require.Equal(t, test.want, text(err))
	}
}

func TestNotesAndRegistry(t *testing.T) {
	c := container.New()
	c.Provide(func() *Buffer { return &Buffer{} }, container.As[io.ReadCloser]())
	require.Len(t, annotation.AllOf[aliases.Retry](c.Registry()), 1)
	require.Equal(t, []string{
		"Buffer@Close: the method takes no context, so its waits cannot be ended and sessions around it do not know of it; give it a context.Context",
	}, c.Notes())
	require.Empty(t, container.New().Notes())

	wrong := container.New()
	wrong.Provide(nil)
	require.Empty(t, wrong.Notes())
	require.Empty(t, wrong.Breakers())
	require.NotNil(t, wrong.Registry())
}

func TestNotesTellOfListenersThatAreToldNothing(t *testing.T) {
	given := &Ears{}
	c := container.New(container.WithListener(given), container.WithListener(retry.ListenerFunc(nil)))
	c.Provide(func() *Ears { return &Ears{} })
	c.Supply(given, container.Name("given"))
	c.Supply(&Ears{}, container.Name("not given"))
	c.Provide(func() retry.Listener { return &Ears{} }, container.Name("a listener"))
	var notes []string
	for _, n := range c.Notes() {
		notes = append(notes, placeOfTest.ReplaceAllString(n, "HERE"))
	}
	const deaf = ": *container_test.Ears implements retry.Listener and is told nothing; provide it as one, by container.As[retry.Listener]() (HERE)"
	require.Equal(t, []string{"Ears" + deaf, "Ears#not given" + deaf}, notes)
}

func TestDefaultsAreCheckedThoughNoServiceIsAnnotated(t *testing.T) {
	for _, annotated := range []bool{false, true} {
		c := container.New(container.Defaults(annotation.Fallback(7)))
		if annotated {
			c.Provide(func() *Client { return nil }, container.As[Caller]())
		}
		all := verified(t, c)
		require.Len(t, all, 1)
		require.Contains(t, all[0], "allback")
		require.Contains(t, all[0], "(HERE)")
	}
}

func TestDefaultsHoldForAllServices(t *testing.T) {
	plain := &Plain{err: errDown}
	c := container.New(nil,
		container.Defaults(annotation.MaxAttempts(2)),
		container.Defaults(annotation.IgnoreErrors(retry.Is(io.EOF))))
	c.Provide(func() *Plain { return plain }, container.As[Caller](), container.Annotate[aliases.Retry]("Call"))
	require.Error(t, must[Caller](t, c).Call(t.Context()))
	require.Equal(t, 2, plain.calls)
	plain.calls, plain.err = 0, io.EOF
	require.Error(t, must[Caller](t, c).Call(t.Context()))
	require.Equal(t, 1, plain.calls)
}

func TestNamedFuncsAndMatchersAreFoundByTags(t *testing.T) {
	type tagged struct {
		_ annotation.On[aliases.Retry] `method:"Call" maxAttempts:"5" retryErrors:"down" onlyIf:"allowed" fallback:"resign"`
		Plain
	}
	target := &tagged{Plain: Plain{err: errDown}}
	allowed := 0
	resigned := errors.New("resigned")
	c := container.New()
	c.Provide(func() *tagged { return target }, container.As[Caller]())
	c.Supply(retry.Is(errDown), container.Name("down"))
	c.Supply(func(*retry.Session) bool { allowed++; return allowed < 9 }, container.Name("allowed"))
	c.Provide(func(*A) func(error) error { return func(error) error { return resigned } }, container.Name("resign"))
	c.Provide(func() *A { return &A{} })
	require.ErrorIs(t, must[Caller](t, c).Call(t.Context()), resigned)
	require.Equal(t, 5, target.calls)
	require.Positive(t, allowed)
}

func TestAServiceFallsBackToAMethodOfItsOwn(t *testing.T) {
	target := &twoWays{}
	c := container.New()
	c.Provide(func() *twoWays { return target }, container.As[Caller]())
	require.NoError(t, must[Caller](t, c).Call(t.Context()))
	require.Equal(t, 1, target.second)
}

type twoWays struct {
	_      annotation.On[aliases.Retry] `method:"Call" maxAttempts:"1" fallback:"twoWays@Second"`
	second int
}

func (*twoWays) Call(context.Context) error     { return errDown }
func (w *twoWays) Second(context.Context) error { w.second++; return nil }

func TestAFallbackIsTheWovenServiceOrTheTargetItself(t *testing.T) {
	backup := &Plain{err: errDown}
	c := container.New()
	c.Provide(func() *Client { return &Client{fail: 99} }, container.As[Caller](),
		container.Annotate[aliases.Retry](Caller.Call, annotation.Fallback("Plain@Call")))
	c.Provide(func() *Plain { return backup }, container.As[differentCaller](),
		container.Annotate[aliases.Retry]("Call", annotation.MaxAttempts(2)))
	require.Error(t, must[Caller](t, c).Call(t.Context()))
	require.Equal(t, 2, backup.calls, "the woven one, which retries")

	backup.calls = 0
	c = container.New()
	c.Provide(func() *Client { return &Client{fail: 99} }, container.As[Caller](),
		container.Annotate[aliases.Retry](Caller.Call, annotation.Fallback("Plain@Call")))
	c.Provide(func() *Plain { return backup }, container.As[Closer]()) // Closer has no Call
	require.Error(t, must[Caller](t, c).Call(t.Context()))
	require.Equal(t, 1, backup.calls)
}

func TestAMethodExpressionFindsTheServiceOfItsReceiver(t *testing.T) {
	for name, test := range map[string]struct {
		wire func(c *container.Container, fallback func(any))
		want string // the problem; none: the fallback runs
	}{
		"by its key": {func(c *container.Container, fallback func(any)) {
			c.Supply(&Offline{})
			fallback((*Offline).Call)
		}, ""},
		"provided as an interface, and named": {func(c *container.Container, fallback func(any)) {
			c.Supply(&Offline{}, container.As[offline](), container.Name("x"))
			fallback((*Offline).Call)
		}, ""},
		"of an interface": {func(c *container.Container, fallback func(any)) {
			c.Supply(&Offline{}, container.As[offline](), container.Name("x"))
			fallback(offline.Call)
		}, ""},
		"of a value": {func(c *container.Container, fallback func(any)) {
			c.Supply(&byValue{})
			fallback(byValue.Call)
		}, ""},
		"of two services of a class": {func(c *container.Container, fallback func(any)) {
			c.Supply(&Offline{}, container.As[offline](), container.Name("x"))
			c.Supply(&Offline{}, container.As[offline](), container.Name("y"))
			fallback((*Offline).Call)
		}, "there are 2 services of type *container_test.Offline: Offline#x (HERE), Offline#y (HERE); tell them apart by container.Name, and write Class#name"},
		"of two services of an interface": {func(c *container.Container, fallback func(any)) {
			c.Supply(&Offline{}, container.As[offline](), container.Name("x"))
			c.Supply(&Offline{}, container.As[offline](), container.Name("y"))
			fallback(offline.Call)
		}, "there are 2 services of type container_test.offline: Offline#x (HERE), Offline#y (HERE); tell them apart by container.Name, and write Class#name"},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			test.wire(c, func(method any) {
				c.Provide(func() *Client { return &Client{fail: 99} }, container.As[Caller](),
					container.Annotate[aliases.Retry](Caller.Call, annotation.Fallback(method)))
			})
			if test.want == "" {
				require.NoError(t, must[Caller](t, c).Call(t.Context()))
				return
			}
			require.Equal(t, []string{"backstay: Client@Call: aliases.Retry: " + test.want + " (HERE)"}, verified(t, c))
		})
	}
}

type offline interface{ Call(context.Context) error }

type byValue struct{}

func (byValue) Call(context.Context) error { return nil }

// counting is a policy that needs a service.
type counting struct{ log *Ears }

func (counting) Kind() string { return "counting" }
func (p counting) Start(*retry.Session) {
	p.log.heard = append(p.log.heard, "started")
}

func TestAPolicyGetsTheServicesThatItTakes(t *testing.T) {
	factory := retry.PolicyFrom("counting", func(log *Ears) counting { return counting{log} })
	c := container.New()
	c.Provide(func() *Client { return &Client{} }, container.As[Caller](),
		container.Annotate[aliases.Retry]("Call", annotation.AddPolicies(factory)))
	c.Provide(func() *Ears { return &Ears{} })
	require.NoError(t, must[Caller](t, c).Call(t.Context()))
	require.Equal(t, []string{"started"}, must[*Ears](t, c).heard)
}

func TestAspectsThatAreServicesAreGivenWhatTheyNeed(t *testing.T) {
	var order []string
	c := container.New()
	c.Provide(func() *Client { order = append(order, "client"); return &Client{fail: 1} }, container.As[Caller]())
	c.Provide(func(a *A) aspect.Func {
		order = append(order, "aspect")
		return func(jp aspect.JoinPoint) error {
			order = append(order, jp.Ref().String())
			return jp.Proceed()
		}
	}, container.AsAspect(aspect.Method(Caller.Call), aspect.RetryPriority-1))
	c.Supply(&A{})
	require.NoError(t, must[Caller](t, c).Call(t.Context()))
	require.Equal(t, []string{"aspect", "client", "Client@Call", "Client@Call"}, order)
}
