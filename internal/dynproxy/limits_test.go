//go:build gc && !purego && (amd64 || arm64)

package dynproxy_test

import (
	"io"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/internal/dynproxy"
)

func TestSupported(t *testing.T) {
	require.True(t, dynproxy.Supported())
}

func TestEveryRoutineRunsItsMethod(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		p := proxyOf[everyRoutine](t, numbered(1000), m)
		require.Equal(t, 1005, p.M000(5))
		require.Equal(t, 1127, p.M127(0))
		require.Equal(t, 1255, p.M255(0))
		n := reflect.TypeFor[everyRoutine]().NumMethod()
		require.Equal(t, 256, n)
		for i := range n {
			plus := reflect.ValueOf(7)
			require.Equal(t, int64(1007+i), reflect.ValueOf(p).Method(i).Call([]reflect.Value{plus})[0].Int())
			byValue := reflect.TypeOf(p).Method(i).Func.Call([]reflect.Value{reflect.ValueOf(p), plus})
			require.Equal(t, int64(1007+i), byValue[0].Int())
		}
	})
}

func TestHandledAndStraightMethodsMix(t *testing.T) {
	typ := typeOf(t, reflect.TypeFor[everyRoutine]())
	for step := 2; step <= 5; step++ {
		handlers := make([]dynproxy.Handler, typ.NumMethod())
		for i := 0; i < len(handlers); i += step {
			handlers[i] = func(args []reflect.Value) []reflect.Value { return results(-i - int(args[0].Int())) }
		}
		v := reflect.ValueOf(typ.New([]reflect.Value{reflect.ValueOf(numbered(0))}, handlers, nil))
		for i := range handlers {
			want := i + 3
			if handlers[i] != nil {
				want = -want
			}
			require.Equal(t, int64(want), v.Method(i).Call(results(3))[0].Int())
		}
	}
}

func TestMoreMethodsThanRoutines(t *testing.T) {
	_, err := dynproxy.TypeOf(reflect.TypeFor[everyRoutine](), reflect.TypeFor[io.Closer]())
	var unsupported *dynproxy.UnsupportedError
	require.ErrorAs(t, err, &unsupported)
	require.EqualError(t, err, "no run-time proxy of dynproxy_test.everyRoutine and io.Closer: 257 methods are too "+
		"many, the limit is 256; generate a proxy: add //go:generate go tool backstay -type everyRoutine,Closer")
}

func TestAsManyParametersAsReflectionTakes(t *testing.T) {
	typ := typeOf(t, reflect.TypeFor[spacious]())
	p := typ.New(make([]reflect.Value, 1), []dynproxy.Handler{
		func(args []reflect.Value) []reflect.Value { return results(len(args)) },
	}, nil)
	args := make([]reflect.Value, 126)
	for i := range args {
		args[i] = reflect.ValueOf(i)
	}
	require.Equal(t, int64(126), reflect.ValueOf(p).Method(0).Call(args)[0].Int())
	require.Equal(t, int64(126), reflect.TypeOf(p).Method(0).Func.Call(append(results(p), args...))[0].Int())
}

func TestNewRefusesWhatOnlyABugWouldPass(t *testing.T) {
	typ := typeOf(t, reflect.TypeFor[io.ReadWriteCloser]())
	target := []reflect.Value{reflect.ValueOf(new(buffer))}
	var nothing io.ReadWriteCloser
	for _, c := range []struct {
		name     string
		targets  []reflect.Value
		handlers int
		want     string
	}{
		{"no target", nil, 3, "dynproxy: New got 0 targets for 1 interfaces, 3 handlers for 3 methods"},
		{"a handler too few", target, 2, "dynproxy: New got 1 targets for 1 interfaces, 2 handlers for 3 methods"},
		{"neither handler nor target", make([]reflect.Value, 1), 3,
			"dynproxy: method Close of io.ReadWriteCloser has neither a handler nor a target"},
		{"neither handler nor target in an interface", []reflect.Value{reflect.ValueOf(&nothing).Elem()}, 3,
			"dynproxy: method Close of io.ReadWriteCloser has neither a handler nor a target"},
		{"a target that does not implement", results("text"), 3,
			"reflect.Set: value of type string is not assignable to type io.ReadWriteCloser"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.PanicsWithValue(t, c.want, func() {
				typ.New(c.targets, make([]dynproxy.Handler, c.handlers), nil)
			})
		})
	}
}

func TestTargetMayBeHeldByAnotherInterface(t *testing.T) {
	var held any = new(buffer)
	typ := typeOf(t, reflect.TypeFor[io.Closer]())
	v := typ.New([]reflect.Value{reflect.ValueOf(&held).Elem()}, make([]dynproxy.Handler, 1), nil)
	require.NoError(t, v.(io.Closer).Close())
	require.Equal(t, 1, held.(*buffer).closed)
}

func TestStraightCallDoesNotAllocate(t *testing.T) {
	p := proxyOf[first](t, ordinal(41), straight)
	require.Zero(t, testing.AllocsPerRun(100, func() { p.First() }))
	require.NotZero(t, testing.AllocsPerRun(100, func() {
		proxyOf[first](t, ordinal(41), handled).First()
	}), "the measure works")
}

func TestNewOfAKnownTypeAllocatesLittle(t *testing.T) {
	typ := typeOf(t, reflect.TypeFor[everyRoutine]())
	targets, handlers := results(new(numbered)), make([]dynproxy.Handler, typ.NumMethod())
	// Four: the value, its table, the record, the closures of all straight methods. A
	// sanitizer adds some; what matters is that their number is not that of the methods.
	require.Less(t, testing.AllocsPerRun(100, func() { typ.New(targets, handlers, nil) }), 10.0)
}
