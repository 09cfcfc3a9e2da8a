//go:build gc && !purego && (amd64 || arm64)

package dynproxy_test

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// buffer implements io.ReadWriteCloser and more than that.
type buffer struct {
	bytes.Buffer
	closed int
}

func (b *buffer) Close() error {
	b.closed++
	return nil
}

func TestProxyCanBeAssertedToItsInterfacesAndSmallerOnesOnly(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		target := new(buffer)
		var v any = proxyOf[io.ReadWriteCloser](t, target, m)

		_, err := v.(io.Writer).Write([]byte("written"))
		require.NoError(t, err)
		text, err := io.ReadAll(v.(io.Reader))
		require.NoError(t, err)
		require.Equal(t, "written", string(text))
		require.NoError(t, v.(interface{ Close() error }).Close())
		require.Equal(t, 1, target.closed)

		_, isStringer := v.(fmt.Stringer)
		require.False(t, isStringer, "the target's other methods are hidden")
		_, isBuffer := v.(*buffer)
		require.False(t, isBuffer)
		switch v.(type) {
		case fmt.Stringer, *buffer:
			t.Fatal("a type switch took a proxy for its target")
		case io.ReadWriteCloser:
		default:
			t.Fatal("a type switch did not find the proxy's interface")
		}
		require.PanicsWithError(t, "interface conversion: struct { table *dynproxy.table; io.ReadWriteCloser } "+
			"is not fmt.Stringer: missing method String", func() { _ = v.(fmt.Stringer) })
	})
}

func TestMethodValuesAndExpressions(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		w := proxyOf[io.ReadWriteCloser](t, new(buffer), m)
		write := w.Write
		n, err := write([]byte("one"))
		require.NoError(t, err)
		require.Equal(t, 3, n)
		n, err = io.ReadWriteCloser.Write(w, []byte("three"))
		require.NoError(t, err)
		require.Equal(t, 5, n)

		done := make(chan struct{})
		go func() {
			defer close(done)
			defer w.Close()
			_, _ = io.Writer.Write(w, []byte("!"))
		}()
		<-done
		text, err := io.ReadAll(w)
		require.NoError(t, err)
		require.Equal(t, "onethree!", string(text))
	})
}

func TestProxiesAreEqualToThemselvesOnly(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		target := new(buffer)
		a, b := proxyOf[io.Closer](t, target, m), proxyOf[io.Closer](t, target, m)
		same := a
		require.True(t, a == same)
		require.False(t, a == b)
		require.False(t, a == io.Closer(target))

		count := map[any]int{a: 1, b: 2}
		count[same]++
		require.Equal(t, map[any]int{a: 2, b: 2}, count)
		require.True(t, any(a) == any(a.(interface{ Close() error })), "through another interface")
	})
}

// uncomparable is a target that may not be compared or be a map's key.
type uncomparable func() error

func (f uncomparable) Close() error { return f() }

func TestProxyOfAnUncomparableTargetCanBeCompared(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		p := proxyOf[io.Closer](t, uncomparable(func() error { return io.EOF }), m)
		require.True(t, p == io.Closer(p))
		require.Contains(t, map[any]bool{p: true}, any(p))
		require.Equal(t, io.EOF, p.Close())
	})
}

// store is a generic interface that embeds others.
type store[K comparable, V any] interface {
	fmt.Stringer
	Load(key K) (V, bool)
	Save(key K, values ...V) (replaced int)
}

type mapStore[K comparable, V any] map[K]V

func (s mapStore[K, V]) String() string { return fmt.Sprintf("%d entries", len(s)) }

func (s mapStore[K, V]) Load(key K) (V, bool) { v, ok := s[key]; return v, ok }

func (s mapStore[K, V]) Save(key K, values ...V) (replaced int) {
	for _, v := range values {
		if _, ok := s[key]; ok {
			replaced++
		}
		s[key] = v
	}
	return replaced
}

func TestInstantiatedGenericInterfaces(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		words := proxyOf[store[int, string]](t, mapStore[int, string]{}, m)
		points := proxyOf[store[string, point]](t, mapStore[string, point]{}, m)
		require.NotEqual(t, reflect.TypeOf(words), reflect.TypeOf(points))

		require.Equal(t, 1, words.Save(1, "one", "uno"))
		word, ok := words.Load(1)
		require.Equal(t, "uno", word)
		require.True(t, ok)
		require.Equal(t, 0, points.Save("origin", point{}))
		_, ok = points.Load("elsewhere")
		require.False(t, ok)
		require.Equal(t, "1 entries", points.String())
	})
}

func TestInterfacesThatEmbedTheSameMethod(t *testing.T) {
	type readWriteCloser interface {
		io.ReadCloser
		io.WriteCloser
	}
	require.Equal(t, 3, typeOf(t, reflect.TypeFor[readWriteCloser]()).NumMethod())
	inBothModes(t, func(t *testing.T, m mode) {
		target := new(buffer)
		require.NoError(t, proxyOf[readWriteCloser](t, target, m).Close())
		require.Equal(t, 1, target.closed)
	})
}

func TestTargetsOfEveryShape(t *testing.T) {
	for _, c := range []struct {
		name   string
		target fmt.Stringer
		want   string
	}{
		{"pointer", &shapes{"pointer"}, "&{pointer}"},
		{"nil pointer", (*shapes)(nil), "<nil>"},
		{"word", word(7), "word 7"},
		{"small word", small(3), "small 3"},
		{"struct", pair{"a", "b"}, "a-b"},
		{"struct of one pointer", boxed{&shapes{"in"}}, "&{in}"},
		{"array", triple{1, 2, 3}, "[1 2 3]"},
		{"map", mapStore[int, int]{1: 1}, "1 entries"},
		{"func", function(func() string { return "called" }), "called"},
		{"promoted method", struct{ *shapes }{&shapes{"outer"}}, "&{outer}"},
		{"embedded interface", struct{ fmt.Stringer }{word(8)}, "word 8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBothModes(t, func(t *testing.T, m mode) {
				require.Equal(t, c.want, proxyOf(t, c.target, m).String())
			})
		})
	}
}

type shapes struct{ name string }

func (s *shapes) String() string {
	if s == nil {
		return "<nil>"
	}
	return "&{" + s.name + "}"
}

type word int

func (w word) String() string { return fmt.Sprintf("word %d", int(w)) }

type small uint8

func (s small) String() string { return fmt.Sprintf("small %d", uint8(s)) }

type pair struct{ a, b string }

func (p pair) String() string { return p.a + "-" + p.b }

type boxed struct{ *shapes }

type triple [3]int

func (t triple) String() string { return fmt.Sprint([3]int(t)) }

type function func() string

func (f function) String() string { return f() }

func TestProxyOfAProxy(t *testing.T) {
	inBothModes(t, func(t *testing.T, inner mode) {
		inBothModes(t, func(t *testing.T, outer mode) {
			target := new(buffer)
			p := proxyOf[io.Closer](t, target, inner)
			for range 50 {
				p = proxyOf(t, p, outer)
			}
			require.NoError(t, p.Close())
			require.Equal(t, 1, target.closed)
		})
	})
}
