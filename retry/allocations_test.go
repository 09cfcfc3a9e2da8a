package retry_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/retry"
)

// TestAllocationsOfCalls is beside TestAllocations, which counts bytes too, for more kinds of chains. Each number is a
// ceiling; the first call, in which things are made once, does not count.
func TestAllocationsOfCalls(t *testing.T) {
	var (
		attempts = []retry.Policy{retry.NewMaxAttempts(3), retry.NewClassifier()}
		with     = func(policies ...retry.Policy) retry.ErrorChain { return retry.With(attempts...).With(policies...) }
		breaker  = func(s retry.BreakerSettings) retry.ErrorChain { return with(retry.NewCircuitBreaker(s)) }
		told     = 0
		listener = retry.ListenerFunc(func(context.Context, retry.Event) { told++ })
		instead  = func(context.Context, error) error { return nil }
		opened   = retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Hour})
		empty    = retry.NewBudget(retry.BudgetSettings{TTL: time.Second}) // pays for nothing
		texts    = retry.For[string]().Max(3)
		text     = func(context.Context) (string, error) { return "x", nil }
		five     = five()
	)
	retry.BreakerOf(opened).ForceOpen()
	failsOf := func(n int, chain retry.ErrorChain) func(context.Context) error {
		calls := 0
		op := func(context.Context) error {
			if calls++; calls <= n {
				return errBoom
			}
			return nil
		}
		return func(ctx context.Context) error {
			calls = 0
			return chain.Run(ctx, op)
		}
	}
	const never = 1 << 30
	for _, c := range []struct {
		name  string
		call  func(context.Context) error
		fails bool
		max   float64
	}{
		{"an attempt", failsOf(0, with()), false, 1},
		{"with a result", func(ctx context.Context) error { _, err := texts.Call(ctx, text); return err }, false, 1},
		{"five policies", failsOf(0, five), false, 1},
		{"a breaker", failsOf(0, breaker(retry.BreakerSettings{ResetTimeout: time.Second})), false, 1},
		{"a breaker with a window of calls", failsOf(0, breaker(retry.BreakerSettings{ResetTimeout: time.Second, Window: 100, FailureRatio: 1})), false, 1},
		{"a breaker with a window of time", failsOf(0, breaker(retry.BreakerSettings{ResetTimeout: time.Second, WindowTime: time.Second, FailureRatio: 1})), false, 1},
		{"a budget", failsOf(0, with(retry.NewBudget(retry.BudgetSettings{TTL: time.Second, Percent: 0.2}))), false, 1},
		{"a fallback that is not needed", failsOf(0, with().Fallback(instead)), false, 1},
		{"a fallback that is needed", failsOf(never, with().Fallback(instead)), false, 1},
		{"a session in a session", func(ctx context.Context) error { return simple.Run(ctx, nested) }, false, 3},

		{"two failures, then success", failsOf(2, with()), false, 1},
		{"two failures, then success, with five policies", failsOf(2, five), false, 1},
		{"ten failures", failsOf(never, retry.WhenThrows().Max(10)), true, 1},
		{"a retry that the budget refuses", failsOf(never, with(empty)), true, 1},
		{"wrapped when exhausted", failsOf(never, with().WrapExhausted()), true, 2},

		{"rejected", failsOf(0, with(opened)), true, 0},
		{"rejected, with a fallback", failsOf(0, with(opened).Fallback(instead)), false, 1},

		{"a timeout of the session", failsOf(0, with(retry.NewTimeout(time.Hour))), false, 1},
		{"a timeout of the attempt: a context, a timer, and what follows the caller", failsOf(0, with(retry.NewAttemptTimeout(time.Hour))), false, 12},
		{"a listener: session and event", failsOf(0, with().Listen(listener)), false, 2},
		{"a listener of two failures: session and five events", failsOf(2, with().Listen(listener)), false, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			require.Equal(t, c.fails, c.call(ctx) != nil)
			require.LessOrEqual(t, testing.AllocsPerRun(200, func() { _ = c.call(ctx) }), c.max)
		})
	}
	require.NotZero(t, told)
}

// nested runs a session of its own in the attempt.
func nested(ctx context.Context) error { return simple.Run(ctx, succeed) }

func TestEventsAreFreeWithoutAListener(t *testing.T) {
	var event retry.Event
	listener := retry.ListenerFunc(func(_ context.Context, e retry.Event) { event = e })
	allocations := func(chain retry.ErrorChain) float64 {
		return testing.AllocsPerRun(200, func() { _ = chain.Run(t.Context(), fail) })
	}
	without := allocations(retryTen)
	require.Equal(t, 1.0, without)
	require.Equal(t, without, allocations(retryTen.Listen(nil)))
	require.Greater(t, allocations(retryTen.Listen(listener)), without)
	require.IsType(t, retry.Exhausted{}, event)
}
