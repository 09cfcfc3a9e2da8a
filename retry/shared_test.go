package retry_test

import (
	"sync"
	"testing"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// method is the definition of a method of the name, with a breaker and a budget in the shared place.
func method(shared *retry.Shared, name string, change func(*retry.Definition)) retry.Definition {
	set := settings(retry.Classifier, retry.CircuitBreaker, retry.Budget, retry.MaxAttempts)
	set.Ref = retry.MethodRef{Class: "Gateway", Method: name}
	d := retry.Definition{Settings: set, Shared: shared}
	if change != nil {
		change(&d)
	}
	return d
}

func TestMethodsThatSayOneNameShareABreaker(t *testing.T) {
	shared := new(retry.Shared)
	named := func(d *retry.Definition) { d.Settings.BreakerName = "peer" }
	one := compiled(t, method(shared, "One", named))
	two := compiled(t, method(shared, "Two", named))
	own := compiled(t, method(shared, "Own", nil))

	_ = run(t.Context(), one, scripted(errBoom).run)
	require.ErrorIs(t, run(t.Context(), two, scripted(nil).run), retry.ErrCircuitOpen)
	require.NoError(t, run(t.Context(), own, scripted(nil).run))

	var names []string
	for _, b := range shared.Breakers() {
		names = append(names, b.Name())
	}
	require.Equal(t, []string{"Gateway@Own", "peer"}, names)
	b, ok := shared.Breaker("peer")
	require.True(t, ok)
	require.Equal(t, retry.BreakerOpen, b.State())
	_, ok = shared.Breaker("nobody")
	require.False(t, ok)
}

func TestMethodsThatSayOneNameShareABudget(t *testing.T) {
	shared := new(retry.Shared)
	named := func(d *retry.Definition) {
		d.Settings.Policies = []retry.PolicyFactory{retry.Budget}
		d.Settings.BudgetName, d.Settings.Budget = "peer", retry.BudgetSettings{TTL: time.Second, MinPerSec: 1}
	}
	one, two := compiled(t, method(shared, "One", named)), compiled(t, method(shared, "Two", named))
	first, second := scripted(errBoom, nil), scripted(errBoom)
	require.NoError(t, run(t.Context(), one, first.run))
	require.Error(t, run(t.Context(), two, second.run))
	require.Equal(t, 1, second.calls, "the reserve of one retry is spent")
}

func TestSharedSettingsThatDifferAreADefinitionError(t *testing.T) {
	for _, what := range []string{"budget", "breaker"} {
		t.Run(what, func(t *testing.T) {
			with := func(seconds int, written bool) func(*retry.Definition) {
				d := time.Duration(seconds) * time.Second
				return func(m *retry.Definition) {
					m.BudgetWritten, m.BreakerWritten = written, written
					if what == "budget" {
						m.Settings.BudgetName, m.Settings.Budget.TTL = "peer", d
					} else {
						m.Settings.BreakerName, m.Settings.Breaker.ResetTimeout = "peer", d
					}
				}
			}
			shared := new(retry.Shared)
			_, err := retry.Compile(method(shared, "One", with(5, true)))
			require.NoError(t, err)
			_, err = retry.Compile(method(shared, "Same", with(5, true)))
			require.NoError(t, err)
			_, err = retry.Compile(method(shared, "Silent", with(10, false)))
			require.NoError(t, err, "who writes none takes the other's")
			_, err = retry.Compile(method(shared, "Other", with(7, true)))
			defined(t, err, "Gateway@Other", what+` "peer" is shared`, "differ from those of Gateway@One", "write the settings once")

			shared = new(retry.Shared)
			_, err = retry.Compile(method(shared, "Silent", with(10, false)))
			require.NoError(t, err)
			_, err = retry.Compile(method(shared, "Late", with(5, true)))
			defined(t, err, "Gateway@Late", "in use with the default settings since Gateway@Silent")
			_, err = retry.Compile(method(shared, "Agreeing", with(10, true)))
			require.NoError(t, err)
		})
	}
}

func TestPrepareMakesTheBreakerThatTheMethodGets(t *testing.T) {
	shared := new(retry.Shared)
	d := method(shared, "One", nil)
	require.NoError(t, shared.Prepare(&d))
	b, ok := shared.Breaker("Gateway@One")
	require.True(t, ok, "before anything is compiled")
	h := compiled(t, d)
	require.Len(t, shared.Breakers(), 1)

	b.ForceOpen()
	require.ErrorIs(t, run(t.Context(), h, scripted(nil).run), retry.ErrCircuitOpen)

	without := method(shared, "Two", func(d *retry.Definition) { d.Settings.Policies = []retry.PolicyFactory{retry.MaxAttempts} })
	require.NoError(t, shared.Prepare(&without))
	require.Len(t, shared.Breakers(), 1, "a method without a breaker gets none")

	differs := method(shared, "Three", func(d *retry.Definition) { d.Settings.BreakerName = "peer" })
	require.NoError(t, shared.Prepare(&differs))
	differs = method(shared, "Four", func(d *retry.Definition) {
		d.Settings.BreakerName, d.Settings.Breaker.ResetTimeout, d.BreakerWritten = "peer", time.Hour, true
	})
	defined(t, shared.Prepare(&differs), `breaker "peer"`)
}

func TestABreakerWithWrongSettingsIsNotListed(t *testing.T) {
	shared := new(retry.Shared)
	_, err := retry.Compile(method(shared, "One", func(d *retry.Definition) { d.Settings.Breaker.ResetTimeout = -1 }))
	defined(t, err, "resetTimeout")
	require.Empty(t, shared.Breakers())
}

func TestWithoutAPlaceToShareEachMethodHasItsOwn(t *testing.T) {
	named := func(d *retry.Definition) { d.Settings.BreakerName, d.Settings.BudgetName = "peer", "peer" }
	one, two := compiled(t, method(nil, "One", named)), compiled(t, method(nil, "Two", named))
	_ = run(t.Context(), one, scripted(errBoom).run)
	require.NoError(t, run(t.Context(), two, scripted(nil).run))
}

func TestSharedIsSafeForConcurrentUse(t *testing.T) {
	shared := new(retry.Shared)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			d := method(shared, string(rune('A'+i)), func(d *retry.Definition) {
				d.Settings.BreakerName, d.Settings.BudgetName = "peer", "peer"
			})
			if _, err := retry.Compile(d); err != nil {
				t.Error(err)
			}
			shared.Breakers()
			shared.Breaker("peer")
		})
	}
	wg.Wait()
	require.Len(t, shared.Breakers(), 1)
}

func TestMethodsThatSayNoNameShareNothing(t *testing.T) {
	shared := new(retry.Shared)
	reserveOfOne := func(d *retry.Definition) {
		d.Settings.Budget = retry.BudgetSettings{TTL: time.Second, MinPerSec: 1}
	}
	one, two := compiled(t, method(shared, "One", reserveOfOne)), compiled(t, method(shared, "Two", reserveOfOne))
	require.NoError(t, run(t.Context(), one, scripted(errBoom, nil).run))
	require.NoError(t, run(t.Context(), two, scripted(errBoom, nil).run), "it has a reserve of its own")

	require.Error(t, run(t.Context(), one, scripted(errBoom).run))
	require.ErrorIs(t, run(t.Context(), one, scripted(nil).run), retry.ErrCircuitOpen)
	require.NoError(t, run(t.Context(), two, scripted(nil).run), "and a breaker of its own")
	require.Len(t, shared.Breakers(), 2)
}

func TestABreakerIsFoundByTheReferenceOfEachMethodThatItGuards(t *testing.T) {
	shared := new(retry.Shared)
	named := func(d *retry.Definition) { d.Settings.BreakerName = "peer" }
	compiled(t, method(shared, "One", named))
	compiled(t, method(shared, "Two", named))
	compiled(t, method(shared, "Own", nil))

	peer, ok := shared.Breaker("peer")
	require.True(t, ok)
	for ref, want := range map[string]string{"Gateway@One": "peer", "Gateway@Two": "peer", "Gateway@Own": "Gateway@Own"} {
		for range 2 { // one look-up does not stand in the way of the next
			b, ok := shared.Breaker(ref)
			require.True(t, ok, ref)
			require.Equal(t, want, b.Name())
			require.Equal(t, want == "peer", b == peer)
		}
	}
}

func TestABudgetsDepositsAgreeHoweverTheDefaultIsWritten(t *testing.T) {
	shared := new(retry.Shared)
	with := func(deposit retry.Deposit) func(*retry.Definition) {
		return func(d *retry.Definition) {
			d.Settings.BudgetName, d.Settings.Budget.Deposit, d.BudgetWritten = "peer", deposit, true
		}
	}
	compiled(t, method(shared, "One", with("")))
	compiled(t, method(shared, "Two", with(retry.DepositCall)))
	_, err := retry.Compile(method(shared, "Three", with(retry.DepositSuccess)))
	defined(t, err, `budget "peer" is shared`)
}

func TestAMethodWhoseDefinitionFailsUsesNeitherBreakerNorBudget(t *testing.T) {
	shared := new(retry.Shared)
	named := func(d *retry.Definition) { d.Settings.BreakerName, d.Settings.BudgetName = "peer", "purse" }
	compiled(t, method(shared, "One", named))
	other := method(shared, "Two", func(d *retry.Definition) {
		named(d)
		d.Settings.Budget.TTL, d.BudgetWritten = time.Second, true
		d.Settings.Breaker.Consecutive, d.BreakerWritten = 7, true
	})
	err := shared.Prepare(&other)
	require.ErrorContains(t, err, `budget "purse" is in use`)
	require.ErrorContains(t, err, `breaker "peer" is in use`)
	s := shared.Status()
	require.Equal(t, []string{"Gateway@One"}, s.Breakers[0].Methods)
	require.Equal(t, []string{"Gateway@One"}, s.Budgets[0].Methods)
}

// A weaver may wrap two targets of a class and give them no names.
func TestStatusTellsOfTheBreakerAndTheBudgetOfEachMethodOfOneReference(t *testing.T) {
	shared := new(retry.Shared)
	for range 2 {
		compiled(t, method(shared, "Charge", nil))
	}
	s := shared.Status()
	require.Len(t, s.Breakers, 2)
	require.Len(t, s.Budgets, 2)
	for i := range 2 {
		require.Equal(t, []string{"Gateway@Charge"}, s.Breakers[i].Methods)
		require.Equal(t, []string{"Gateway@Charge"}, s.Budgets[i].Methods)
	}
}
