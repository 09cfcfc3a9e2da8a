//go:build gc && !purego && (amd64 || arm64)

package dynproxy_test

import (
	"io"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/internal/dynproxy"
)

func TestReflectSeesTheProxysMethods(t *testing.T) {
	typ := typeOf(t, reflect.TypeFor[signatures]())
	require.True(t, typ.Type().Implements(reflect.TypeFor[signatures]()))
	require.False(t, typ.Type().Implements(reflect.TypeFor[io.Closer]()))
	require.Equal(t, reflect.TypeFor[signatures]().NumMethod(), typ.Type().NumMethod())
	for i := range typ.NumMethod() {
		want := reflect.TypeFor[signatures]().Method(i)
		require.Equal(t, dynproxy.Method{want.Name, want.Type, reflect.TypeFor[signatures]()}, typ.Method(i))
		found, ok := typ.Type().MethodByName(want.Name)
		require.True(t, ok)
		require.Equal(t, i, found.Index)
		require.Equal(t, want.Type.NumIn()+1, found.Type.NumIn())
	}
}

// ways are the ways to call a method by reflection: through a value, through a
// function made of that, and through the type, with the receiver passed by value.
func ways(v any, method string) map[string]func(args ...any) []any {
	values := func(args []any) []reflect.Value { return results(args...) }
	interfaces := func(out []reflect.Value) []any {
		boxed := make([]any, len(out))
		for i, r := range out {
			boxed[i] = r.Interface()
		}
		return boxed
	}
	m, _ := reflect.TypeOf(v).MethodByName(method)
	return map[string]func(args ...any) []any{
		"value": func(args ...any) []any {
			return interfaces(reflect.ValueOf(v).MethodByName(method).Call(values(args)))
		},
		"function of a value": func(args ...any) []any {
			f := reflect.ValueOf(reflect.ValueOf(v).MethodByName(method).Interface())
			return interfaces(f.Call(values(args)))
		},
		"type": func(args ...any) []any {
			return interfaces(m.Func.Call(values(append([]any{v}, args...))))
		},
		"function of a type": func(args ...any) []any {
			f := reflect.ValueOf(m.Func.Interface())
			return interfaces(f.Call(values(append([]any{v}, args...))))
		},
	}
}

func TestReflectCallsTheProxysMethods(t *testing.T) {
	integers := make([]any, 20)
	for i := range integers {
		integers[i] = i
	}
	inBothModes(t, func(t *testing.T, m mode) {
		target := &signer{"direct "}
		p := proxyOf[signatures](t, target, m)
		for _, c := range []struct {
			method string
			args   []any
		}{
			{"Context", []any{t.Context(), 1, "a", "b"}},
			{"Context", []any{t.Context(), 1}},
			{"Variadic", []any{&point{}, &point{}}},
			{"Array", []any{[20]int{1}, [1]string{"b"}, [0]int{}}},
			{"Large", []any{[4096]byte{0: 1, 9: 3}, 9}},
			{"Integers", integers},
			{"Empty", []any{empty{}, 5, empty{}}},
		} {
			direct := ways(target, c.method)
			for way, call := range ways(p, c.method) {
				t.Run(c.method+" by "+way, func(t *testing.T) {
					require.Equal(t, direct[way](c.args...), call(c.args...))
				})
			}
		}
	})
}

func TestCopiesMadeByReflectionAreTheSameProxy(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		target := new(buffer)
		p := proxyOf[io.Closer](t, target, m)
		copied := reflect.New(reflect.TypeOf(p)).Elem()
		copied.Set(reflect.ValueOf(p))
		require.True(t, any(p) == copied.Interface())
		require.NoError(t, copied.Interface().(io.Closer).Close())
		copied.Method(0).Call(nil)
		require.Equal(t, 2, target.closed)
		data, ok := dynproxy.DataOf(copied.Interface())
		require.True(t, ok)
		require.Same(t, target, data)
	})
}

func TestZeroValueOfAProxyTypePanicsLikeANilPointer(t *testing.T) {
	typ := typeOf(t, reflect.TypeFor[io.Closer]())
	zero := reflect.Zero(typ.Type()).Interface()
	message := "runtime error: invalid memory address or nil pointer dereference"
	require.PanicsWithError(t, message, func() { _ = zero.(io.Closer).Close() })
	require.PanicsWithError(t, message, func() { reflect.ValueOf(zero).Method(0).Call(nil) })
	require.PanicsWithError(t, message, func() {
		reflect.TypeOf(zero).Method(0).Func.Call([]reflect.Value{reflect.ValueOf(zero)})
	})
}

type (
	first  interface{ First() int }
	second interface{ Second() int }
	third  interface{ Third() int }
	fourth interface{ Fourth() int }
	fifth  interface{ Fifth() int }
)

type ordinal int

func (o ordinal) First() int  { return int(o) + 1 }
func (o ordinal) Second() int { return int(o) + 2 }
func (o ordinal) Third() int  { return int(o) + 3 }
func (o ordinal) Fourth() int { return int(o) + 4 }
func (o ordinal) Fifth() int  { return int(o) + 5 }

// A receiver of five interfaces does not fit in registers, where a routine could
// find it; of four it just does.
func TestProxyOfManyInterfacesPassedByValue(t *testing.T) {
	interfaces := []reflect.Type{reflect.TypeFor[first](), reflect.TypeFor[second](), reflect.TypeFor[third](),
		reflect.TypeFor[fourth](), reflect.TypeFor[fifth]()}
	want := map[string]int{"First": 11, "Second": 22, "Third": 33, "Fourth": 44, "Fifth": 55}
	for n := 1; n <= len(interfaces); n++ {
		typ := typeOf(t, interfaces[:n]...)
		targets := make([]reflect.Value, n)
		for i := range targets {
			targets[i] = reflect.ValueOf(ordinal(10 * (i + 1)))
		}
		v := typ.New(targets, make([]dynproxy.Handler, n), nil)
		for i := range n {
			name := typ.Method(i).Name
			require.Equal(t, int64(want[name]), reflect.ValueOf(v).Method(i).Call(nil)[0].Int())
			byValue := func() int64 {
				return reflect.TypeOf(v).Method(i).Func.Call([]reflect.Value{reflect.ValueOf(v)})[0].Int()
			}
			if n <= 4 {
				require.Equal(t, int64(want[name]), byValue())
				continue
			}
			require.PanicsWithValue(t, "dynproxy: a proxy of more than four interfaces cannot be called by the Func "+
				"of reflect.Type.Method; use reflect.Value.Method", func() { byValue() })
		}
	}
}
