package retry_test

import (
	"context"
	"errors"
	"testing"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// hyperf:7.10, in this file and the next: golden cases that were run on the ancestor, each under its name, with our
// outcome. A comment tells the ancestor's where it is another.

func TestAncestorsGoldenAttempts(t *testing.T) {
	isFalse := func(context.Context) (bool, error) { return false, nil }
	throws := func(errs ...error) func(context.Context) (bool, error) {
		op := scripted(errs...)
		return func(ctx context.Context) (bool, error) { return true, op.run(ctx) }
	}
	var n1, n2, n3 = errors.New("n1"), errors.New("n2"), errors.New("n3")
	falseThenThrows := func() func(context.Context) (bool, error) {
		first := true
		return func(context.Context) (bool, error) {
			if first {
				first = false
				return false, nil
			}
			return true, errBoom
		}
	}
	lists := func(ignore, list retry.Matcher, predicate func(*retry.Session) bool) retry.Chain[bool] {
		set := settings(retry.Classifier)
		if ignore != nil {
			set.IgnoreErrors = []retry.Matcher{ignore}
		}
		set.RetryErrors = []retry.Matcher{list}
		classifier := compiled(t, retry.Definition{Settings: set, Hooks: retry.Hooks{RetryIfError: predicates(predicate)}}).Policies()[0]
		return retry.For[bool]().With(classifier).Max(3)
	}
	unknown := errors.New("unknown")
	for _, c := range []struct {
		name  string
		chain retry.Chain[bool]
		op    func(context.Context) (bool, error)
		calls int
		value bool
		err   error
	}{
		{"ignore [Domain], retry [Logic], predicate yes; throws Domain", lists(retry.Is(errDomain), retry.Is(errLogic), saysAgain), throws(errDomain), 1, true, errDomain},
		{"retry [Logic], predicate always no; throws Domain; max 3", lists(nil, retry.Is(errLogic), saysNo), throws(errDomain), 3, true, errDomain},
		// A class that does not exist cannot be written in Go; an error that nobody returns matches nothing.
		{"lists naming unknown classes", lists(retry.Is(unknown), retry.Is(unknown), saysNo), throws(errLogic), 1, true, errLogic},
		{"retry list holding an object instead of a class name", lists(nil, retry.Is(errLogic), saysNo), throws(errDomain), 3, true, errDomain},
		// The ancestor AND-s them, and a Logic is no Domain: 1 attempt.
		{"whenThrows(Logic).whenThrows(Domain).max(3) throws Logic", retry.For[bool]().WhenThrows(retry.Is(errLogic)).WhenThrows(retry.Is(errDomain)).Max(3), throws(errLogic), 3, true, errLogic},
		{"whenThrows(Logic).whenThrows(Domain).max(3) throws Domain", retry.For[bool]().WhenThrows(retry.Is(errLogic)).WhenThrows(retry.Is(errDomain)).Max(3), throws(errDomain), 3, true, errDomain},
		// The ancestor AND-s them: 1 attempt, whether it throws or returns false.
		{"whenReturns(false).whenThrows().max(3) returns false", retry.WhenReturns(false).WhenThrows().Max(3), isFalse, 3, false, nil},
		{"whenReturns(false).whenThrows().max(3) throws", retry.WhenReturns(false).WhenThrows().Max(3), throws(errBoom), 3, true, errBoom},
		{"whenReturns(false).max(3), always false", retry.WhenReturns(false).Max(3), isFalse, 3, false, nil},
		{"whenReturns(false).max(3): false, then throws", retry.WhenReturns(false).Max(3), falseThenThrows(), 2, true, errBoom},
		{"whenThrows().max(3): n1,n2,n3", retry.For[bool]().WhenThrows().Max(3), throws(n1, n2, n3), 3, true, n3},
		// The ancestor makes 2 attempts, each limit counting on its own; ours: every limit holds.
		{"max(3).max(5), never classified", retry.For[bool]().Max(3).Max(5), throws(errBoom), 3, true, errBoom},
	} {
		t.Run(c.name, func(t *testing.T) {
			calls := 0
			v, err := c.chain.Call(t.Context(), func(ctx context.Context) (bool, error) { calls++; return c.op(ctx) })
			require.Equal(t, c.calls, calls)
			require.Equal(t, c.value, v)
			require.Equal(t, c.err, err)
		})
	}
	t.Run("fluent object called twice with max(2)", func(t *testing.T) {
		chain := retry.WhenThrows().Max(2)
		for range 2 {
			op := scripted(errBoom)
			_ = chain.Run(t.Context(), op.run)
			require.Equal(t, 2, op.calls)
		}
	})
}

func TestAncestorsGoldenHooks(t *testing.T) {
	t.Run("hook trace, policies A, Classifier, B, Max(5); fail then 'ok'", func(t *testing.T) {
		// The ancestor asks all policies in one round before each attempt, so that a limit may come before classification.
		log := new(journal)
		a, b := &phased{name: "A", log: log}, &phased{name: "B", log: log}
		op := scripted(errBoom, nil)
		require.NoError(t, retry.With(a, retry.NewClassifier(), b).Max(5).Run(t.Context(), func(ctx context.Context) error {
			log.add("call")
			return op.run(ctx)
		}))
		require.Equal(t, []string{
			"A.enter", "B.enter", "A.start", "B.start", "call", "A.judge", "B.judge", "A.limit", "B.limit",
			"A.wait", "B.wait", "A.take", "B.take", "call", "A.judge", "B.judge",
			"A.end", "B.end", "B.leave B session=true", "A.leave A session=true",
		}, log.all())
	})
	t.Run("hook trace, A, B(no), C", func(t *testing.T) {
		// The ancestor starts and ends all three though the function is not called.
		log := new(journal)
		op := scripted(nil)
		err := retry.With(&phased{name: "A", log: log}, &phased{name: "B", log: log, enter: errFull}, &phased{name: "C", log: log}).
			Run(t.Context(), op.run)
		require.ErrorIs(t, err, errFull)
		require.Equal(t, []string{"A.enter", "B.enter", "A.leave A session=false"}, log.all())
		require.Zero(t, op.calls)
	})
	t.Run("a policy whose end returns true placed first", func(t *testing.T) {
		// The ancestor skips the end hooks after it; ours have no result to stop the others with, and all run.
		log := new(journal)
		require.NoError(t, retry.With(&phased{name: "A", log: log}, &phased{name: "B", log: log}).Run(t.Context(), scripted(nil).run))
		require.Subset(t, log.all(), []string{"A.end", "B.end"})
	})
	t.Run("A, Hybrid(B), C, Max(1)", func(t *testing.T) {
		// The ancestor's nested composite swallows the end hooks behind it; ours cannot be nested.
		var h any = hybrid(t, retry.NewMaxAttempts(1))
		_, isPolicy := h.(retry.Policy)
		require.False(t, isPolicy)
	})
	t.Run("predicate throws", func(t *testing.T) {
		// The ancestor runs no end hooks.
		log := new(journal)
		require.PanicsWithValue(t, "predicate", func() {
			_ = retry.With(&phased{name: "A", log: log}).When(func(error) bool { panic("predicate") }).Run(t.Context(), scripted(errBoom).run)
		})
		require.Contains(t, log.all(), "A.end")
	})
	t.Run("when(->false) with fallback", func(t *testing.T) {
		// The ancestor asks before the first attempt: 0 calls, null. Ours judges outcomes: there is one.
		op := new(counting)
		v, err := retry.When(func(int, error) bool { return false }).Fallback(noFallback(t)).Call(t.Context(), op.run)
		require.NoError(t, err)
		require.Equal(t, 1, v)
	})
}

func TestAncestorsGoldenFallbacks(t *testing.T) {
	t.Run("whenReturns(false).max(3), always false, with fallback", func(t *testing.T) {
		var causes []error
		v, err := retry.WhenReturns(false).Max(3).Fallback(func(_ context.Context, cause error) (bool, error) {
			causes = append(causes, cause)
			return true, nil
		}).Call(t.Context(), func(context.Context) (bool, error) { return false, nil })
		require.NoError(t, err)
		require.True(t, v)
		require.Equal(t, []error{nil}, causes)
	})
	t.Run("two Fallbacks, error", func(t *testing.T) {
		// The ancestor runs both, the second without a cause. Ours: the last holds.
		v, err := retry.For[int]().Max(1).Fallback(noFallback(t)).Fallback(func(_ context.Context, cause error) (int, error) {
			require.Same(t, errBoom, cause)
			return 2, nil
		}).Call(t.Context(), (&counting{errs: []error{errBoom}}).run)
		require.NoError(t, err)
		require.Equal(t, 2, v)
	})
	t.Run("two Fallbacks, first throws", func(t *testing.T) {
		// The ancestor's second gets the first's error. Ours: a fallback that calls the first does.
		first := func(_ context.Context, cause error) (int, error) { return 0, errOther }
		v, err := retry.For[int]().Max(1).Fallback(func(ctx context.Context, cause error) (int, error) {
			_, err := first(ctx, cause)
			require.Same(t, errOther, err)
			return 2, nil
		}).Call(t.Context(), (&counting{errs: []error{errBoom}}).run)
		require.NoError(t, err)
		require.Equal(t, 2, v)
	})
	for _, order := range []string{"before", "after"} {
		t.Run("Fallback "+order+" CircuitBreaker in the list", func(t *testing.T) {
			// The ancestor's fallback sees the circuit closed still where it stands before; ours runs after all end hooks.
			policy, breaker := circuit(retry.BreakerSettings{})
			fallback := func(context.Context, error) error {
				require.Equal(t, retry.BreakerOpen, breaker.State())
				return nil
			}
			chain := retry.WhenThrows().Max(1)
			if order == "before" {
				chain = chain.Fallback(fallback).With(policy)
			} else {
				chain = chain.With(policy).Fallback(fallback)
			}
			require.NoError(t, chain.Run(t.Context(), scripted(errBoom).run))
		})
	}
}
