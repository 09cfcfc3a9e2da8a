package aspect_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
)

func TestProceedRunsTheTargetWithTheCallersArguments(t *testing.T) {
	s := &Stripe{}
	g := around(t, s, proceed, proceed)
	receipt, err := g.Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, "paid 7", receipt)
	require.Equal(t, 1, s.calls)
}

func TestProceedReturnsTheTargetsError(t *testing.T) {
	var seen error
	g := around(t, down(always), func(jp aspect.JoinPoint) error {
		seen = jp.Proceed()
		return seen
	})
	_, err := g.Charge(t.Context(), "7", 5)
	require.Equal(t, errDown, err)
	require.Equal(t, errDown, seen)
}

func TestAnAspectThatDoesNotProceedGivesItsErrorAndZeroResults(t *testing.T) {
	s := &Stripe{}
	receipt, err := around(t, s, func(aspect.JoinPoint) error { return errFull }).Charge(t.Context(), "7", 5)
	require.Equal(t, errFull, err)
	require.Empty(t, receipt)
	require.Zero(t, s.calls)
}

func TestAnAspectMayGiveResultsWithoutProceeding(t *testing.T) {
	s := &Stripe{}
	receipt, err := around(t, s, func(jp aspect.JoinPoint) error {
		aspect.SetResult(jp, 0, "cached")
		return nil
	}).Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, "cached", receipt)
	require.Zero(t, s.calls)
}

func TestTheErrorThatTheAspectReturnsIsTheMethodsError(t *testing.T) {
	for _, c := range []struct {
		name   string
		target *Stripe
		aspect aspect.Func
		want   error
	}{
		{"an error replaces a success", &Stripe{}, func(jp aspect.JoinPoint) error { _ = jp.Proceed(); return errFull }, errFull},
		{"nil replaces an error", down(always), func(jp aspect.JoinPoint) error { _ = jp.Proceed(); return nil }, nil},
		{"whatever SetResult says", &Stripe{}, func(jp aspect.JoinPoint) error {
			err := jp.Proceed()
			aspect.SetResult(jp, 1, errDown)
			return err
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := around(t, c.target, c.aspect).Charge(t.Context(), "7", 5)
			require.Equal(t, c.want, err)
		})
	}
}

func TestProceedAgainRunsInnerAspectsAgain(t *testing.T) {
	s, inner := down(2), 0
	g := around(t, s,
		func(jp aspect.JoinPoint) error {
			for jp.Proceed() != nil {
				continue
			}
			return nil
		},
		func(jp aspect.JoinPoint) error { inner++; return jp.Proceed() })
	receipt, err := g.Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, "paid 7", receipt)
	require.Equal(t, 3, inner)
	require.Equal(t, 3, s.calls)
}

func TestPanicsPassThroughWithTheirValueAndStack(t *testing.T) {
	s := &Stripe{charge: func(context.Context, string, int) (string, error) { panic(errFull) }}
	g := around(t, s, proceed, proceed)
	defer func() {
		require.Equal(t, errFull, recover())
		stack := make([]byte, 1<<16)
		stack = stack[:runtime.Stack(stack, false)]
		require.Contains(t, string(stack), "aspect_test.(*Stripe).Charge")
	}()
	_, _ = g.Charge(t.Context(), "7", 5)
	t.Fatal("the panic did not pass")
}

func TestGoexitPassesThrough(t *testing.T) {
	done := make(chan string)
	s := &Stripe{charge: func(context.Context, string, int) (string, error) { runtime.Goexit(); return "", nil }}
	g := around(t, s, func(jp aspect.JoinPoint) error {
		defer func() { done <- "aspect" }()
		return jp.Proceed()
	})
	go func() {
		defer close(done)
		_, _ = g.Charge(context.Background(), "7", 5)
		done <- "returned"
	}()
	require.Equal(t, "aspect", <-done)
	_, more := <-done
	require.False(t, more)
}

// recovering proceeds up to n times, until there is no panic.
func recovering(n int) aspect.Func {
	once := func(jp aspect.JoinPoint) (err error, panicked bool) {
		defer func() {
			if p := recover(); p != nil {
				panicked = true
			}
		}()
		return jp.Proceed(), false
	}
	return func(jp aspect.JoinPoint) error {
		for range n {
			if err, panicked := once(jp); !panicked {
				return err
			}
		}
		return nil
	}
}

func TestProceedAfterARecoveredPanic(t *testing.T) {
	s := &Stripe{}
	var orders []string
	s.charge = func(_ context.Context, order string, _ int) (string, error) {
		orders = append(orders, order)
		if s.calls < 3 {
			panic("boom")
		}
		return "paid " + order, nil
	}
	g := around(t, s, recovering(3), func(jp aspect.JoinPoint) error {
		aspect.SetArg(jp, 1, aspect.Arg[string](jp, 1)+"!")
		return jp.Proceed()
	})
	receipt, err := g.Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, "paid 7!", receipt)
	require.Equal(t, []string{"7!", "7!", "7!"}, orders, "each attempt begins with the arguments of the aspect that proceeds")
}

func TestResultsAreClearedBeforeEachAttempt(t *testing.T) {
	half := func(s *Stripe) *Stripe {
		s.charge = func(context.Context, string, int) (string, error) {
			if s.calls > 1 {
				panic("boom")
			}
			return "half", errDown
		}
		return s
	}
	t.Run("of an aspect that proceeds again", func(t *testing.T) {
		g := around(t, half(&Stripe{}), func(jp aspect.JoinPoint) error {
			require.Equal(t, errDown, jp.Proceed())
			require.Equal(t, "half", aspect.Result[string](jp, 0))
			return recovering(1)(jp)
		})
		receipt, err := g.Charge(t.Context(), "7", 5)
		require.NoError(t, err)
		require.Empty(t, receipt)
	})
	t.Run("of a retry", func(t *testing.T) {
		w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), aspect.RetryPriority-1, aspect.Func(func(jp aspect.JoinPoint) error {
			require.Empty(t, aspect.Result[string](jp, 0))
			return recovering(1)(jp)
		})))
		g := wrapped[Gateway](t, w, half(&Stripe{}), aspect.Annotate[Quick](Gateway.Charge))
		receipt, err := g.Charge(t.Context(), "7", 5)
		require.NoError(t, err)
		require.Empty(t, receipt)
	})
	t.Run("of an inner aspect that gives up", func(t *testing.T) {
		n := 0
		g := around(t, &Stripe{},
			func(jp aspect.JoinPoint) error { _ = jp.Proceed(); return jp.Proceed() },
			func(jp aspect.JoinPoint) error {
				if n++; n == 2 {
					return errFull
				}
				return jp.Proceed()
			})
		receipt, err := g.Charge(t.Context(), "7", 5)
		require.Equal(t, errFull, err)
		require.Empty(t, receipt)
	})
}

// Code says what went wrong, and is an error, but not of type error.
type Code struct{ text string }

func (c *Code) Error() string { return c.text }

// Store has methods without an error result.
type Store interface {
	Put(key string)
	Get(key string) *Code
}

type memory struct{}

func (memory) Put(string) {}

func (memory) Get(key string) *Code {
	if key == "" {
		return &Code{"no key"}
	}
	return nil
}

func TestAnErrorOnAMethodWithoutAnErrorResultIsAPanic(t *testing.T) {
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, aspect.Func(func(jp aspect.JoinPoint) error {
		_ = jp.Proceed()
		return errFull
	})))
	s := wrapped[Store](t, w, memory{})
	require.PanicsWithError(t, errFull.Error(), func() { s.Put("key") })
	require.PanicsWithError(t, errFull.Error(), func() { s.Get("key") }, "a last result of another type is no error result")
}

func TestALastResultThatIsNotExactlyAnErrorIsAResult(t *testing.T) {
	var seen []error
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, aspect.Func(func(jp aspect.JoinPoint) error {
		err := jp.Proceed()
		seen = append(seen, err)
		return err
	})))
	s := wrapped[Store](t, w, memory{})
	require.Equal(t, &Code{"no key"}, s.Get(""))
	require.Nil(t, s.Get("key"))
	require.Equal(t, []error{nil, nil}, seen)
}

func TestRefNamesTheMethod(t *testing.T) {
	var seen []string
	see := aspect.Func(func(jp aspect.JoinPoint) error { seen = append(seen, jp.Ref().String()); return jp.Proceed() })
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, see))
	g := wrapped[Gateway](t, w, &Stripe{}, aspect.WithName("eu"))
	_ = g.Name()
	_ = g.Refund(t.Context(), "7")
	require.Equal(t, []string{"Stripe#eu@Name", "Stripe#eu@Refund"}, seen)
}

func TestAJoinPointEndsWithItsCall(t *testing.T) {
	var kept aspect.JoinPoint
	g := around(t, &Stripe{}, func(jp aspect.JoinPoint) error {
		kept = jp
		return jp.Proceed()
	})
	_, err := g.Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.PanicsWithValue(t, "aspect: a join point of Stripe@Charge is used after its call has ended", func() { _ = kept.Proceed() })
	require.Equal(t, "Stripe@Charge", kept.Ref().String())
}

func TestContextOfAJoinPoint(t *testing.T) {
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "caller")
	var seen []string
	see := func(jp aspect.JoinPoint) error {
		v, _ := jp.Context().Value(key{}).(string)
		seen = append(seen, jp.Ref().Method+":"+v)
		return jp.Proceed()
	}
	g := around(t, &Stripe{}, see,
		func(jp aspect.JoinPoint) error {
			if jp.Ref().Method == "Charge" {
				aspect.SetArg(jp, 0, context.WithValue(jp.Context(), key{}, "outer"))
			}
			return jp.Proceed()
		}, see)
	_, err := g.Charge(ctx, "7", 5)
	require.NoError(t, err)
	require.Equal(t, "stripe", g.Name())
	require.Equal(t, "Charge:caller Charge:outer Name: Name:", strings.Join(seen, " "))
}

func TestTheCallerGetsTheVeryErrorOfTheTarget(t *testing.T) {
	joined := errors.Join(errDown, errFull)
	g := around(t, &Stripe{charge: func(context.Context, string, int) (string, error) { return "", joined }}, proceed)
	_, err := g.Charge(t.Context(), "7", 5)
	require.True(t, err == joined, "the very value")
}
