package dynproxy_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/internal/dynproxy"
)

// mode is how the methods of a proxy under test reach the target.
type mode string

const (
	straight mode = "straight through"
	handled  mode = "by handlers"
)

// inBothModes runs a test once for each mode.
func inBothModes(t *testing.T, test func(t *testing.T, m mode)) {
	for _, m := range []mode{straight, handled} {
		t.Run(string(m), func(t *testing.T) { test(t, m) })
	}
}

// typeOf returns the proxy type of interfaces that must have one.
func typeOf(t testing.TB, interfaces ...reflect.Type) *dynproxy.Type {
	t.Helper()
	typ, err := dynproxy.TypeOf(interfaces...)
	require.NoError(t, err)
	return typ
}

// proxyOf returns a proxy of I in front of target, which it gives as its data.
func proxyOf[I any](t testing.TB, target I, m mode) I {
	t.Helper()
	typ := typeOf(t, reflect.TypeFor[I]())
	handlers := make([]dynproxy.Handler, typ.NumMethod())
	if m == handled {
		for i := range handlers {
			handlers[i] = callOf(target, typ.Method(i).Name)
		}
	}
	return typ.New([]reflect.Value{reflect.ValueOf(&target).Elem()}, handlers, target).(I)
}

// proxyBy returns a proxy of I without a target, all of whose methods run h.
func proxyBy[I any](t testing.TB, h func(m dynproxy.Method, args []reflect.Value) []reflect.Value) I {
	t.Helper()
	typ := typeOf(t, reflect.TypeFor[I]())
	handlers := make([]dynproxy.Handler, typ.NumMethod())
	for i := range handlers {
		m := typ.Method(i)
		handlers[i] = func(args []reflect.Value) []reflect.Value { return h(m, args) }
	}
	return typ.New(make([]reflect.Value, 1), handlers, nil).(I)
}

// callOf returns a handler that calls a method of target by reflection.
func callOf(target any, name string) dynproxy.Handler {
	f := reflect.ValueOf(target).MethodByName(name)
	if f.Type().IsVariadic() {
		return f.CallSlice
	}
	return f.Call
}

// results makes the results of a handler from values that are not nil.
func results(values ...any) []reflect.Value {
	out := make([]reflect.Value, len(values))
	for i, v := range values {
		out[i] = reflect.ValueOf(v)
	}
	return out
}
