// Package script calls woven methods for the golden packages: each method once, through a retry of a target that fails
// the first time and succeeds then.
package script

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/aspect"
)

// Script is what one test knows of its target's calls.
type Script struct {
	t       *testing.T
	calls   map[string][][]any
	around  map[string]int
	methods []string
}

// New returns a script without calls.
func New(t *testing.T) *Script {
	return &Script{t: t, calls: map[string][][]any{}, around: map[string]int{}}
}

// ErrFirst is how a target fails the first time.
var ErrFirst = errors.New("the first call fails")

// Call notes a call of the target's method, and fails the first time.
func (s *Script) Call(method string, args ...any) error {
	s.calls[method] = append(s.calls[method], args)
	if len(s.calls[method]) == 1 {
		return ErrFirst
	}
	return nil
}

// Once notes a call of a method that is not woven.
func (s *Script) Once(method string, args ...any) {
	s.calls[method] = append(s.calls[method], args)
}

// Weave returns target, woven: methods that return an error are retried, an aspect calls the others twice. At the end of
// the test all exported methods must have been called twice.
func Weave[I any](s *Script, target I) I {
	s.t.Helper()
	t := reflect.TypeFor[I]()
	var opts []aspect.WrapOption
	retried := map[string]bool{}
	for i := range t.NumMethod() {
		m := t.Method(i)
		if !m.IsExported() {
			continue
		}
		s.methods = append(s.methods, m.Name)
		if n := m.Type.NumOut(); n > 0 && m.Type.Out(n-1) == reflect.TypeFor[error]() {
			retried[m.Name] = true
			opts = append(opts, aspect.Annotate[aliases.Retry](m.Name))
		}
	}
	w := aspect.NewWeaver(aspect.RequireGenerated(), aspect.WithAspect(aspect.Any(), aspect.RetryPriority-1, aspect.Func(func(jp aspect.JoinPoint) error {
		name := jp.Ref().Method
		s.around[name]++
		if !retried[name] {
			_ = jp.Proceed()
			s.around[name]++
		}
		return jp.Proceed()
	})))
	woven, err := aspect.Wrap(w, target, opts...)
	if err != nil {
		s.t.Fatal(err)
	}
	if kind := aspect.KindOf(woven); kind != aspect.Generated {
		s.t.Fatalf("the proxy of %v is %v", t, kind)
	}
	s.t.Cleanup(func() {
		for _, name := range s.methods {
			if n := len(s.calls[name]); n != 2 || s.around[name] != 2 {
				s.t.Errorf("%s has been called %d times, and the aspect around it has run %d times", name, n, s.around[name])
			}
		}
	})
	return woven
}

type key struct{}

// Context returns a context that Called knows again when it comes back as an attempt's.
func Context(name string) context.Context {
	return context.WithValue(context.Background(), key{}, name)
}

// Called checks that every call of the method so far had the arguments.
func (s *Script) Called(method string, args ...any) {
	s.t.Helper()
	if len(s.calls[method]) == 0 {
		s.t.Errorf("%s has not been called", method)
	}
	for i, call := range s.calls[method] {
		if !slices.EqualFunc(call, args, same) {
			s.t.Errorf("call %d of %s had the arguments %#v, want %#v", i+1, method, call, args)
		}
	}
}

// Equal checks what a call has returned.
func Equal[T any](s *Script, got, want T) {
	s.t.Helper()
	if !same(got, want) {
		s.t.Errorf("got %#v, want %#v", got, want)
	}
}

// NoError checks the error of a call.
func (s *Script) NoError(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Error(err)
	}
}

// same is reflect.DeepEqual, but for contexts, which are known by a value, and funcs, which are known by their code.
func same(a, b any) bool {
	if a, ok := a.(context.Context); ok {
		b, ok := b.(context.Context)
		return ok && a.Value(key{}) == b.Value(key{})
	}
	if v := reflect.ValueOf(a); v.Kind() == reflect.Func {
		w := reflect.ValueOf(b)
		return v.Type() == w.Type() && v.Pointer() == w.Pointer()
	}
	return reflect.DeepEqual(a, b)
}
