package retry_test

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

func TestAChainIsAnImmutableValue(t *testing.T) {
	base := retry.For[int]().Max(4)
	// Each is longer than base by one, so that a shared backing array would show.
	two := base.Max(2)
	three := base.Max(3)
	calls := func(c retry.Chain[int]) int {
		op := &counting{errs: []error{errBoom, errBoom, errBoom, errBoom, errBoom}}
		_, _ = c.Call(t.Context(), op.run)
		return op.calls
	}
	for range 2 { // compiling changes nothing either
		require.Equal(t, 4, calls(base))
		require.Equal(t, 2, calls(two))
		require.Equal(t, 3, calls(three))
	}

	plain, named, heard := base, base.Named("n"), new(journal)
	listening, wrapped := base.Listen(heard), base.WrapExhausted()
	withFallback := base.Fallback(func(context.Context, error) (int, error) { return 0, nil })
	_, err := plain.Call(t.Context(), (&counting{errs: []error{errBoom, errBoom, errBoom, errBoom}}).run)
	require.Same(t, errBoom, err)
	require.Empty(t, heard.all())
	for _, c := range []retry.Chain[int]{named, listening, wrapped, withFallback} {
		require.Equal(t, 4, calls(c))
	}
	require.NotEmpty(t, heard.all())
}

func TestAChainStartsAfreshWithEveryCall(t *testing.T) {
	chain := retry.WhenThrows().Max(4)
	for range 2 {
		op := scripted(errBoom)
		require.Same(t, errBoom, chain.Run(t.Context(), op.run))
		require.Equal(t, 4, op.calls)
	}
}

func TestAChainIsCompiledOnceAndSharedByGoroutines(t *testing.T) {
	chain := retry.WhenThrows().Max(4)
	var wg sync.WaitGroup
	policies := make([]*retry.HybridPolicy, 8)
	for i := range policies {
		wg.Go(func() {
			op := scripted(errBoom)
			if err := chain.Run(t.Context(), op.run); err != errBoom || op.calls != 4 {
				t.Errorf("%v after %d calls", err, op.calls)
			}
			policies[i], _ = chain.Policy()
		})
	}
	wg.Wait()
	for _, p := range policies {
		require.Same(t, policies[0], p)
	}
}

func TestAChainWithoutAnyPolicyIsADefinitionError(t *testing.T) {
	listener := retry.ListenerFunc(func(context.Context, retry.Event) {})
	for name, chain := range map[string]retry.Chain[int]{
		"zero":     {},
		"for":      retry.For[int](),
		"named":    retry.For[int]().Named("rates"),
		"heard":    retry.For[int]().Listen(listener),
		"wrapping": retry.For[int]().WrapExhausted(),
		"with":     retry.For[int]().With(),
	} {
		t.Run(name, func(t *testing.T) {
			op := new(counting)
			v, err := chain.Call(t.Context(), op.run)
			defined(t, err, "the chain has no policy", "write", "Max(3)")
			require.Zero(t, v)
			require.Zero(t, op.calls)
			_, err = chain.Policy()
			defined(t, err, "no policy")
		})
	}
	var zero retry.ErrorChain
	defined(t, zero.Run(t.Context(), scripted(nil).run), "no policy")
}

func TestEveryMistakeOfAChainIsToldAtOnce(t *testing.T) {
	_, err := retry.For[[]int]().With(nil).Max(0).Within(-1).Sleep(3).When(nil).WhenReturns([]int{1}).Fallback(nil).Named("rates").Policy()
	defined(t, err, "rates: a policy is nil", "maxAttempts is 0", "timeout is -1ns", "base is 3", "expression is nil",
		"WhenReturns needs a value that == compares, and a []int is none", "the fallback is nil")
	var joined interface{ Unwrap() []error }
	require.ErrorAs(t, err, &joined)
	require.Len(t, joined.Unwrap(), 7)
	for _, e := range joined.Unwrap() {
		var d *retry.DefinitionError
		require.ErrorAs(t, e, &d)
		require.NotEmpty(t, d.Remedy)
		require.NotContains(t, e.Error(), "\n")
	}
	defined(t, retry.With(retry.NewMaxAttempts(2)).When(nil).Run(t.Context(), scripted(nil).run), "expression is nil")
	defined(t, retry.With(retry.NewMaxAttempts(2)).Fallback(nil).Run(t.Context(), scripted(nil).run), "fallback is nil")
	defined(t, mistake(retry.When[int](nil)), "expression is nil")
}

// mistake is the definition error of a chain.
func mistake[T any](c retry.Chain[T]) error {
	_, err := c.Policy()
	return err
}

func TestWhenDecidesOfResultsAndErrors(t *testing.T) {
	below5 := func(v int, err error) bool { return err == nil && v < 5 }
	v, err := retry.When(below5).Max(10).Call(t.Context(), new(counting).run)
	require.NoError(t, err)
	require.Equal(t, 5, v)

	op := &counting{errs: []error{errBoom}}
	_, err = retry.When(below5).Max(10).Call(t.Context(), op.run)
	require.Same(t, errBoom, err)
	require.Equal(t, 1, op.calls, "with a condition, errors are retried only where one asks")

	failing := &counting{errs: []error{errBoom, errBoom, errOther}}
	v, err = retry.For[int]().Max(10).When(func(_ int, err error) bool { return errors.Is(err, errBoom) }).When(below5).
		Call(t.Context(), failing.run)
	require.Same(t, errOther, err)
	require.Equal(t, 3, v)
}

func TestWhenOfAnErrorChainIsAskedOfSuccessesToo(t *testing.T) {
	var asked []error
	op := scripted(nil, errBoom, errOther)
	err := retry.With(retry.NewMaxAttempts(5)).When(func(err error) bool {
		asked = append(asked, err)
		return err != errOther
	}).Run(t.Context(), op.run)
	require.Same(t, errOther, err)
	require.Equal(t, []error{nil, errBoom, errOther}, asked)
}

func TestWhenReturnsComparesWithTheValue(t *testing.T) {
	type point struct{ x, y int }
	points := []point{{1, 2}, {1, 2}, {2, 1}}
	calls := 0
	v, err := retry.WhenReturns(point{1, 2}).Max(5).Call(t.Context(), func(context.Context) (point, error) {
		calls++
		return points[calls-1], nil
	})
	require.NoError(t, err)
	require.Equal(t, point{2, 1}, v)

	calls = 0
	_, _ = retry.WhenReturns(math.NaN()).Max(5).Call(t.Context(), func(context.Context) (float64, error) { calls++; return math.NaN(), nil })
	require.Equal(t, 1, calls, "as == does")
}

func TestWhenReturnsOfAnInterfaceTypeNeverPanics(t *testing.T) {
	values := []any{nil, []int{1}}
	calls := 0
	v, err := retry.WhenReturns[any](nil).Max(5).Call(t.Context(), func(context.Context) (any, error) { calls++; return values[calls-1], nil })
	require.NoError(t, err)
	require.Equal(t, []int{1}, v)

	type box struct{ v any }
	defined(t, mistake(retry.WhenReturns[any]([]int{1})), "WhenReturns needs", "When(func(v interface {}, err error) bool")
	defined(t, mistake(retry.WhenReturns(box{[]int{1}})), "WhenReturns needs")
	calls = 0
	_, err = retry.WhenReturns(box{1}).Max(3).Call(t.Context(), func(context.Context) (box, error) { calls++; return box{[]int{1}}, nil })
	require.NoError(t, err)
	require.Equal(t, 1, calls)
}

func TestAllLimitsAndWaitsOfAChainHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		err := retry.WhenThrows().Max(5).Max(3).Sleep(time.Second).Sleep(2*time.Second).Within(time.Minute).WrapExhausted().
			Run(t.Context(), scripted(errBoom).run)
		exhaustedBy(t, err, "maxAttempts", 3)
		require.Equal(t, 4*time.Second, time.Since(start))
	})
}

func TestTheBuildersOfBothFormsDoTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := new(journal)
		start := time.Now()
		err := retry.WhenThrows(retry.Is(errBoom)).With(retry.NewClassifier(retry.Is(errOther))).Max(3).Within(time.Hour).
			Sleep(time.Second).Backoff(time.Millisecond).WrapExhausted().Listen(log).Named("both").
			Fallback(func(context.Context, error) error { return nil }).
			Run(t.Context(), scripted(errBoom, errOther).run)
		require.NoError(t, err)
		require.Equal(t, 2*time.Second, time.Since(start))

		other := new(journal)
		_, err = retry.For[int]().WhenThrows(retry.Is(errBoom)).With(retry.NewClassifier(retry.Is(errOther))).Max(3).Within(time.Hour).
			Sleep(time.Second).Backoff(time.Millisecond).WrapExhausted().Listen(other).Named("both").
			Fallback(func(context.Context, error) (int, error) { return 0, nil }).
			Call(t.Context(), (&counting{errs: []error{errBoom, errOther, errOther}}).run)
		require.NoError(t, err)
		require.Equal(t, log.all(), other.all())
		require.Len(t, log.all(), 7)
	})
}

func TestAChainPrintsItsPolicies(t *testing.T) {
	h, err := retry.WhenReturns(1).WhenThrows().Max(3).Sleep(0).Policy()
	require.NoError(t, err)
	require.Equal(t, "classifier, classifier, maxAttempts, sleep", h.String())
	require.Len(t, h.Policies(), 4)
	require.Equal(t, 3, h.Settings().MaxAttempts)

	e, err := retry.WhenThrows().Policy()
	require.NoError(t, err)
	require.Equal(t, "classifier, maxAttempts", e.String(), "with the bound that it got")
	require.Equal(t, retry.DefaultMaxAttempts, e.Settings().MaxAttempts)
}

func TestTheResultOfARejectedCallIsTheZeroValue(t *testing.T) {
	v, err := retry.For[int]().With(closedGate).Call(t.Context(), new(counting).run)
	require.ErrorIs(t, err, errFull)
	require.Zero(t, v)
}

func TestANilFuncToCallIsADefinitionError(t *testing.T) {
	_, err := retry.For[int]().Max(2).Named("rates").Call(t.Context(), nil)
	defined(t, err, "rates: the func to call is nil")
	defined(t, retry.WhenThrows().Run(t.Context(), nil), "the func to call is nil")
	defined(t, retry.ErrorChain{}.Run(t.Context(), nil), "no policy")
}
