package otherpackage

import (
	"context"
	"io"
	"net/http"
	"testing"

	"golden/otherpackage/lib"
	"golden/script"
)

type transport struct{ *script.Script }

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusTeapot}, t.Call("RoundTrip", r.URL.String())
}

func TestRoundTripper(t *testing.T) {
	s := script.New(t)
	p := script.Weave[http.RoundTripper](s, transport{s})

	r, err := http.NewRequest(http.MethodGet, "http://example.com/", nil)
	s.NoError(err)
	response, err := p.RoundTrip(r)
	s.NoError(err)
	script.Equal(s, response.StatusCode, http.StatusTeapot)
	s.Called("RoundTrip", "http://example.com/")
}

type file struct{ *script.Script }

func (t file) Read(p []byte) (int, error)  { return len(p), t.Call("Read", p) }
func (t file) Write(p []byte) (int, error) { return len(p), t.Call("Write", p) }
func (t file) Close() error                { return t.Call("Close") }

func TestReadWriteCloser(t *testing.T) {
	s := script.New(t)
	p := script.Weave[io.ReadWriteCloser](s, file{s})

	n, err := p.Read([]byte("r"))
	s.NoError(err)
	script.Equal(s, n, 1)
	s.Called("Read", []byte("r"))
	n, err = p.Write([]byte("wr"))
	s.NoError(err)
	script.Equal(s, n, 2)
	s.Called("Write", []byte("wr"))
	s.NoError(p.Close())
}

type repo[K int | string, V any] struct {
	*script.Script
	value V
}

func (t repo[K, V]) Load(ctx context.Context, key K) (V, error) {
	return t.value, t.Call("Load", ctx, key)
}

func (t repo[K, V]) Watch(f func(lib.Event[V])) func() {
	if t.Call("Watch", f) != nil {
		return nil
	}
	f(lib.Event[V]{Value: t.value})
	return func() { f(lib.Event[V]{}) }
}

func TestRepo(t *testing.T) {
	s := script.New(t)
	p := script.Weave[lib.Repo[string, order]](s, repo[string, order]{s, order{"id"}})
	ctx := script.Context("otherpackage")

	o, err := p.Load(ctx, "key")
	s.NoError(err)
	script.Equal(s, o, order{"id"})
	s.Called("Load", ctx, "key")

	var events []order
	stop := p.Watch(func(e lib.Event[order]) { events = append(events, e.Value) })
	stop()
	script.Equal(s, events, []order{{"id"}, {}})
}

func TestRepoThatIsFoundInTheCode(t *testing.T) {
	s := script.New(t)
	p := script.Weave[lib.Repo[int, *order]](s, repo[int, *order]{s, &order{"id"}})
	ctx := script.Context("found")

	o, err := load(ctx, p)
	s.NoError(err)
	script.Equal(s, o, &order{"id"})
	s.Called("Load", ctx, 1)
	p.Watch(func(lib.Event[*order]) {})
}
