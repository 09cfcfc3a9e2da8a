package retry_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// payIn runs n sessions that succeed at once.
func payIn(t *testing.T, budget retry.Policy, n int) {
	t.Helper()
	for range n {
		require.NoError(t, retry.With(budget).Run(t.Context(), scripted(nil).run))
	}
}

// tenRetries are budgets that can pay for ten retries, from sessions, from the reserve, or from both. Failures pay
// nothing into them.
func tenRetries(t *testing.T) map[string]retry.Policy {
	budgets := map[string]retry.Policy{}
	for _, c := range []struct {
		name      string
		sessions  int
		minPerSec float64
		percent   float64
	}{
		{"of sessions", 50, 0, 0.2},
		{"of the reserve", 0, 1, 0},
		{"of both", 15, 0.55, 0.3},
	} {
		budgets[c.name] = retry.NewBudget(retry.BudgetSettings{
			TTL: outageTTL, MinPerSec: c.minPerSec, Percent: c.percent, Deposit: retry.DepositSuccess,
		})
		payIn(t, budgets[c.name], c.sessions)
	}
	return budgets
}

// budget:i
func TestAThousandSessionsThatFailAtOnceMakeTheTenRetriesThatArePaidFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, budget := range tenRetries(t) {
			chain := retry.With(budget)
			var calls atomic.Int64
			admitted := make(chan struct{})
			together(func(int) {
				_ = chain.Run(t.Context(), func(ctx context.Context) error {
					if n := calls.Add(1); n == crowd {
						close(admitted)
					}
					<-admitted
					return errBoom
				})
			})
			require.EqualValues(t, crowd+10, calls.Load(), name)
			require.Zero(t, paid(t, budget), name)
		}
	})
}

// budget:i What is spent is what was started: a retry that something else prevents costs nothing, however many sessions
// take and give back at once.
func TestWhatIsSpentIsTheRetriesThatReallyStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const stored = crowd * 3 / 10 // two fifths of the crowd hold a retry at once, so some are refused
		budget := retry.NewBudget(retry.BudgetSettings{TTL: time.Hour, Percent: 0.5, Deposit: retry.DepositSuccess})
		payIn(t, budget, 2*stored)

		ends, cancel := context.WithCancel(t.Context())
		time.AfterFunc(500*time.Millisecond, cancel)
		waits := retry.With(budget, retry.NewSleep(retry.Flat, time.Second)).Max(2)
		refuses := takerFuncs{take: func(*retry.Session) error { return errOther }}
		sessions := []struct {
			ctx   context.Context
			chain retry.ErrorChain
		}{
			{t.Context(), waits},
			{ends, waits}, // the wait ends early
			{t.Context(), retry.With(budget).With(refuses)},
			{t.Context(), waits.Max(1)},
			{t.Context(), waits.Within(time.Millisecond)},
		}
		var calls atomic.Int64
		together(func(i int) {
			s := sessions[i%len(sessions)]
			_ = s.chain.Run(s.ctx, func(context.Context) error { calls.Add(1); return errBoom })
		})
		started := int(calls.Load()) - crowd
		require.Positive(t, started)
		require.LessOrEqual(t, started, crowd/len(sessions))
		require.Equal(t, stored, started+paid(t, budget))
	})
}

// budgetMoment is a time at which sessions succeed, and then how many retries a session that fails is paid for.
type budgetMoment struct {
	at       time.Duration
	sessions int
	retries  int // -1: not asked
}

func TestBudgetVectorsThroughSessions(t *testing.T) {
	for _, c := range []struct {
		name      string
		minPerSec float64
		percent   float64
		moments   []budgetMoment
	}{
		{"budget:1.1 the reserve is full at the start", 10, 0.2, []budgetMoment{{0, 0, 100}}},
		{"budget:1.1 and five sessions pay for one more", 10, 0.2, []budgetMoment{{0, 5, 101}}},
		{"budget:1.1 four sessions pay for none, the fifth for one", 0, 0.2, []budgetMoment{{0, 4, 0}, {0, 1, 1}, {0, 0, 0}}},
		{"budget:1.1 percent 0 leaves the reserve", 10, 0, []budgetMoment{{0, 1000, 100}}},
		{"budget:1.1 percent 10 pays for ten with one session", 0, 10, []budgetMoment{{0, 1, 10}}},
		{"budget:1.1 percent 0.1", 10, 0.1, []budgetMoment{{0, 10, 101}}},
		// Finagle's reserve comes back as a whole when what it paid leaves the window; ours fills all the time.
		{"budget:1.1 a reserve that is spent is back after a window", 10, 0.2, []budgetMoment{{0, 0, 100}, {10 * time.Second, 0, 100}}},
		{"budget:1.1 and in part before", 10, 0.2, []budgetMoment{{0, 0, 100}, {time.Second, 0, 10}, {2500 * time.Millisecond, 0, 15}}},
		// The ancestor rounds the cost up, to 25 %.
		{"budget:1.3 percent 0.3 is 30 %", 0, 0.3, []budgetMoment{{0, 100, 30}}},
		// The ancestor's tick throws away what sessions have paid, all of it where there is no minimum, else beyond 50.
		{"budget:1.3 without a minimum", 0, 0.2, []budgetMoment{{0, 500, -1}, {9 * time.Second, 0, 100}}},
		{"budget:1.3 with one", 1, 0.2, []budgetMoment{{0, 1000, -1}, {9 * time.Second, 0, 210}}},
		// The ancestor takes one for one.
		{"budget:1.3 percent above 1", 0, 1.5, []budgetMoment{{0, 100, 150}}},
		{"budget:ii sessions pay within their window", 0, 0.2, []budgetMoment{{0, 100, -1}, {9900 * time.Millisecond, 0, 20}}},
		{"budget:ii and not a slice after it", 0, 0.2, []budgetMoment{{0, 100, -1}, {11100 * time.Millisecond, 0, 0}}},
		{"budget:iii an idle hour stores no more than the reserve", 1, 0.2, []budgetMoment{{0, 0, -1}, {time.Hour, 0, 10}}},
		{"budget:iii which is there at once, beside what sessions pay", 1, 0.2, []budgetMoment{{0, 0, 10}, {time.Hour, 10, 12}}},
		{"budget:iv percent 0.3", 0, 0.3, []budgetMoment{{0, 100, 30}}},
		{"budget:vi percent 0.7", 0, 0.7, []budgetMoment{{0, 100, 70}}},
	} {
		for phase := range 10 { // slices have one; the vectors hold at any
			t.Run(fmt.Sprintf("%s/phase %d", c.name, phase), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					time.Sleep(time.Duration(phase) * outageTTL / 100)
					// Failures, which ask, shall not pay: so it is successes that do.
					budget := retry.NewBudget(retry.BudgetSettings{TTL: outageTTL, MinPerSec: c.minPerSec, Percent: c.percent, Deposit: retry.DepositSuccess})
					begin := time.Now()
					for i, m := range c.moments {
						time.Sleep(time.Until(begin.Add(m.at)))
						payIn(t, budget, m.sessions)
						if m.retries >= 0 {
							require.Equal(t, m.retries, paid(t, budget), "moment %d", i)
						}
					}
				})
			})
		}
	}
}

// budget:v The clock goes back from now to the year 2000, which is where a bubble's begins.
func TestABudgetMintsNothingWhenTheClockGoesBack(t *testing.T) {
	budget := retry.NewBudget(retry.BudgetSettings{TTL: time.Hour, MinPerSec: 0.01, Percent: 0.2, Deposit: retry.DepositSuccess})
	payIn(t, budget, 50)
	require.Equal(t, 36+10, paid(t, budget))
	payIn(t, budget, 50) // not yet asked about when the clock goes back
	synctest.Test(t, func(t *testing.T) {
		require.Zero(t, paid(t, budget))
		payIn(t, budget, 5)
		require.Equal(t, 1, paid(t, budget))
		time.Sleep(100 * time.Second)
		require.Equal(t, 1, paid(t, budget), "time earns as before")
	})
}
