package retry

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Shared holds the budgets and breakers of a weaver: those that several methods share by a name, and each method's own, for
// operators. The zero value is empty and ready. It is safe for concurrent use.
type Shared struct {
	mu       sync.Mutex
	budgets  map[string]*sharing[*budgetPolicy, BudgetSettings]
	named    map[string]*sharing[*circuitBreaker, BreakerSettings]
	breakers []*Breaker
	guarding map[string]*Breaker // by the reference of each method that one guards; of several methods of one reference, the last
	guarded  map[use[*Breaker]]bool
	paidFor  map[use[*budget]]bool
}

// use is that a method has a breaker or a budget.
type use[P comparable] struct {
	of  P
	ref string
}

// sharing is one policy that methods share by a name.
type sharing[P any, S comparable] struct {
	policy   P
	settings S
	written  bool // somebody has written the settings
	first    MethodRef
}

// share returns the policy of that name, and makes it for the first method that says the name. Who writes settings must
// agree with who came before; who writes none takes what there is.
func share[P any, S comparable](all *map[string]*sharing[P, S], what, name string, ref MethodRef, settings S, written bool, make func() P) (P, error) {
	if *all == nil {
		*all = map[string]*sharing[P, S]{}
	}
	x := (*all)[name]
	if x == nil {
		x = &sharing[P, S]{make(), settings, written, ref}
		(*all)[name] = x
	}
	if written && x.settings != settings {
		problem := fmt.Sprintf("%s %q is shared, and its settings differ from those of %v", what, name, x.first)
		if !x.written {
			problem = fmt.Sprintf("%s %q is in use with the default settings since %v was woven", what, name, x.first)
		}
		return x.policy, &DefinitionError{Ref: ref, Problem: problem, Remedy: "write the settings once, at the method that is woven first, or use another name"}
	}
	return x.policy, nil
}

// Prepare makes, or finds, the breaker and the budget of a definition before it is compiled, so that operators see them
// before the first call.
func (sh *Shared) Prepare(d *Definition) error {
	var errs [2]error
	if slices.Contains(d.Settings.Policies, CircuitBreaker) {
		d.breaker, errs[0] = sh.circuitBreaker(d)
	}
	if slices.Contains(d.Settings.Policies, Budget) {
		d.budget, errs[1] = sh.budget(d)
	}
	return errors.Join(errs[:]...)
}

func (sh *Shared) budget(d *Definition) (Policy, error) {
	if d.budget != nil {
		return d.budget, nil
	}
	name, settings := d.Settings.BudgetName, d.Settings.Budget
	settings.Deposit = cmp.Or(settings.Deposit, DepositCall)
	make := func() *budgetPolicy { return newBudgetPolicy(name, settings) }
	if sh == nil {
		return make(), nil
	}
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if name == "" {
		return sh.pay(d.Settings.Ref, make()), nil
	}
	p, err := share(&sh.budgets, "budget", name, d.Settings.Ref, settings, d.BudgetWritten, make)
	if err != nil {
		return p, err
	}
	return sh.pay(d.Settings.Ref, p), nil
}

// pay notes which budget pays for retries of the method of ref. The lock is held.
func (sh *Shared) pay(ref MethodRef, p *budgetPolicy) *budgetPolicy {
	if p.budget == nil {
		return p // its settings are definition errors
	}
	if sh.paidFor == nil {
		sh.paidFor = map[use[*budget]]bool{}
	}
	sh.paidFor[use[*budget]{p.budget, ref.String()}] = true
	return p
}

func (sh *Shared) circuitBreaker(d *Definition) (Policy, error) {
	if d.breaker != nil {
		return d.breaker, nil
	}
	name, settings := d.Settings.BreakerName, d.Settings.Breaker
	make := func() *circuitBreaker { return newCircuitBreaker(cmp.Or(name, d.Settings.Ref.String()), settings) }
	if sh == nil {
		return make(), nil
	}
	sh.mu.Lock()
	defer sh.mu.Unlock()
	listed := func() *circuitBreaker {
		p := make()
		if len(p.problems) == 0 {
			sh.breakers = append(sh.breakers, p.breaker)
		}
		return p
	}
	if name == "" {
		return sh.guard(d.Settings.Ref, listed()), nil
	}
	p, err := share(&sh.named, "breaker", name, d.Settings.Ref, settings, d.BreakerWritten, listed)
	if err != nil {
		return p, err
	}
	return sh.guard(d.Settings.Ref, p), nil
}

// guard notes which breaker guards the method of ref. The lock is held.
func (sh *Shared) guard(ref MethodRef, p *circuitBreaker) *circuitBreaker {
	if sh.guarding == nil {
		sh.guarding, sh.guarded = map[string]*Breaker{}, map[use[*Breaker]]bool{}
	}
	name := ref.String()
	sh.guarding[name], sh.guarded[use[*Breaker]{p.breaker, name}] = p.breaker, true
	return p
}

// Breakers returns all breakers, by name.
func (sh *Shared) Breakers() []*Breaker {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	all := slices.Clone(sh.breakers)
	slices.SortFunc(all, func(a, b *Breaker) int { return cmp.Compare(a.Name(), b.Name()) })
	return all
}

// Breaker returns the breaker of a shared name, or the one that guards the method of a reference.
func (sh *Shared) Breaker(name string) (*Breaker, bool) {
	for _, b := range sh.Breakers() {
		if b.Name() == name {
			return b, true
		}
	}
	sh.mu.Lock()
	defer sh.mu.Unlock()
	b, ok := sh.guarding[name]
	return b, ok
}
