package backstayotel_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	backstayotel "github.com/backstay/backstay/otel"
	"github.com/backstay/backstay/retry"
)

func TestWhatAnAttemptCallsHangsUnderIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := newTraced(t)
		fail := failing(1, errJam)
		v := wrapped[Vault](t, weaver(tr.Instrumentation), &SteelVault{open: func(ctx context.Context, id string) (string, error) {
			_, span := tr.tracer().Start(ctx, "turn")
			defer span.End()
			return fail(ctx, id)
		}}, aspect.Annotate[aliases.Retry](Vault.Open, annotation.Base(time.Second)))
		ctx, span := tr.tracer().Start(t.Context(), "order")
		_, err := v.Open(ctx, "7")
		require.NoError(t, err)
		span.End()
		require.Equal(t, `
order 0s-1s
  SteelVault@Open 0s-1s attempts=2 result=succeeded
    · backstay.wait 0s attempt=2 wait.duration=1
    SteelVault@Open attempt 0s-0s attempt=1 error.type=*backstayotel_test.JamError Error
      turn 0s-0s
    SteelVault@Open attempt 1s-1s attempt=2
      turn 1s-1s
`, tr.tree())
	})
}

// What a fallback calls is beside the attempts, under the session.
func TestWhatAFallbackCallsHangsUnderTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := newTraced(t)
		v := wrapped[Vault](t, weaver(tr.Instrumentation), &SteelVault{open: failing(9, errJam)},
			aspect.Annotate[aliases.Retry](Vault.Open, annotation.MaxAttempts(1),
				annotation.Fallback(func(ctx context.Context, _ string) (string, error) {
					_, span := tr.tracer().Start(ctx, "ask the bank")
					span.End()
					return "silver", nil
				})))
		_, err := v.Open(t.Context(), "7")
		require.NoError(t, err)
		require.Equal(t, `
SteelVault@Open 0s-0s attempts=1 limit=maxAttempts result=exhausted
  · backstay.refused 0s limit=maxAttempts refused=retry
  · backstay.fallback 0s result=succeeded
  SteelVault@Open attempt 0s-0s attempt=1 error.type=*backstayotel_test.JamError Error
  ask the bank 0s-0s
`, tr.tree())
	})
}

func TestNestedSessionsGiveNestedSpans(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := newTraced(t)
		w := weaver(tr.Instrumentation)
		two := aspect.Annotate[aliases.Retry]("*", annotation.MaxAttempts(2))
		inner := wrapped[Vault](t, w, &SteelVault{seal: func(context.Context) error { return errJam }}, aspect.WithName("inner"), two)
		outer := wrapped[Vault](t, w, &SteelVault{open: func(ctx context.Context, _ string) (string, error) {
			return "", inner.Seal(ctx)
		}}, aspect.WithName("outer"), two)
		_, err := outer.Open(t.Context(), "7")
		require.Equal(t, errJam, err)
		require.Equal(t, `
SteelVault#outer@Open 0s-0s attempts=1 error.type=*backstayotel_test.JamError limit=nested result=exhausted Error
  · backstay.refused 0s limit=nested refused=retry
  SteelVault#outer@Open attempt 0s-0s attempt=1 error.type=*backstayotel_test.JamError Error
    SteelVault#inner@Seal 0s-0s attempts=2 error.type=*backstayotel_test.JamError limit=maxAttempts result=exhausted Error
      · backstay.refused 0s limit=maxAttempts refused=retry
      SteelVault#inner@Seal attempt 0s-0s attempt=1 error.type=*backstayotel_test.JamError Error
      SteelVault#inner@Seal attempt 0s-0s attempt=2 error.type=*backstayotel_test.JamError Error
`, tr.tree())
	})
}

// A session without the aspects is not told to the span of one around it, not even where attempts have no spans.
func TestASessionWithoutASpanTouchesNoOther(t *testing.T) {
	for _, c := range []struct {
		name string
		opts func(in *backstayotel.Instrumentation) []aspect.WeaverOption
	}{
		{"both aspects", func(in *backstayotel.Instrumentation) []aspect.WeaverOption {
			return []aspect.WeaverOption{
				aspect.WithAspect(aspect.Method("Open"), backstayotel.SessionPriority, in.SessionAspect()),
				aspect.WithAspect(aspect.Any(), backstayotel.AttemptPriority, in.AttemptAspect())}
		}},
		{"that of sessions", func(in *backstayotel.Instrumentation) []aspect.WeaverOption {
			return []aspect.WeaverOption{aspect.WithAspect(aspect.Method("Open"), backstayotel.SessionPriority, in.SessionAspect())}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := newTraced(t)
			w := aspect.NewWeaver(append(c.opts(tr.Instrumentation), aspect.WithListener(tr.Instrumentation))...)
			exhausted := retry.With(retry.NewMaxAttempts(1)).Listen(tr)
			inner := wrapped[Vault](t, w, &SteelVault{seal: func(context.Context) error { return errJam }}, aspect.WithName("inner"),
				aspect.Annotate[aliases.Retry]("*", annotation.MaxAttempts(1)))
			outer := wrapped[Vault](t, w, &SteelVault{open: func(ctx context.Context, _ string) (string, error) {
				_, span := tr.tracer().Start(ctx, "of a user")
				defer span.End()
				ctx = trace.ContextWithSpan(ctx, span)
				require.Equal(t, errJam, inner.Seal(ctx))
				require.Equal(t, errJam, exhausted.Run(ctx, func(context.Context) error { return errJam }))
				return "gold", nil
			}}, aspect.Annotate[aliases.Retry](Vault.Open))
			_, err := outer.Open(t.Context(), "7")
			require.NoError(t, err)
			require.NotContains(t, tr.tree(), "#inner")
			for _, s := range tr.kept.Ended() {
				require.Empty(t, s.Events(), s.Name())
				require.NotContains(t, told(s.Attributes()), "exhausted", s.Name())
			}
		})
	}
}

// A fallback finds the session's span in its context; what it calls is no attempt of that.
func TestWhatAFallbackCallsIsNoAttempt(t *testing.T) {
	tr := newTraced(t)
	w := aspect.NewWeaver(aspect.WithListener(tr),
		aspect.WithAspect(aspect.Method("Open"), backstayotel.SessionPriority, tr.SessionAspect()),
		aspect.WithAspect(aspect.Any(), backstayotel.AttemptPriority, tr.AttemptAspect()))
	spare := wrapped[Vault](t, w, &SteelVault{seal: func(context.Context) error { return nil }}, aspect.WithName("spare"), aspect.Annotate[aliases.Retry]("Seal"))
	v := wrapped[Vault](t, w, &SteelVault{open: failing(9, errJam)}, aspect.Annotate[aliases.Retry](Vault.Open, annotation.MaxAttempts(1),
		annotation.Fallback(func(ctx context.Context, _ string) (string, error) { return "silver", spare.Seal(ctx) })))
	_, err := v.Open(t.Context(), "7")
	require.NoError(t, err)
	require.Len(t, tr.kept.Ended(), 2, "the session and its attempt")
}

func TestAMethodThatIsNotRetriedHasNoAttemptsInsideOneThatIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := newTraced(t)
		w := weaver(tr.Instrumentation)
		inner := wrapped[Vault](t, w, &SteelVault{seal: func(context.Context) error { return nil }}, aspect.WithName("inner"))
		outer := wrapped[Vault](t, w, &SteelVault{open: func(ctx context.Context, _ string) (string, error) { return "gold", inner.Seal(ctx) }},
			aspect.Annotate[aliases.Retry](Vault.Open))
		_, err := outer.Open(t.Context(), "7")
		require.NoError(t, err)
		require.Equal(t, `
SteelVault@Open 0s-0s attempts=1 result=succeeded
  SteelVault@Open attempt 0s-0s attempt=1
    SteelVault#inner@Seal 0s-0s
`, tr.tree())
	})
}

func TestWithoutTheAspectsNoSpanOfAUserIsTouched(t *testing.T) {
	tr := newTraced(t)
	v := wrapped[Vault](t, aspect.NewWeaver(aspect.WithListener(tr.Instrumentation)), &SteelVault{open: failing(2, errJam)},
		aspect.Annotate[aliases.Retry](Vault.Open, annotation.Fallback(failing(0, nil)), annotation.MaxAttempts(2)))
	ctx, span := tr.tracer().Start(t.Context(), "order")
	_, err := v.Open(ctx, "7")
	require.NoError(t, err)
	span.End()
	ended := tr.kept.Ended()
	require.Len(t, ended, 1)
	require.Empty(t, ended[0].Events())
	require.Empty(t, ended[0].Attributes())
}

func TestAMethodWithoutAContextHasASpanWithoutAParent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := newTraced(t)
		v := wrapped[Vault](t, weaver(tr.Instrumentation), &SteelVault{ready: func() error { return errJam }},
			aspect.Annotate[aliases.Retry](Vault.Ready, annotation.MaxAttempts(2)))
		require.Equal(t, errJam, v.Ready())
		require.Equal(t, `
SteelVault@Ready 0s-0s error.type=*backstayotel_test.JamError Error
`, tr.tree())
	})
}

func TestARequestCarriesTheSpans(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := newTraced(t)
		fails := 1
		rt := wrapped[http.RoundTripper](t, weaver(tr.Instrumentation), transport(func(r *http.Request) (*http.Response, error) {
			_, span := tr.tracer().Start(r.Context(), "send")
			defer span.End()
			if fails--; fails >= 0 {
				return nil, errJam
			}
			return &http.Response{}, nil
		}), aspect.Annotate[aliases.Retry](http.RoundTripper.RoundTrip))
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://vault.example/", nil)
		require.NoError(t, err)
		_, err = rt.RoundTrip(r)
		require.NoError(t, err)
		require.Equal(t, `
transport@RoundTrip 0s-0s attempts=2 result=succeeded
  transport@RoundTrip attempt 0s-0s attempt=1 error.type=*backstayotel_test.JamError Error
    send 0s-0s
  transport@RoundTrip attempt 0s-0s attempt=2
    send 0s-0s
`, tr.tree())
	})
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestTwoInstrumentationsMakeTheirOwnSpans(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one, other := newTraced(t), newTraced(t)
		w := weaver(one.Instrumentation, aspect.WithListener(other.Instrumentation),
			aspect.WithAspect(aspect.Any(), backstayotel.SessionPriority+1, other.SessionAspect()))
		v := wrapped[Vault](t, w, &SteelVault{open: failing(1, errJam)}, aspect.Annotate[aliases.Retry](Vault.Open))
		_, err := v.Open(t.Context(), "7")
		require.NoError(t, err)
		require.Len(t, one.kept.Ended(), 3)
		require.Equal(t, "\nSteelVault@Open 0s-0s attempts=2 result=succeeded\n", other.tree())
	})
}

// An aspect between the two may call a second time: each session is told to the span that they share.
func TestAnAspectThatProceedsAgainAddsToTheSpan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := newTraced(t)
		w := weaver(tr.Instrumentation, aspect.WithAspect(aspect.Any(), aspect.RetryPriority+1, aspect.Func(func(jp aspect.JoinPoint) error {
			if jp.Proceed() == nil {
				return nil
			}
			return jp.Proceed()
		})))
		v := wrapped[Vault](t, w, &SteelVault{open: failing(2, errJam)}, aspect.Annotate[aliases.Retry](Vault.Open, annotation.MaxAttempts(2)))
		_, err := v.Open(t.Context(), "7")
		require.NoError(t, err)
		require.Equal(t, `
SteelVault@Open 0s-0s attempts=1 limit=maxAttempts result=succeeded
  · backstay.refused 0s limit=maxAttempts refused=retry
  SteelVault@Open attempt 0s-0s attempt=1 error.type=*backstayotel_test.JamError Error
  SteelVault@Open attempt 0s-0s attempt=2 error.type=*backstayotel_test.JamError Error
  SteelVault@Open attempt 0s-0s attempt=1
`, tr.tree())
	})
}

func TestCallsAtTheSameTimeHaveTheirOwnSpans(t *testing.T) {
	tr := newTraced(t)
	v := wrapped[Vault](t, weaver(tr.Instrumentation), &SteelVault{open: func(ctx context.Context, id string) (string, error) {
		a, _ := retry.FromContext(ctx)
		if a.Number < 3 {
			return "", errJam
		}
		return id, nil
	}}, aspect.Annotate[aliases.Retry](Vault.Open, annotation.Budget(retry.BudgetSettings{TTL: time.Second, MinPerSec: 1e6})))
	const callers, calls = 8, 50
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for range calls {
				got, err := v.Open(context.Background(), "7")
				if got != "7" || err != nil {
					t.Error(got, err)
				}
			}
		})
	}
	wg.Wait()
	attempts := map[trace.SpanID]int{}
	sessions := 0
	for _, s := range tr.kept.Ended() {
		if s.Parent().IsValid() {
			attempts[s.Parent().SpanID()]++
			continue
		}
		sessions++
		require.Equal(t, 3, attempts[s.SpanContext().SpanID()])
		require.Equal(t, " attempts=3 result=succeeded", told(s.Attributes()))
	}
	require.Equal(t, callers*calls, sessions)
}
