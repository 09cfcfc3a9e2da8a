package retry

import "math"

// BudgetStatus is what there is to know of a budget at one moment. Its JSON form is stable: names in lower camel case,
// durations in nanoseconds.
type BudgetStatus struct {
	Name    string   `json:"name"`              // the shared one, or the reference of its one method; in chains the name of the first that has one
	Methods []string `json:"methods,omitempty"` // references of those that it pays for, sorted; only [Shared] and a container know them

	Balance     float64 `json:"balance"`     // retries that it would pay for at this moment
	Reserve     float64 `json:"reserve"`     // of these, those that the reserve pays for
	ReserveSize float64 `json:"reserveSize"` // what the reserve holds when it is full
	Sessions    uint64  `json:"sessions"`    // that have paid in, in the window

	Paid    uint64 `json:"paid"`    // retries, since the budget was made
	Refused uint64 `json:"refused"` // the same

	Settings BudgetSettings `json:"settings"`
}

// BudgetStatusOf is the status of a policy made by [NewBudget]; false of any other policy, and where its settings are out of
// range.
func BudgetStatusOf(p Policy) (BudgetStatus, bool) {
	b, ok := p.(*budgetPolicy)
	if !ok || b.budget == nil {
		return BudgetStatus{}, false
	}
	return b.budget.status(now()), true
}

// status is what there is to know at time t. To look changes nothing: it moves a copy of the books.
func (b *budget) status(t int64) BudgetStatus {
	b.mu.Lock()
	defer b.mu.Unlock()
	seen, sessions := b.books, uint64(0)
	slice, leapt := seen.advance(t, b.settings.TTL)
	if b.percent != 0 && !leapt {
		sessions = b.deposits.sum(slice, math.MaxUint64)
	}
	retries := func(thousandths uint64) float64 { return float64(thousandths) / retryCost }
	name := b.name
	if called := b.called.Load(); name == "" && called != nil {
		name = *called
	}
	return BudgetStatus{
		Name:        name,
		Balance:     retries(seen.unspent(sessions*b.percent) + seen.reserve.have),
		Reserve:     retries(seen.reserve.have),
		ReserveSize: retries(seen.reserve.size),
		Sessions:    sessions,
		Paid:        b.paid,
		Refused:     b.refused.Load(),
		Settings:    b.settings,
	}
}
