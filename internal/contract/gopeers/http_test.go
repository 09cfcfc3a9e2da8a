package gopeers_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// loopback is a transport to a real server on the loopback interface, and its address.
func loopback(t *testing.T, h http.HandlerFunc) (*http.Transport, string) {
	server := httptest.NewServer(h)
	tr := &http.Transport{}
	t.Cleanup(func() {
		tr.CloseIdleConnections()
		server.Close()
	})
	return tr, server.URL
}

// text is the body of a response, which it closes.
func text(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	require.NoError(t, r.Body.Close())
	return string(b)
}

// go:W1
func TestTheBodyOfARequestIsSentAgain(t *testing.T) {
	var got bodies
	inner, url := loopback(t, func(w http.ResponseWriter, r *http.Request) {
		if got.add(r) < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_, _ = io.WriteString(w, "done")
	})
	client := &http.Client{Transport: transport(t, inner)}
	response, err := client.Post(url, "text/plain", strings.NewReader("hello"))
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Equal(t, "done", text(t, response))
	require.Equal(t, []string{"hello", "hello", "hello"}, got.all())

	// go:W1, after an attempt timeout.
	t.Run("after an attempt timeout", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var got bodies
			inner := inMemory(t, func(w http.ResponseWriter, r *http.Request) {
				if got.add(r) < 3 {
					<-r.Context().Done()
					return
				}
				_, _ = io.WriteString(w, "done")
			})
			client := &http.Client{Transport: transport(t, inner, annotation.AttemptTimeout(time.Second))}
			require.Equal(t, 2*time.Second, within(func() {
				response, err := client.Post("http://peer/", "text/plain", strings.NewReader("hello"))
				require.NoError(t, err)
				require.Equal(t, "done", text(t, response))
			}))
			require.Equal(t, []string{"hello", "hello", "hello"}, got.all())
		})
	})
}

// go:W2
func TestARedirectKeepsTheBodyAndItIsSentAgainThere(t *testing.T) {
	var here, there bodies
	inner, url := loopback(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/here" {
			here.add(r)
			http.Redirect(w, r, "/there", http.StatusTemporaryRedirect)
		} else if there.add(r) < 2 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	rewinds := sender(func(r *http.Request) (*http.Response, error) {
		if r.GetBody == nil {
			return nil, errors.New("GetBody is lost")
		}
		return inner.RoundTrip(r)
	})
	client := &http.Client{Transport: transport(t, rewinds)}
	response, err := client.Post(url+"/here", "text/plain", strings.NewReader("hello"))
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Empty(t, text(t, response))
	require.Equal(t, []string{"hello"}, here.all())
	require.Equal(t, []string{"hello", "hello"}, there.all())
}

// failing is a transport whose responses all are a status with a JSON body, which it keeps.
type failing struct{ bodies []*body }

func (f *failing) RoundTrip(*http.Request) (*http.Response, error) {
	b := &body{Reader: strings.NewReader(`{"seconds": 4, "problem": "out of paper"}`)}
	f.bodies = append(f.bodies, b)
	return &http.Response{StatusCode: http.StatusInternalServerError, Body: b}, nil
}

// go:W6
func TestAWaitMayBeReadFromTheBodyOfTheResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		target := &failing{}
		rt := transport(t, target, annotation.WaitHint(func(r *http.Response, _ error) time.Duration {
			var hint struct{ Seconds int }
			require.NoError(t, json.NewDecoder(r.Body).Decode(&hint))
			return time.Duration(hint.Seconds) * time.Second
		}))
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://peer/", nil)
		require.NoError(t, err)
		require.Equal(t, 8*time.Second, within(func() {
			response, err := rt.RoundTrip(r)
			require.NoError(t, err)
			require.Contains(t, text(t, response), "out of paper", "the last one was not read for a hint")
		}))
		for _, b := range target.bodies {
			require.True(t, b.closed)
		}
	})
}

// go:W7. Where Discard is set, a response that would go beside the context's error goes there instead: an http.RoundTripper
// returns one of the two, and most callers of one close nothing beside an error. In the fluent form they get both.
func TestTheLastResponseIsNotLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		request := func(ctx context.Context) *http.Request {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://peer/", nil)
			require.NoError(t, err)
			return r
		}
		target := &failing{}
		response, err := transport(t, target, annotation.MaxAttempts(5)).RoundTrip(request(t.Context()))
		require.NoError(t, err)
		require.Equal(t, http.StatusInternalServerError, response.StatusCode)
		require.Len(t, target.bodies, 5)
		require.False(t, target.bodies[4].closed)
		require.Contains(t, text(t, response), "out of paper")

		target = &failing{}
		var discarded []int
		rt := transport(t, target, annotation.MaxAttempts(5), annotation.Base(10*time.Second), annotation.Discard(func(r *http.Response) {
			discarded = append(discarded, r.StatusCode)
			drain(r)
		}))
		response, err = rt.RoundTrip(request(cancelIn(time.Second)))
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, errCause)
		require.Nil(t, response)
		require.Equal(t, []int{http.StatusInternalServerError}, discarded)
		require.True(t, target.bodies[0].closed)

		target = &failing{}
		chain := retry.When(func(r *http.Response, err error) bool { return err != nil || unavailable(r) }).Max(5).Sleep(10 * time.Second)
		response, err = chain.Call(cancelIn(time.Second), func(ctx context.Context) (*http.Response, error) { return target.RoundTrip(request(ctx)) })
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, http.StatusInternalServerError, response.StatusCode)
		require.Contains(t, text(t, response), "out of paper")
	})
}
