package aspect_test

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// Sealed can be implemented in this package alone.
type Sealed interface {
	Open(ctx context.Context) error
	sealed()
}

type sealed struct{}

func (sealed) Open(context.Context) error { return errDown }
func (sealed) sealed()                    {}

func TestASealedInterfaceHasNoProxyAtRunTime(t *testing.T) {
	_, err := aspect.Wrap[Sealed](aspect.NewWeaver(), sealed{}, aspect.Annotate[Quick]("Open"))
	d := onlyProblem(t, err)
	require.Contains(t, d.Problem, "its method sealed is unexported, so only package github.com/backstay/backstay/aspect_test can implement it")
	require.Contains(t, d.Remedy, "go tool backstay")
	require.Equal(t, "sealed", d.Ref.Class)
	require.Regexp(t, `^aspect/interfaces_test.go:\d+$`, d.Place)

	s, err := aspect.Wrap[Sealed](aspect.NewWeaver(), sealed{})
	require.NoError(t, err, "it needs none")
	require.True(t, s == Sealed(sealed{}))
}

// providedAs is a registration of an account under interfaces.
func providedAs(interfaces ...reflect.Type) aspect.Service {
	return aspect.Service{
		Ref: retry.MethodRef{Class: "account"}, Impl: reflect.TypeFor[*account](), Interfaces: interfaces,
		Declarations: []annotation.Declaration{quick("*")}, Place: "shop/main.go:10",
	}
}

// Balancer and Printer are disjoint parts of Account.
type (
	Balancer interface {
		Balance(ctx context.Context) (int, error)
	}
	Printer interface{ String() string }
	Named   interface {
		Name() string
		String() string
	}
)

func TestDisjointInterfacesShareAProxy(t *testing.T) {
	p := planned(t, aspect.NewWeaver(), providedAs(reflect.TypeFor[Gateway](), reflect.TypeFor[Balancer](), reflect.TypeFor[Printer]()), services{})
	v := woven[any](t, p, &account{Stripe: down(2)}, nil)
	g := v.(Gateway)
	balance, err := v.(Balancer).Balance(t.Context())
	require.NoError(t, err)
	require.Equal(t, 12, balance)
	_, err = g.Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, "account", v.(Printer).String())
	require.True(t, v == any(g))
	_, isAccount := v.(Account)
	require.True(t, isAccount, "it has the methods of all")
}

func TestAnInterfaceThatAnotherContainsNeedsNoProxyOfItsOwn(t *testing.T) {
	for name, interfaces := range map[string][]reflect.Type{
		"the part first":       {reflect.TypeFor[namer](), reflect.TypeFor[Gateway]()},
		"the part last":        {reflect.TypeFor[Gateway](), reflect.TypeFor[namer]()},
		"the same twice":       {reflect.TypeFor[Gateway](), reflect.TypeFor[Gateway]()},
		"another name for it":  {reflect.TypeFor[Gateway](), reflect.TypeFor[interface{ Gateway }]()},
		"an interface of none": {reflect.TypeFor[any](), reflect.TypeFor[Gateway]()},
	} {
		t.Run(name, func(t *testing.T) {
			p := planned(t, aspect.NewWeaver(), providedAs(interfaces...), services{})
			v := woven[any](t, p, &account{Stripe: down(2)}, nil)
			for _, i := range interfaces {
				require.True(t, reflect.TypeOf(v).Implements(i))
			}
			_, err := v.(Gateway).Charge(t.Context(), "7", 5)
			require.NoError(t, err)
			require.Equal(t, "stripe", v.(namer).Name())
		})
	}
}

func TestOverlappingInterfacesNeedACompositeOne(t *testing.T) {
	d := onlyPlanProblem(t, aspect.NewWeaver(), providedAs(reflect.TypeFor[Gateway](), reflect.TypeFor[Named]()), services{})
	require.Equal(t, "it is provided as aspect_test.Gateway and as aspect_test.Named, and both have a method Name", d.Problem)
	require.Equal(t, "declare one interface that embeds both, and provide it as that one interface", d.Remedy)
	require.Equal(t, "account", d.Ref.Class)
	require.Equal(t, "shop/main.go:10", d.Place)

	planned(t, aspect.NewWeaver(), providedAs(reflect.TypeFor[Gateway](), reflect.TypeFor[Named](), reflect.TypeFor[Account]()), services{})
}

// unprepared is an interface that nobody generates a proxy for.
type unprepared interface{ Gateway }

func TestRequireGeneratedRefusesProxiesMadeAtRunTime(t *testing.T) {
	w := aspect.NewWeaver(aspect.RequireGenerated())
	_, err := aspect.Wrap[unprepared](w, &Stripe{}, aspect.Annotate[Quick](Gateway.Charge))
	d := onlyProblem(t, err)
	require.Equal(t, "there is no generated proxy for aspect_test.unprepared, and RequireGenerated refuses one made at run time", d.Problem)
	require.Equal(t, "write beside the interface: //go:generate go tool backstay -type unprepared", d.Remedy)
	require.Equal(t, "Stripe", d.Ref.String())
	require.Regexp(t, `^aspect/interfaces_test.go:\d+$`, d.Place)

	wrapped[unprepared](t, w, &Stripe{}) // needs none
	job := wrapped[Job](t, w, func(context.Context) error { return nil }, aspect.Annotate[Quick]("Call"))
	require.True(t, aspect.IsWoven(job), "a func is no proxy")

	d = onlyPlanProblem(t, w, providedAs(reflect.TypeFor[unprepared](), reflect.TypeFor[Printer]()), services{})
	require.Equal(t, "it is provided as aspect_test.Printer and aspect_test.unprepared, there is no generated proxy for an interface of just their methods,"+
		" and RequireGenerated refuses one made at run time", d.Problem)
	require.Equal(t, "declare such an interface, say X, that embeds them, and write beside it: //go:generate go tool backstay -type X", d.Remedy)
}

// Upload has methods of which much can be said.
type Upload interface {
	Send(ctx context.Context, r io.Reader) error
	Copy(ctx context.Context, w io.Writer, files <-chan string) error
	Tell(ctx context.Context, s fmt.Stringer) error
	Ping() error
	Name() string
}

type upload struct{}

func (upload) Send(context.Context, io.Reader) error                { return nil }
func (upload) Copy(context.Context, io.Writer, <-chan string) error { return nil }
func (upload) Tell(context.Context, fmt.Stringer) error             { return nil }
func (upload) Ping() error                                          { return nil }
func (upload) Name() string                                         { return "" }
func (upload) CloseIdleConnections()                                {}
func (upload) Flush() error                                         { return nil }
func (upload) ReadFrom(io.Reader) (int64, error)                    { return 0, nil }

func TestNotes(t *testing.T) {
	s := aspect.Service{
		Ref: retry.MethodRef{Class: "upload"}, Impl: reflect.TypeFor[upload](), Interfaces: []reflect.Type{reflect.TypeFor[Upload]()},
		Declarations: []annotation.Declaration{quick("*")}, Place: "shop/main.go:10",
	}
	const consumed = "and a second attempt sees what the first has left of it; rewind it with BeforeRetry"
	require.ElementsMatch(t, []string{
		"upload: the proxy hides CloseIdleConnections, Flush, ReadFrom of aspect_test.upload: callers that look for them by a type assertion do not find them; put them into the interface, or use aspect.Unwrap",
		"upload@Send: parameter 1 is a io.Reader, " + consumed,
		"upload@Copy: parameter 1 is a io.Writer, " + consumed,
		"upload@Copy: parameter 2 is a <-chan string, " + consumed,
		"upload@Ping: the method takes no context, so its waits cannot be ended and sessions around it do not know of it; give it a context.Context",
	}, planned(t, aspect.NewWeaver(), s, services{}).Notes())

	t.Run("a method of the interface is not hidden", func(t *testing.T) {
		s.Interfaces = append(s.Interfaces, reflect.TypeFor[interface{ Flush() error }]())
		require.Contains(t, planned(t, aspect.NewWeaver(), s, services{}).Notes()[0], "hides CloseIdleConnections, ReadFrom of")
	})
	t.Run("what is not retried sees no second attempt", func(t *testing.T) {
		s.Declarations = nil
		notes := planned(t, aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, aspect.Func(proceed))), s, services{}).Notes()
		require.Len(t, notes, 1)
		require.Contains(t, notes[0], "the proxy hides")
	})
	t.Run("a request has a context", func(t *testing.T) {
		f := aspect.Service{
			Ref: retry.MethodRef{Class: "sender"}, Impl: reflect.TypeFor[sender](), Interfaces: []reflect.Type{reflect.TypeFor[sender]()},
			Declarations: []annotation.Declaration{quick("Call")}, Place: "shop/main.go:10",
		}
		require.Empty(t, planned(t, aspect.NewWeaver(), f, services{}).Notes())
	})
}
