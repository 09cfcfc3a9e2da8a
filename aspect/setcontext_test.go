package aspect_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// traceKey is under what trace keeps its text.
type traceKey struct{}

// trace is an aspect that adds text to what the context carries for those further in.
func trace(text string) aspect.Func {
	return func(jp aspect.JoinPoint) error {
		ctx := context.WithValue(jp.Context(), traceKey{}, traced(jp.Context())+text)
		if !jp.SetContext(ctx) {
			return errFull
		}
		return jp.Proceed()
	}
}

func traced(ctx context.Context) string {
	text, _ := ctx.Value(traceKey{}).(string)
	return text
}

func TestSetContextHoldsForWhatIsFurtherInUntilTheAspectReturns(t *testing.T) {
	var seen []string
	see := func(jp aspect.JoinPoint) error {
		seen = append(seen, "before "+traced(jp.Context()))
		err := jp.Proceed()
		seen = append(seen, "after "+traced(jp.Context()))
		return err
	}
	s := &Stripe{charge: func(ctx context.Context, _ string, _ int) (string, error) {
		seen = append(seen, "target "+traced(ctx))
		return "", nil
	}}
	twice := func(jp aspect.JoinPoint) error { _ = jp.Proceed(); return jp.Proceed() }
	_, err := around(t, s, see, trace("a"), twice, see, trace("b")).Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, []string{
		"before ",
		"before a", "target ab", "after a",
		"before a", "target ab", "after a",
		"after ",
	}, seen)
}

func TestTheContextIsRestoredAfterAPanic(t *testing.T) {
	s := &Stripe{charge: func(context.Context, string, int) (string, error) { panic("boom") }}
	g := around(t, s, func(jp aspect.JoinPoint) error {
		require.NoError(t, recovering(1)(jp))
		require.Empty(t, traced(jp.Context()))
		return nil
	}, trace("a"))
	_, err := g.Charge(t.Context(), "7", 5)
	require.NoError(t, err)
}

func TestTheRetryTakesTheContextThatAnAspectOutsideHasSet(t *testing.T) {
	var seen []string
	s := &Stripe{charge: func(ctx context.Context, _ string, _ int) (string, error) {
		require.Equal(t, len(seen)+1, attempt(ctx), "an attempt's context stays one under what is derived from it")
		seen = append(seen, traced(ctx))
		return "", errDown
	}}
	w := aspect.NewWeaver(
		aspect.WithAspect(aspect.Method("Charge"), aspect.RetryPriority+1, trace("call")),
		aspect.WithAspect(aspect.Method("Charge"), aspect.RetryPriority-1, trace(" attempt")))
	_, err := wrapped[Gateway](t, w, s, aspect.Annotate[Quick]("Charge")).Charge(t.Context(), "7", 5)
	require.Equal(t, errDown, err)
	require.Equal(t, []string{"call attempt", "call attempt", "call attempt"}, seen)
}

func TestSetContextOfARequestPassesOnACopy(t *testing.T) {
	var passed, after *http.Request
	w := aspect.NewWeaver(
		aspect.WithAspect(aspect.Any(), aspect.RetryPriority+2, aspect.After(func(jp aspect.JoinPoint, _ error) { after = aspect.Arg[*http.Request](jp, 0) })),
		aspect.WithAspect(aspect.Any(), aspect.RetryPriority+2, aspect.Before(func(jp aspect.JoinPoint) error { passed = aspect.Arg[*http.Request](jp, 0); return nil })),
		aspect.WithAspect(aspect.Any(), aspect.RetryPriority+1, trace("call")),
		aspect.WithAspect(aspect.Any(), aspect.RetryPriority-1, trace(" attempt")))
	target := &reading{fails: 2}
	rt := wrapped[http.RoundTripper](t, w, target, aspect.Annotate[Quick](http.RoundTripper.RoundTrip))
	r := request(t, t.Context(), strings.NewReader("body"))
	_, err := rt.RoundTrip(r)
	require.NoError(t, err)
	require.Equal(t, []string{"body", "body", "body"}, target.bodies)
	for _, got := range target.requests {
		require.Equal(t, "call attempt", traced(got.Context()))
		require.NotZero(t, attempt(got.Context()))
		require.True(t, got != r)
	}
	require.Empty(t, traced(r.Context()), "the caller's request is as it was")
	require.True(t, r == passed && r == after, "it is restored")
}

// Sending is a method that has both a context and a request.
type Sending func(ctx context.Context, r *http.Request) error

func TestWhereThereIsAContextTheRequestKeepsItsOwn(t *testing.T) {
	var got []string
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, trace("a")))
	send := wrapped[Sending](t, w, func(ctx context.Context, r *http.Request) error {
		got = append(got, traced(ctx), traced(r.Context()))
		return nil
	})
	require.NoError(t, send(t.Context(), request(t, t.Context(), nil)))
	require.Equal(t, []string{"a", ""}, got)
}

func TestSetContextReportsWhetherThereIsOneToSet(t *testing.T) {
	var set []bool
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, aspect.Func(func(jp aspect.JoinPoint) error {
		ctx := context.WithValue(t.Context(), traceKey{}, "a")
		set = append(set, jp.SetContext(ctx), traced(jp.Context()) == "a")
		return jp.Proceed()
	})))
	for _, c := range []struct {
		name string
		call func(t *testing.T)
		want bool
	}{
		{"a context", func(t *testing.T) { require.NoError(t, wrapped[Gateway](t, w, &Stripe{}).Refund(t.Context(), "7")) }, true},
		{"a nil context", func(t *testing.T) {
			require.NoError(t, wrapped[Gateway](t, w, &Stripe{}).Refund(nil, "7")) //nolint:staticcheck // what a careless caller does
		}, true},
		{"a request", func(t *testing.T) {
			_, err := wrapped[http.RoundTripper](t, w, &reading{}).RoundTrip(request(t, t.Context(), nil))
			require.NoError(t, err)
		}, true},
		{"a nil request", func(t *testing.T) {
			rt := sender(func(r *http.Request) (*http.Response, error) { require.Nil(t, r); return nil, nil })
			_, _ = wrapped[http.RoundTripper](t, w, rt).RoundTrip(nil)
		}, false},
		{"neither", func(t *testing.T) { wrapped[Gateway](t, w, &Stripe{}).Name() }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			set = nil
			c.call(t)
			require.Equal(t, []bool{c.want, c.want}, set)
		})
	}
}

func TestSetContextOfNilPanics(t *testing.T) {
	g := around(t, &Stripe{}, func(jp aspect.JoinPoint) error {
		require.PanicsWithValue(t, "aspect: SetContext of nil for Stripe@Charge", func() {
			jp.SetContext(nil) //nolint:staticcheck // this is the mistake
		})
		return jp.Proceed()
	})
	_, err := g.Charge(t.Context(), "7", 5)
	require.NoError(t, err)
}

func TestAClonesContextIsItsOwn(t *testing.T) {
	for _, c := range []struct {
		name string
		call func(t *testing.T, w *aspect.Weaver) []string
	}{
		{"a context", func(t *testing.T, w *aspect.Weaver) (got []string) {
			s := &Stripe{refund: func(ctx context.Context, _ string) error { got = append(got, traced(ctx)); return nil }}
			require.NoError(t, wrapped[Gateway](t, w, s, aspect.Annotate[Quick]("Refund")).Refund(t.Context(), "7"))
			return got
		}},
		{"a request", func(t *testing.T, w *aspect.Weaver) []string {
			target := &reading{}
			_, err := wrapped[http.RoundTripper](t, w, target, aspect.Annotate[Quick]("*")).RoundTrip(request(t, t.Context(), nil))
			require.NoError(t, err)
			return []string{traced(target.requests[0].Context()), traced(target.requests[1].Context())}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := aspect.NewWeaver(aspect.WithAspect(aspect.Annotated[annotation.AbstractRetry](), 0, aspect.Func(func(jp aspect.JoinPoint) error {
				clone := jp.Clone()
				require.True(t, clone.SetContext(context.WithValue(jp.Context(), traceKey{}, "clone")))
				require.Empty(t, traced(jp.Context()))
				if err := clone.Proceed(); err != nil {
					return err
				}
				return jp.Proceed()
			})))
			require.Equal(t, []string{"clone", ""}, c.call(t, w))
		})
	}
}
