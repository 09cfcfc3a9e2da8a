package aspect

import (
	"cmp"
	"fmt"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// Settle unites what plans share by name: methods that say one BudgetName or BreakerName have its settings, which those
// that write some have to agree on; who writes none takes them. It makes all breakers, so that operators find them before
// the first call. Call it once, when all plans are made without errors and before the first Weave. Each error is an
// *annotation.DefinitionError.
func (w *Weaver) Settle(plans []*Plan) (errs []error) {
	var all []*plannedRetry
	for _, p := range plans {
		for _, m := range p.methods {
			if m.retry != nil {
				all = append(all, m.retry)
			}
		}
	}
	budgets, breakers := map[string]*plannedRetry{}, map[string]*plannedRetry{}
	for _, r := range all {
		d := &r.definition
		if name := d.Settings.BudgetName; name != "" && d.BudgetWritten {
			first, taken := budgets[name]
			if !taken {
				budgets[name] = r
			} else if !sameBudget(first.definition.Settings.Budget, d.Settings.Budget) {
				errs = append(errs, r.differs(first, "budget", name))
			}
		}
		if name := d.Settings.BreakerName; name != "" && d.BreakerWritten {
			first, taken := breakers[name]
			if !taken {
				breakers[name] = r
			} else if first.definition.Settings.Breaker != d.Settings.Breaker {
				errs = append(errs, r.differs(first, "breaker", name))
			}
		}
	}
	if len(errs) > 0 {
		return errs
	}
	for _, r := range all {
		d := &r.definition
		if first := budgets[d.Settings.BudgetName]; first != nil {
			r.share("budget", first)
			d.Settings.Budget, d.BudgetWritten = first.definition.Settings.Budget, true
		}
		if first := breakers[d.Settings.BreakerName]; first != nil {
			r.share("breaker", first)
			d.Settings.Breaker, d.BreakerWritten = first.definition.Settings.Breaker, true
		}
		if err := w.shared.Prepare(d); err != nil {
			errs = appendAll(errs, complete(err, d.Settings.Ref, r.name, r.place))
		}
	}
	return errs
}

// share remembers whose settings hold, where they are another method's.
func (r *plannedRetry) share(group string, of *plannedRetry) {
	if of != r {
		r.shares = append(r.shares, sharing{group, of})
	}
}

// sameBudget reports whether both mean the same; the zero Deposit is DepositCall.
func sameBudget(a, b retry.BudgetSettings) bool {
	a.Deposit, b.Deposit = cmp.Or(a.Deposit, retry.DepositCall), cmp.Or(b.Deposit, retry.DepositCall)
	return a == b
}

func (r *plannedRetry) differs(first *plannedRetry, what, name string) error {
	return &annotation.DefinitionError{
		Ref: r.definition.Settings.Ref, Annotation: r.name, Place: r.place,
		Problem: fmt.Sprintf("%s %q is shared, and its settings differ from those of %v (%s)", what, name, first.definition.Settings.Ref, first.place),
		Remedy:  "write the settings at one of the methods, or use another name",
	}
}
