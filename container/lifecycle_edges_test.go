package container_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

type curious struct{ aliases.Retry }

func TestStartAndStopAreRefusedWhileThePlanIsMade(t *testing.T) {
	var inside []error
	c := container.New()
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), container.Annotate[curious](Caller.Call, annotation.Set(func(*curious) {
		inside = append(inside, c.Start(context.Background()), c.Stop(context.Background()))
	})))
	require.NoError(t, c.Verify())
	require.NotEmpty(t, inside)
	for i, err := range inside {
		call := []string{"Start", "Stop"}[i%2]
		require.Equal(t, "backstay: "+call+" in the Defaults, Validate or Set of an annotation, of which the plan is being made; let them do nothing but their own (HERE)", text(err))
	}
}

func TestAHookThatHasOverrunIsWaitedForLikeAStart(t *testing.T) {
	for name, test := range map[string]struct {
		takes time.Duration
		want  []string
		stops bool
	}{
		"and returns nil": {16 * time.Second, []string{"backstay: OnStart of A (HERE): has not returned within 15s"}, true},
		"and never returns": {time.Hour, []string{
			"backstay: OnStart of A (HERE): has not returned within 15s",
			"backstay: OnStart of A (HERE): it has still not returned from starting, so it is not stopped",
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var j journal
				c := container.New()
				c.Provide(func() *A { return &A{} },
					container.OnStart(func(context.Context, *A) error { time.Sleep(test.takes); return nil }),
					container.OnStop(tells[*A](&j, "OnStop", nil)))
				require.Equal(t, test.want, each(t, c.Start(t.Context())))
				require.Equal(t, test.stops, j.at("OnStop") == 0)
				time.Sleep(time.Hour)
			})
		})
	}
}

// What a service says of an end that came too late is told, and it is an overrun all the same.
func TestAnErrorAtTheEndOfTheTimeoutIsAnOverrun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := container.New(container.HealthTimeout(time.Second))
		provides[one](c, func(ctx context.Context) error { <-ctx.Done(); return errDown })
		require.NoError(t, c.Start(t.Context()))
		err := c.Health(t.Context()).Services[0].Err
		require.ErrorContains(t, err, "has not returned within 1s")
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

func TestAllThatAServiceAnswersIsJoined(t *testing.T) {
	c := container.New()
	c.Provide(func() *A { return &A{} }, container.OnHealth(tells[*A](&journal{}, "", errDown)),
		container.OnHealth(tells[*A](&journal{}, "", nil)), container.OnHealth(tells[*A](&journal{}, "", errBroken)))
	require.NoError(t, c.Start(t.Context()))
	err := c.Health(t.Context()).Services[0].Err
	require.Equal(t, []string{"down", "broken"}, texts(t, err))
}

func TestAHookOfASliceThatIsFlattenedGetsTheSlice(t *testing.T) {
	var got []*A
	c := container.New()
	c.Provide(func() []*A { return []*A{{}, {}} }, container.Group("a,flatten"), container.OnStart(func(_ context.Context, all []*A) error { got = all; return nil }))
	require.NoError(t, c.Start(t.Context()))
	require.Len(t, got, 2)
}

func TestTheElementsOfASliceThatDecoratorsHideAreStoppedOnce(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func() []lively { return []lively{quiet[one](&j, "1"), nil, quiet[two](&j, "2")} }, container.Group("x,flatten"))
	c.Decorate(func(v lively) lively { return decorated{v} }, container.Group("x"))
	require.NoError(t, c.Start(t.Context()))
	require.NoError(t, c.Stop(t.Context()))
	require.Equal(t, []string{"start 1", "start 2", "stop 2", "stop 1"}, j.all())
}

// mute listens, and has no life.
type mute struct{}

func (mute) On(context.Context, retry.Event) {}

func TestAListenerWithoutALifeChangesNoOrder(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func(*unit[two]) mute { return mute{} }, container.As[retry.Listener]())
	c.Provide(func(*unit[one]) *unit[two] { return quiet[two](&j, "2") })
	c.Provide(func() *unit[one] { return quiet[one](&j, "1") })
	require.NoError(t, c.Start(t.Context()))
	require.NoError(t, c.Stop(t.Context()))
	require.Equal(t, []string{"start 1", "start 2", "stop 2", "stop 1"}, j.all())
}

// What is supplied belongs to who supplied it, also where a decorator around it fails.
func TestWhatIsSuppliedIsNeverClosed(t *testing.T) {
	var j journal
	failing := errDown
	c := container.New()
	c.Supply(closingUnit{&j}, container.As[lively]())
	c.Decorate(func(v lively) (lively, error) { return decorated{v}, failing })
	require.ErrorIs(t, second(container.Get[lively](c)), errDown)
	failing = nil
	must[lively](t, c)
	require.NoError(t, c.Stop(t.Context()))
	require.Empty(t, j.all())
}

func TestWhatIsKeptAsItselfIsClosedOnceWhereItIsRefused(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func() (closingUnit, Caller) { return closingUnit{&j}, nil }, container.As[lively](), container.AsSelf())
	require.ErrorContains(t, second(container.Get[lively](c)), "returned a nil")
	require.Equal(t, []string{"close"}, j.all())
}

// Two values without a size may have one address. They are two, unless one is made from the other.
func TestValuesWithoutASizeAreToldApart(t *testing.T) {
	started.Store(0)
	c := container.New()
	c.Provide(func() *empty { return &empty{} })
	c.Provide(func() *empty { return &empty{} }, container.Name("another"))
	c.Provide(func(e *empty) startable { return e })
	require.NoError(t, c.Start(t.Context()))
	require.EqualValues(t, 2, started.Load())
}

type empty struct{}

var started atomic.Int32

func (*empty) Start(context.Context) error { started.Add(1); return nil }

// copied is a service that is no pointer.
type copied struct{ *journal }

func (v copied) Close() { v.add("close") }

func TestAValueThatIsHandedOnIsClosedOnceAndEqualOnesEach(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func() copied { return copied{&j} })
	c.Provide(func() copied { return copied{&j} }, container.Name("another"))
	c.Provide(func(v copied) lively { return v })
	must[copied](t, c, container.Name("another"))
	must[lively](t, c)
	require.NoError(t, c.Stop(t.Context()))
	require.Equal(t, []string{"close", "close"}, j.all())
}

func TestAContextThatEndsWhenEverythingIsStartedEndsNoStart(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	var j journal
	c := container.New()
	c.Provide(func() *unit[one] { return quiet[one](&j, "1") },
		container.OnStart(func(context.Context, *unit[one]) error { end(); return nil }))
	require.NoError(t, c.Start(ctx))
	require.Equal(t, container.StateRunning, c.State())
	require.NoError(t, c.Stop(t.Context()))
	require.Equal(t, []string{"start 1", "stop 1"}, j.all())
}
