package aspect_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// services is a container that has built everything: a directory by name, class and type.
type services map[string]built

// built is one service: its value under the type it is handed over as, and the target under the weave.
type built struct {
	as     reflect.Type
	value  any
	target any // nil: the value
}

func (s services) find(what string, match func(key string, b built) bool) (aspect.Found, error) {
	for key, b := range s {
		if match(key, b) {
			return aspect.Found{ID: key, Type: b.as, Impl: reflect.TypeOf(b.under())}, nil
		}
	}
	return aspect.Found{}, &annotation.DefinitionError{Problem: "there is no " + what, Remedy: "Provide one"}
}

func (s services) Class(class, name string) (aspect.Found, error) {
	return s.find("class "+class, func(key string, b built) bool {
		return annotation.ClassOf(reflect.TypeOf(b.under())).Is(class) && (name == "" || key == name)
	})
}

func (s services) Type(t reflect.Type) (aspect.Found, error) {
	return s.find("type "+t.String(), func(_ string, b built) bool { return b.as == t || reflect.TypeOf(b.under()) == t })
}

func (s services) Name(name string) (aspect.Found, error) {
	return s.find(name, func(key string, _ built) bool { return key == name })
}

func (b built) under() any {
	if b.target != nil {
		return b.target
	}
	return b.value
}

func (s services) resolve(f aspect.Found) (value, impl reflect.Value, err error) {
	b, ok := s[f.ID.(string)]
	if !ok {
		return value, impl, fmt.Errorf("%v is not built", f.ID)
	}
	return reflect.ValueOf(b.value), reflect.ValueOf(b.under()), nil
}

// supplied is a value under its own type.
func supplied(v any) built { return built{as: reflect.TypeOf(v), value: v} }

// gatewayService is a registration of a Stripe.
func gatewayService(declarations ...annotation.Declaration) aspect.Service {
	return aspect.Service{
		Ref: retry.MethodRef{Class: "Stripe"}, Impl: reflect.TypeFor[*Stripe](),
		Interfaces: []reflect.Type{reflect.TypeFor[Gateway]()}, Declarations: declarations, Place: "shop/main.go:10",
	}
}

func quick(method any, opts ...annotation.Option) annotation.Declaration {
	return annotation.Declare[Quick](method, "shop/main.go:11", opts...)
}

// planned plans a service and wants no problems, neither then nor when it is settled.
func planned(t testing.TB, w *aspect.Weaver, s aspect.Service, dir aspect.Directory) *aspect.Plan {
	t.Helper()
	p, errs := w.Plan(s, dir)
	require.Empty(t, errs)
	require.Empty(t, w.Settle([]*aspect.Plan{p}))
	return p
}

// onlyPlanProblem plans a service and returns its one problem.
func onlyPlanProblem(t testing.TB, w *aspect.Weaver, s aspect.Service, dir aspect.Directory) *annotation.DefinitionError {
	t.Helper()
	_, errs := w.Plan(s, dir)
	require.Len(t, errs, 1, "%v", errs)
	return asDefinitionErrors(t, errs)[0]
}

// woven weaves target and wants no error.
func woven[I any](t testing.TB, p *aspect.Plan, target any, resolve aspect.Resolve) I {
	t.Helper()
	v, err := p.Weave(reflect.ValueOf(target), resolve)
	require.NoError(t, err)
	return v.Interface().(I)
}
