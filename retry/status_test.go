package retry_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// looked is a breaker that looks at its last ten calls, and a clock that has gone on by a second.
func looked(t *testing.T, s retry.BreakerSettings) (*retry.Breaker, func(err error)) {
	t.Helper()
	p := retry.NewCircuitBreaker(s)
	chain := retry.With(p).Max(1).Named("peer")
	return retry.BreakerOf(p), func(err error) {
		_ = chain.Run(t.Context(), func(context.Context) error { return err })
	}
}

func TestABreakersStatusTellsStateSinceWhenAndWhatItHasCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		settings := retry.BreakerSettings{Window: 4, MinCalls: 4, FailureRatio: 0.5, ResetTimeout: 10 * time.Second}
		b, call := looked(t, settings)
		call(nil)
		time.Sleep(time.Second)
		call(errBoom)
		require.Equal(t, retry.BreakerStatus{
			Name: "peer", State: retry.BreakerClosed, Since: began, Calls: 2, Failed: 1, InRow: 1, Settings: settings,
		}, b.Status())

		call(nil)
		call(errBoom) // two of four
		opened := time.Now()
		time.Sleep(3 * time.Second)
		require.Equal(t, retry.BreakerStatus{
			Name: "peer", State: retry.BreakerOpen, Since: opened, RetryAfter: 7 * time.Second, Settings: settings,
		}, b.Status())

		time.Sleep(8 * time.Second) // half-open for a second, though no call has come
		require.Equal(t, retry.BreakerHalfOpen, b.Status().State)
		require.Equal(t, opened.Add(10*time.Second), b.Status().Since)

		call(nil)
		closed := time.Now()
		require.Equal(t, retry.BreakerClosed, b.Status().State)
		require.Equal(t, closed, b.Status().Since)

		time.Sleep(time.Second)
		b.ForceOpen()
		time.Sleep(time.Second)
		require.Equal(t, retry.BreakerForceOpen, b.Status().State)
		require.Equal(t, closed.Add(time.Second), b.Status().Since)
		require.Zero(t, b.Status().RetryAfter)
	})
}

func TestAWindowOfTimeIsToldAsItIsNowThoughNoCallCame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, call := looked(t, retry.BreakerSettings{
			WindowTime: 10 * time.Second, FailureRatio: 0.9, SlowCall: time.Second, SlowRatio: 0.9, ResetTimeout: time.Second,
		})
		call(errBoom)
		time.Sleep(6 * time.Second)
		call(nil)
		require.Equal(t, []int{2, 1}, []int{b.Status().Calls, b.Status().Failed})
		time.Sleep(6 * time.Second)
		require.Equal(t, []int{1, 0}, []int{b.Status().Calls, b.Status().Failed})
		time.Sleep(time.Hour)
		require.Zero(t, b.Status().Calls)
		call(errBoom)
		require.Equal(t, []int{1, 1}, []int{b.Status().Calls, b.Status().Failed})
	})
}

func TestSinceIsTheSameForAsLongAsTheStateIs(t *testing.T) {
	b, _ := looked(t, retry.BreakerSettings{Consecutive: 1, ResetTimeout: time.Hour})
	since := b.Status().Since
	for range 1000 { // by the real clock, which goes on
		require.Equal(t, since, b.Status().Since)
	}
}

func TestABreakerIsHalfOpenSinceItsTimeoutPassedAlsoWhenAProbeIsOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := retry.NewCircuitBreaker(retry.BreakerSettings{Consecutive: 1, ResetTimeout: 10 * time.Second})
		b := retry.BreakerOf(p)
		fails := func(context.Context) error { return errBoom }
		_ = retry.With(p).Max(1).Run(t.Context(), fails)
		opened := time.Now()
		time.Sleep(15 * time.Second)
		_ = retry.With(p).Max(1).Run(t.Context(), func(context.Context) error {
			time.Sleep(time.Second)
			require.Equal(t, retry.BreakerHalfOpen, b.Status().State)
			require.Equal(t, opened.Add(10*time.Second), b.Status().Since)
			return errBoom
		})
		require.Equal(t, time.Now(), b.Status().Since, "it is open again")
	})
}

// A breaker without a window spares the lock for successes that change nothing, so it has no count of calls to tell.
func TestABreakerThatCountsNoCallsTellsNone(t *testing.T) {
	for name, c := range map[string]struct {
		settings retry.BreakerSettings
		calls    int
	}{
		"a row":                    {retry.BreakerSettings{Consecutive: 9, ResetTimeout: time.Second}, 0},
		"a row of so many calls":   {retry.BreakerSettings{Consecutive: 9, MinCalls: 9, ResetTimeout: time.Second}, 4},
		"a window":                 {retry.BreakerSettings{Window: 9, FailureRatio: 1, ResetTimeout: time.Second}, 4},
		"exhausted sessions alone": {retry.BreakerSettings{ResetTimeout: time.Second}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b, call := looked(t, c.settings)
			for _, err := range []error{nil, nil, nil, errBoom} {
				call(err)
			}
			require.Equal(t, c.calls, b.Status().Calls)
		})
	}
}

// Whoever asks may have another clock than the calls: a test that looks from outside of its bubble, for one.
func TestToLookChangesNothingWhateverTheClock(t *testing.T) {
	budget := retry.NewBudget(retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: 0.2, Percent: 0.5})
	breaker := retry.NewCircuitBreaker(retry.BreakerSettings{WindowTime: 10 * time.Second, FailureRatio: 1, ResetTimeout: time.Second})
	look := func(t *testing.T) (retry.BudgetStatus, int) {
		s, ok := retry.BudgetStatusOf(budget)
		require.True(t, ok)
		return s, retry.BreakerOf(breaker).Status().Calls
	}
	bubble := func(t *testing.T, f func(t *testing.T)) { t.Helper(); synctest.Test(t, f) }
	var before retry.BudgetStatus
	call := func(t *testing.T) {
		_ = retry.With(budget, breaker).WhenThrows().Max(2).Run(t.Context(), func(context.Context) error { return errBoom })
		var calls int
		before, calls = look(t)
		require.Equal(t, 2, calls)
		require.EqualValues(t, 1, before.Sessions)
	}
	again := func(t *testing.T) {
		after, calls := look(t)
		require.Equal(t, 2, calls)
		require.Equal(t, before, after)
	}
	t.Run("from a later one", func(t *testing.T) {
		bubble(t, call)
		_, calls := look(t)
		require.Zero(t, calls)
		bubble(t, again)
	})
	t.Run("from an earlier one", func(t *testing.T) {
		call(t)
		bubble(t, func(t *testing.T) {
			s, calls := look(t)
			require.Zero(t, calls)
			require.Zero(t, s.Sessions)
		})
		require.Equal(t, 2, retry.BreakerOf(breaker).Status().Calls)
		s, _ := retry.BudgetStatusOf(budget)
		require.EqualValues(t, 1, s.Sessions)
	})
}

func TestTheZeroBreakerHasAStatus(t *testing.T) {
	s := new(retry.Breaker).Status()
	require.Equal(t, retry.BreakerClosed, s.State)
	require.Zero(t, s.Calls)
}

func TestABreakerAsJSONIsItsStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, call := looked(t, retry.BreakerSettings{Consecutive: 1, ResetTimeout: 10 * time.Second})
		call(errBoom)
		got, err := json.Marshal(b)
		require.NoError(t, err)
		require.JSONEq(t, `{"name":"peer","state":"open","since":"2000-01-01T00:00:00Z","retryAfterNanoseconds":10000000000,
			"calls":0,"failed":0,"slow":0,"failuresInRow":0,"settings":{"resetTimeoutNanoseconds":10000000000,"consecutive":1}}`, inUTC(t, got))
	})
}

// inUTC rewrites the time of a status, which is local.
func inUTC(t *testing.T, data []byte) string {
	t.Helper()
	var fields map[string]any
	require.NoError(t, json.Unmarshal(data, &fields))
	at, err := time.Parse(time.RFC3339Nano, fields["since"].(string))
	require.NoError(t, err)
	fields["since"] = at.UTC().Format(time.RFC3339Nano)
	data, err = json.Marshal(fields)
	require.NoError(t, err)
	return string(data)
}

func TestABudgetsStatusTellsWhatItWouldPayFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		settings := retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: 0.2, Percent: 0.5}
		p := retry.NewBudget(settings)
		fails := func() {
			_ = retry.With(p).WhenThrows().Max(2).Run(t.Context(), func(context.Context) error { return errBoom })
		}
		status := func() retry.BudgetStatus {
			s, ok := retry.BudgetStatusOf(p)
			require.True(t, ok)
			return s
		}
		require.Equal(t, retry.BudgetStatus{Balance: 2, Reserve: 2, ReserveSize: 2, Settings: settings}, status())
		fails() // half of its retry is paid by itself
		require.Equal(t, retry.BudgetStatus{Balance: 1.5, Reserve: 1.5, ReserveSize: 2, Sessions: 1, Paid: 1, Settings: settings}, status())
		for range 4 {
			fails()
		}
		require.Equal(t, retry.BudgetStatus{Balance: 0.5, Reserve: 0, ReserveSize: 2, Sessions: 5, Paid: 4, Refused: 1, Settings: settings}, status())
		time.Sleep(5 * time.Second)
		require.InDelta(t, 1.5, status().Balance, 1e-9)
		time.Sleep(time.Hour)
		require.Equal(t, retry.BudgetStatus{Balance: 2, Reserve: 2, ReserveSize: 2, Paid: 4, Refused: 1, Settings: settings}, status())
	})
}

func TestABudgetThatPaysForNothingCountsWhatItRefuses(t *testing.T) {
	p := retry.NewBudget(retry.BudgetSettings{TTL: time.Second})
	_ = retry.With(p).WhenThrows().Max(2).Run(t.Context(), scripted(errBoom).run)
	s, ok := retry.BudgetStatusOf(p)
	require.True(t, ok)
	require.EqualValues(t, 1, s.Refused)
	require.Zero(t, s.Balance)
}

func TestARetryThatDoesNotStartIsNotPaidFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := retry.NewBudget(retry.BudgetSettings{TTL: time.Second, MinPerSec: 3})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		_ = retry.With(p).WhenThrows().Max(2).Sleep(time.Second).Run(ctx, scripted(errBoom).run)
		s, _ := retry.BudgetStatusOf(p)
		require.Zero(t, s.Paid)
	})
}

func TestOtherPoliciesHaveNoBudgetStatus(t *testing.T) {
	for name, p := range map[string]retry.Policy{
		"another policy": retry.NewMaxAttempts(2), "settings out of range": retry.NewBudget(retry.BudgetSettings{}), "nil": nil,
	} {
		t.Run(name, func(t *testing.T) {
			_, ok := retry.BudgetStatusOf(p)
			require.False(t, ok)
		})
	}
}

func TestStatusTellsOfAllBreakersAndBudgetsWithTheirMethods(t *testing.T) {
	shared := new(retry.Shared)
	require.Equal(t, retry.Status{Breakers: []retry.BreakerStatus{}, Budgets: []retry.BudgetStatus{}}, shared.Status())
	named := func(d *retry.Definition) { d.Settings.BreakerName, d.Settings.BudgetName = "peer", "purse" }
	compiled(t, method(shared, "Two", named))
	one := method(shared, "One", named)
	require.NoError(t, shared.Prepare(&one)) // before it is compiled
	compiled(t, method(shared, "Own", nil))

	breakers, budgets := map[string][]string{}, map[string][]string{}
	var order []string
	for _, b := range shared.Status().Breakers {
		breakers[b.Name] = b.Methods
		order = append(order, b.Name)
	}
	for _, b := range shared.Status().Budgets {
		budgets[b.Name] = b.Methods
		order = append(order, b.Name)
	}
	require.Equal(t, map[string][]string{"peer": {"Gateway@One", "Gateway@Two"}, "Gateway@Own": {"Gateway@Own"}}, breakers)
	require.Equal(t, map[string][]string{"purse": {"Gateway@One", "Gateway@Two"}, "Gateway@Own": {"Gateway@Own"}}, budgets)
	require.Equal(t, []string{"Gateway@Own", "peer", "Gateway@Own", "purse"}, order)
}

func TestABudgetIsCalledAfterTheFirstChainThatHasAName(t *testing.T) {
	p := retry.NewBudget(retry.BudgetSettings{TTL: time.Second, MinPerSec: 1})
	name := func() string {
		s, _ := retry.BudgetStatusOf(p)
		return s.Name
	}
	for _, step := range []struct{ chain, want string }{{"", ""}, {"prices", "prices"}, {"rates", "prices"}} {
		require.NoError(t, retry.With(p).Named(step.chain).Run(t.Context(), scripted(nil).run))
		require.Equal(t, step.want, name())
	}
}
