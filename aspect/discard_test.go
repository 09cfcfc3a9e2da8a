package aspect_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

func TestThatARequestIsSentOnceDoesNotReachTheSessionsInside(t *testing.T) {
	w := aspect.NewWeaver()
	tokens := 0
	token := wrapped[Job](t, w, func(context.Context) error { tokens++; return errDown }, aspect.Annotate[Quick]("Call"))
	rt := wrapped[http.RoundTripper](t, w, sender(func(r *http.Request) (*http.Response, error) { return nil, token(r.Context()) }), aspect.Annotate[Quick]("*"))
	_, err := rt.RoundTrip(request(t, t.Context(), io.MultiReader(strings.NewReader("7"))))
	require.ErrorIs(t, err, errDown)
	require.Equal(t, 3, tokens)
}

func TestThatARequestIsSentOnceDoesNotReachItsFallback(t *testing.T) {
	w := aspect.NewWeaver()
	backups := 0
	backup := wrapped[http.RoundTripper](t, w, sender(func(*http.Request) (*http.Response, error) { backups++; return nil, errDown }), aspect.Annotate[Quick]("*"))
	rt := wrapped[http.RoundTripper](t, w, &reading{fails: always}, aspect.Annotate[Quick]("*", annotation.Fallback(func(r *http.Request) (*http.Response, error) {
		r.Body = nil
		return backup.RoundTrip(r)
	})))
	_, err := rt.RoundTrip(request(t, t.Context(), io.MultiReader(strings.NewReader("7"))))
	require.ErrorIs(t, err, errDown)
	require.Equal(t, 3, backups)
}

func TestAResultThatTheEndOfTheContextThrowsAwayIsDiscarded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var discarded []string
		f := wrapped(t, aspect.NewWeaver(), func(context.Context) (string, error) { return "busy", nil }, aspect.Annotate[Quick]("Call",
			annotation.Base(time.Minute),
			annotation.RetryIfResult(func(s string) bool { return s == "busy" }),
			annotation.Discard(func(s string) { discarded = append(discarded, s) })))
		go func() { time.Sleep(time.Second); cancel() }()
		_, err := f(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, []string{"busy"}, discarded)
	})
}
