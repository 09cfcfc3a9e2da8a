package aspect_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// fallingBack is f, woven with a Quick and that fallback.
func fallingBack[F any](t testing.TB, f F, fallback any, opts ...annotation.Option) F {
	t.Helper()
	return wrapped(t, aspect.NewWeaver(), f, aspect.Annotate[Quick]("Call", append(opts, annotation.Fallback(fallback))...))
}

// buy is a func with parameters of every sort.
type buy func(ctx context.Context, id int, tags ...string) (string, error)

func failedBuy(context.Context, int, ...string) (string, error) { return "half", errDown }

type doner interface{ Done() <-chan struct{} }

func TestEveryShapeOfAFallback(t *testing.T) {
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "caller")
	value := func(ctx context.Context) any { return ctx.Value(key{}) }
	for _, c := range []struct {
		name     string
		fallback any
		want     string
	}{
		{"the parameters, the variadic one as such", func(ctx context.Context, id int, tags ...string) (string, error) {
			return fmt.Sprint(value(ctx), id, tags), nil
		}, "caller7 [a b]"},
		{"the parameters, the variadic one as a slice", func(ctx context.Context, id int, tags []string) (string, error) {
			return fmt.Sprint(value(ctx), id, tags), nil
		}, "caller7 [a b]"},
		{"the parameters and the cause", func(ctx context.Context, id int, tags []string, cause error) (string, error) {
			return fmt.Sprint(value(ctx), id, tags, cause), nil
		}, "caller7 [a b] peer is down"},
		{"the context and the cause", func(ctx context.Context, cause error) (string, error) {
			return fmt.Sprintf("%v %v", value(ctx), cause), nil
		}, "caller peer is down"},
		{"the cause", func(cause error) (string, error) { return fmt.Sprint(cause), nil }, "peer is down"},
		{"nothing", func() (string, error) { return "nothing", nil }, "nothing"},
		{"types to which the parameters are assignable", func(ctx doner, id any, tags []string) (string, error) {
			return fmt.Sprint(value(ctx.(context.Context)), id, tags), nil
		}, "caller7 [a b]"},
		{"types to which the context and the cause are", func(ctx doner, cause error) (string, error) {
			return fmt.Sprintf("%v %v", value(ctx.(context.Context)), cause), nil
		}, "caller peer is down"},
		{"a type with a name", buy(func(ctx context.Context, id int, tags ...string) (string, error) {
			return fmt.Sprint(value(ctx), id, tags), nil
		}), "caller7 [a b]"},
		{"an error of a narrower type", func() (string, *Code) { return "nothing", nil }, "nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := fallingBack[buy](t, failedBuy, c.fallback)(ctx, 7, "a", "b")
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestFallbacksOfMethodsWithoutAContext(t *testing.T) {
	down := func(int) error { return errDown }
	for name, fallback := range map[string]any{
		"the context and the cause": func(ctx context.Context, cause error) error {
			return fmt.Errorf("%w %v", cause, ctx == context.Background())
		},
		"the parameters and the cause": func(id int, cause error) error { return fmt.Errorf("%w %v", cause, id == 7) },
	} {
		t.Run(name, func(t *testing.T) {
			require.EqualError(t, fallingBack(t, down, fallback)(7), "peer is down true")
		})
	}
}

func TestTheTextOfAFallbackThatDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		wrap func(fallback any) error
		f    any
		want string
	}{
		{wrapWith[buy], func(int) (string, error) { return "", nil },
			"fallback func(int) (string, error) does not fit Call, a aspect_test.buy; write " +
				"func(context.Context, int, []string) (string, error) or func(context.Context, int, []string, error) (string, error) or " +
				"func(context.Context, error) (string, error) or func(error) (string, error) or func() (string, error)"},
		{wrapWith[buy], func(ctx context.Context, id int, tags ...any) (string, error) { return "", nil },
			"fallback func(context.Context, int, ...interface {}) (string, error) does not fit Call, a aspect_test.buy; write "},
		{wrapWith[buy], func() string { return "" }, "fallback func() string does not fit Call, a aspect_test.buy; write "},
		{wrapWith[buy], func() (any, error) { return "", nil }, "fallback func() (interface {}, error) does not fit Call, a aspect_test.buy; write "},
		{wrapWith[buy], func() (error, string) { return nil, "" }, "fallback func() (error, string) does not fit Call, a aspect_test.buy; write "},
		{wrapWith[buy], func(context.Context, int, []string, error, error) (string, error) { return "", nil }, "does not fit Call"},
		{wrapWith[buy], func(s *retry.Session) (string, error) { return "", nil }, "does not fit Call"},
		{wrapWith[func() error], func(int) error { return nil },
			"fallback func(int) error does not fit Call, a func() error; write func() error or func(error) error or func(context.Context, error) error"},
	} {
		t.Run(c.want, func(t *testing.T) {
			d := onlyProblem(t, c.wrap(c.f))
			require.Contains(t, d.Problem+"; "+d.Remedy, c.want)
			require.True(t, strings.HasPrefix(d.Problem, "fallback func("), d.Problem)
		})
	}
}

// wrapWith wraps an F with that fallback.
func wrapWith[F any](fallback any) error {
	_, err := aspect.Wrap(aspect.NewWeaver(), madeUp[F](), aspect.Annotate[Quick]("Call", annotation.Fallback(fallback)))
	return err
}

func TestAFallbackThatCanBeReadInTwoWays(t *testing.T) {
	for _, c := range []struct {
		name       string
		err        error
		problem    string
		remedy     string
		unreadable bool
	}{
		{"an error among the parameters", wrapWith[func(error) error](func(error) error { return nil }),
			"fallback func(error) error can be read in two ways for Call, a func(error) error",
			"write one that takes all parameters and the cause: func(error, error) error", true},
		{"a context and an error", wrapWith[func(context.Context, error) error](func(context.Context, error) error { return nil }),
			"fallback func(context.Context, error) error can be read in two ways for Call, a func(context.Context, error) error",
			"write one that takes all parameters and the cause: func(context.Context, error, error) error", true},
		{"a parameter that takes anything", wrapWith[func(any) error](func(any) error { return nil }),
			"fallback func(interface {}) error can be read in two ways for Call, a func(interface {}) error",
			"write one that takes all parameters and the cause: func(interface {}, error) error", true},
		{"the remedy itself", wrapWith[func(error) error](func(error, error) error { return nil }), "", "", false},
		{"both readings pass the same", wrapWith[func() error](func(error) error { return nil }), "", "", false},
		{"both readings pass the same context", wrapWith[func(context.Context) error](func(context.Context, error) error { return nil }), "", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !c.unreadable {
				require.NoError(t, c.err)
				return
			}
			d := onlyProblem(t, c.err)
			require.Equal(t, c.problem, d.Problem)
			require.Equal(t, c.remedy, d.Remedy)
		})
	}
}

func TestAFallbacksResultsAreThoseOfTheMethod(t *testing.T) {
	t.Run("a value for an interface", func(t *testing.T) {
		f := fallingBack(t, func() (any, error) { return "half", errDown }, func() (int, error) { return 0, nil })
		got, err := f()
		require.NoError(t, err)
		require.Equal(t, 0, got, "also when it is zero")
	})
	t.Run("a pointer for an interface", func(t *testing.T) {
		text := strings.NewReader("text")
		f := fallingBack(t, func() (io.Reader, error) { return nil, errDown }, func() (*strings.Reader, error) { return text, nil })
		got, err := f()
		require.NoError(t, err)
		require.True(t, io.Reader(text) == got)
	})
	t.Run("a nil interface", func(t *testing.T) {
		f := fallingBack(t, func() (io.Reader, error) { return strings.NewReader(""), errDown }, func() (io.Reader, error) { return nil, nil })
		got, err := f()
		require.NoError(t, err)
		require.Nil(t, got)
	})
	t.Run("an error of a narrower type", func(t *testing.T) {
		f := fallingBack(t, func() error { return errDown }, func() *Code { return &Code{"no key"} })
		err := f()
		require.ErrorIs(t, err, errDown)
		require.ErrorContains(t, err, "no key")
	})
	t.Run("results beside an error", func(t *testing.T) {
		f := fallingBack(t, func() (string, error) { return "half", errDown }, func() (string, error) { return "rest", errFull })
		got, err := f()
		require.ErrorIs(t, err, errFull)
		require.Equal(t, "rest", got)
	})
	t.Run("of a method without an error", func(t *testing.T) {
		f := fallingBack(t, func(n int) int { return 0 }, func(n int) int { return n + 1 }, annotation.RetryIfResult(retry.Falsy))
		require.Equal(t, 8, f(7))
	})
	t.Run("of a method whose last result is of another type", func(t *testing.T) {
		f := fallingBack(t, func() *Code { return nil }, func() *Code { return &Code{"offline"} }, annotation.RetryIfResult(retry.Falsy))
		require.Equal(t, &Code{"offline"}, f())
	})
}

func TestAFallbackThatFailsTellsBothErrors(t *testing.T) {
	f := fallingBack(t, func() error { return errDown }, func(error) error { return errFull })
	err := f()
	require.ErrorIs(t, err, errFull)
	require.ErrorIs(t, err, errDown)
	same := fallingBack(t, func() error { return errDown }, func(cause error) error { return cause })
	require.True(t, same() == errDown)
}

func TestAFallbackRunsOnceAndOnlyWhenTheSessionIsExhausted(t *testing.T) {
	for _, c := range []struct {
		name string
		opts []annotation.Option
		errs []error
		want int
	}{
		{"success", nil, []error{nil}, 0},
		{"success after retries", nil, []error{errDown, errDown, nil}, 0},
		{"not retriable", []annotation.Option{annotation.IgnoreErrors(retry.Is(errDown))}, []error{errDown}, 0},
		{"vetoed", []annotation.Option{annotation.OnlyIf(func() bool { return false })}, []error{errDown}, 0},
		{"exhausted", nil, []error{errDown}, 1},
		{"exhausted at once", []annotation.Option{annotation.MaxAttempts(1)}, []error{errDown}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			ran, calls := 0, 0
			f := fallingBack(t, func() error {
				calls++
				return c.errs[min(calls, len(c.errs))-1]
			}, func() error { ran++; return nil }, c.opts...)
			_ = f()
			require.Equal(t, c.want, ran)
		})
	}
	t.Run("the context is done", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		f := fallingBack(t, func(context.Context) error { cancel(); return errDown }, func() error { t.Error("it ran"); return nil })
		err := f(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, errDown)
	})
}

func TestAFallbackRunsWhenTheBreakerIsOpen(t *testing.T) {
	w := aspect.NewWeaver()
	calls := 0
	var causes []error
	f := wrapped[buy](t, w, func(context.Context, int, ...string) (string, error) { calls++; return "", errDown },
		aspect.Annotate[Quick]("Call", annotation.BreakerName("peer"), annotation.Fallback(func(ctx context.Context, id int, tags []string, cause error) (string, error) {
			causes = append(causes, cause)
			return fmt.Sprint(id, tags), nil
		})))
	for range 2 {
		got, err := f(t.Context(), 7, "a")
		require.NoError(t, err)
		require.Equal(t, "7 [a]", got)
	}
	require.Equal(t, 3, calls, "the second call was rejected")
	require.Equal(t, errDown, causes[0])
	require.ErrorIs(t, causes[1], retry.ErrCircuitOpen)
	require.ErrorAs(t, causes[1], new(*retry.RejectedError))
}

func TestAFallbackGetsTheCallersContextAndNotAnAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		ran := false
		f := fallingBack(t, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, func(got context.Context) error {
			require.True(t, got == ctx, "%T", got)
			ran = true
			return nil
		}, annotation.AttemptTimeout(time.Second))
		require.NoError(t, f(ctx))
		require.True(t, ran)
	})
}

func TestAFallbackSeesTheArgumentsOfTheAspectsOutsideTheRetry(t *testing.T) {
	set := func(text string) aspect.Func {
		return func(jp aspect.JoinPoint) error {
			aspect.SetArg(jp, 1, aspect.Arg[string](jp, 1)+text)
			return jp.Proceed()
		}
	}
	for _, panics := range []bool{false, true} {
		w := aspect.NewWeaver(
			aspect.WithAspect(aspect.Method("Charge"), aspect.RetryPriority+1, set("outside")),
			aspect.WithAspect(aspect.Method("Charge"), aspect.RetryPriority-1, set("inside")))
		s := &Stripe{charge: func(context.Context, string, int) (string, error) {
			if panics {
				panic("boom")
			}
			return "", errDown
		}}
		g := wrapped[Gateway](t, w, s, aspect.Annotate[Quick](Gateway.Charge, annotation.RetryPanics(true),
			annotation.Fallback(func(_ context.Context, order string, _ int) (string, error) { return order, nil })))
		receipt, err := g.Charge(t.Context(), "7 ", 5)
		require.NoError(t, err)
		require.Equal(t, "7 outside", receipt, "panics: %v", panics)
	}
}

func TestAPanicOfAFallbackPassesThrough(t *testing.T) {
	f := fallingBack(t, func() error { return errDown }, func() error { panic(errFull) })
	require.PanicsWithError(t, errFull.Error(), func() { _ = f() })
}

func TestWhatIsNoFallbackAtAll(t *testing.T) {
	var none func() error
	for _, fallback := range []any{7, none, nil, errors.New("x")} {
		d := onlyProblem(t, wrapWith[func() error](fallback))
		require.Contains(t, d.Error(), "Call")
	}
}

type Twice interface {
	Fast(ctx context.Context) (string, error)
	Slow(ctx context.Context) (string, error)
}

// twice falls back from Fast to its own Slow, which is retried as well.
type twice struct {
	_          annotation.On[Quick] `method:"Fast" maxAttempts:"2" fallback:"twice@Slow"`
	_          annotation.On[Quick] `method:"Slow" maxAttempts:"3"`
	fast, slow int
}

func (s *twice) Fast(context.Context) (string, error) { s.fast++; return "", errDown }
func (s *twice) Slow(context.Context) (string, error) {
	if s.slow++; s.slow < 3 {
		return "", errDown
	}
	return "slow", nil
}

func TestAFallbackToAnotherMethodOfTheServiceIsTheWovenOne(t *testing.T) {
	target := &twice{}
	got, err := wrapped[Twice](t, aspect.NewWeaver(), target).Fast(t.Context())
	require.NoError(t, err)
	require.Equal(t, "slow", got)
	require.Equal(t, 2, target.fast)
	require.Equal(t, 3, target.slow)

	other := &twice{}
	_, err = wrapped[Twice](t, aspect.NewWeaver(), other).Fast(t.Context())
	require.NoError(t, err)
	require.Equal(t, 3, target.slow, "each instance falls back to itself")
	require.Equal(t, 3, other.slow)
}
