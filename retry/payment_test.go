package retry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// purse is a taker that writes down what is taken and given back, and refuses from a retry on.
func purse(log *journal, name string, refuses int) retry.Policy {
	taken := 0
	return takerFuncs{
		take: func(*retry.Session) error {
			if taken++; refuses > 0 && taken >= refuses {
				log.add("%s refuses", name)
				return errOther
			}
			log.add("%s takes", name)
			return nil
		},
		giveBack: func(*retry.Session) error { log.add("%s gives back", name); return nil },
	}
}

func TestTakersArePaidInOrderOnceForEachRetry(t *testing.T) {
	log := new(journal)
	require.NoError(t, retry.With(purse(log, "a", 0), purse(log, "b", 0)).Run(t.Context(), scripted(errBoom, errBoom, nil).run))
	require.Equal(t, []string{"a takes", "b takes", "a takes", "b takes"}, log.all())
}

func TestWhatWasTakenIsGivenBackInReverseWhereALaterTakerRefuses(t *testing.T) {
	log := new(journal)
	op := scripted(errBoom)
	err := retry.With(purse(log, "a", 0), purse(log, "b", 0), purse(log, "c", 2), purse(log, "d", 0)).WrapExhausted().
		Run(t.Context(), op.run)
	exhaustedBy(t, err, "taker", 2)
	require.ErrorContains(t, err, "taker (other)", "and what it said")
	require.Equal(t, []string{
		"a takes", "b takes", "c takes", "d takes",
		"a takes", "b takes", "c refuses", "b gives back", "a gives back",
	}, log.all())
}

func TestWhatWasTakenIsGivenBackWhereTheWaitEndsEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := new(journal)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_ = retry.With(purse(log, "a", 0), purse(log, "b", 0)).With(retry.NewSleep(retry.Flat, time.Minute)).Run(ctx, scripted(errBoom).run)
		require.Equal(t, []string{"a takes", "b takes", "b gives back", "a gives back"}, log.all())
	})
}

func TestAllIsGivenBackAlsoAfterATakerHasPanickedOverIt(t *testing.T) {
	log := new(journal)
	sour := takerFuncs{
		take:     func(*retry.Session) error { return nil },
		giveBack: func(*retry.Session) error { panic("sour") },
	}
	require.PanicsWithValue(t, "sour", func() {
		_ = retry.With(purse(log, "a", 0), sour, purse(log, "c", 1)).Run(t.Context(), scripted(errBoom).run)
	})
	require.Equal(t, []string{"a takes", "c refuses", "a gives back"}, log.all())
}

// reserve is a budget whose reserve pays for n retries and earns one more in ten seconds.
func reserve(n int) retry.Policy {
	return retry.NewBudget(retry.BudgetSettings{TTL: time.Duration(n) * 10 * time.Second, MinPerSec: 0.1})
}

// paid is how many retries the budget pays for from now on.
func paid(t *testing.T, budget retry.Policy) int {
	t.Helper()
	op := scripted(errBoom)
	exhaustedBy(t, retry.With(budget).WrapExhausted().Run(t.Context(), op.run), "budget", op.calls)
	return op.calls - 1
}

func TestABudgetPaysForRetriesThatReallyStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		budget := reserve(5)
		op := scripted(errBoom, errBoom, nil)
		require.NoError(t, retry.With(budget).Run(t.Context(), op.run))
		require.Equal(t, 3, paid(t, budget), "two are spent, and a success takes none")
	})
}

func TestABudgetIsGivenBackForARetryThatDoesNotStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, session := range map[string]func(budget retry.Policy) error{
			"the wait ends early": func(budget retry.Policy) error {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				return retry.With(budget, retry.NewSleep(retry.Flat, time.Second)).Listen(retry.ListenerFunc(func(_ context.Context, e retry.Event) {
					if _, ok := e.(retry.RetryScheduled); ok {
						cancel()
					}
				})).Run(ctx, scripted(errBoom).run)
			},
			"a later taker refuses": func(budget retry.Policy) error {
				return retry.With(budget, allowance(0)).Run(t.Context(), scripted(errBoom).run)
			},
			"a later budget refuses": func(budget retry.Policy) error {
				return retry.With(budget, retry.NewBudget(retry.BudgetSettings{TTL: time.Second})).Run(t.Context(), scripted(errBoom).run)
			},
			"a hook refuses": func(budget retry.Policy) error {
				factory := retry.PolicyFrom("budget", func() retry.Policy { return budget })
				return run(t.Context(), compiled(t, retry.Definition{
					Settings: settings(factory),
					Custom:   map[retry.PolicyFactory]retry.Policy{factory: budget},
					Hooks:    retry.Hooks{BeforeRetry: func(*retry.Session) error { return errOther }},
				}), scripted(errBoom).run)
			},
			"the wait would pass the deadline": func(budget retry.Policy) error {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				return retry.With(budget, retry.NewSleep(retry.Flat, time.Minute)).Run(ctx, scripted(errBoom).run)
			},
			"a limit refuses": func(budget retry.Policy) error {
				return retry.With(budget, retry.NewMaxAttempts(1)).Run(t.Context(), scripted(errBoom).run)
			},
		} {
			budget := reserve(3)
			require.Error(t, session(budget))
			require.Equal(t, 3, paid(t, budget), name)
		}
	})
}

func TestEachOfManyBudgetsGetsItsOwnBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		budgets := []retry.Policy{reserve(2), reserve(3), reserve(4), reserve(5), reserve(6)}
		list := append([]retry.Policy{budgets[0], purse(new(journal), "a", 0)}, budgets[1:]...)
		err := retry.With(list...).With(allowance(1)).WrapExhausted().Run(t.Context(), scripted(errBoom).run)
		exhaustedBy(t, err, "taker", 2)
		for i, b := range budgets {
			require.Equal(t, i+1, paid(t, b), "one retry was paid for by each")
		}
	})
}

func TestChainsThatHoldTheSameValueShareTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		budget := reserve(3)
		one, other := retry.With(budget), retry.With(budget).Max(2)
		require.Error(t, other.Run(t.Context(), scripted(errBoom).run))
		op := scripted(errBoom)
		require.Error(t, one.Run(t.Context(), op.run))
		require.Equal(t, 1+2, op.calls)
	})
}

func TestOnlyAdmittedSessionsDeposit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done, cancel := context.WithCancel(t.Context())
		cancel()
		for _, c := range []struct {
			name    string
			deposit retry.Deposit
			call    func(retry.ErrorChain)
			retries int // that five such calls, and then the failing one itself, pay for
		}{
			{"a success", "", func(c retry.ErrorChain) { _ = c.Run(t.Context(), scripted(nil).run) }, 6},
			{"a failure", "", func(c retry.ErrorChain) { _ = c.Max(1).Run(t.Context(), scripted(errBoom).run) }, 6},
			{"a call that a gate rejects", "", func(c retry.ErrorChain) { _ = c.With(closedGate).Run(t.Context(), scripted(nil).run) }, 1},
			{"a call whose context is done", "", func(c retry.ErrorChain) { _ = c.Run(done, scripted(nil).run) }, 1},
			{"a success, where successes deposit", retry.DepositSuccess, func(c retry.ErrorChain) { _ = c.Run(t.Context(), scripted(nil).run) }, 5},
			{"a failure, where successes deposit", retry.DepositSuccess, func(c retry.ErrorChain) { _ = c.Max(1).Run(t.Context(), scripted(errBoom).run) }, 0},
		} {
			budget := retry.NewBudget(retry.BudgetSettings{TTL: time.Hour, Percent: 1, Deposit: c.deposit})
			for range 5 {
				c.call(retry.With(budget))
			}
			require.Equal(t, c.retries, paid(t, budget), c.name)
		}
	})
}

func TestPercentIsExact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for percent, want := range map[float64]int{0.3: 300, 0.2: 200, 0.001: 1, 1: 1000, 2.5: 2500} {
			chain := retry.With(retry.NewBudget(retry.BudgetSettings{TTL: time.Hour, Percent: percent}))
			calls := 0
			for range 1000 {
				_ = chain.Run(t.Context(), func(context.Context) error { calls++; return errBoom })
			}
			require.Equal(t, 1000+want, calls, "%v", percent)
		}
	})
}

func TestABudgetsPolicyCanBeTakenFromByHand(t *testing.T) {
	budget := reserve(1).(retry.Taker)
	require.NoError(t, budget.Take(nil))
	require.Error(t, budget.Take(nil))
	budget.GiveBack(nil)
}
