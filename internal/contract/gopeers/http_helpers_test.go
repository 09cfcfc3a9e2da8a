package gopeers_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// HTTPRetry is what a team writes once for its HTTP clients.
type HTTPRetry struct{ annotation.AbstractRetry }

// Defaults retry what a server may be over soon, wait as it asks, and let go of responses that are thrown away.
func (HTTPRetry) Defaults() []annotation.Option {
	return []annotation.Option{
		annotation.Policies(retry.Fallback, retry.Classifier, retry.MaxAttempts, retry.Sleep),
		annotation.MaxAttempts(3),
		annotation.RetryErrors(retry.AnyError),
		annotation.RetryIfResult(unavailable),
		annotation.WaitHint(retryAfter),
		annotation.Discard(drain),
	}
}

func unavailable(r *http.Response) bool {
	return r.StatusCode >= http.StatusInternalServerError || r.StatusCode == http.StatusTooManyRequests
}

// retryAfter reads Retry-After, as seconds or as a date.
func retryAfter(r *http.Response, _ error) time.Duration {
	if r == nil {
		return 0
	}
	after := r.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(after); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(after); err == nil {
		return time.Until(date)
	}
	return 0
}

func drain(r *http.Response) {
	if r != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
	}
}

// transport is target, woven.
func transport(t *testing.T, target http.RoundTripper, opts ...annotation.Option) http.RoundTripper {
	t.Helper()
	rt, err := aspect.Wrap(aspect.NewWeaver(), target, aspect.Annotate[HTTPRetry](http.RoundTripper.RoundTrip, opts...))
	require.NoError(t, err)
	return rt
}

// sender is an http.RoundTripper that is a func.
type sender func(*http.Request) (*http.Response, error)

func (f sender) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// body is a response's, which knows whether it was read and closed.
type body struct {
	io.Reader
	closed bool
}

func (b *body) Read(p []byte) (int, error) {
	if b.closed {
		return 0, http.ErrBodyReadAfterClose
	}
	return b.Reader.Read(p)
}

func (b *body) Close() error { b.closed = true; return nil }

// bodies are the bodies of the requests that a server got.
type bodies struct {
	mu  sync.Mutex
	got []string
}

// add reads the body of r and returns the number of the request.
func (b *bodies) add(r *http.Request) int {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		text = []byte(err.Error())
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.got = append(b.got, string(text))
	return len(b.got)
}

func (b *bodies) all() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.got...)
}

// inMemory is a transport to a server that runs h, over pipes, for use in a bubble.
func inMemory(t *testing.T, h http.HandlerFunc) *http.Transport {
	l := &pipes{accepted: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: h}
	go func() { _ = server.Serve(l) }()
	tr := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		client, served := net.Pipe()
		l.accepted <- served
		return client, nil
	}}
	t.Cleanup(func() {
		tr.CloseIdleConnections()
		_ = server.Close()
	})
	return tr
}

// pipes is a net.Listener of pipes.
type pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accepted:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes", Net: "pipe"} }
