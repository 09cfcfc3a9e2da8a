package kinds

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unsafe"

	"golden/script"
)

type target struct{ *script.Script }

func (t target) Basic(a bool, b byte, c rune, d uintptr, e complex128, f unsafe.Pointer) (float32, error) {
	return 1.5, t.Call("Basic", a, b, c, d, e, f)
}

func (t target) Arrays(a [3]int, b [2][1]*own, c [0]func()) ([2]string, error) {
	return [2]string{"a", "b"}, t.Call("Arrays", a, b, len(c))
}

func (t target) Maps(m map[string][]map[own]*int) (map[[2]int]struct{}, error) {
	return map[[2]int]struct{}{{1, 2}: {}}, t.Call("Maps", m)
}

func (t target) Channels(a chan int, b <-chan int, c chan<- int, d chan (<-chan int), e <-chan chan<- chan int, f chan<- (<-chan func())) (chan<- func() <-chan int, error) {
	return nil, t.Call("Channels", a, b, c, d, e, f)
}

func (t target) Funcs(a func(), b func(int, ...string) (int, error), c func(func(x, y int) int) func(), d func(context.Context, int) (int, error)) (func(...any), error) {
	return func(...any) {}, t.Call("Funcs", a, b, c, d)
}

func (t target) Structs(a struct{}, b struct {
	A int `json:"n"`
	B int
	c string "n:\"`\""
	*own
	io.Reader
}) (struct{ own }, error) {
	return struct{ own }{own{b.A}}, t.Call("Structs", a, b)
}

type method interface {
	M(x int, y ...string) (err error)
	io.Closer
	hidden()
}

func (t target) Interfaces(a any, b interface{}, c interface {
	M(x int, y ...string) (err error)
	io.Closer
	hidden()
}) (interface{ error }, error) {
	return errFirst, t.Call("Interfaces", a, b, method(c))
}

func (t target) Pointers(a *int, b **own, c *[]*[1]int, d *func()) (*struct{ N *int }, error) {
	return &struct{ N *int }{a}, t.Call("Pointers", a, b, c, d)
}

func (t target) Slices(a []byte, b [][]rune, c ...[]error) ([]interface{ M() }, error) {
	return make([]interface{ M() }, 1), t.Call("Slices", a, b, c)
}

var errFirst, errSecond = errors.New("first"), errors.New("second")

func (t target) Errors(n int) (error, int, error) { return errFirst, n, t.Call("Errors", n) }

func (t target) OnlyErrors() (error, error, error) { return errFirst, errSecond, t.Call("OnlyErrors") }

func (t target) Anonymous(v ...struct{ A int }) (int, error) { return len(v), t.Call("Anonymous", v) }

func TestKinds(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Kinds](s, target{s})
	n := 1

	f, err := p.Basic(true, 'b', 'c', 4, 5i, unsafe.Pointer(&n))
	s.NoError(err)
	script.Equal(s, f, 1.5)
	s.Called("Basic", true, byte('b'), 'c', uintptr(4), complex(0, 5), unsafe.Pointer(&n))

	array, err := p.Arrays([3]int{1, 2, 3}, [2][1]*own{{{4}}}, [0]func(){})
	s.NoError(err)
	script.Equal(s, array, [2]string{"a", "b"})
	s.Called("Arrays", [3]int{1, 2, 3}, [2][1]*own{{{4}}}, 0)

	m, err := p.Maps(map[string][]map[own]*int{"a": {{own{1}: &n}}})
	s.NoError(err)
	script.Equal(s, len(m), 1)
	s.Called("Maps", map[string][]map[own]*int{"a": {{own{1}: &n}}})

	a, b, c, d, e, g := make(chan int), make(<-chan int), make(chan<- int), make(chan (<-chan int)), make(<-chan chan<- chan int), make(chan<- (<-chan func()))
	_, err = p.Channels(a, b, c, d, e, g)
	s.NoError(err)
	s.Called("Channels", a, b, c, d, e, g)

	fa, fb, fc, fd := func() {}, func(int, ...string) (int, error) { return 0, nil }, func(func(x, y int) int) func() { return nil }, func(context.Context, int) (int, error) { return 0, nil }
	variadic, err := p.Funcs(fa, fb, fc, fd)
	s.NoError(err)
	variadic()
	s.Called("Funcs", fa, fb, fc, fd)

	structure := struct {
		A int `json:"n"`
		B int
		c string "n:\"`\""
		*own
		io.Reader
	}{1, 2, "c", &own{3}, strings.NewReader("")}
	embedded, err := p.Structs(struct{}{}, structure)
	s.NoError(err)
	script.Equal(s, embedded.n, 1)
	s.Called("Structs", struct{}{}, structure)

	failure, err := p.Interfaces(1, "b", nil)
	s.NoError(err)
	script.Equal(s, fmt.Sprint(failure), "first")
	s.Called("Interfaces", 1, "b", method(nil))

	o, slice, function := &own{1}, []*[1]int{{1}}, func() {}
	pointer, err := p.Pointers(&n, &o, &slice, &function)
	s.NoError(err)
	script.Equal(s, pointer.N, &n)
	s.Called("Pointers", &n, &o, &slice, &function)

	methods, err := p.Slices([]byte("a"), [][]rune{{'b'}}, nil, []error{errFirst})
	s.NoError(err)
	script.Equal(s, len(methods), 1)
	s.Called("Slices", []byte("a"), [][]rune{{'b'}}, [][]error{nil, {errFirst}})

	first, n, err := p.Errors(3)
	s.NoError(err)
	script.Equal(s, first, errFirst)
	script.Equal(s, n, 3)

	first, second, err := p.OnlyErrors()
	s.NoError(err)
	script.Equal(s, first, errFirst)
	script.Equal(s, second, errSecond)

	n, err = p.Anonymous(struct{ A int }{1}, struct{ A int }{2})
	s.NoError(err)
	script.Equal(s, n, 2)
	s.Called("Anonymous", []struct{ A int }{{1}, {2}})
}
