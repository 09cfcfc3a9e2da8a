package aliases

import (
	"context"
	"io"
	"strings"
	"testing"

	"golden/aliases/hidden"
	"golden/script"
)

type repo[K comparable, V any] struct {
	*script.Script
	value V
}

func (t repo[K, V]) Load(ctx context.Context, key K) (V, error) {
	return t.value, t.Call("Load", ctx, key)
}

func TestAnInstance(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Repo[string, order]](s, repo[string, order]{s, order{1}})
	ctx := script.Context("aliases")

	o, err := p.Load(ctx, "key")
	s.NoError(err)
	script.Equal(s, o, order{1})
	s.Called("Load", ctx, "key")
}

func TestAnInstanceOfAGenericAlias(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Repo[int, order]](s, repo[int, order]{s, order{1}})
	ctx := script.Context("aliases")

	o, err := p.Load(ctx, 2)
	s.NoError(err)
	script.Equal(s, o, order{1})
	s.Called("Load", ctx, 2)
}

type target struct{ *script.Script }

func (t target) Len() int {
	_ = t.Call("Len")
	return 4
}

func (t target) Do() error { return t.Call("Do") }

func (t target) ReadByte() (byte, error) { return 'b', t.Call("ReadByte") }

func (t target) Mix(ctx context.Context, o hidden.Open, n int) ([]int, error) {
	return []int{o.N, n}, t.Call("Mix", ctx, o, n)
}

func (t target) All(set map[string]struct{}, pairs ...[2]int) (map[bool]struct{}, error) {
	return map[bool]struct{}{true: {}}, t.Call("All", set, pairs)
}

type opener struct{ target }

func (t opener) Open(name string) (io.Reader, error) {
	return strings.NewReader(name), t.Call("Open", name)
}

func TestAnUnnamedInterface(t *testing.T) {
	s := script.New(t)
	p := script.Weave[interface {
		Len() int
		Open(string) (io.Reader, error)
	}](s, opener{target{s}})

	r, err := p.Open("name")
	s.NoError(err)
	script.Equal(s, r, io.Reader(strings.NewReader("name")))
	s.Called("Open", "name")
	script.Equal(s, p.Len(), 4)
}

func TestDefinedInterfaces(t *testing.T) {
	s := script.New(t)
	s.NoError(script.Weave[defined](s, target{s}).Do())

	b, err := script.Weave[io.ByteReader](s, target{s}).ReadByte()
	s.NoError(err)
	script.Equal(s, b, 'b')
}

func TestSignatures(t *testing.T) {
	s := script.New(t)
	ctx := script.Context("aliases")
	all, err := script.Weave[hidden.Mixed](s, target{s}).Mix(ctx, hidden.Open{N: 1}, 2)
	s.NoError(err)
	script.Equal(s, all, []int{1, 2})
	s.Called("Mix", ctx, hidden.Open{N: 1}, 2)

	p := script.Weave[Signatures](s, signatures{target{s}})
	set, err := p.All(map[string]struct{}{"a": {}}, [2]int{1, 2})
	s.NoError(err)
	script.Equal(s, set, map[bool]struct{}{true: {}})
	s.Called("All", map[string]struct{}{"a": {}}, [][2]int{{1, 2}})
	unnamed, err := p.Open(hidden.Open{N: 1})
	s.NoError(err)
	script.Equal(s, unnamed, nil)
	s.Called("Open", hidden.Open{N: 1})
}

type signatures struct{ target }

func (t signatures) Open(o hidden.Open) (Unnamed, error) { return nil, t.Call("Open", o) }
