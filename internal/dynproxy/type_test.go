//go:build gc && !purego && (amd64 || arm64)

package dynproxy_test

import (
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/internal/dynproxy"
)

func TestDisjointInterfacesShareAProxy(t *testing.T) {
	// The names of all methods are in another order than the interfaces.
	typ := typeOf(t, reflect.TypeFor[io.Writer](), reflect.TypeFor[store[int, string]](), reflect.TypeFor[io.Closer]())
	var names []string
	for i := range typ.NumMethod() {
		names = append(names, typ.Method(i).Name)
	}
	require.Equal(t, []string{"Close", "Load", "Save", "String", "Write"}, names)
	require.Equal(t, dynproxy.Method{
		Name:      "Save",
		Type:      reflect.TypeFor[func(int, ...string) int](),
		Interface: reflect.TypeFor[store[int, string]](),
	}, typ.Method(2))

	first, entries := new(buffer), mapStore[int, string]{}
	second := new(buffer)
	targets := []reflect.Value{reflect.ValueOf(first), reflect.ValueOf(entries), reflect.ValueOf(second)}
	for _, handlers := range [][]dynproxy.Handler{
		make([]dynproxy.Handler, 5),
		{callOf(second, "Close"), nil, callOf(entries, "Save"), nil, callOf(first, "Write")},
		{nil, callOf(entries, "Load"), nil, callOf(entries, "String"), nil},
	} {
		*first, *second = buffer{}, buffer{}
		clear(entries)
		v := typ.New(targets, handlers, nil)
		_, err := v.(io.WriteCloser).Write([]byte("text"))
		require.NoError(t, err)
		require.NoError(t, v.(io.WriteCloser).Close())
		v.(store[int, string]).Save(1, "one")
		word, ok := v.(interface{ Load(int) (string, bool) }).Load(1)
		require.True(t, ok)
		require.Equal(t, "one", word)
		require.Equal(t, "1 entries", fmt.Sprint(v), "fmt finds String")
		require.Equal(t, "text", first.String())
		require.Equal(t, []int{0, 1}, []int{first.closed, second.closed})
	}
}

func TestTypeIsTheSameForTheSameList(t *testing.T) {
	reader, closer := reflect.TypeFor[io.Reader](), reflect.TypeFor[io.Closer]()
	typ := typeOf(t, reader, closer)
	require.Same(t, typ, typeOf(t, reader, closer))
	require.NotSame(t, typ, typeOf(t, closer, reader), "another order has other targets")
	require.NotSame(t, typ, typeOf(t, reader))
	list := []reflect.Type{closer, reflect.TypeFor[io.Writer]()}
	typ = typeOf(t, list...)
	list[0] = reader
	require.Same(t, reflect.TypeFor[io.Closer](), typ.Method(0).Interface, "the caller's slice is not kept")
}

func TestDataOf(t *testing.T) {
	typ := typeOf(t, reflect.TypeFor[io.Closer]())
	handlers := make([]dynproxy.Handler, 1)
	targets := []reflect.Value{reflect.ValueOf(new(buffer))}
	for _, data := range []any{"data", nil, []int{1}} {
		found, ok := dynproxy.DataOf(typ.New(targets, handlers, data))
		require.True(t, ok)
		require.Equal(t, data, found)
	}
	for _, v := range []any{nil, 1, new(buffer), struct{ io.Closer }{}, reflect.Zero(typ.Type()).Interface(),
		reflect.New(typ.Type()).Interface()} {
		found, ok := dynproxy.DataOf(v)
		require.False(t, ok, "%T", v)
		require.Nil(t, found)
	}
}

func TestHandlersGetWhatTheCallPasses(t *testing.T) {
	type call struct {
		method string
		args   []any
	}
	var calls []call
	p := proxyBy[store[int, string]](t, func(m dynproxy.Method, args []reflect.Value) []reflect.Value {
		c := call{method: m.Name}
		for i, arg := range args {
			require.Equal(t, m.Type.In(i), arg.Type())
			c.args = append(c.args, arg.Interface())
		}
		calls = append(calls, c)
		switch m.Name {
		case "Save":
			return results(3)
		case "Load":
			return results("value", true)
		}
		return results("text")
	})
	require.Equal(t, 3, p.Save(1, "a", "b"))
	require.Equal(t, 3, p.Save(2))
	value, ok := p.Load(3)
	require.Equal(t, "value", value)
	require.True(t, ok)
	require.Equal(t, "text", p.String())
	require.Equal(t, []call{
		{"Save", []any{1, []string{"a", "b"}}},
		{"Save", []any{2, []string(nil)}},
		{"Load", []any{3}},
		{"String", nil},
	}, calls)
}

func TestHandlersMayKeepTheirArguments(t *testing.T) {
	var kept [][]reflect.Value
	p := proxyBy[io.Writer](t, func(_ dynproxy.Method, args []reflect.Value) []reflect.Value {
		kept = append(kept, args)
		return append(results(1), reflect.Zero(reflect.TypeFor[error]()))
	})
	for _, text := range []string{"one", "two"} {
		_, err := p.Write([]byte(text))
		require.NoError(t, err)
	}
	require.Equal(t, "one", string(kept[0][0].Bytes()))
	require.Equal(t, "two", string(kept[1][0].Bytes()))
}
