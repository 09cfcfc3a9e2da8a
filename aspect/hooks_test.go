package aspect_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// page is a func with several results.
type page func(ctx context.Context, n int) (text string, more bool, err error)

// asked is what the functions of an attribute have been asked.
type asked []string

func (a *asked) note(values ...any) { *a = append(*a, strings.TrimSpace(fmt.Sprintln(values...))) }

// ten runs a page that fails twice, then succeeds, with a Quick and those options.
func ten(t testing.TB, opts ...annotation.Option) (text string, calls int, err error) {
	t.Helper()
	f := wrapped[page](t, aspect.NewWeaver(), func(_ context.Context, n int) (string, bool, error) {
		if calls++; calls < 3 {
			return fmt.Sprint("half ", calls), true, errDown
		}
		return fmt.Sprint("page ", n), false, nil
	}, aspect.Annotate[Quick]("Call", opts...))
	text, _, err = f(t.Context(), 10)
	return text, calls, err
}

// Pager is a service whose methods are predicates and hooks.
type Pager struct{ asked }

func (p *Pager) Retriable(err error) bool                        { p.note("Retriable", err); return true }
func (p *Pager) Bad(text string, more bool) bool                 { p.note("Bad", text, more); return more }
func (p *Pager) Cheap(_ context.Context, n int) bool             { p.note("Cheap", n); return true }
func (p *Pager) Hint(text string, _ bool, _ error) time.Duration { p.note("Hint", text); return 0 }
func (p *Pager) Rewind(_ context.Context, n int)                 { p.note("Rewind", n) }
func (p *Pager) Close(text string, more bool)                    { p.note("Close", text, more) }
func (p *Pager) Session(s *retry.Session) bool                   { p.note("Session", s.Attempt()); return true }

func TestFunctionsOfTheAttributesInEveryShape(t *testing.T) {
	var a asked
	pager := &Pager{}
	for _, c := range []struct {
		name   string
		option annotation.Option
		want   asked
	}{
		{"RetryIfError of the error", annotation.RetryIfError(func(err error) bool { a.note(err); return true }), asked{"peer is down", "peer is down"}},
		{"RetryIfError of something wider", annotation.RetryIfError(func(err interface{ Error() string }) bool { a.note(err.Error()); return true }), asked{"peer is down", "peer is down"}},
		{"RetryIfError of the session", annotation.RetryIfError(func(s *retry.Session) bool { a.note(s.Attempt(), s.Failure()); return true }), asked{"1 peer is down", "2 peer is down"}},
		{"RetryIfError of a service", annotation.RetryIfError("Pager@Retriable"), asked{"Retriable peer is down", "Retriable peer is down"}},
		{"RetryIfError of a service, by the session", annotation.RetryIfError((*Pager).Session), asked{"Session 1", "Session 2"}},

		{"OnlyIf of the parameters", annotation.OnlyIf(func(_ context.Context, n int) bool { a.note(n); return true }), asked{"10", "10"}},
		{"OnlyIf of the session", annotation.OnlyIf(func(s *retry.Session) bool { a.note(s.Arg(1), s.Result(0)); return true }), asked{"10 half 1", "10 half 2"}},
		{"OnlyIf of a service", annotation.OnlyIf((*Pager).Cheap), asked{"Cheap 10", "Cheap 10"}},

		{"WaitHint of the results and the error", annotation.WaitHint(func(text string, more bool, err error) time.Duration { a.note(text, more, err); return 0 }), asked{"half 1 true peer is down", "half 2 true peer is down"}},
		{"WaitHint of the session", annotation.WaitHint(func(s *retry.Session) time.Duration { a.note(s.Result(1)); return 0 }), asked{"true", "true"}},
		{"WaitHint of a service", annotation.WaitHint("Pager@Hint"), asked{"Hint half 1", "Hint half 2"}},

		{"BeforeRetry of the parameters", annotation.BeforeRetry(func(_ context.Context, n int) { a.note(n) }), asked{"10", "10"}},
		{"BeforeRetry of the parameters, with an error", annotation.BeforeRetry(func(_ context.Context, n int) error { a.note(n); return nil }), asked{"10", "10"}},
		{"BeforeRetry with an error of a narrower type", annotation.BeforeRetry(func(_ context.Context, n int) *Code { a.note(n); return nil }), asked{"10", "10"}},
		{"BeforeRetry of the session", annotation.BeforeRetry(func(s *retry.Session) error { a.note(s.Attempt()); return nil }), asked{"1", "2"}},
		{"BeforeRetry of a service", annotation.BeforeRetry("Pager@Rewind"), asked{"Rewind 10", "Rewind 10"}},

		{"Discard of the results", annotation.Discard(func(text string, more bool) { a.note(text, more) }), asked{"half 1 true", "half 2 true"}},
		{"Discard of the session", annotation.Discard(func(s *retry.Session) { a.note(s.Result(0)) }), asked{"half 1", "half 2"}},
		{"Discard of a service", annotation.Discard((*Pager).Close), asked{"Close half 1 true", "Close half 2 true"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, pager.asked = nil, nil
			calls := 0
			f := wrapped[page](t, aspect.NewWeaver(aspect.WithService(pager)), func(_ context.Context, n int) (string, bool, error) {
				if calls++; calls < 3 {
					return fmt.Sprint("half ", calls), true, errDown
				}
				return "page", false, nil
			}, aspect.Annotate[Quick]("Call", c.option))
			text, more, err := f(t.Context(), 10)
			require.NoError(t, err)
			require.Equal(t, "page", text)
			require.False(t, more)
			require.Equal(t, c.want, append(a, pager.asked...))
		})
	}
}

func TestRetryIfResultInEveryShape(t *testing.T) {
	var a asked
	pager := &Pager{}
	for _, c := range []struct {
		name   string
		option annotation.Option
		want   asked
	}{
		{"the results", annotation.RetryIfResult(func(text string, more bool) bool { a.note(text, more); return more }), asked{"1 true", "2 true", "3 false"}},
		{"the results as something wider", annotation.RetryIfResult(func(text any, more bool) bool { a.note(text, more); return more }), asked{"1 true", "2 true", "3 false"}},
		{"the session", annotation.RetryIfResult(func(s *retry.Session) bool { a.note(s.Result(1)); return s.Result(1).(bool) }), asked{"true", "true", "false"}},
		{"a service", annotation.RetryIfResult("Pager@Bad"), asked{"Bad 1 true", "Bad 2 true", "Bad 3 false"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, pager.asked = nil, nil
			calls := 0
			f := wrapped[page](t, aspect.NewWeaver(aspect.WithService(pager)), func(context.Context, int) (string, bool, error) {
				calls++
				return fmt.Sprint(calls), calls < 3, nil
			}, aspect.Annotate[Quick]("Call", c.option))
			text, _, err := f(t.Context(), 10)
			require.NoError(t, err)
			require.Equal(t, "3", text)
			require.Equal(t, c.want, append(a, pager.asked...))
		})
	}
}

// attempts is how often f, a func, is called when its results are retried while they are falsy.
func attempts[F any](t *testing.T, f F) (calls int) {
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, aspect.Func(func(jp aspect.JoinPoint) error { calls++; return jp.Proceed() })))
	woven := wrapped(t, w, f, aspect.Annotate[Quick]("Call", annotation.RetryIfResult(retry.Falsy)))
	reflect.ValueOf(woven).Call(nil)
	return calls
}

func TestFalsyJudgesATrailingBoolElseTheFirstResult(t *testing.T) {
	require.Equal(t, 3, attempts(t, func() (int, bool, error) { return 1, false, nil }), "a trailing bool")
	require.Equal(t, 1, attempts(t, func() (int, bool, error) { return 0, true, nil }), "a trailing bool that is true")
	require.Equal(t, 3, attempts(t, func() bool { return false }), "the only result")
	require.Equal(t, 3, attempts(t, func() (int, string) { return 0, "text" }), "the first")
	require.Equal(t, 1, attempts(t, func() (int, string) { return 1, "" }), "the first that is there")
	require.Equal(t, 3, attempts(t, func() ([]int, error) { return []int{}, nil }), "an empty slice")
	require.Equal(t, 1, attempts(t, func() ([]int, error) { return []int{0}, nil }), "a slice of something")
	require.Equal(t, 3, attempts(t, func() (any, error) { return nil, nil }), "a nil interface")
	require.Equal(t, 1, attempts(t, func() (int, *Code) { return 1, nil }), "nor is a last result of another type")

	calls := 0
	store := wrapped[Store](t, aspect.NewWeaver(), memory{}, aspect.Annotate[Quick]("Get", annotation.RetryIfResult(func(s *retry.Session) bool {
		calls++
		return retry.Falsy(s)
	})))
	store.Get("key")
	require.Equal(t, 3, calls)
	calls = 0
	store.Get("")
	require.Equal(t, 1, calls)
}

func TestFalsyOfResultsThatAnAspectHasSet(t *testing.T) {
	calls := 0
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, aspect.Func(func(jp aspect.JoinPoint) error {
		if calls++; calls == 2 {
			aspect.SetResult(jp, 0, 5)
		}
		return nil
	})))
	f := wrapped(t, w, func() int { return 7 }, aspect.Annotate[Quick]("Call", annotation.RetryIfResult(retry.Falsy)))
	require.Equal(t, 5, f())
	require.Equal(t, 2, calls, "without any result it is the zero value")
}

// A *retry.Session is a context, and anything is an any: only who writes *retry.Session gets the session.
func TestAHookOfTheContextAloneGetsTheContext(t *testing.T) {
	type key struct{}
	var seen []any
	note := func(ctx context.Context) bool {
		_, session := ctx.(*retry.Session)
		seen = append(seen, ctx.Value(key{}), session)
		return true
	}
	f := wrapped(t, aspect.NewWeaver(), func(context.Context) (any, error) { return 1, errDown },
		aspect.Annotate[Quick]("Call",
			annotation.MaxAttempts(2), annotation.OnlyIf(note),
			annotation.BeforeRetry(func(ctx context.Context) error { note(ctx); return nil }),
			annotation.RetryIfError(func(v any) bool { return v == errDown }),
			annotation.RetryIfResult(func(v any) bool { t.Error("asked of an error", v); return false }),
			annotation.Discard(func(v any) { seen = append(seen, v) })))
	_, err := f(context.WithValue(t.Context(), key{}, "caller's"))
	require.ErrorIs(t, err, errDown)
	require.Equal(t, []any{"caller's", true, "caller's", true, 1, "caller's", true}, seen, "the attempt's context is the session, and OnlyIf is asked once more")
}

func TestFunctionsThatDoNotFit(t *testing.T) {
	for _, c := range []struct {
		option annotation.Option
		want   string
	}{
		{annotation.RetryIfError(func(int) bool { return true }),
			"retryIfError func(int) bool does not fit Call, a aspect_test.page; write func(error) bool or func(*retry.Session) bool"},
		{annotation.RetryIfError(func(error) int { return 0 }),
			"retryIfError func(error) int does not fit Call, a aspect_test.page; write func(error) bool or func(*retry.Session) bool"},
		{annotation.RetryIfResult(func(string) bool { return true }),
			"retryIfResult func(string) bool does not fit Call, a aspect_test.page; write func(string, bool) bool or func(*retry.Session) bool"},
		{annotation.OnlyIf(func(int) bool { return true }),
			"onlyIf func(int) bool does not fit Call, a aspect_test.page; write func(context.Context, int) bool or func(*retry.Session) bool"},
		{annotation.WaitHint(func(string, error) time.Duration { return 0 }),
			"waitHint func(string, error) time.Duration does not fit Call, a aspect_test.page; write func(string, bool, error) time.Duration or func(*retry.Session) time.Duration"},
		{annotation.WaitHint(func(*retry.Session) int { return 0 }), "waitHint func(*retry.Session) int does not fit Call"},
		{annotation.BeforeRetry(func(context.Context, int) bool { return true }),
			"beforeRetry func(context.Context, int) bool does not fit Call, a aspect_test.page; write func(context.Context, int) error or func(*retry.Session) error"},
		{annotation.Discard(func(string, bool) error { return nil }),
			"discard func(string, bool) error does not fit Call, a aspect_test.page; write func(string, bool) or func(*retry.Session)"},
		{annotation.OnlyIf("Pager@Bad"), "onlyIf func(string, bool) bool does not fit Call"},
	} {
		t.Run(c.want, func(t *testing.T) {
			_, err := aspect.Wrap(aspect.NewWeaver(aspect.WithService(&Pager{})), madeUp[page](), aspect.Annotate[Quick]("Call", c.option))
			d := onlyProblem(t, err)
			require.Contains(t, d.Problem+"; "+d.Remedy, c.want)
		})
	}
}

func TestAnErrorOfBeforeRetryExhaustsTheSession(t *testing.T) {
	text, calls, err := ten(t, annotation.BeforeRetry(func(*retry.Session) error { return errFull }), annotation.WrapExhausted(true))
	exhausted := new(retry.ExhaustedError)
	require.ErrorAs(t, err, &exhausted)
	require.Equal(t, "beforeRetry", exhausted.Limit)
	require.Equal(t, 1, calls)
	require.Equal(t, "half 1", text, "the caller gets what the last attempt has returned")
}

func TestAWaitHintIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		_, calls, err := ten(t, annotation.AddPolicies(retry.Sleep), annotation.WaitHint(func(string, bool, error) time.Duration { return time.Minute }),
			annotation.MaxDelay(time.Hour))
		require.NoError(t, err)
		require.Equal(t, 3, calls)
		require.Equal(t, 2*time.Minute, time.Since(began))
	})
}

func TestHooksAreGivenAContextThatIsNotDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a asked
		slow := func(ctx context.Context) error {
			if at, _ := retry.FromContext(ctx); at.Number < 2 {
				<-ctx.Done()
			}
			return ctx.Err()
		}
		f := wrapped(t, aspect.NewWeaver(), func(ctx context.Context, _ int) error { return slow(ctx) }, aspect.Annotate[Quick]("Call",
			annotation.AttemptTimeout(time.Second),
			annotation.OnlyIf(func(ctx context.Context, _ int) bool { a.note("onlyIf", ctx.Err()); return true }),
			annotation.BeforeRetry(func(ctx context.Context, _ int) error {
				at, ok := retry.FromContext(ctx)
				a.note("beforeRetry", ctx.Err(), at.Number, ok)
				return ctx.Err()
			})))
		require.NoError(t, f(t.Context(), 1))
		require.Equal(t, asked{"onlyIf <nil>", "beforeRetry <nil> 1 true"}, a)

		a = nil
		send := wrapped(t, aspect.NewWeaver(), func(r *http.Request) error { return slow(r.Context()) }, aspect.Annotate[Quick]("Call",
			annotation.AttemptTimeout(time.Second),
			annotation.BeforeRetry(func(r *http.Request) error { a.note("beforeRetry", r.Context().Err()); return r.Context().Err() })))
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://example.com", nil)
		require.NoError(t, err)
		require.NoError(t, send(r))
		require.Equal(t, asked{"beforeRetry <nil>"}, a)
	})
}

func TestHooksAfterAPanicSeeZeroResults(t *testing.T) {
	var a asked
	n := 0
	f := wrapped(t, aspect.NewWeaver(), func() (string, error) {
		if n++; n == 1 {
			panic(errDown)
		}
		return "page", nil
	}, aspect.Annotate[Quick]("Call", annotation.RetryPanics(true),
		annotation.WaitHint(func(text string, err error) time.Duration { a.note(text, errors.Is(err, errDown)); return 0 }),
		annotation.Discard(func(text string) { a.note("discarded", text) })))
	text, err := f()
	require.NoError(t, err)
	require.Equal(t, "page", text)
	require.Equal(t, asked{"true"}, a)
}
