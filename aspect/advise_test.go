package aspect_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
)

// advised is target with an aspect around all of its methods.
func advised(t testing.TB, target Gateway, a aspect.Aspect) Gateway {
	t.Helper()
	return wrapped(t, aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, a)), target)
}

func TestBeforeRunsBeforeTheCallAndMayChangeArguments(t *testing.T) {
	s := &Stripe{}
	receipt, err := advised(t, s, aspect.Before(func(jp aspect.JoinPoint) error {
		require.Zero(t, s.calls)
		aspect.SetArg(jp, 1, "8")
		return nil
	})).Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, "paid 8", receipt)
	require.Equal(t, 1, s.calls)
}

func TestAnErrorOfBeforeEndsTheCall(t *testing.T) {
	s := &Stripe{}
	g := advised(t, s, aspect.Before(func(aspect.JoinPoint) error { return errFull }))
	receipt, err := g.Charge(t.Context(), "7", 5)
	require.Equal(t, errFull, err)
	require.Empty(t, receipt)
	require.PanicsWithValue(t, errFull, func() { g.Name() }, "a method without an error has no other way to say it")
	require.Zero(t, s.calls)
}

func TestAfterIsToldHowTheCallReturned(t *testing.T) {
	for _, c := range []struct {
		name    string
		charge  func(context.Context, string, int) (string, error)
		receipt string
		err     error
	}{
		{"success", nil, "paid 7!", nil},
		{"failure", func(context.Context, string, int) (string, error) { return "", errDown }, "!", errDown},
	} {
		t.Run(c.name, func(t *testing.T) {
			told := 0
			receipt, err := advised(t, &Stripe{charge: c.charge}, aspect.After(func(jp aspect.JoinPoint, err error) {
				told++
				require.Equal(t, c.err, err)
				aspect.SetResult(jp, 0, aspect.Result[string](jp, 0)+"!")
			})).Charge(t.Context(), "7", 5)
			require.Equal(t, 1, told)
			require.Equal(t, c.err, err)
			require.Equal(t, c.receipt, receipt)
		})
	}
}

func TestACallThatDoesNotReturnIsNotToldToAfter(t *testing.T) {
	told := 0
	after := aspect.After(func(aspect.JoinPoint, error) { told++ })
	afterError := aspect.AfterError(func(aspect.JoinPoint, error) error { told++; return nil })
	for name, out := range map[string]func(){"panic": func() { panic("boom") }, "Goexit": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			s := &Stripe{charge: func(context.Context, string, int) (string, error) { out(); return "", nil }}
			w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1, after), aspect.WithAspect(aspect.Any(), 0, afterError))
			g := wrapped[Gateway](t, w, s)
			done := make(chan any)
			go func() {
				defer func() { done <- recover() }()
				_, _ = g.Charge(context.Background(), "7", 5)
			}()
			if raised := <-done; name == "panic" {
				require.Equal(t, "boom", raised)
			}
			require.Zero(t, told)
		})
	}
}

func TestAfterErrorMayTranslateTheError(t *testing.T) {
	translated := fmt.Errorf("shop: %w", errDown)
	for _, c := range []struct {
		name    string
		fail    int
		to      func(jp aspect.JoinPoint, err error) error
		asked   int
		receipt string
		err     error
	}{
		{"success: it is not asked", 0, nil, 0, "paid 7", nil},
		{"the same error", always, func(_ aspect.JoinPoint, err error) error { return err }, 1, "", errDown},
		{"another one", always, func(_ aspect.JoinPoint, err error) error { return fmt.Errorf("shop: %w", err) }, 1, "", translated},
		{"none: the results are as they are", always, func(aspect.JoinPoint, error) error { return nil }, 1, "", nil},
		{"none, and a result", always, func(jp aspect.JoinPoint, _ error) error { aspect.SetResult(jp, 0, "later"); return nil }, 1, "later", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := 0
			receipt, err := advised(t, down(c.fail), aspect.AfterError(func(jp aspect.JoinPoint, err error) error {
				asked++
				require.Equal(t, errDown, err)
				return c.to(jp, err)
			})).Charge(t.Context(), "7", 5)
			require.Equal(t, c.asked, asked)
			require.Equal(t, c.receipt, receipt)
			require.Equal(t, c.err, err)
		})
	}
}

func TestTheRetryJudgesWhatAfterErrorReturnsInsideOfIt(t *testing.T) {
	for _, c := range []struct {
		name     string
		priority int
		charges  int
	}{
		{"inside, after each attempt", aspect.RetryPriority - 1, 2},
		{"outside, after the last", aspect.RetryPriority + 1, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, asked := down(always), 0
			w := aspect.NewWeaver(aspect.WithAspect(aspect.Method("Charge"), c.priority, aspect.AfterError(func(_ aspect.JoinPoint, err error) error {
				if asked++; s.calls < 2 {
					return err
				}
				return nil
			})))
			_, err := wrapped[Gateway](t, w, s, aspect.Annotate[Quick]("Charge")).Charge(t.Context(), "7", 5)
			require.NoError(t, err)
			require.Equal(t, c.charges, s.calls)
		})
	}
}

func TestAHelperOfANilFuncIsADefinitionError(t *testing.T) {
	for name, a := range map[string]aspect.Aspect{"Before": aspect.Before(nil), "After": aspect.After(nil), "AfterError": aspect.AfterError(nil)} {
		t.Run(name, func(t *testing.T) {
			_, err := aspect.Wrap[Gateway](aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, a)), &Stripe{})
			require.Equal(t, "the aspect is nil", onlyProblem(t, err).Problem)
		})
	}
}
