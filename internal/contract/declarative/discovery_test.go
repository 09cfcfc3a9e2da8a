package declarative_test

import (
	"context"
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

// Teller calls itself: the target, and the woven service.
type Teller struct {
	_    annotation.On[aliases.Retry] `method:"Call" maxAttempts:"3"`
	self container.Lazy[Peer]
	*Remote
}

// Other calls the target: nobody can intercept that.
func (l *Teller) Other(ctx context.Context) (string, error) { return l.Call(ctx) }

// Buy calls the woven service.
func (l *Teller) Buy(ctx context.Context) (string, error) {
	self, err := l.self.Get()
	if err != nil {
		return "", err
	}
	return self.Call(ctx)
}

// decl:65. A call that a service makes on itself goes past the proxy, as the documentation says; a Lazy of its own
// interface is the way through it.
func TestASelfCallIsUnguardedAndOneThroughALazyIsGuarded(t *testing.T) {
	remote := down()
	c := container.New()
	c.Provide(func(self container.Lazy[Peer]) *Teller { return &Teller{self: self, Remote: remote} },
		container.As[Peer](), container.As[Shop]())
	for name, test := range map[string]struct {
		call func(context.Context) (string, error)
		want int
	}{
		"the woven method":            {get[Peer](t, c).Call, 3},
		"a call on the receiver":      {get[Peer](t, c).Other, 1},
		"a call through the own Lazy": {get[Shop](t, c).Buy, 3},
	} {
		before := remote.count()
		_, err := test.call(t.Context())
		require.Equal(t, errBoom, err)
		require.Equal(t, test.want, remote.count()-before, name)
	}
}

// decl:65. What is annotated and would not be guarded is reported: what is provided as its concrete type, which nobody can
// stand in front of, and what comes out of a constructor that does not say what it builds.
func TestAnAnnotatedServiceThatWouldNotBeGuardedIsReported(t *testing.T) {
	text := onlyProblem(t, func(c *container.Container) {
		c.Provide(func() *Marked { panic("never built") })
		c.Supply(&Offline{&book{}})
	})
	require.Contains(t, text, "Marked")
	require.Contains(t, text, "container.As")

	c := container.New()
	c.Provide(func() Peer { return &Marked{Remote: down()} })
	c.Supply(&Offline{&book{}})
	require.NoError(t, c.Verify(), "it cannot be known before it is built")
	_, err := container.Get[Peer](c)
	var d *annotation.DefinitionError
	require.ErrorAs(t, err, &d)
	require.Contains(t, err.Error(), "container.Impl[*declarative_test.Marked]")
}

// decl:66. What is annotated on the struct holds for who has the interface.
func TestAMarkOnTheStructIsSeenThroughTheInterface(t *testing.T) {
	marked := &Marked{Remote: fails(1)}
	c := container.New()
	c.Provide(func() *Marked { return marked }, container.As[Peer]())
	c.Provide(newShop)
	c.Supply(&Offline{&book{}})
	got, err := get[*shop](t, c).Buy(t.Context())
	require.NoError(t, err)
	require.Equal(t, "done", got)
	require.Equal(t, 2, marked.count())

	w := aspect.NewWeaver(aspect.WithService(&Offline{&book{}}))
	wrapped, err := aspect.Wrap[Peer](w, &Marked{Remote: fails(1)})
	require.NoError(t, err)
	got, err = wrapped.Call(t.Context())
	require.NoError(t, err)
	require.Equal(t, "done", got)
}

// Fast is a team's preset, Faster one that is made from it.
type (
	Fast   struct{ annotation.AbstractRetry }
	Faster struct{ Fast }

	hasty struct {
		_ annotation.On[Fast] `method:"Call" base:"20ms"`
		*Remote
	}
	hastier struct {
		_ annotation.On[Faster] `method:"Call"`
		*Remote
	}
)

func (Fast) Defaults() []annotation.Option {
	return []annotation.Option{annotation.MaxAttempts(2), annotation.Base(10 * ms)}
}

func (Faster) Defaults() []annotation.Option { return []annotation.Option{annotation.Base(5 * ms)} }

// decl:68. An annotation made of another has what it says and, for the rest, what that one says; and what is written at the
// method replaces only itself.
func TestAPresetHoldsButForWhatIsWrittenBesideIt(t *testing.T) {
	for name, test := range map[string]struct {
		provide func(c *container.Container)
		want    time.Duration
	}{
		"the preset": {func(c *container.Container) {
			c.Provide(down, container.As[Peer](), container.Annotate[Fast](Peer.Call))
		}, 10 * ms},
		"overridden by a tag": {func(c *container.Container) {
			c.Provide(func() *hasty { return &hasty{Remote: down()} }, container.As[Peer]())
		}, 20 * ms},
		"overridden at the registration": {func(c *container.Container) {
			c.Provide(func() *hasty { return &hasty{Remote: down()} }, container.As[Peer](),
				container.Annotate[Fast](Peer.Call, annotation.Base(30*ms)))
		}, 30 * ms},
		"a preset of the preset": {func(c *container.Container) {
			c.Provide(func() *hastier { return &hastier{Remote: down()} }, container.As[Peer]())
		}, 5 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := container.New()
				test.provide(c)
				ctx, report := retry.WithReport(t.Context())
				_, err := get[Peer](t, c).Call(ctx)
				require.Equal(t, errBoom, err)
				require.Equal(t, 2, report.Attempts)
				require.Equal(t, []time.Duration{test.want}, report.Waits)
			})
		})
	}
}

// TenantRetry has a field that must be set.
type TenantRetry struct {
	annotation.AbstractRetry
	Tenant string
}

func (a TenantRetry) Validate() error {
	if a.Tenant == "" {
		return errNothing
	}
	return nil
}

type (
	noAttempts struct {
		_ annotation.On[aliases.Retry] `method:"Call" maxAttempts:""`
		*Remote
	}
	noBase struct {
		_ annotation.On[aliases.Retry] `method:"Call" base:""`
		*Remote
	}
	noErrors struct {
		_ annotation.On[aliases.Retry] `method:"Call" retryErrors:""`
		*Remote
	}
	noBreaker struct {
		_ annotation.On[aliases.CircuitBreaker] `method:"Call" breaker:""`
		*Remote
	}
	noMethod struct {
		_ annotation.On[aliases.Retry] `maxAttempts:"3"`
		*Remote
	}
	noTenant struct {
		_ annotation.On[TenantRetry] `method:"Call"`
		*Remote
	}
)

// decl:70. An annotation that lacks what it must have is found before the first call.
func TestAnAnnotationThatLacksAValueIsADefinitionError(t *testing.T) {
	for name, test := range map[string]struct {
		provide func(c *container.Container)
		want    string
	}{
		"maxAttempts": {func(c *container.Container) { c.Provide(func() *noAttempts { return nil }, container.As[Peer]()) }, "maxAttempts"},
		"base":        {func(c *container.Container) { c.Provide(func() *noBase { return nil }, container.As[Peer]()) }, "base"},
		"retryErrors": {func(c *container.Container) { c.Provide(func() *noErrors { return nil }, container.As[Peer]()) }, "retryErrors"},
		"breaker":     {func(c *container.Container) { c.Provide(func() *noBreaker { return nil }, container.As[Peer]()) }, "breaker"},
		"method":      {func(c *container.Container) { c.Provide(func() *noMethod { return nil }, container.As[Peer]()) }, "method"},
		"Validate":    {func(c *container.Container) { c.Provide(func() *noTenant { return nil }, container.As[Peer]()) }, errNothing.Error()},
		"a name": {func(c *container.Container) {
			c.Provide(down, container.As[Peer](), container.Annotate[aliases.Retry](Peer.Call, annotation.BudgetName("")))
		}, "BudgetName"},
		"a window": {func(c *container.Container) {
			c.Provide(down, container.As[Peer](), container.Annotate[aliases.CircuitBreaker](Peer.Call,
				annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Second, FailureRatio: .5})))
		}, "window"},
		"a reset timeout": {func(c *container.Container) {
			c.Provide(down, container.As[Peer](), container.Annotate[aliases.CircuitBreaker](Peer.Call,
				annotation.Breaker(retry.BreakerSettings{Consecutive: 3})))
		}, "resetTimeout"},
	} {
		t.Run(name, func(t *testing.T) { require.Contains(t, onlyProblem(t, test.provide), test.want) })
	}
}
