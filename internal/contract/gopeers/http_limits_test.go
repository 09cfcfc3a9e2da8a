package gopeers_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// asking is a transport whose first response asks to come again after what after says; the second is right.
func asking(after func() string) http.RoundTripper {
	calls := 0
	return sender(func(*http.Request) (*http.Response, error) {
		r := &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{}, Body: http.NoBody}
		if calls++; calls > 1 {
			r.StatusCode = http.StatusOK
		}
		r.Header.Set("Retry-After", after())
		return r, nil
	})
}

// sent sends one request by rt, with an answer that is no error, and returns its status.
func sent(t *testing.T, ctx context.Context, rt http.RoundTripper) int {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://peer/", nil)
	require.NoError(t, err)
	response, err := rt.RoundTrip(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

// go:W4
func TestRetryAfterHasACeiling(t *testing.T) {
	hour := func() string { return "3600" }
	synctest.Test(t, func(t *testing.T) {
		require.Equal(t, 2*time.Second, within(func() {
			require.Equal(t, http.StatusOK, sent(t, t.Context(), transport(t, asking(hour), annotation.MaxDelay(2*time.Second))))
		}), "by config: no wait is longer")
		require.Equal(t, retry.DefaultMaxDelay, within(func() {
			require.Equal(t, http.StatusOK, sent(t, t.Context(), transport(t, asking(hour))))
		}), "without a word about it")
		require.Zero(t, within(func() {
			ctx, report := retry.WithReport(t.Context())
			require.Equal(t, http.StatusServiceUnavailable, sent(t, ctx, transport(t, asking(hour), annotation.Timeout(2*time.Second))))
			require.Equal(t, "timeout", report.Limit)
		}), "by config: the answer at once")
	})
}

// go:W5
func TestRetryAfterMayBeADate(t *testing.T) {
	date := func(in time.Duration) func() string {
		return func() string { return time.Now().Add(in).UTC().Format(http.TimeFormat) }
	}
	for name, c := range map[string]struct {
		after func() string
		want  time.Duration
	}{
		"seconds":             {func() string { return "3" }, 3 * time.Second},
		"a date":              {date(5 * time.Second), 5 * time.Second},
		"a date that is past": {date(-time.Hour), 0},
		"seconds below zero":  {func() string { return "-5" }, 0},
		"neither of the two":  {func() string { return "soon" }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rt := transport(t, asking(c.after))
				require.Equal(t, c.want, within(func() { require.Equal(t, http.StatusOK, sent(t, t.Context(), rt)) }))
			})
		})
	}
}

// go:W8
func TestTheErrorOfAConnectionThatIsRefusedIsTheCallers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close()) // nobody listens there now
	inner := &http.Transport{}
	t.Cleanup(inner.CloseIdleConnections)
	for _, wrap := range []bool{false, true} {
		calls := 0
		counted := sender(func(r *http.Request) (*http.Response, error) { calls++; return inner.RoundTrip(r) })
		client := &http.Client{Transport: transport(t, counted, annotation.MaxAttempts(5), annotation.WrapExhausted(wrap))}
		_, err = client.Post("http://"+l.Addr().String(), "text/plain", strings.NewReader("hello")) //nolint:bodyclose // there is none
		require.ErrorIs(t, err, syscall.ECONNREFUSED)
		require.ErrorContains(t, err, "connection refused")
		require.Equal(t, 5, calls)
	}
}

// go:W12
func TestOneLimitHoldsForAttemptsAndSleepsTogether(t *testing.T) {
	slow := func(calls *int) http.RoundTripper {
		return sender(func(r *http.Request) (*http.Response, error) {
			*calls++
			select {
			case <-time.After(time.Second):
				return &http.Response{StatusCode: http.StatusServiceUnavailable, Body: http.NoBody, Request: r}, nil
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		opts := option(annotation.MaxAttempts(retry.Unlimited), annotation.Base(2*time.Second))
		client := &http.Client{Timeout: 5 * time.Second, Transport: transport(t, slow(&calls), opts...)}
		require.Equal(t, 4*time.Second, within(func() { // the next wait would end after 6 s
			_, err := client.Get("http://peer/") //nolint:bodyclose // there is none
			require.ErrorIs(t, err, context.DeadlineExceeded)
		}))
		require.Equal(t, 2, calls)

		calls = 0
		client = &http.Client{Timeout: 3500 * time.Millisecond, Transport: transport(t, slow(&calls), opts...)}
		require.Equal(t, 3500*time.Millisecond, within(func() { // in the second attempt
			_, err := client.Get("http://peer/") //nolint:bodyclose // there is none
			require.ErrorIs(t, err, context.DeadlineExceeded)
		}))
		require.Equal(t, 2, calls)

		calls = 0
		client = &http.Client{Transport: transport(t, slow(&calls), append(opts, annotation.Timeout(5*time.Second))...)}
		require.Equal(t, 4*time.Second, within(func() {
			response, err := client.Get("http://peer/")
			require.NoError(t, err)
			require.Equal(t, http.StatusServiceUnavailable, response.StatusCode, "the session's own limit: what came last")
			require.NoError(t, response.Body.Close())
		}))
		require.Equal(t, 2, calls)
	})
}
