package container_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

func TestASingletonIsBuiltOnceAndOnlyWhenItIsNeeded(t *testing.T) {
	var built []string
	c := container.New()
	c.Provide(func(b *B) *A { built = append(built, "A"); return &A{b} })
	c.Provide(func() *B { built = append(built, "B"); return &B{} })
	c.Provide(func() *C { built = append(built, "C"); return &C{} })
	require.NoError(t, c.Verify())
	require.Empty(t, built, "Verify runs no constructor")

	a := must[*A](t, c)
	require.Same(t, a, must[*A](t, c))
	require.Same(t, a.b, must[*B](t, c))
	require.Equal(t, []string{"B", "A"}, built)
}

func TestAConstructorMayHaveSeveralResultsAndAnError(t *testing.T) {
	c := container.New()
	c.Provide(func() (*A, *B, error) { return &A{}, &B{}, nil })
	c.Provide(func(a *A, b *B) C { return C{7} })
	require.NoError(t, c.Invoke(func(a *A, b *B, v C) error {
		require.NotNil(t, a)
		require.NotNil(t, b)
		require.Equal(t, 7, v.n)
		return nil
	}))
}

func TestEachAsIsForTheResultThatImplementsIt(t *testing.T) {
	c := container.New()
	c.Provide(func() (*Client, *A) { return &Client{fail: 1}, &A{} }, container.As[Caller]())
	require.NoError(t, must[Caller](t, c).Call(t.Context()))
	require.NotNil(t, must[*A](t, c))
	_, err := container.Get[*Client](c)
	require.ErrorContains(t, err, "did you mean container_test.Caller, which *container_test.Client is provided as")
}

type inParams struct {
	container.In
	Plain   *A
	Named   string `name:"region"`
	Missing *C     `optional:"true"`
	Ports   []int  `group:"ports"`
	Nested  nestedParams
}

type nestedParams struct {
	container.In `ignore-unexported:"true"`
	Caller       Caller
	internal     int
}

type outResults struct {
	container.Out
	A      *A
	Region string `name:"region"`
	Port   int    `group:"ports"`
	More   []int  `group:"ports,flatten"`
	Nested nestedResults
}

type nestedResults struct {
	container.Out
	Caller Caller
}

func TestStructsOfParametersAndResults(t *testing.T) {
	c := container.New()
	c.Supply(1, container.Group("ports"))
	plain := &Plain{}
	c.Provide(func() (outResults, error) {
		return outResults{A: &A{}, Region: "eu", Port: 2, More: []int{3, 4}, Nested: nestedResults{Caller: plain}}, nil
	})
	c.Supply([]int{5, 6}, container.Group("ports,flatten"))
	require.NoError(t, c.Invoke(func(p inParams) {
		require.NotNil(t, p.Plain)
		require.Equal(t, "eu", p.Named)
		require.Nil(t, p.Missing)
		require.Equal(t, []int{1, 2, 3, 4, 5, 6}, p.Ports, "in order of registration")
		require.Same(t, plain, p.Nested.Caller)
		require.Zero(t, p.Nested.internal)
	}))
}

func TestConstructorsGetGroupsInOrderOfRegistration(t *testing.T) {
	type params struct {
		container.In
		All []int `group:"n"`
	}
	c := container.New()
	var want []int
	for i := range 20 {
		want = append(want, i)
		c.Provide(func() int { return i }, container.Group("n"))
	}
	c.Provide(func(p params) *C { require.Equal(t, want, p.All); return &C{len(p.All)} })
	require.Equal(t, 20, must[*C](t, c).n)
}

func TestASoftGroupHasWhatIsBuiltAnyway(t *testing.T) {
	type params struct {
		container.In
		All []int `group:"n,soft"`
	}
	type both struct {
		container.Out
		A *A
		N int `group:"n"`
	}
	c := container.New()
	c.Provide(func() both { return both{A: &A{}, N: 1} })
	c.Provide(func() int { return 2 }, container.Group("n"))
	c.Provide(func(p params, a *A) *C { return &C{len(p.All)} })
	must[*A](t, c)
	require.Equal(t, 1, must[*C](t, c).n)
	require.NoError(t, c.Invoke(func(p params) { require.Equal(t, []int{1}, p.All) }))
}

func TestAGroupMayBeEmpty(t *testing.T) {
	type params struct {
		container.In
		All []int `group:"n"`
	}
	require.NoError(t, container.New().Invoke(func(p params) { require.NotNil(t, p.All); require.Empty(t, p.All) }))
}

func TestAServiceInAGroupIsFoundByItsNameAsWell(t *testing.T) {
	c := container.New()
	c.Supply(1, container.Group("n"), container.Name("one"))
	c.Supply(2, container.Group("n"))
	require.Equal(t, 1, must[int](t, c, container.Name("one")))
	_, err := container.Get[int](c)
	require.ErrorContains(t, err, "nothing provides int")
}

func TestNamesTellServicesOfOneTypeApart(t *testing.T) {
	c := container.New()
	for _, name := range []string{"", "a", "b"} {
		opts := []container.ProvideOption{container.As[Caller]()}
		if name != "" {
			opts = append(opts, container.Name(name))
		}
		c.Provide(func() *Plain { return &Plain{err: errors.New(name)} }, opts...)
	}
	for _, name := range []string{"", "a", "b"} {
		require.EqualError(t, must[Caller](t, c, container.Name(name)).Call(t.Context()), name)
	}
}

func TestNamedResultsOfAStructAreProvidedUnderTheirNames(t *testing.T) {
	type results struct {
		container.Out
		Read  *Plain `name:"read"`
		Write *Plain `name:"write"`
		Other *C
	}
	type params struct {
		container.In
		Read  *Plain `name:"read"`
		Write *Plain `name:"write"`
	}
	c := container.New()
	c.Provide(func() results { return results{Read: &Plain{calls: 1}, Write: &Plain{calls: 2}, Other: &C{}} })
	c.Provide(func(p params, o *C) *A { require.Equal(t, 3, p.Read.calls+p.Write.calls); return &A{} })
	must[*A](t, c)
	require.Equal(t, 2, must[*Plain](t, c, container.Name("write")).calls)
}

func TestSupplyGivesTheValueItself(t *testing.T) {
	a := &A{}
	c := container.New()
	c.Supply(a)
	c.Supply(nestedResults{Caller: &Plain{}})
	c.Supply(C{3})
	require.Same(t, a, must[*A](t, c))
	require.Equal(t, 3, must[C](t, c).n)
	require.NotNil(t, must[Caller](t, c))
}

func TestASuppliedServiceIsWoven(t *testing.T) {
	client := &Client{fail: 2}
	c := container.New()
	c.Supply(client, container.As[Caller]())
	require.NoError(t, must[Caller](t, c).Call(t.Context()))
	require.Equal(t, 3, client.calls)
}

func TestAServiceWithSeveralInterfacesIsBuiltAndWovenOnce(t *testing.T) {
	built := 0
	c := container.New()
	c.Provide(func() *Client { built++; return &Client{fail: 2} }, container.As[Caller](), container.As[Closer]())
	caller, closer := must[Caller](t, c), must[Closer](t, c)
	require.True(t, aspect.IsWoven(caller))
	require.Equal(t, any(caller), any(closer), "one proxy")
	require.Equal(t, 1, built)
	require.NoError(t, caller.Call(t.Context()))
	require.NoError(t, closer.Shut(t.Context()))
}

func TestAServiceWithoutAspectsIsNotWrapped(t *testing.T) {
	plain := &Plain{}
	c := container.New()
	c.Provide(func() *Plain { return plain }, container.As[Caller]())
	require.Same(t, plain, must[Caller](t, c))
}

type Fetch func(ctx context.Context, n int) (int, error)

func TestAFuncServiceIsWoven(t *testing.T) {
	calls := 0
	c := container.New()
	c.Provide(func() Fetch {
		return func(_ context.Context, n int) (int, error) {
			if calls++; calls < 3 {
				return 0, errDown
			}
			return n * 2, nil
		}
	}, container.Annotate[aliases.Retry]("Call", annotation.MaxAttempts(3)))
	n, err := must[Fetch](t, c)(t.Context(), 4)
	require.NoError(t, err)
	require.Equal(t, 8, n)
	require.Equal(t, 3, calls)
}

func TestAnInterfaceResultWithImplIsWovenByItsMarks(t *testing.T) {
	client := &Client{fail: 2}
	c := container.New()
	c.Provide(func() (Caller, error) { return client, nil }, container.Impl[*Client]())
	require.NoError(t, must[Caller](t, c).Call(t.Context()))
	require.Equal(t, 3, client.calls)
	v, err := c.Lookup("Client")
	require.NoError(t, err)
	require.True(t, aspect.IsWoven(v))
}

func TestImplLetsAnInterfaceResultBeProvidedAsAnother(t *testing.T) {
	c := container.New()
	c.Provide(func() Closer { return &Client{} }, container.Impl[*Client](), container.As[Caller]())
	require.NoError(t, must[Caller](t, c).Call(t.Context()))
}

func TestAnAnnotationIsForTheResultOfItsMethodExpression(t *testing.T) {
	plain := &Plain{err: errDown}
	c := container.New()
	c.Provide(func() (Caller, Closer) { return plain, &Plain{} },
		container.Annotate[aliases.Retry](Caller.Call, annotation.MaxAttempts(2)))
	require.ErrorIs(t, must[Caller](t, c).Call(t.Context()), errDown)
	require.Equal(t, 2, plain.calls)
}

func TestInvokeCallsWithWhatTheFuncTakes(t *testing.T) {
	c := container.New()
	c.Provide(func() *A { return &A{} })
	require.NoError(t, c.Invoke(func() {}))
	require.Equal(t, errDown, c.Invoke(func(*A) error { return errDown }), "the error itself")
	require.NoError(t, c.Invoke(func(a *A, l container.Lazy[*A]) error {
		got, err := l.Get()
		require.Same(t, a, got)
		return err
	}))
	require.NoError(t, c.Invoke(func(*A) error {
		_, err := container.Get[*A](c) // the func runs outside every lock
		return err
	}))
}

// link is the type of a service in a chain.
func link(i int) reflect.Type { return reflect.ArrayOf(i, reflect.TypeFor[struct{}]()) }

// chain provides n services, each of which needs the one before it. The first needs first.
func chain(c *container.Container, n int, first reflect.Type) {
	in := first
	for i := range n {
		t := reflect.FuncOf([]reflect.Type{in}, []reflect.Type{link(i)}, false)
		made := []reflect.Value{reflect.Zero(link(i))}
		c.Provide(reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value { return made }).Interface())
		in = link(i)
	}
}

func TestAChainOfThousandsOfServices(t *testing.T) {
	const n = 3000
	c := container.New()
	c.Supply(&A{})
	chain(c, n, reflect.TypeFor[*A]())
	called := false
	f := reflect.MakeFunc(reflect.FuncOf([]reflect.Type{link(n - 1)}, nil, false), func([]reflect.Value) []reflect.Value {
		called = true
		return nil
	})
	require.NoError(t, c.Invoke(f.Interface()))
	require.True(t, called)
}

func TestACycleOfTenThousandServicesIsFound(t *testing.T) {
	const n = 10_000
	c := container.New()
	chain(c, n, link(n-1))
	all := verified(t, c)
	require.Len(t, all, 1)
	require.Contains(t, all[0], "a cycle: [0]struct {} needs [9999]struct {} (HERE), [9999]struct {} needs [9998]struct {} (HERE)")
}
