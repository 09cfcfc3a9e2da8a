//go:build gc && !purego && (amd64 || arm64)

package dynproxy_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"sort"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestReader(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		target := new(buffer)
		p := proxyOf[io.ReadWriteCloser](t, target, m)
		_, err := fmt.Fprintf(p, "%d lines", 3)
		require.NoError(t, err)
		require.NoError(t, iotest.TestReader(p, []byte("3 lines")))
		require.NoError(t, p.Close())
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestRoundTripper(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		failure := errors.New("no route")
		client := &http.Client{Transport: proxyOf[http.RoundTripper](t,
			roundTripper(func(r *http.Request) (*http.Response, error) {
				if r.Host != "example.com" {
					return nil, failure
				}
				w := httptest.NewRecorder()
				_, _ = io.WriteString(w, r.URL.Path)
				return w.Result(), nil
			}), m)}
		response, err := client.Get("http://example.com/path")
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, "/path", string(body))
		_, err = client.Get("http://elsewhere.example.com/")
		require.ErrorIs(t, err, failure)
	})
}

func TestFS(t *testing.T) {
	files := fstest.MapFS{"a/b.txt": {Data: []byte("text")}, "c": {Data: []byte("c")}}
	inBothModes(t, func(t *testing.T, m mode) {
		require.NoError(t, fstest.TestFS(proxyOf[fs.FS](t, files, m), "a/b.txt", "c"))
		require.NoError(t, fstest.TestFS(proxyOf[fs.ReadFileFS](t, files, m), "a/b.txt", "c"))
	})
}

// connection is a connection of which a test sees what became of it.
type connection struct{ log []string }

func (c *connection) Prepare(query string) (driver.Stmt, error) {
	c.log = append(c.log, "prepare "+query)
	return nil, driver.ErrSkip
}

func (c *connection) Close() error {
	c.log = append(c.log, "close")
	return nil
}

func (c *connection) Begin() (driver.Tx, error) {
	c.log = append(c.log, "begin")
	return c, nil
}

func (c *connection) Commit() error {
	c.log = append(c.log, "commit")
	return nil
}

func (c *connection) Rollback() error { return driver.ErrBadConn }

type connector struct{ driver.Conn }

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.Conn, nil }

func (c connector) Driver() driver.Driver { return nil }

func TestDriverConn(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		target := new(connection)
		db := sql.OpenDB(proxyOf[driver.Connector](t, connector{proxyOf[driver.Conn](t, target, m)}, m))
		tx, err := db.Begin()
		require.NoError(t, err)
		_, err = tx.Exec("update")
		require.ErrorIs(t, err, driver.ErrSkip)
		require.NoError(t, tx.Commit())
		require.NoError(t, db.Close())
		require.Equal(t, []string{"begin", "prepare update", "commit", "close"}, target.log)
	})
}

func TestSortInterface(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		names := sort.StringSlice{"d", "b", "a", "c"}
		sort.Stable(proxyOf[sort.Interface](t, names, m))
		require.Equal(t, sort.StringSlice{"a", "b", "c", "d"}, names)
		sort.Sort(sort.Reverse(proxyOf[sort.Interface](t, names, m)))
		require.Equal(t, sort.StringSlice{"d", "c", "b", "a"}, names)
	})
}

type contextKey struct{}

func TestContext(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		parent, cancel := context.WithCancelCause(context.WithValue(t.Context(), contextKey{}, "value"))
		p := proxyOf(t, parent, m)
		child, release := context.WithCancel(p)
		defer release()
		require.Equal(t, "value", child.Value(contextKey{}))
		require.NoError(t, child.Err())
		_, hasDeadline := p.Deadline()
		require.False(t, hasDeadline)
		cancel(io.ErrUnexpectedEOF)
		<-child.Done()
		require.ErrorIs(t, p.Err(), context.Canceled)
		require.ErrorIs(t, context.Cause(p), io.ErrUnexpectedEOF)
	})
}

func TestErrorAndStringer(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		failure := proxyOf[error](t, &fs.PathError{Op: "open", Path: "file", Err: fs.ErrNotExist}, m)
		wrapped := fmt.Errorf("wrapped: %w", failure)
		require.EqualError(t, wrapped, "wrapped: open file: file does not exist")
		require.ErrorIs(t, wrapped, failure)
		require.NotErrorIs(t, wrapped, fs.ErrNotExist, "the proxy has no Unwrap")
		require.Equal(t, "[word 5]", fmt.Sprint([]any{proxyOf[fmt.Stringer](t, word(5), m)}))
	})
}
