package retry_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

func TestMaxAttemptsCountsAttempts(t *testing.T) {
	for n := 1; n <= 5; n++ {
		op := scripted(errBoom)
		ctx, report := retry.WithReport(t.Context())
		require.Same(t, errBoom, retry.WhenThrows().Max(n).Run(ctx, op.run))
		require.Equal(t, n, op.calls)
		require.Len(t, report.Waits, n-1, "one wait before each retry")
		require.Equal(t, "maxAttempts", report.Limit)
	}
}

func TestTheSmallestOfSeveralMaxAttemptsHolds(t *testing.T) {
	for _, list := range [][]int{{3, 5}, {5, 3}, {retry.Unlimited, 3}, {3, retry.Unlimited}} {
		op := scripted(errBoom)
		_ = retry.With(retry.NewMaxAttempts(list[0]), retry.NewMaxAttempts(list[1])).Run(t.Context(), func(ctx context.Context) error {
			a, _ := retry.FromContext(ctx)
			require.Equal(t, 3, a.Limit)
			return op.run(ctx)
		})
		require.Equal(t, 3, op.calls, "%v", list)
	}
}

func TestMaxAttemptsBelowOneIsADefinitionError(t *testing.T) {
	for _, n := range []int{0, -2, math.MinInt} {
		op := scripted(nil)
		defined(t, retry.WhenThrows().Max(n).Run(t.Context(), op.run), "maxAttempts", "write 1 or more, or retry.Unlimited")
		require.Zero(t, op.calls)
	}
}

func TestUnlimitedAttemptsObeyEveryOtherRule(t *testing.T) {
	unlimited := retry.NewMaxAttempts(retry.Unlimited)
	for _, c := range []struct {
		name  string
		chain retry.ErrorChain
		errs  []error
		calls int
	}{
		{"success", retry.With(unlimited), []error{errBoom, errBoom, nil}, 3},
		{"a permanent error", retry.With(unlimited), []error{errBoom, retry.Permanent(errBoom)}, 2},
		{"a condition that does not hold", retry.WhenThrows(retry.Is(errBoom)).With(unlimited), []error{errBoom, errOther}, 2},
		{"a limiter of the user's", retry.With(unlimited, atMost(errBoom, 2)), []error{errBoom}, 2},
		{"far beyond the default", retry.With(unlimited, atMost(errBoom, 1000)), []error{errBoom}, 1000},
	} {
		t.Run(c.name, func(t *testing.T) {
			op := scripted(c.errs...)
			err := c.chain.Run(t.Context(), op.run)
			require.Equal(t, c.errs[len(c.errs)-1] != nil, err != nil)
			require.Equal(t, c.calls, op.calls)
		})
	}
	t.Run("the context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		err := retry.With(unlimited).Run(ctx, func(context.Context) error {
			if calls++; calls == 20 {
				cancel()
			}
			return errBoom
		})
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, errBoom)
		require.Equal(t, 20, calls)
	})
}

// limitPerError allows an error so many times in a session. What it counts is the session's, so it is the call's.
type limitPerError struct {
	target error
	most   int
	seen   int
}

func atMost(target error, n int) retry.Policy { return &limitPerError{target: target, most: n} }

func (*limitPerError) Kind() string { return "perError" }

func (l *limitPerError) Limit(s *retry.Session) error {
	if !errors.Is(s.Failure(), l.target) {
		return nil
	}
	if l.seen++; l.seen >= l.most {
		return errors.New("seen too often")
	}
	return nil
}

func TestALimitPerErrorCanBeWritten(t *testing.T) {
	op := scripted(errBoom)
	exhaustedBy(t, retry.With(atMost(errBoom, 3)).Max(10).WrapExhausted().Run(t.Context(), op.run), "perError", 3)

	op = scripted(errBoom, errOther, errBoom, errOther, errBoom, errOther)
	ctx, report := retry.WithReport(t.Context())
	exhaustedBy(t, retry.With(atMost(errBoom, 3)).Max(10).WrapExhausted().Run(ctx, op.run), "perError", 5)
	require.Equal(t, []error{errBoom, errOther, errBoom, errOther, errBoom}, report.Errors)
}

func TestASessionThatNothingBoundsMakesTheDefaultNumberOfAttempts(t *testing.T) {
	breaker := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Second})
	for name, chain := range map[string]retry.ErrorChain{
		"conditions only": retry.WhenThrows(),
		"a wait":          retry.With(retry.NewSleep(retry.Flat, 0)),
		"a breaker":       retry.With(breaker),
		"attemptTimeout":  retry.With(retry.NewAttemptTimeout(time.Minute)),
	} {
		t.Run(name, func(t *testing.T) {
			op := scripted(errBoom)
			exhaustedBy(t, chain.WrapExhausted().Run(t.Context(), op.run), "maxAttempts", retry.DefaultMaxAttempts)
			require.Equal(t, 10, op.calls)
		})
	}
}

func TestAnyOtherBoundLeavesTheNumberOfAttemptsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, chain := range map[string]retry.ErrorChain{
			"a timeout": retry.WhenThrows().Sleep(time.Second).Within(15500 * time.Millisecond),
			"a limiter": retry.With(atMost(errBoom, 16)),
			"a taker":   retry.With(allowance(15)),
			"a budget":  retry.With(retry.NewBudget(retry.BudgetSettings{TTL: 15 * time.Second, MinPerSec: 1})),
		} {
			op := scripted(errBoom)
			require.Same(t, errBoom, chain.Run(t.Context(), op.run))
			require.Equal(t, 16, op.calls, name)
		}
	})
}

// allowance pays for so many retries.
func allowance(n int) retry.Policy {
	return takerFuncs{take: func(*retry.Session) error {
		if n--; n < 0 {
			return errors.New("spent")
		}
		return nil
	}}
}
