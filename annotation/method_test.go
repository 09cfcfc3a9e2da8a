package annotation_test

import (
	"context"
	"errors"
	"io"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
)

// repo is a generic service and its interface.
type (
	repository[E any] interface {
		Find(ctx context.Context, key string) (E, error)
	}
	pgRepository[E any] struct{ methods }
)

func (*pgRepository[E]) Find(context.Context, string) (e E, err error) { return e, nil }
func (pgRepository[E]) Count() int                                     { return 0 }

func TestMethodOfReadsMethodExpressions(t *testing.T) {
	type local interface{ Do() error }
	type unnamed = interface{ Do() error }
	for _, x := range []struct {
		expr any
		recv reflect.Type
		name string
	}{
		{gateway.Charge, reflect.TypeFor[gateway](), "Charge"},
		{(*offline).Charge, reflect.TypeFor[*offline](), "Charge"},
		{plain.Charge, reflect.TypeFor[plain](), "Charge"}, // promoted
		{(*plain).Charge, reflect.TypeFor[*plain](), "Charge"},
		{methods.Close, reflect.TypeFor[methods](), "Close"},
		{io.ReadCloser.Read, reflect.TypeFor[io.ReadCloser](), "Read"},
		{error.Error, reflect.TypeFor[error](), "Error"},
		{local.Do, reflect.TypeFor[local](), "Do"},
		{unnamed.Do, reflect.TypeFor[unnamed](), "Do"},
		{repository[int].Find, reflect.TypeFor[repository[int]](), "Find"},
		{repository[*offline].Find, reflect.TypeFor[repository[*offline]](), "Find"},
		{(*pgRepository[int]).Find, reflect.TypeFor[*pgRepository[int]](), "Find"},
		{pgRepository[int].Count, reflect.TypeFor[pgRepository[int]](), "Count"},
		{pgRepository[int].Close, reflect.TypeFor[pgRepository[int]](), "Close"},
		{ofInterface[offline](), reflect.TypeFor[repository[offline]](), "Find"},
	} {
		recv, name, err := annotation.MethodOf(x.expr)
		require.NoError(t, err)
		require.Equal(t, x.recv, recv)
		require.Equal(t, x.name, name)
	}
}

// Close is no method.
func Close(*plain) error { return nil }

// ofInterface is the method expression of an interface inside a generic func.
func ofInterface[E any]() any { return repository[E].Find }

// ofType is that of a concrete type, for which the compiler writes a closure.
func ofType[E any]() any { return (*pgRepository[E]).Find }

func TestMethodOfRefusesWhatIsNoMethodExpression(t *testing.T) {
	for _, expr := range []any{
		nil, 3, "Charge", (func())(nil), func() {}, func(gateway) {}, rewind, Charge, Close, genericCharge[gateway],
		plain{}.Charge, (&offline{}).Charge, gateway(plain{}).Charge, ofType[int](), errors.New, reflect.TypeFor[int](),
	} {
		_, _, err := annotation.MethodOf(expr)
		var d *annotation.DefinitionError
		require.ErrorAs(t, err, &d)
		require.Contains(t, d.Remedy, "method expression")
	}
}

func TestMethodsOfInterfaces(t *testing.T) {
	type overlapping interface {
		Close() error
		Ping()
	}
	names := func(m []annotation.Method) (names []string) {
		for _, x := range m {
			names = append(names, x.Name)
		}
		return names
	}
	got := annotation.MethodsOf(reflect.TypeFor[gateway](), reflect.TypeFor[overlapping]())
	require.Equal(t, []string{"Charge", "Ping", "Ready", "Refund", "Close"}, names(got))
	require.Equal(t, reflect.TypeFor[func(context.Context, int) (string, error)](), got[0].Type)

	f := reflect.TypeFor[func(int) error]()
	require.Equal(t, []annotation.Method{{Name: "Call", Type: f}}, annotation.MethodsOf(f))
	require.Empty(t, annotation.MethodsOf())
	require.Empty(t, annotation.MethodsOf(reflect.TypeFor[any](), reflect.TypeFor[int]()))

	type sealed interface {
		Open()
		sealed()
	}
	require.Equal(t, []string{"Open"}, names(annotation.MethodsOf(reflect.TypeFor[sealed]())))
}

// A service that is a func has one method, Call.
func TestFuncServiceIsCalledByCall(t *testing.T) {
	type charge func(ctx context.Context, amount int) error
	s := service[charge](reflect.TypeFor[charge]())
	defs := resolved(t, s, []annotation.Declaration{at[bare]("Call")})
	require.Equal(t, "charge@Call", defs["Call"].Ref.String())
	require.Len(t, resolved(t, s, []annotation.Declaration{at[bare]("*")}), 1)
	require.Equal(t, []string{"backstay: charge: annotation_test.bare: there is no method Cal; write Call (shop/main.go:12)"},
		problems(s, []annotation.Declaration{at[bare]("Cal")}))
	require.Equal(t, []string{"backstay: charge: annotation_test.bare: annotation_test.gateway.Charge is a method of another type than charge; write a method expression of annotation_test.charge, or the method's name (shop/main.go:12)"},
		problems(s, []annotation.Declaration{at[bare](gateway.Charge)}))
}

func TestServiceOfAnUnknownType(t *testing.T) {
	s := asGateway[plain]()
	s.Impl = nil
	require.Len(t, resolved(t, s, []annotation.Declaration{at[bare](gateway.Charge), at[bare]("Refund")}), 2)
	require.Len(t, problems(s, []annotation.Declaration{at[bare]("Close")}), 1)
	require.Len(t, problems(s, []annotation.Declaration{at[bare]((*plain).Charge)}), 1)
}

func TestCallerIsThePlaceOfTheCall(t *testing.T) {
	provide := func() string { return annotation.Caller(0) }
	wrapped := func() string { return func() string { return annotation.Caller(1) }() }
	require.Regexp(t, `^annotation/method_test.go:\d+$`, provide())
	require.Regexp(t, `^annotation/method_test.go:\d+$`, wrapped())
	here, there := provide(), provide()
	require.Equal(t, here, there, "both calls are on one line")
	require.Equal(t, "unknown", annotation.Caller(1000))
}
