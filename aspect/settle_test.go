package aspect_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// noBudget pays for nothing.
var noBudget = retry.BudgetSettings{TTL: time.Second}

// touchy is a breaker that opens at the second failure.
var touchy = retry.BreakerSettings{ResetTimeout: time.Hour, Consecutive: 2}

// settled plans a Stripe of two names, each with its options, and returns what Settle says.
func settled(t *testing.T, w *aspect.Weaver, a, b []annotation.Option) ([]*aspect.Plan, []*annotation.DefinitionError) {
	t.Helper()
	var plans []*aspect.Plan
	for i, opts := range [][]annotation.Option{a, b} {
		s := gatewayService(annotation.Declare[Quick]("Charge", []string{"shop/main.go:1", "shop/main.go:2"}[i], opts...))
		s.Ref.Name = []string{"a", "b"}[i]
		p, errs := w.Plan(s, services{})
		require.Empty(t, errs)
		plans = append(plans, p)
	}
	return plans, asDefinitionErrors(t, w.Settle(plans))
}

type options = []annotation.Option

func TestWhoWritesNoSettingsOfASharedBudgetTakesTheOthers(t *testing.T) {
	writes := options{annotation.BudgetName("shop"), annotation.Budget(noBudget)}
	takes := options{annotation.BudgetName("shop")}
	for name, order := range map[string][2]options{"written first": {writes, takes}, "written last": {takes, writes}} {
		t.Run(name, func(t *testing.T) {
			plans, errs := settled(t, aspect.NewWeaver(), order[0], order[1])
			require.Empty(t, errs)
			for _, p := range plans {
				s := down(always)
				_, err := woven[Gateway](t, p, s, nil).Charge(t.Context(), "7", 5)
				require.Equal(t, errDown, err)
				require.Equal(t, 1, s.calls, "the budget pays for no retry")
			}
		})
	}
}

func TestASharedBudgetIsOne(t *testing.T) {
	one := options{annotation.MaxAttempts(5), annotation.BudgetName("shop"), annotation.Budget(retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: 0.2})}
	plans, errs := settled(t, aspect.NewWeaver(), one, one)
	require.Empty(t, errs)
	calls := 0
	for _, p := range plans {
		s := down(always)
		_, _ = woven[Gateway](t, p, s, nil).Charge(t.Context(), "7", 5)
		calls += s.calls
	}
	require.Equal(t, 4, calls, "two calls, and the reserve's two retries")
}

func TestWhoWritesNoSettingsOfASharedBreakerTakesTheOthers(t *testing.T) {
	writes := options{annotation.BreakerName("peer"), annotation.Breaker(touchy)}
	takes := options{annotation.BreakerName("peer")}
	for name, order := range map[string][2]options{"written first": {writes, takes}, "written last": {takes, writes}} {
		t.Run(name, func(t *testing.T) {
			w := aspect.NewWeaver()
			plans, errs := settled(t, w, order[0], order[1])
			require.Empty(t, errs)
			require.Len(t, w.Shared().Breakers(), 1)
			for i, p := range plans {
				s := down(always)
				_, err := woven[Gateway](t, p, s, nil).Charge(t.Context(), "7", 5)
				if i == 0 {
					require.Equal(t, errDown, err)
					require.Equal(t, 2, s.calls, "it opens at the second failure, and that ends the session")
					continue
				}
				require.ErrorIs(t, err, retry.ErrCircuitOpen)
			}
		})
	}
}

func TestSharedSettingsThatDifferAreADefinitionError(t *testing.T) {
	for _, c := range []struct {
		what string
		a, b options
	}{
		{"budget", options{annotation.BudgetName("x"), annotation.Budget(noBudget)},
			options{annotation.BudgetName("x"), annotation.Budget(retry.BudgetSettings{TTL: 2 * time.Second})}},
		{"breaker", options{annotation.BreakerName("x"), annotation.Breaker(touchy)},
			options{annotation.BreakerName("x"), annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Minute})}},
	} {
		t.Run(c.what, func(t *testing.T) {
			w := aspect.NewWeaver()
			_, errs := settled(t, w, c.a, c.b)
			require.Len(t, errs, 1)
			require.Equal(t, &annotation.DefinitionError{
				Ref: retry.MethodRef{Class: "Stripe", Name: "b", Method: "Charge"}, Annotation: "aspect_test.Quick", Place: "shop/main.go:2",
				Problem: c.what + ` "x" is shared, and its settings differ from those of Stripe#a@Charge (shop/main.go:1)`,
				Remedy:  "write the settings at one of the methods, or use another name",
			}, errs[0])
			require.Empty(t, w.Shared().Breakers())

			_, errs = settled(t, aspect.NewWeaver(), c.a, c.a)
			require.Empty(t, errs, "the same settings may be written twice")
		})
	}
}

func TestAZeroDepositIsThatOfEveryCall(t *testing.T) {
	_, errs := settled(t, aspect.NewWeaver(),
		options{annotation.BudgetName("x"), annotation.Budget(retry.BudgetSettings{TTL: time.Second})},
		options{annotation.BudgetName("x"), annotation.Budget(retry.BudgetSettings{TTL: time.Second, Deposit: retry.DepositCall})})
	require.Empty(t, errs)
}

func TestWrapsShareByName(t *testing.T) {
	t.Run("who comes later takes the settings that there are", func(t *testing.T) {
		w := aspect.NewWeaver()
		wrapped[Gateway](t, w, &Stripe{}, aspect.Annotate[Quick]("Charge", annotation.BudgetName("x"), annotation.Budget(noBudget)))
		s := down(always)
		_, err := wrapped[Gateway](t, w, s, aspect.WithName("b"), aspect.Annotate[Quick]("Charge", annotation.BudgetName("x"))).Charge(t.Context(), "7", 5)
		require.Equal(t, errDown, err)
		require.Equal(t, 1, s.calls)
	})
	for _, c := range []struct {
		what             string
		name             annotation.Option
		settings, others annotation.Option
	}{
		{"budget", annotation.BudgetName("x"), annotation.Budget(noBudget), annotation.Budget(retry.BudgetSettings{TTL: time.Minute})},
		{"breaker", annotation.BreakerName("x"), annotation.Breaker(touchy), annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Minute})},
	} {
		t.Run("differing "+c.what, func(t *testing.T) {
			w := aspect.NewWeaver()
			wrapped[Gateway](t, w, &Stripe{}, aspect.Annotate[Quick]("Charge", c.name, c.settings))
			_, err := aspect.Wrap[Gateway](w, &Stripe{}, aspect.WithName("b"), aspect.Annotate[Quick]("Charge", c.name, c.others))
			d := onlyProblem(t, err)
			require.Equal(t, c.what+` "x" is shared, and its settings differ from those of Stripe@Charge`, d.Problem)
			require.Equal(t, "Stripe#b@Charge", d.Ref.String())
			require.Equal(t, "aspect_test.Quick", d.Annotation)
			require.Regexp(t, `^aspect/settle_test.go:\d+$`, d.Place)
		})
	}
}

func TestBreakersAreListedBeforeTheFirstCall(t *testing.T) {
	w := aspect.NewWeaver()
	own := annotation.Breaker(touchy)
	wrapped[Gateway](t, w, &Stripe{}, aspect.WithName("eu"), aspect.Annotate[Quick]("Charge,Refund", own))
	wrapped[Gateway](t, w, &Stripe{}, aspect.Annotate[Quick]("Charge", annotation.BreakerName("peer")))
	var names []string
	for _, b := range w.Shared().Breakers() {
		names = append(names, b.Name())
	}
	require.Equal(t, []string{"Stripe#eu@Charge", "Stripe#eu@Refund", "peer"}, names)
	b, ok := w.Shared().Breaker("Stripe#eu@Refund")
	require.True(t, ok)
	require.Equal(t, retry.BreakerClosed, b.State())
}
