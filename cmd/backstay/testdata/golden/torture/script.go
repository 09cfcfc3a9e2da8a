package torture

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"golden/script"
)

type target struct{ *script.Script }

func (t target) Close() error { return t.Call("Close") }

func (t target) Base(ctx context.Context, value int) (int, error) {
	return 2 * value, t.Call("Base", ctx, value)
}

func (t target) Variadic(ctx context.Context, format string, args ...any) error {
	return t.Call("Variadic", ctx, format, args)
}

func (t target) Unnamed(ctx context.Context, i int, s string) (int, error) {
	return i + 1, t.Call("Unnamed", ctx, i, s)
}

func (t target) Blank(ctx context.Context, i int, s ...string) error {
	return t.Call("Blank", ctx, i, s)
}

func (t target) Names(mock int, err error, r0 string, str fmt.Stringer, ctx context.Context) (string, error) {
	return "names", t.Call("Names", mock, err, r0, str, ctx)
}

func (t target) Named(n int) (int, bool) { return n, t.Call("Named", n) == nil }

func (t target) Func(f func(string, ...any) (int, error)) error { return t.Call("Func", f) }

func (t target) Chan(ch chan<- struct{ A int }) (<-chan struct{ A int }, error) {
	if err := t.Call("Chan", ch); err != nil {
		return nil, err
	}
	ch <- struct{ A int }{1}
	results := make(chan struct{ A int }, 1)
	results <- struct{ A int }{2}
	return results, nil
}

func (t target) Nothing() { _ = t.Call("Nothing") }

func TestTorture(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Torture](s, target{s})
	ctx := script.Context("torture")

	s.NoError(p.Close())

	n, err := p.Base(ctx, 4)
	s.NoError(err)
	script.Equal(s, n, 8)
	s.Called("Base", ctx, 4)

	s.NoError(p.Variadic(ctx, "%d%d", 1, 2))
	s.Called("Variadic", ctx, "%d%d", []any{1, 2})

	n, err = p.Unnamed(ctx, 1, "one")
	s.NoError(err)
	script.Equal(s, n, 2)
	s.Called("Unnamed", ctx, 1, "one")

	s.NoError(p.Blank(ctx, 1))
	s.Called("Blank", ctx, 1, []string(nil))

	argument := errors.New("an argument")
	name, err := p.Names(1, argument, "r0", nil, ctx)
	s.NoError(err)
	script.Equal(s, name, "names")
	s.Called("Names", 1, argument, "r0", nil, ctx)

	n, ok := p.Named(3)
	script.Equal(s, n, 3)
	script.Equal(s, ok, true)
	s.Called("Named", 3)

	s.NoError(p.Func(fmt.Printf))
	s.Called("Func", fmt.Printf)

	ch := make(chan struct{ A int }, 1)
	results, err := p.Chan(ch)
	s.NoError(err)
	script.Equal(s, (<-ch).A, 1)
	script.Equal(s, (<-results).A, 2)

	p.Nothing()
	s.Called("Nothing")
}

type gen[K comparable, V any] struct {
	*script.Script
	value V
}

func (t gen[K, V]) Get(ctx context.Context, key K) (V, error) {
	return t.value, t.Call("Get", ctx, key)
}

func (t gen[K, V]) Keys() (keys []K) {
	if t.Call("Keys") == nil {
		keys = make([]K, 2)
	}
	return keys
}

func TestAnInstanceByItsAlias(t *testing.T) {
	s := script.New(t)
	p := script.Weave[IntGen](s, gen[int, string]{s, "value"})
	ctx := script.Context("gen")

	value, err := p.Get(ctx, 7)
	s.NoError(err)
	script.Equal(s, value, "value")
	s.Called("Get", ctx, 7)

	script.Equal(s, p.Keys(), []int{0, 0})
}

func TestAnInstanceThatIsRegisteredByHand(t *testing.T) {
	s := script.New(t)
	var target Gen[string, []byte] = gen[string, []byte]{s, []byte("value")}
	RegisterGenProxy[string, []byte]()
	p := script.Weave(s, target)
	ctx := script.Context("gen")

	value, err := p.Get(ctx, "key")
	s.NoError(err)
	script.Equal(s, value, []byte("value"))
	s.Called("Get", ctx, "key")

	script.Equal(s, p.Keys(), []string{"", ""})
}

type sealed struct{ *script.Script }

func (t sealed) Open(name string) error { return t.Call("Open", name) }

func (t sealed) seal() int {
	t.Once("seal")
	return 9
}

func TestSealed(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Sealed](s, sealed{s})

	s.NoError(p.Open("name"))
	s.Called("Open", "name")

	script.Equal(s, p.seal(), 9)
	s.Called("seal")
}
