package sealed

import (
	"context"
	"testing"

	"golden/script"
)

type store struct{ *script.Script }

func (t store) Get(ctx context.Context, k key, opts ...options) (*record, error) {
	return &record{k}, t.Call("Get", ctx, k, opts)
}

func (t store) Walk(v visitor) error { return t.Call("Walk", v) }

func (t store) seal() { t.Once("seal") }

func (t store) peek(k key, opts ...options) (*record, bool) {
	t.Once("peek", k, opts)
	return &record{k}, true
}

func TestStore(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Store](s, store{s})
	ctx := script.Context("sealed")

	r, err := p.Get(ctx, "key", options{1})
	s.NoError(err)
	script.Equal(s, r, &record{"key"})
	s.Called("Get", ctx, key("key"), []options{{1}})

	v := func(key) bool { return true }
	s.NoError(p.Walk(v))
	s.Called("Walk", visitor(v))

	p.seal()
	s.Called("seal")

	r, ok := p.peek("key", options{1}, options{2})
	script.Equal(s, r, &record{"key"})
	script.Equal(s, ok, true)
	s.Called("peek", key("key"), []options{{1}, {2}})
}

type list struct{ *script.Script }

func (t list) Push(r record) error { return t.Call("Push", r) }
func (t list) len() int            { return 3 }

func TestQueue(t *testing.T) {
	s := script.New(t)
	p := script.Weave[queue](s, list{s})

	s.NoError(p.Push(record{"key"}))
	s.Called("Push", record{"key"})
	script.Equal(s, p.len(), 3)
}
