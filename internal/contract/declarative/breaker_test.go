package declarative_test

import (
	"context"
	"errors"
	"reflect"
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

// guarded weaves a remote whose every call is one attempt behind a breaker.
func guarded(t *testing.T, remote *Remote, settings retry.BreakerSettings, opts ...annotation.Option) *system {
	t.Helper()
	return weave(t, remote, container.Annotate[aliases.CircuitBreaker](Peer.Call,
		append(opts, annotation.MaxAttempts(1), annotation.Breaker(settings))...))
}

func (s *system) state(t *testing.T) retry.BreakerState {
	t.Helper()
	return s.breaker(t).State()
}

// decl:17. What was admitted while the breaker was closed decides nothing after it has opened.
func TestAResultOfACallThatBeganBeforeTheBreakerOpenedDecidesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := make(chan error)
		remote := &Remote{do: func(_ context.Context, n int) (string, error) {
			switch n {
			case 1:
				return "", <-slow
			case 2:
				return "", errBoom
			}
			return "done", nil
		}}
		s := guarded(t, remote, retry.BreakerSettings{ResetTimeout: time.Second, Consecutive: 1, Probes: 2})
		first := make(chan error)
		go func() {
			_, err := s.Call(t.Context())
			first <- err
		}()
		synctest.Wait()
		_, err := s.Call(t.Context())
		require.ErrorIs(t, err, errBoom)
		require.Equal(t, retry.BreakerOpen, s.state(t))
		time.Sleep(time.Second)
		_, err = s.Call(t.Context())
		require.NoError(t, err, "the first of two probes")

		slow <- errBoom
		require.ErrorIs(t, <-first, errBoom)
		require.Equal(t, retry.BreakerHalfOpen, s.state(t))
		require.Equal(t, 1, s.openings(), "it did not open again")
		_, err = s.Call(t.Context())
		require.NoError(t, err)
		require.Equal(t, retry.BreakerClosed, s.state(t))
	})
}

// decl:19. Under constant traffic a breaker that counts the calls it refuses never closes.
func TestRefusedCallsDoNotPostponeTheProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := guarded(t, fails(1), retry.BreakerSettings{ResetTimeout: 100 * ms, Consecutive: 1})
		begin := time.Now()
		_, err := s.Call(t.Context())
		require.ErrorIs(t, err, errBoom)
		for {
			time.Sleep(10 * ms)
			if _, err := s.Call(t.Context()); err == nil {
				break
			}
			require.Less(t, time.Since(begin), time.Minute)
		}
		require.Equal(t, 100*ms, time.Since(begin))
		require.Equal(t, retry.BreakerClosed, s.state(t))
	})
}

// decl:23. A breaker belongs to a service and a method: all who take the service share it, another method has its own, and
// so has another service of the class, unless they share one by name.
func TestABreakerBelongsToAServiceAndAMethod(t *testing.T) {
	trips := annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Second, Consecutive: 1})
	remote := down()
	s := weaveIn(t, remote, func(c *container.Container) {
		c.Provide(newShop)
		c.Provide(func(p Peer) *taker { return &taker{p} })
		for _, name := range []string{"eu", "us"} {
			c.Provide(func() *Remote { return remote }, container.As[Peer](), container.Name(name),
				container.Annotate[aliases.CircuitBreaker](Peer.Call, annotation.MaxAttempts(1), trips),
				container.Annotate[aliases.CircuitBreaker](Peer.Other, annotation.MaxAttempts(1), trips, annotation.BreakerName("both")))
		}
	}, container.Annotate[aliases.CircuitBreaker]("Call,Other", annotation.MaxAttempts(1), trips))

	_, err := get[*shop](t, s.c).Buy(t.Context())
	require.ErrorIs(t, err, errBoom)
	_, err = get[*taker](t, s.c).peer.Call(t.Context())
	require.ErrorIs(t, err, retry.ErrCircuitOpen, "another consumer of the service")
	_, err = s.Other(t.Context())
	require.ErrorIs(t, err, errBoom, "another method")
	eu, us := get[Peer](t, s.c, container.Name("eu")), get[Peer](t, s.c, container.Name("us"))
	for _, p := range []Peer{eu, us} {
		_, err = p.Call(t.Context())
		require.ErrorIs(t, err, errBoom, "another service of the class")
	}
	_, err = eu.Other(t.Context())
	require.ErrorIs(t, err, errBoom)
	_, err = us.Other(t.Context())
	require.ErrorIs(t, err, retry.ErrCircuitOpen, "shared by name")
}

type taker struct{ peer Peer }

// decl:23. Instances of one registration, as another container's request scope would make them, share its breakers: a fresh
// breaker for each request never opens.
func TestInstancesOfOneRegistrationShareItsBreakers(t *testing.T) {
	w := aspect.NewWeaver()
	plan, errs := w.Plan(aspect.Service{
		Ref: retry.MethodRef{Class: "Remote"}, Impl: reflect.TypeFor[*Remote](), Interfaces: []reflect.Type{reflect.TypeFor[Peer]()},
		Declarations: []annotation.Declaration{annotation.Declare[aliases.CircuitBreaker]("Call,Other", "main.go:1", annotation.MaxAttempts(1))},
	}, noServices{})
	require.Empty(t, errs)
	require.Empty(t, w.Settle([]*aspect.Plan{plan}))
	instance := func() Peer {
		v, err := plan.Weave(reflect.ValueOf(down()), nil)
		require.NoError(t, err)
		return v.Interface().(Peer)
	}
	first, second := instance(), instance()
	_, err := first.Call(t.Context())
	require.ErrorIs(t, err, errBoom)
	_, err = second.Call(t.Context())
	require.ErrorIs(t, err, retry.ErrCircuitOpen)
	_, err = second.Other(t.Context())
	require.ErrorIs(t, err, errBoom, "another method")
	for range 1000 {
		instance()
	}
	require.Len(t, w.Shared().Breakers(), 2, "however many there are")
	require.Len(t, annotation.AllOf[aliases.CircuitBreaker](w.Registry()), 2)
}

// noServices is a directory without any.
type noServices struct{}

var errNothing = errors.New("nothing is provided")

func (noServices) Class(string, string) (aspect.Found, error) { return aspect.Found{}, errNothing }
func (noServices) Type(reflect.Type) (aspect.Found, error)    { return aspect.Found{}, errNothing }
func (noServices) Name(string) (aspect.Found, error)          { return aspect.Found{}, errNothing }

// decl:24. Tests that share a system have to be able to forget what others have done to its breakers.
func TestAllBreakersCanBeReset(t *testing.T) {
	s := weave(t, down(), container.Annotate[aliases.CircuitBreaker]("Call,Other", annotation.MaxAttempts(1),
		annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Hour, Window: 2, FailureRatio: .5})))
	for range 2 {
		_, err := s.Call(t.Context())
		require.ErrorIs(t, err, errBoom)
	}
	_, err := s.Other(t.Context())
	require.ErrorIs(t, err, errBoom)
	require.Equal(t, 1, s.openings())

	all := s.c.Breakers()
	require.Len(t, all, 2)
	for _, b := range all {
		b.Reset()
		require.Equal(t, retry.BreakerClosed, b.State())
		require.Zero(t, b.RetryAfter())
	}
	for range 2 {
		_, err := s.Other(t.Context())
		require.ErrorIs(t, err, errBoom, "its window was empty again: it takes two failures to open")
	}
	_, err = s.Other(t.Context())
	require.ErrorIs(t, err, retry.ErrCircuitOpen)
	_, err = s.Call(t.Context())
	require.ErrorIs(t, err, errBoom)

	var states []retry.BreakerState
	for _, e := range eventsOf(s.rec, every[retry.BreakerChanged]) {
		states = append(states, e.To)
	}
	require.Equal(t, []retry.BreakerState{retry.BreakerOpen, retry.BreakerClosed, retry.BreakerOpen}, states,
		"one opened and was reset, the other was closed and opened; a reset opens nothing")
}

// decl:28. An operator's word counts in every state, half-open included.
func TestForceOpenHoldsInHalfOpenUntilReset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := guarded(t, fails(1), retry.BreakerSettings{ResetTimeout: time.Second, Consecutive: 1, Probes: 2})
		_, err := s.Call(t.Context())
		require.ErrorIs(t, err, errBoom)
		time.Sleep(time.Second)
		_, err = s.Call(t.Context())
		require.NoError(t, err)
		require.Equal(t, retry.BreakerHalfOpen, s.state(t))

		s.breaker(t).ForceOpen()
		for range 3 {
			require.Equal(t, retry.BreakerForceOpen, s.state(t))
			_, err = s.Call(t.Context())
			require.ErrorIs(t, err, retry.ErrCircuitOpen)
			time.Sleep(time.Hour)
		}
		require.Equal(t, 2, s.remote.count())
		s.breaker(t).Reset()
		require.Equal(t, retry.BreakerClosed, s.state(t))
		_, err = s.Call(t.Context())
		require.NoError(t, err)
	})
}
