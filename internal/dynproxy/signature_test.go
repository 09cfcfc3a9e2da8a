//go:build gc && !purego && (amd64 || arm64)

package dynproxy_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

type point struct {
	X, Y float64
	Name string
}

type empty struct{}

// signatures has parameters and results of every kind, in registers and on the stack.
type signatures interface {
	None()
	Context(ctx context.Context, id int, opts ...string) (string, error)
	Mixed(a bool, b int8, c uint16, d int32, e uint64, f float32, g float64, h complex64, i complex128, j string,
		k []byte, l map[string]int, m chan int, n func() string, o *point, p any, q error, r [3]int16, s point,
		t uintptr) (string, point, error)
	Echo(a bool, b int8, c float32, d complex128, e string, f []byte, g map[string]int, h *point, i any, j error,
		k [2]string, l point, m func() string, n chan int, o unsafe.Pointer) (bool, int8, float32, complex128, string,
		[]byte, map[string]int, *point, any, error, [2]string, point, func() string, chan int, unsafe.Pointer)
	Floats(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q float64) (float64, float32, int8)
	Integers(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t int) [20]int
	Array(a [20]int, b [1]string, c [0]int) ([20]int, [1]string, [0]int)
	Large(a [4096]byte, at int) ([4096]byte, byte)
	Empty(a empty, b int, c empty) (empty, int)
	Variadic(points ...*point) []*point
	VariadicAny(format string, values ...any) string
}

type signer struct{ prefix string }

func (s *signer) None() { s.prefix += "none" }

func (s *signer) Context(ctx context.Context, id int, opts ...string) (string, error) {
	return fmt.Sprint(s.prefix, id, opts, len(opts), opts == nil), ctx.Err()
}

func (s *signer) Mixed(a bool, b int8, c uint16, d int32, e uint64, f float32, g float64, h complex64, i complex128,
	j string, k []byte, l map[string]int, m chan int, n func() string, o *point, p any, q error, r [3]int16, u point,
	t uintptr) (string, point, error) {
	return fmt.Sprint(s.prefix, a, b, c, d, e, f, g, h, i, j, k, l, <-m, n(), *o, p, q, r, u, t), u, q
}

func (s *signer) Echo(a bool, b int8, c float32, d complex128, e string, f []byte, g map[string]int, h *point, i any,
	j error, k [2]string, l point, m func() string, n chan int, o unsafe.Pointer) (bool, int8, float32, complex128,
	string, []byte, map[string]int, *point, any, error, [2]string, point, func() string, chan int, unsafe.Pointer) {
	return a, b, c, d, e, f, g, h, i, j, k, l, m, n, o
}

func (s *signer) Floats(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q float64) (float64, float32, int8) {
	return a + 2*b + 3*c + 4*d + 5*e + 6*f + 7*g + 8*h + 9*i + 10*j + 11*k + 12*l + 13*m + 14*n + 15*o + 16*p + 17*q,
		float32(q), int8(a)
}

func (s *signer) Integers(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, u, t int) [20]int {
	return [20]int{a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, u, t}
}

func (s *signer) Array(a [20]int, b [1]string, c [0]int) ([20]int, [1]string, [0]int) {
	a[0]++
	b[0] += s.prefix
	return a, b, c
}

func (s *signer) Large(a [4096]byte, at int) ([4096]byte, byte) {
	found := a[at]
	a[at] = 0
	return a, found
}

func (s *signer) Empty(a empty, b int, c empty) (empty, int) { return c, b }

func (s *signer) Variadic(points ...*point) []*point { return points }

func (s *signer) VariadicAny(format string, values ...any) string {
	return fmt.Sprintf(s.prefix+format, values...)
}

func TestEverySignatureKeepsArgumentsAndResults(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	here := &point{1, 2, "here"}
	failure := errors.New("failure")
	var array [20]int
	for i := range array {
		array[i] = 100 + i
	}
	ready := make(chan int, 10)
	for range cap(ready) {
		ready <- 7
	}
	list := func(results ...any) []any { return results }
	calls := []struct {
		name string
		call func(s signatures) []any
	}{
		{"nothing at all", func(s signatures) []any { s.None(); return nil }},
		{"a context and no variadic argument", func(s signatures) []any { return list(s.Context(t.Context(), 1)) }},
		{"a context and variadic arguments", func(s signatures) []any { return list(s.Context(ctx, 2, "a", "b")) }},
		{"a variadic slice passed on", func(s signatures) []any { return list(s.Context(ctx, 3, []string{"c"}...)) }},
		{"an empty variadic slice", func(s signatures) []any { return list(s.Context(ctx, 3, []string{}...)) }},
		{"twenty parameters of mixed kinds", func(s signatures) []any {
			return list(s.Mixed(true, -8, 16, -32, 64, 1.5, 2.5, 3i, 4i, "j", []byte("k"), map[string]int{"l": 1}, ready,
				func() string { return "n" }, here, "p", failure, [3]int16{1, 2, 3}, point{3, 4, "s"}, 20))
		}},
		{"seventeen floats", func(s signatures) []any {
			return list(s.Floats(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17))
		}},
		{"twenty integers", func(s signatures) []any {
			return list(s.Integers(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20))
		}},
		{"arrays by value", func(s signatures) []any { return list(s.Array(array, [1]string{"b"}, [0]int{})) }},
		{"a large array by value", func(s signatures) []any {
			return list(s.Large([4096]byte{0: 1, 17: 42, 4095: 9}, 17))
		}},
		{"parameters of no size", func(s signatures) []any { return list(s.Empty(empty{}, 5, empty{})) }},
		{"variadic pointers", func(s signatures) []any { return list(s.Variadic(here, nil, here)) }},
		{"no variadic pointer", func(s signatures) []any { return list(s.Variadic()) }},
		{"variadic interfaces", func(s signatures) []any { return list(s.VariadicAny("%v %v %v", 1, nil, "x")) }},
	}
	inBothModes(t, func(t *testing.T, m mode) {
		direct, target := &signer{"direct "}, &signer{"direct "}
		s := proxyOf[signatures](t, target, m)
		for _, c := range calls {
			t.Run(c.name, func(t *testing.T) { require.Equal(t, c.call(direct), c.call(s)) })
		}
		require.Equal(t, direct, target, "effects on the target")
	})
}

func TestReferencesArriveAsTheyAre(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		s := proxyOf[signatures](t, &signer{}, m)
		bytes, table, here := []byte("f"), map[string]int{"g": 1}, &point{Name: "h"}
		channel, failure, raw := make(chan int), errors.New("j"), unsafe.Pointer(here)

		a, b, c, d, e, f, g, h, i, j, k, l, fn, n, o := s.Echo(true, -1, 1.5, 2i, "e", bytes, table, here, here, failure,
			[2]string{"k", "K"}, point{1, 2, "l"}, func() string { return here.Name }, channel, raw)
		require.Equal(t, []any{true, int8(-1), float32(1.5), 2i, "e"}, []any{a, b, c, d, e})
		require.Equal(t, []any{[2]string{"k", "K"}, point{1, 2, "l"}}, []any{k, l})
		require.Same(t, &bytes[0], &f[0])
		table["more"] = 2
		require.Equal(t, table, g)
		require.Same(t, here, h)
		require.Same(t, here, i)
		require.Same(t, failure, j)
		require.Equal(t, "h", fn())
		require.Equal(t, channel, n)
		require.Equal(t, raw, o)

		_, _, _, _, _, f, g, h, i, j, _, _, fn, n, o = s.Echo(false, 0, 0, 0, "", nil, nil, nil, nil, nil,
			[2]string{}, point{}, nil, nil, nil)
		require.True(t, f == nil && g == nil && h == nil && i == nil && j == nil && fn == nil && n == nil && o == nil,
			"nil stays nil")
	})
}
