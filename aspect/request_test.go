package aspect_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// sender is an http.RoundTripper that is a func.
type sender func(*http.Request) (*http.Response, error)

func (f sender) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// reading is a transport that reads bodies and fails the first n times. It notes the requests and bodies that it gets.
type reading struct {
	mu       sync.Mutex
	requests []*http.Request
	bodies   []string
	fails    int
}

func (r *reading) RoundTrip(request *http.Request) (*http.Response, error) {
	var body []byte
	if request.Body != nil {
		body, _ = io.ReadAll(request.Body)
		_ = request.Body.Close()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = append(r.requests, request)
	r.bodies = append(r.bodies, string(body))
	if len(r.requests) <= r.fails {
		return nil, errDown
	}
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: request}, nil
}

func request(t testing.TB, ctx context.Context, body io.Reader) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://example.com/charge", body)
	require.NoError(t, err)
	return r
}

func transport(t testing.TB, target http.RoundTripper, opts ...annotation.Option) http.RoundTripper {
	t.Helper()
	return wrapped(t, aspect.NewWeaver(), target, aspect.Annotate[Quick](http.RoundTripper.RoundTrip, opts...))
}

func TestARequestIsPassedOnAsACopyWithTheAttemptsContextAndAFreshBody(t *testing.T) {
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "caller")
	target := &reading{fails: 2}
	sent := request(t, ctx, strings.NewReader("7"))
	sent.Header.Set("Content-Type", "text/plain")
	response, err := transport(t, target).RoundTrip(sent)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Equal(t, []string{"7", "7", "7"}, target.bodies)
	for _, r := range target.requests {
		require.True(t, r != sent)
		require.Equal(t, "caller", r.Context().Value(key{}))
		require.Equal(t, 3, attempt(r.Context()))
		require.Equal(t, "text/plain", r.Header.Get("Content-Type"))
	}
	require.True(t, sent.Context() == ctx)
}

func TestARequestWithABodyThatCannotBeRewoundIsAttemptedOnce(t *testing.T) {
	for _, c := range []struct {
		name string
		body io.Reader
		want int
	}{
		{"GetBody", bytes.NewReader([]byte("7")), 3},
		{"no GetBody", io.MultiReader(strings.NewReader("7")), 1},
		{"no body", nil, 3},
		{"an empty body", http.NoBody, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := &reading{fails: always}
			_, err := transport(t, target, annotation.WrapExhausted(true)).RoundTrip(request(t, t.Context(), c.body))
			require.ErrorIs(t, err, errDown)
			exhausted := new(retry.ExhaustedError)
			require.ErrorAs(t, err, &exhausted)
			require.Equal(t, c.want, exhausted.Attempts)
			require.Len(t, target.requests, c.want)
		})
	}
}

func TestTheErrorOfGetBodyEndsTheSession(t *testing.T) {
	target := &reading{fails: always}
	r := request(t, t.Context(), strings.NewReader("7"))
	r.GetBody = func() (io.ReadCloser, error) { return nil, errFull }
	response, err := transport(t, target).RoundTrip(r)
	require.EqualError(t, err, "rewind the body of the request: disk is full")
	require.ErrorIs(t, err, errFull)
	require.Nil(t, response)
	require.Len(t, target.requests, 1)
}

func TestARequestThatIsNilPasses(t *testing.T) {
	calls := 0
	rt := transport(t, sender(func(r *http.Request) (*http.Response, error) {
		require.Nil(t, r)
		calls++
		return nil, errDown
	}), annotation.OnlyIf(func(r *http.Request) bool { return r == nil }))
	_, err := rt.RoundTrip(nil)
	require.Equal(t, errDown, err)
	require.Equal(t, 3, calls)
}

func TestTheFallbackOfARequestGetsTheCallersContextAndAFreshBody(t *testing.T) {
	read := func(r *http.Request) string {
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		return string(body)
	}
	for _, c := range []struct {
		name   string
		target http.RoundTripper
		opts   []annotation.Option
		err    error
	}{
		{"exhausted", &reading{fails: always}, nil, errDown},
		{"rejected", &reading{}, []annotation.Option{annotation.Timeout(0)}, retry.ErrTimeout},
	} {
		t.Run(c.name, func(t *testing.T) {
			sent := request(t, t.Context(), strings.NewReader("7"))
			ran := false
			rt := transport(t, c.target, append(c.opts, annotation.Fallback(func(r *http.Request, cause error) (*http.Response, error) {
				ran = true
				require.ErrorIs(t, cause, c.err)
				require.True(t, r != sent)
				require.True(t, r.Context() == sent.Context(), "%T", r.Context())
				require.Equal(t, "7", read(r))
				return &http.Response{StatusCode: http.StatusAccepted}, nil
			}))...)
			response, err := rt.RoundTrip(sent)
			require.NoError(t, err)
			require.Equal(t, http.StatusAccepted, response.StatusCode)
			require.True(t, ran)
		})
	}
	t.Run("GetBody fails", func(t *testing.T) {
		n := 0
		sent := request(t, t.Context(), strings.NewReader("7"))
		sent.GetBody = func() (io.ReadCloser, error) {
			if n++; n > 2 {
				return nil, errFull
			}
			return io.NopCloser(strings.NewReader("7")), nil
		}
		_, err := transport(t, &reading{fails: always}, annotation.Fallback(func(*http.Request) (*http.Response, error) {
			t.Error("it ran")
			return nil, nil
		})).RoundTrip(sent)
		require.ErrorIs(t, err, errFull)
		require.ErrorIs(t, err, errDown)
	})
}

func TestAContextBesideARequestIsTheSession(t *testing.T) {
	type key struct{}
	ctx, own := context.WithValue(t.Context(), key{}, "parameter"), context.WithValue(t.Context(), key{}, "request")
	var bodies []string
	f := wrapped(t, aspect.NewWeaver(), func(ctx context.Context, r *http.Request) error {
		require.Equal(t, "parameter", ctx.Value(key{}))
		require.NotZero(t, attempt(ctx))
		require.True(t, r.Context() == own, "the request keeps its own")
		body, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(body))
		return errDown
	}, aspect.Annotate[Quick]("Call"))
	require.Equal(t, errDown, f(ctx, request(t, own, strings.NewReader("7"))))
	require.Equal(t, []string{"7", "7", "7"}, bodies)
}

func TestTheCallersRequestIsRestoredForAspectsOutside(t *testing.T) {
	sent := request(t, t.Context(), strings.NewReader("7"))
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), aspect.RetryPriority+1, aspect.Func(func(jp aspect.JoinPoint) error {
		require.True(t, jp.Context() == sent.Context())
		err := jp.Proceed()
		require.True(t, aspect.Arg[*http.Request](jp, 0) == sent)
		require.True(t, jp.Context() == sent.Context())
		return err
	})))
	_, err := wrapped[http.RoundTripper](t, w, &reading{fails: 1}, aspect.Annotate[Quick]("*")).RoundTrip(sent)
	require.NoError(t, err)
}

func TestAnAspectOutsideTheRetryMaySendARequestAgain(t *testing.T) {
	t.Run("one after the other", func(t *testing.T) {
		target := &reading{fails: 3}
		w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), aspect.RetryPriority+1, aspect.Func(func(jp aspect.JoinPoint) error {
			require.Equal(t, errDown, jp.Proceed())
			return jp.Proceed()
		})))
		_, err := wrapped[http.RoundTripper](t, w, target, aspect.Annotate[Quick]("*")).RoundTrip(request(t, t.Context(), strings.NewReader("7")))
		require.NoError(t, err)
		require.Equal(t, []string{"7", "7", "7", "7"}, target.bodies)
	})
	t.Run("at once, by clones", func(t *testing.T) {
		target := &reading{fails: 4}
		w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), aspect.RetryPriority+1, aspect.Func(func(jp aspect.JoinPoint) error {
			var wg sync.WaitGroup
			for range 4 {
				c := jp.Clone()
				wg.Go(func() { _ = c.Proceed() })
			}
			err := jp.Proceed()
			wg.Wait()
			return err
		})))
		_, _ = wrapped[http.RoundTripper](t, w, target, aspect.Annotate[Quick]("*")).RoundTrip(request(t, t.Context(), strings.NewReader("7")))
		require.GreaterOrEqual(t, len(target.bodies), 5)
		for _, body := range target.bodies {
			require.Equal(t, "7", body)
		}
	})
}

// closing is a body that knows whether it was closed.
type closing struct {
	io.Reader
	closed int
}

func (c *closing) Close() error { c.closed++; return nil }

func TestTheBodyOfARequestThatIsNotSentIsClosed(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx    context.Context
		option annotation.Option
		sent   int
	}{
		"rejected":           {t.Context(), annotation.Timeout(0), 0},
		"canceled before":    {canceled, annotation.MaxAttempts(3), 0},
		"sent: the callee's": {t.Context(), annotation.MaxAttempts(3), 1},
	} {
		t.Run(name, func(t *testing.T) {
			sent := 0
			rt := wrapped[http.RoundTripper](t, aspect.NewWeaver(), sender(func(*http.Request) (*http.Response, error) { sent++; return nil, errDown }),
				aspect.Annotate[Quick]("*", c.option))
			body := &closing{Reader: strings.NewReader("7")}
			r := request(t, c.ctx, body)
			_, err := rt.RoundTrip(r)
			require.Error(t, err)
			require.Equal(t, c.sent, sent)
			require.Equal(t, 1-c.sent, body.closed)
		})
	}
}
