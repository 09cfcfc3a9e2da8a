package dashboard_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// pipes is a listener whose connections are pipes in memory, so that a server and its clients may be in a bubble.
type pipes struct {
	connections chan net.Conn
	closed      chan struct{}
	once        sync.Once
}

func newPipes() *pipes { return &pipes{connections: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.connections:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.connections <- server:
		return client, nil
	case <-p.closed:
		return nil, errors.New("nobody listens")
	}
}

// served is a server of a handler, in memory, with a client. Both are gone when the test is over.
func served(t *testing.T, server *http.Server) *http.Client {
	t.Helper()
	p := newPipes()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(p)
	}()
	transport := &http.Transport{DialContext: p.dial}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		<-done
	})
	return &http.Client{Transport: transport}
}

// events reads server-sent events.
type events struct {
	t    *testing.T
	body io.ReadCloser
	r    *bufio.Reader
}

// watch opens a stream, as a browser does.
func watch(t *testing.T, client *http.Client, url string) *events {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	response, err := client.Do(request)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Equal(t, "text/event-stream", response.Header.Get("Content-Type"))
	require.Equal(t, "no-store", response.Header.Get("Cache-Control"))
	require.Equal(t, "no", response.Header.Get("X-Accel-Buffering"))
	e := &events{t, response.Body, bufio.NewReader(response.Body)}
	require.Equal(t, "retry: 2000", e.line())
	require.Empty(t, e.line())
	t.Cleanup(e.close)
	return e
}

func (e *events) close() { _ = e.body.Close() }

func (e *events) line() string {
	text, err := e.r.ReadString('\n')
	require.NoError(e.t, err)
	return strings.TrimSuffix(text, "\n")
}

// next reads an event of a name.
func (e *events) next(name string, into any) {
	e.t.Helper()
	require.Equal(e.t, "event: "+name, e.line())
	data, ok := strings.CutPrefix(e.line(), "data: ")
	require.True(e.t, ok)
	require.Empty(e.t, e.line())
	require.NoError(e.t, json.Unmarshal([]byte(data), into))
}

func (e *events) state(name string) (s state) {
	e.t.Helper()
	e.next(name, &s)
	return s
}

func (e *events) method() (m method) {
	e.t.Helper()
	e.next("method", &m)
	return m
}

// end reads to the end of the stream.
func (e *events) end() error {
	_, err := io.Copy(io.Discard, e.r)
	return err
}
