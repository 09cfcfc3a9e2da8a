package retry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// A built-in limit says all by its name: no reason goes with it, whichever it is and whenever it is seen to be reached.
func TestABuiltInLimitHasNoReasonBesideItsName(t *testing.T) {
	opens, _ := circuit(retry.BreakerSettings{Consecutive: 1})
	for _, c := range []struct {
		name  string
		chain retry.ErrorChain
		limit string
	}{
		{"attempts", retry.With().Max(1), "maxAttempts"},
		{"a timeout that the attempt has passed", retry.With().Within(2 * time.Second), "timeout"},
		{"a timeout that the wait would pass", retry.With().Within(time.Minute).Sleep(59 * time.Second), "timeout"},
		{"a timeout that a taker has passed", retry.With(takerFuncs{
			take:     func(*retry.Session) error { time.Sleep(time.Minute); return nil },
			giveBack: func(*retry.Session) error { return nil },
		}).Within(time.Minute), "timeout"},
		{"a budget", retry.With(retry.NewBudget(retry.BudgetSettings{TTL: time.Second})), "budget"},
		{"a breaker", retry.With(opens), "circuitBreaker"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, report := retry.WithReport(t.Context())
				err := c.chain.Max(3).WrapExhausted().Run(ctx, func(context.Context) error { time.Sleep(2 * time.Second); return errBoom })
				exhaustedBy(t, err, c.limit, 1)
				var exhausted *retry.ExhaustedError
				require.ErrorAs(t, err, &exhausted)
				require.NoError(t, exhausted.Reason)
				require.NoError(t, report.Reason)
			})
		})
	}
}
