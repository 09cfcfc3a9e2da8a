package microprofile_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// Of two methods, or services, the second is called when the breaker of the first is open. Each takes its own 8 failures.
func TestDeclaredBreakersAreNotShared(t *testing.T) {
	type side struct {
		instances declaredInstances
		call      func(declaredServer, context.Context) error
	}
	of := func(all declaredInstances) side { return side{all, declaredServer.Serve} }
	got := func(t *testing.T, c *container.Container, name string) side {
		v := declaredGet[declaredServer](t, c, container.Name(name))
		return of(declaredInstances{v})
	}
	for _, c := range []struct {
		name  string
		sides func(t *testing.T) (one, other side)
	}{
		{"mp:S18 two classes that embed one struct with the mark", func(t *testing.T) (side, side) {
			w := aspect.NewWeaver()
			return of(declaredWeave[declaredGuardedClassKept](t, declaredPlan[declaredGuardedClassKept](t, w), 3)),
				of(declaredWeave[declaredGuardedClassTwin](t, declaredPlan[declaredGuardedClassTwin](t, w), 3))
		}},
		{"mp:S18 the same in a container", func(t *testing.T) (side, side) {
			c := container.New()
			c.Provide(func() *declaredGuardedClassKept { return new(declaredGuardedClassKept) }, container.As[declaredServer](), container.Name("one"))
			c.Provide(func() *declaredGuardedClassTwin { return new(declaredGuardedClassTwin) }, container.As[declaredServer](), container.Name("two"))
			return got(t, c, "one"), got(t, c, "two")
		}},
		{"mp:S19 two methods of one class, by one mark", func(t *testing.T) (side, side) {
			all := declaredOf[declaredGuardedClass]()(t)
			return of(all), side{all, declaredServer.Other}
		}},
		{"mp:S19 two methods of one class, by one registration", func(t *testing.T) (side, side) {
			all := declaredOf[declaredPlainBase](annotation.Declare[declaredGuard]("Serve,Other", annotation.Caller(0), declaredWindow(8)))(t)
			return of(all), side{all, declaredServer.Other}
		}},
		{"mp:S20 two classes that have nothing to do with each other", func(t *testing.T) (side, side) {
			w := aspect.NewWeaver()
			return of(declaredWeave[declaredGuardedMethod](t, declaredPlan[declaredGuardedMethod](t, w), 3)),
				of(declaredWeave[declaredPlainBase](t, declaredPlan[declaredPlainBase](t, w, declaredMethodWindow(8)), 3))
		}},
		// MicroProfile knows no two registrations of one class: there they would be one.
		{"after mp:S20 two registrations of one class", func(t *testing.T) (side, side) {
			c := container.New()
			for _, name := range []string{"one", "two"} {
				c.Provide(func() *declaredGuardedClass { return new(declaredGuardedClass) }, container.As[declaredServer](), container.Name(name))
			}
			return got(t, c, "one"), got(t, c, "two")
		}},
		{"after mp:S20 a class and the class that embeds it", func(t *testing.T) (side, side) {
			w := aspect.NewWeaver()
			return of(declaredWeave[declaredGuardedClass](t, declaredPlan[declaredGuardedClass](t, w), 3)),
				of(declaredWeave[declaredGuardedClassKept](t, declaredPlan[declaredGuardedClassKept](t, w), 3))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			one, other := c.sides(t)
			require.Equal(t, 8, one.instances.failuresBeforeOpen(t, one.call))
			require.Equal(t, 8, other.instances.failuresBeforeOpen(t, other.call))
			require.Zero(t, one.instances.failuresBeforeOpen(t, one.call), "it is still open")
		})
	}
}

// What MicroProfile cannot say: methods that share a breaker, by its name.
func TestDeclaredBreakersAreSharedByName(t *testing.T) {
	c := container.New()
	shared := container.Annotate[declaredGuard]("*", annotation.BreakerName("peer"), declaredWindow(8))
	for _, name := range []string{"one", "two"} {
		c.Provide(func() *declaredPlainBase { return new(declaredPlainBase) }, container.As[declaredServer](), container.Name(name), shared)
	}
	one, two := declaredGet[declaredServer](t, c, container.Name("one")), declaredGet[declaredServer](t, c, container.Name("two"))
	require.Equal(t, 8, declaredInstances{one, two}.failuresBeforeOpen(t, declaredServer.Serve))
	require.Zero(t, declaredInstances{two}.failuresBeforeOpen(t, declaredServer.Other))
	require.Len(t, c.Breakers(), 1)
}

// One service that is provided as two interfaces is one: it has one breaker for each method, by whichever it is called.
func TestDeclaredBreakerOfAServiceWithTwoInterfaces(t *testing.T) {
	type server interface{ Serve(context.Context) error }
	type other interface{ Other(context.Context) error }
	c := container.New()
	c.Provide(func() *declaredGuardedClass { return new(declaredGuardedClass) }, container.As[server](), container.As[other]())
	s, o := declaredGet[server](t, c), declaredGet[other](t, c)
	require.True(t, any(s) == any(o))
	require.Equal(t, 8, declaredInstances{s.(declaredServer)}.failuresBeforeOpen(t, declaredServer.Serve))
	require.Equal(t, 8, declaredInstances{o.(declaredServer)}.failuresBeforeOpen(t, declaredServer.Other))
}

// What an Override puts under the weave is guarded by the breaker of the service that it replaces.
func TestDeclaredBreakerOfAnOverriddenService(t *testing.T) {
	c := declaredProvide[declaredGuardedMethod]()
	c.Override(func() declaredServer { return new(declaredGuardedClassKeptClass4) })
	s := declaredInstances{declaredGet[declaredServer](t, c)}
	require.Equal(t, 8, s.failuresBeforeOpen(t, declaredServer.Serve))
	require.Equal(t, declaredNeverOpens, s.failuresBeforeOpen(t, declaredServer.Other))
	b, err := c.Breaker("declaredGuardedMethod@Serve")
	require.NoError(t, err)
	require.Equal(t, retry.BreakerOpen, b.State())
}
