package retry_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// The shortest window counts its sessions as exactly as any: twenty thousand at one instant, of which a thousandth pays
// for twenty retries.
func TestTheShortestWindowCountsAllItsSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		budget := retry.NewBudget(retry.BudgetSettings{TTL: time.Millisecond, Percent: 0.001})
		payIn(t, budget, 20_000)
		retries, op := 0, scripted(errBoom)
		for {
			op.calls = 0
			require.Same(t, errBoom, retry.With(budget).Max(2).Run(t.Context(), op.run))
			if op.calls == 1 {
				break
			}
			retries++
		}
		require.Equal(t, 20, retries)
	})
}

// With no percentage sessions pay for nothing, however many there are: the reserve alone pays, and with neither there is
// no retry at all.
func TestWithPercentZeroSessionsPayForNothing(t *testing.T) {
	for _, c := range []struct {
		perSecond float64
		retries   int
	}{{0, 0}, {1, 10}} {
		synctest.Test(t, func(t *testing.T) {
			budget := retry.NewBudget(retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: c.perSecond})
			payIn(t, budget, 1000)
			calls := scripted(errBoom)
			exhaustedBy(t, retry.With(budget).Max(100).WrapExhausted().Run(t.Context(), calls.run), "budget", c.retries+1)
			time.Sleep(time.Second)
			calls = scripted(errBoom)
			_ = retry.With(budget).Max(100).Run(t.Context(), calls.run)
			require.Equal(t, int(c.perSecond), calls.calls-1, "a second earns what it earns")
		})
	}
}
