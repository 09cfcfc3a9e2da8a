package dynproxy_test

import (
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/internal/dynproxy"
)

type adder func(a int, more ...int) int

func TestAFunctionRunsItsHandlerAndIsKnownAgain(t *testing.T) {
	f := dynproxy.NewFunc(reflect.TypeFor[adder](), func(args []reflect.Value) []reflect.Value {
		sum := args[0].Int()
		for i := range args[1].Len() {
			sum += args[1].Index(i).Int()
		}
		return []reflect.Value{reflect.ValueOf(int(sum))}
	}, "data").Interface().(adder)
	require.Equal(t, 6, f(1, 2, 3))

	data, ok := dynproxy.DataOf(f)
	require.True(t, ok)
	require.Equal(t, "data", data)
	data, ok = dynproxy.DataOf((func(int, ...int) int)(f))
	require.True(t, ok, "a conversion is the same function")
	require.Equal(t, "data", data)
}

func TestOtherFunctionsAreNotKnown(t *testing.T) {
	made := reflect.MakeFunc(reflect.TypeFor[adder](), func([]reflect.Value) []reflect.Value { return nil })
	for name, v := range map[string]any{"nil": adder(nil), "plain": func() {}, "made by reflect": made.Interface(), "no value": nil} {
		_, ok := dynproxy.DataOf(v)
		require.False(t, ok, name)
	}
}

func TestTwoFunctionsKeepTheirOwnData(t *testing.T) {
	make := func(data any) any {
		return dynproxy.NewFunc(reflect.TypeFor[func()](), func([]reflect.Value) []reflect.Value { return nil }, data).Interface()
	}
	one, two := make(1), make(2)
	data, _ := dynproxy.DataOf(one)
	require.Equal(t, 1, data)
	data, _ = dynproxy.DataOf(two)
	require.Equal(t, 2, data)
}

func TestAFunctionIsCollectedThoughItsDataHoldsIt(t *testing.T) {
	gone := make(chan struct{})
	func() {
		data := new(struct {
			self any
			big  [1 << 12]byte
		})
		data.self = dynproxy.NewFunc(reflect.TypeFor[func()](), func([]reflect.Value) []reflect.Value { return nil }, data).Interface()
		runtime.AddCleanup(data, func(c chan struct{}) { close(c) }, gone)
	}()
	deadline := time.After(10 * time.Second)
	for {
		runtime.GC()
		select {
		case <-gone:
			return
		case <-deadline:
			t.Fatal("still held")
		default:
		}
	}
}
