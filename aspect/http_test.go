package aspect_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// serve is a server that fails the first n requests of each kind: by a status, or by cutting the connection.
func serve(t *testing.T, n int32, cut bool) (url string, bodies func() []string) {
	var calls atomic.Int32
	var mu sync.Mutex
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		got = append(got, string(body))
		mu.Unlock()
		switch {
		case calls.Add(1) > n:
			_, _ = io.WriteString(w, "charged "+string(body))
		case cut:
			panic(http.ErrAbortHandler)
		default:
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, "try again")
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return got
	}
}

// client is an http.Client whose transport is woven, with the options for whoever retries HTTP.
func client(t *testing.T, discarded *atomic.Int32, opts ...annotation.Option) *http.Client {
	inner := &http.Transport{}
	t.Cleanup(inner.CloseIdleConnections)
	opts = append(opts,
		annotation.RetryErrors(retry.AnyError),
		annotation.RetryIfResult(func(r *http.Response) bool { return r.StatusCode == http.StatusServiceUnavailable }),
		annotation.Discard(func(r *http.Response) {
			if r != nil {
				discarded.Add(1)
				_, _ = io.Copy(io.Discard, r.Body)
				_ = r.Body.Close()
			}
		}))
	return &http.Client{Transport: transport(t, inner, opts...)}
}

func TestAWovenTransportOverRealHTTP(t *testing.T) {
	for _, c := range []struct {
		name      string
		cut       bool
		discarded int32
	}{
		{"the peer is unavailable", false, 2},
		{"the peer cuts the connection", true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			url, bodies := serve(t, 2, c.cut)
			var discarded atomic.Int32
			response, err := client(t, &discarded).Post(url, "text/plain", strings.NewReader("order 7"))
			require.NoError(t, err)
			body, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			require.Equal(t, "charged order 7", string(body))
			require.Equal(t, []string{"order 7", "order 7", "order 7"}, bodies())
			require.Equal(t, c.discarded, discarded.Load())
		})
	}
	t.Run("a body that cannot be rewound is sent once", func(t *testing.T) {
		url, bodies := serve(t, 2, false)
		var discarded atomic.Int32
		response, err := client(t, &discarded).Post(url, "text/plain", io.MultiReader(strings.NewReader("order 7")))
		require.NoError(t, err)
		require.Equal(t, http.StatusServiceUnavailable, response.StatusCode)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, "try again", string(body), "what the last attempt has returned is the caller's")
		require.Len(t, bodies(), 1)
	})
	t.Run("an attempt timeout leaves the body readable", func(t *testing.T) {
		url, _ := serve(t, 1, false)
		var discarded atomic.Int32
		response, err := client(t, &discarded, annotation.AttemptTimeout(1<<40)).Post(url, "text/plain", strings.NewReader("order 7"))
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, "charged order 7", string(body))
	})
	t.Run("the caller cancels", func(t *testing.T) {
		url, bodies := serve(t, always, true)
		ctx, cancel := context.WithCancelCause(t.Context())
		var discarded atomic.Int32
		hc := client(t, &discarded, annotation.BeforeRetry(func(*http.Request) { cancel(errFull) }))
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader("order 7"))
		require.NoError(t, err)
		_, err = hc.Do(r) //nolint:bodyclose // there is none
		require.ErrorIs(t, err, context.Canceled)
		require.Len(t, bodies(), 1)
		require.True(t, errors.Is(context.Cause(ctx), errFull))
	})
}
