package retry

import (
	"cmp"
	"slices"
)

// Status is what there is to know of the breakers and budgets of a weaver at one moment, as data: for scripts, health reports
// and pages. Its JSON form is stable.
type Status struct {
	Breakers []BreakerStatus `json:"breakers"` // by name
	Budgets  []BudgetStatus  `json:"budgets"`  // by name
}

// Status tells of all breakers and budgets, with the methods that each is for. It is made of one look at each, one after the
// other. Those that only chains of the fluent form use are not among them; ask [Breaker.Status] and [BudgetStatusOf].
func (sh *Shared) Status() Status {
	sh.mu.Lock()
	breakers := slices.Clone(sh.breakers)
	guarded, paidFor := methodsOf(sh.guarded), methodsOf(sh.paidFor)
	sh.mu.Unlock()

	s := Status{Breakers: make([]BreakerStatus, 0, len(breakers)), Budgets: make([]BudgetStatus, 0, len(paidFor))}
	for _, b := range breakers {
		one := b.Status()
		one.Methods = guarded[b]
		s.Breakers = append(s.Breakers, one)
	}
	for b, methods := range paidFor {
		one := b.status(now())
		one.Name, one.Methods = cmp.Or(one.Name, methods[0]), methods
		s.Budgets = append(s.Budgets, one)
	}
	slices.SortFunc(s.Breakers, func(a, b BreakerStatus) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(s.Budgets, func(a, b BudgetStatus) int { return cmp.Compare(a.Name, b.Name) })
	return s
}

// methodsOf are the references of the methods that use each, sorted.
func methodsOf[P comparable](uses map[use[P]]bool) map[P][]string {
	all := map[P][]string{}
	for u := range uses {
		all[u.of] = append(all[u.of], u.ref)
	}
	for _, refs := range all {
		slices.Sort(refs)
	}
	return all
}
