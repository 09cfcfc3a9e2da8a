package retry

import "errors"

const kindBudget = "budget"

// NewBudget returns the policy that pays for retries out of a budget: in any window of its TTL, requests pay for at most
// Percent of their number, and a reserve pays for the rest. Chains that hold the same value share it. Settings out of
// range are a definition error of what the policy is put into.
func NewBudget(settings BudgetSettings) Policy { return newBudgetPolicy("", settings) }

func newBudgetPolicy(name string, settings BudgetSettings) *budgetPolicy {
	p := &budgetPolicy{name: name, settings: settings, onSuccess: settings.Deposit == DepositSuccess}
	if p.problems = settings.check(); len(p.problems) == 0 {
		p.budget = newBudget(name, settings)
	}
	return p
}

type budgetPolicy struct {
	name      string
	settings  BudgetSettings
	onSuccess bool // deposits when a session ends in success, not when it starts
	problems  []string
	budget    *budget // nil when there are problems
}

// bind names a budget that has no name yet after what it pays for.
func (p *budgetPolicy) bind(ref MethodRef) {
	if name := ref.String(); p.budget != nil && name != "" {
		p.budget.called.CompareAndSwap(nil, &name)
	}
}

var errBudgetSpent = errors.New("budget is spent")

func (*budgetPolicy) Kind() string { return kindBudget }

func (p *budgetPolicy) check() []string { return p.problems }

// Start deposits for an admitted session.
func (p *budgetPolicy) Start(s *Session) {
	if !p.onSuccess {
		p.budget.deposit(s.started)
	}
}

// End deposits where only successes count.
func (p *budgetPolicy) End(s *Session) {
	if s.state == stateSucceeded {
		p.budget.deposit(now())
	}
}

// Take and GiveBack are never called: the loop calls take and keeps the ticket, which says what paid.
func (p *budgetPolicy) Take(*Session) error {
	if _, ok := p.take(); !ok {
		return errBudgetSpent
	}
	return nil
}
func (p *budgetPolicy) GiveBack(*Session) {}

func (p *budgetPolicy) take() (budgetTicket, bool) { return p.budget.take(now()) }

func (p *budgetPolicy) tellRefused(s *Session) {
	if l := s.plan.listener; l != nil {
		l.On(s.Context, BudgetRefused{s.plan.ref, p.name, s.id()})
	}
}
