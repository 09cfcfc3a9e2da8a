package container_test

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

// tells returns a hook that writes to the journal, and then fails with err.
func tells[T any](j *journal, line string, err error) func(context.Context, T) error {
	return func(context.Context, T) error { j.add(line); return err }
}

func TestHooksStandAroundTheServicesOwnMethods(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func() *unit[one] { return quiet[one](&j, "1") },
		container.OnStart(tells[*unit[one]](&j, "OnStart a", nil)),
		container.OnStop(tells[*unit[one]](&j, "OnStop a", nil)),
		container.OnStart(tells[*unit[one]](&j, "OnStart b", nil)),
		container.OnStop(tells[*unit[one]](&j, "OnStop b", nil)))
	require.NoError(t, c.Start(t.Context()))
	require.NoError(t, c.Stop(t.Context()))
	require.Equal(t, []string{"start 1", "OnStart a", "OnStart b", "OnStop b", "OnStop a", "stop 1"}, j.all())
}

func TestWhatIsUndoneOfAStartThatHasFailed(t *testing.T) {
	for name, test := range map[string]struct {
		own, first, second error
		want               []string
	}{
		"the own one fails":    {own: errDown, want: []string{"start 1", "start 1 is over"}},
		"the first hook fails": {first: errDown, want: []string{"start 1", "start 1 is over", "OnStart a", "stop 1"}},
		"a later hook fails":   {second: errDown, want: []string{"start 1", "start 1 is over", "OnStart a", "OnStart b", "OnStop", "stop 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			var j journal
			c := container.New()
			c.Provide(func() *unit[one] { return &unit[one]{&j, "1", fails(test.own), nil} },
				container.OnStart(tells[*unit[one]](&j, "OnStart a", test.first)),
				container.OnStart(tells[*unit[one]](&j, "OnStart b", test.second)),
				container.OnStop(tells[*unit[one]](&j, "OnStop", nil)))
			require.ErrorIs(t, c.Start(t.Context()), errDown)
			require.Equal(t, test.want, j.all())
		})
	}
}

func TestAHookOfOnStopAloneIsCalledForWhatWasBuilt(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func() *A { return &A{} }, container.OnStop(tells[*A](&j, "built", errDown)))
	c.Provide(func() *B { return &B{} }, container.OnStart(tells[*B](&j, "no", nil)), container.OnStop(tells[*B](&j, "not started", nil)))
	c.Provide(func() *C { t.Error("built"); return nil }, container.OnStop(tells[*C](&j, "not built", nil)))
	must[*A](t, c)
	must[*B](t, c)
	require.Equal(t, []string{"backstay: OnStop of A (HERE): down"}, texts(t, c.Stop(t.Context())))
	require.Equal(t, []string{"built"}, j.all())
}

// Which of the types that a service has a hook takes decides whether it gets the woven one: that calls a target which fails
// twice three times.
func TestAHookGetsWhatItTakes(t *testing.T) {
	asInterface := container.OnStart(func(ctx context.Context, v Caller) error { return v.Call(ctx) })
	asItself := container.OnStart(func(ctx context.Context, v *Client) error { return v.Call(ctx) })
	for name, test := range map[string]struct {
		provide func(c *container.Container, client *Client)
		calls   int
	}{
		"the interface that it is provided as, woven": {func(c *container.Container, client *Client) {
			c.Provide(func() *Client { return client }, container.As[Caller](), asInterface)
		}, 3},
		"its own type, the target": {func(c *container.Container, client *Client) {
			c.Provide(func() *Client { return client }, container.As[Caller](), asItself)
		}, 1},
		"the interface that the constructor returns": {func(c *container.Container, client *Client) {
			c.Provide(func() Caller { return client }, container.Impl[*Client](), asInterface)
		}, 3},
		"the type that Impl says, the target": {func(c *container.Container, client *Client) {
			c.Provide(func() Caller { return client }, container.Impl[*Client](), asItself)
		}, 1},
		"its own type, kept beside the interface": {func(c *container.Container, client *Client) {
			c.Provide(func() *Client { return client }, container.As[Caller](), container.AsSelf(), asItself)
		}, 1},
		"its own type, under a decorator": {func(c *container.Container, client *Client) {
			c.Provide(func() *Client { return client }, container.As[Caller](), asItself)
			c.Decorate(func(v Caller) Caller { return decoratedCaller{v} })
		}, 1},
		"a supplied value": {func(c *container.Container, client *Client) {
			c.Supply(client, container.As[Caller](), asInterface)
		}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			client := &Client{}
			if test.calls > 1 {
				client.fail = test.calls - 1
			}
			c := container.New()
			test.provide(c, client)
			require.NoError(t, c.Start(t.Context()))
			require.Equal(t, test.calls, client.calls)
			require.NoError(t, c.Stop(t.Context()))
		})
	}
}

type decoratedCaller struct{ Caller }

func TestAHookOfAFuncService(t *testing.T) {
	type greet func() string
	var got string
	c := container.New()
	c.Provide(func() greet { return func() string { return "hello" } },
		container.OnStart(func(_ context.Context, g greet) error { got = g(); return nil }))
	require.NoError(t, c.Start(t.Context()))
	require.Equal(t, "hello", got)
}

func TestOfSeveralResultsAHookIsForTheOneThatFits(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func() (*A, *B, []*C) { return &A{}, &B{}, nil },
		container.OnStart(tells[*B](&j, "B", nil)), container.OnStart(tells[*A](&j, "A", errDown)), container.OnStop(tells[*B](&j, "stop B", nil)))
	require.Equal(t, []string{"backstay: OnStart of A (HERE): down"}, each(t, c.Start(t.Context())))
	require.Equal(t, []string{"B", "A", "stop B"}, j.all())
}

// A hook for what an override has replaced by something else has nothing to be called with.
func TestHooksStayWhereAnOverrideFitsThem(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func() *Client { t.Error("built"); return nil }, container.As[Caller](),
		container.OnStart(tells[*Client](&j, "the client", nil)), container.OnStart(tells[Caller](&j, "a caller", nil)))
	c.Override(func() Caller { return &Plain{} })
	require.NoError(t, c.Start(t.Context()))
	require.Equal(t, []string{"a caller"}, j.all())
}

func TestHooksAndTimeoutsThatCannotHoldAreDefinitionErrors(t *testing.T) {
	var none func(context.Context, *A) error
	a := func() *A { return &A{} }
	hook := container.OnStart(func(context.Context, *A) error { return nil })
	const often = "return a func that cleans up as another result of the constructor, or give the service a Close, for when its scope is closed (HERE)"
	for name, test := range map[string]struct {
		wire func(c *container.Container)
		want []string
	}{
		"a nil hook": {
			func(c *container.Container) { c.Provide(a, container.OnStop(none)) },
			[]string{"backstay: A: container.OnStop of a nil func; give it a func, or leave it out (HERE)"},
		},
		"of another type": {
			func(c *container.Container) {
				c.Provide(func() *Client { return &Client{} }, container.As[Caller](), container.OnHealth(func(context.Context, io.Closer) error { return nil }))
			},
			[]string{"backstay: Client: container.OnHealth[io.Closer]: the service is a *container_test.Client; take what it is, or what it is provided as: *container_test.Client or container_test.Caller (HERE)"},
		},
		"of an element of a slice": {
			func(c *container.Container) {
				c.Provide(func() []*A { return nil }, container.Group("a,flatten"), hook)
			},
			[]string{"backstay: []*container_test.A: container.OnStart[*container_test.A]: the service is a []*container_test.A; take what it is, or what it is provided as: []*container_test.A (HERE)"},
		},
		"of a scoped service": {
			func(c *container.Container) { c.Provide(a, hook, container.Scoped()) },
			[]string{"backstay: A: hooks and timeouts are for what is there once, and container.Scoped() says otherwise; " + often},
		},
		"of a transient": {
			func(c *container.Container) { c.Provide(a, container.StopTimeout(time.Second), container.Transient()) },
			[]string{"backstay: A: hooks and timeouts are for what is there once, and container.Transient() says otherwise; " + often},
		},
		"of an override": {
			func(c *container.Container) { c.Provide(a); c.Override(a, hook) },
			[]string{"backstay: A: Override takes no hook, timeout or container.Unmanaged: those of the service that it replaces stay; say them where the service is provided (HERE)"},
		},
		"no time": {
			func(c *container.Container) {
				c.Provide(a, container.StartTimeout(0), container.StopTimeout(-time.Second))
			},
			[]string{
				"backstay: A: container.StartTimeout(0s) is no time; give it a timeout above zero, or leave it out for the default (HERE)",
				"backstay: A: container.StopTimeout(-1s) is no time; give it a timeout above zero, or leave it out for the default (HERE)",
			},
		},
		"milliseconds without their unit": {
			func(c *container.Container) { c.Provide(a, container.HealthTimeout(100)) },
			[]string{"backstay: A: container.HealthTimeout(100) is 100ns; write 100*time.Millisecond (HERE)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			test.wire(c)
			require.Equal(t, test.want, verified(t, c))
		})
	}
}

func TestTimeoutsOfTheContainerAreChecked(t *testing.T) {
	c := container.New(container.StopTimeout(5), container.StartTimeout(0), container.HealthTimeout(time.Microsecond))
	require.Equal(t, []string{
		"backstay: container.StopTimeout(5) is 5ns; write 5*time.Millisecond (HERE)",
		"backstay: container.StartTimeout(0s) is no time; give it a timeout above zero, or leave it out for the default (HERE)",
	}, verified(t, c))
}

// A hook does not change how a service is woven, or that it is found.
func TestAServiceWithAHookIsAnyOther(t *testing.T) {
	c := container.New()
	c.Provide(func(b *B) *A { return &A{b} }, container.OnStart(func(context.Context, *A) error { return nil }), container.Name("a"))
	c.Provide(func() *B { return &B{} }, container.OnStart(func(context.Context, *B) error { return nil }))
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), container.Annotate[aliases.Retry](Caller.Call, annotation.MaxAttempts(2)),
		container.OnStart(func(context.Context, Caller) error { return nil }))
	require.Same(t, must[*B](t, c), must[*A](t, c, container.Name("a")).b)
	require.NoError(t, must[Caller](t, c).Call(t.Context()))
}
