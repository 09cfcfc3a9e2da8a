package retry_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// What an inner session does at its first attempt, and whether the session around it may retry after that.
func TestWhatLeavesAnErrorWithTheOuterSession(t *testing.T) {
	opened := func() retry.Policy {
		p := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Hour})
		retry.BreakerOf(p).ForceOpen()
		return p
	}
	for _, c := range []struct {
		name  string
		inner retry.ErrorChain
		gives bool
	}{
		{"a limit of attempts after a retry", retry.WhenThrows().Max(2), true},
		{"a limit of attempts at once", retry.WhenThrows().Max(1), false},
		{"a limiter of the user's at once", retry.With(atMost(errBoom, 1)), false},
		{"a limiter of the user's after a retry", retry.With(atMost(errBoom, 2)), true},
		{"a timeout at once", retry.WhenThrows().Within(time.Second).Sleep(time.Minute), false},
		{"a budget at once", retry.With(retry.NewBudget(retry.BudgetSettings{TTL: time.Second})), true},
		{"a taker of the user's at once", retry.With(allowance(0)), true},
		{"a breaker at its gate", retry.With(opened()), true},
		{"a breaker at its gate, and a fallback that fails", retry.With(opened()).
			Fallback(func(_ context.Context, cause error) error { return errOther }), true},
		{"a breaker during the session", retry.With(retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Hour, Consecutive: 1})), true},
		{"the deadline at once", retry.WhenThrows().Sleep(2 * time.Hour), true},
		{"a gate of the user's", retry.With(closedGate), false},
		{"an error that is not retriable", retry.WhenThrows(retry.NoError).Max(3), false},
		{"a fallback that fails after a retry", retry.WhenThrows().Max(2).
			Fallback(func(_ context.Context, cause error) error { return errOther }), true},
		{"a fallback that fails at once", retry.WhenThrows().Max(1).
			Fallback(func(_ context.Context, cause error) error { return errOther }), false},
		{"a wrapped exhaustion", retry.WhenThrows().Max(2).WrapExhausted(), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				ctx, report := retry.WithReport(ctx)
				runs := 0
				require.Error(t, three().Run(ctx, func(ctx context.Context) error {
					runs++
					return wrapped(c.inner.Run(ctx, scripted(errBoom).run))
				}))
				if c.gives {
					require.Equal(t, 1, runs)
					require.Equal(t, "nested", report.Limit)
				} else {
					require.Equal(t, 3, runs)
					require.Equal(t, "maxAttempts", report.Limit)
				}
			})
		})
	}
}

func TestOnceAroundAnInnerSessionLeavesItsErrorToo(t *testing.T) {
	op := scripted(errBoom)
	ctx, report := retry.WithReport(t.Context())
	_ = three().Run(ctx, func(ctx context.Context) error { return three().Run(retry.Once(ctx), op.run) })
	require.Equal(t, 1, op.calls)
	require.Equal(t, "nested", report.Limit)
}

// errorList cannot be compared; to try would panic.
type errorList []error

func (errorList) Error() string { return "list" }

func TestErrorsThatCannotBeComparedAreNoPanic(t *testing.T) {
	op := scripted(errorList{errBoom})
	require.NotPanics(t, func() {
		require.Equal(t, errorList{errBoom}, tower(op.run, verbatim, three(), three())(t.Context()))
	})
	require.Equal(t, 3+1+1, op.calls, "the outer session cannot know it again, so it goes on")

	op = scripted(struct{ error }{errorList{errBoom}})
	require.NotPanics(t, func() { require.Error(t, tower(op.run, joined, three(), three())(t.Context())) })
}

// lookalike is equal to every other error, if asked.
type lookalike struct{ _ int }

func (*lookalike) Error() string   { return "lookalike" }
func (*lookalike) Is(error) bool   { return true }
func freshLookalike(_ error) error { return new(lookalike) }

func TestErrorsAreComparedByIdentity(t *testing.T) {
	op := scripted(errBoom)
	require.Error(t, tower(op.run, freshLookalike, three(), three())(t.Context()))
	require.Equal(t, 3+1+1, op.calls, "an Is method has no say")
}

func TestSessionsInsideOneAttemptMayRunInParallel(t *testing.T) {
	inner := three()
	var mu sync.Mutex
	calls := 0
	ctx, report := retry.WithReport(t.Context())
	err := three().Run(ctx, func(ctx context.Context) error {
		errs := make([]error, 8)
		var wg sync.WaitGroup
		for i := range errs {
			wg.Go(func() {
				errs[i] = inner.Run(ctx, func(ctx context.Context) error {
					_, _ = retry.FromContext(ctx)
					mu.Lock()
					defer mu.Unlock()
					calls++
					return fmt.Errorf("branch %d", i)
				})
			})
		}
		wg.Wait()
		return errors.Join(errs...)
	})
	require.ErrorContains(t, err, "branch 7")
	require.Equal(t, 8*3, calls)
	require.Equal(t, "nested", report.Limit)
	require.Len(t, report.Children, 8)
}

func TestAPanicThatAnInnerSessionGaveUpOnIsKnownAgain(t *testing.T) {
	set := settings(retry.Classifier, retry.MaxAttempts)
	set.RetryPanics = true
	for _, c := range []struct {
		name  string
		value any
		calls int
	}{
		{"an error", errBoom, 3},
		{"no error", "lost", 3 + 1 + 1}, // nothing tells the panic of the outer attempt from another
	} {
		t.Run(c.name, func(t *testing.T) {
			inner, outer := compiled(t, retry.Definition{Settings: set}), compiled(t, retry.Definition{Settings: set})
			calls := 0
			require.PanicsWithValue(t, c.value, func() {
				_ = run(t.Context(), outer, func(ctx context.Context) error {
					return run(ctx, inner, func(ctx context.Context) error {
						calls++
						return panicky(c.value)(ctx)
					})
				})
			})
			require.Equal(t, c.calls, calls)
		})
	}
}

// A worker that never ends must not remember every failure of what it calls.
func TestAnOuterSessionForgetsWhatWasGivenUpInEarlierAttempts(t *testing.T) {
	const attempts = 100
	inner := three()
	var given []weak.Pointer[heavyError]
	_ = retry.WhenThrows().Max(attempts).Run(t.Context(), func(ctx context.Context) error {
		err := inner.Run(ctx, func(context.Context) error {
			e := new(heavyError)
			given = append(given, weak.Make(e))
			return e
		})
		if a, _ := retry.FromContext(ctx); a.Number == attempts {
			runtime.GC()
			held := 0
			for _, p := range given {
				if p.Value() != nil {
					held++
				}
			}
			require.Less(t, held, 5, "of %d", len(given))
		}
		return replaced(err)
	})
	require.Len(t, given, 3+attempts-1)
}

type heavyError struct{ _ [1024]byte }

func (*heavyError) Error() string { return "heavy" }
