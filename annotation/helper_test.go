package annotation_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// gateway is what most services here are provided as.
type gateway interface {
	Charge(ctx context.Context, amount int) (string, error)
	Refund(ctx context.Context, id string) error
	Ready(ctx context.Context) bool
	Ping()
}

// methods lends its methods to services.
type methods struct{}

func (methods) Charge(context.Context, int) (string, error) { return "", nil }
func (methods) Refund(context.Context, string) error        { return nil }
func (methods) Ready(context.Context) bool                  { return false }
func (methods) Ping()                                       {}
func (methods) Close() error                                { return nil }

// service is a Subject of the concrete type T that is provided as interfaces.
func service[T any](interfaces ...reflect.Type) annotation.Subject {
	t := reflect.TypeFor[T]()
	return annotation.Subject{
		Ref:        retry.MethodRef{Class: annotation.ClassOf(t).Short},
		Impl:       reflect.PointerTo(t),
		Interfaces: interfaces,
		Methods:    annotation.MethodsOf(interfaces...),
		Place:      "shop/main.go:10",
	}
}

// asGateway is a service of type T that is provided as a gateway.
func asGateway[T any]() annotation.Subject { return service[T](reflect.TypeFor[gateway]()) }

// marked resolves the marks of T, with more declarations of its registration, and wants no problems.
func marked[T any](t testing.TB, more ...annotation.Declaration) map[string]annotation.MethodDefinition {
	t.Helper()
	return resolved(t, asGateway[T](), append(annotation.Marks(reflect.TypeFor[T]()), more...))
}

// resolved wants no problems, and returns the definitions by method.
func resolved(t testing.TB, s annotation.Subject, declarations []annotation.Declaration, defaults ...annotation.Option) map[string]annotation.MethodDefinition {
	t.Helper()
	defs, errs := annotation.Resolve(s, declarations, defaults, "shop/main.go:5")
	require.Empty(t, errs)
	byName := map[string]annotation.MethodDefinition{}
	for _, d := range defs {
		require.Equal(t, s.Ref.Class, d.Ref.Class)
		byName[d.Ref.Method] = d
	}
	return byName
}

// plain is a service without marks.
type plain struct{ methods }

// registered resolves declarations of the registration of a plain service, and wants no problems.
func registered(t testing.TB, declarations ...annotation.Declaration) map[string]annotation.MethodDefinition {
	t.Helper()
	return resolved(t, asGateway[plain](), declarations)
}

// at is a declaration of a registration.
func at[A any](method any, opts ...annotation.Option) annotation.Declaration {
	return annotation.Declare[A](method, "shop/main.go:12", opts...)
}

// problems are the texts of all problems.
func problems(s annotation.Subject, declarations []annotation.Declaration, defaults ...annotation.Option) []string {
	_, errs := annotation.Resolve(s, declarations, defaults, "shop/main.go:5")
	texts := []string{}
	for _, err := range errs {
		texts = append(texts, err.Error())
	}
	return texts
}

// problemsOf are the texts of the problems of the marks of T, a gateway.
func problemsOf[T any]() []string {
	return problems(asGateway[T](), annotation.Marks(reflect.TypeFor[T]()))
}

// tag is the declaration of a mark of type A with that tag.
func tag[A any](tag string) annotation.Declaration {
	marks := annotation.Marks(reflect.StructOf([]reflect.StructField{{
		Name: "_", PkgPath: "shop", Type: reflect.TypeFor[annotation.On[A]](), Tag: reflect.StructTag(tag),
	}}))
	return marks[0]
}
