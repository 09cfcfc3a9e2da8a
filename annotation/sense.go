package annotation

import (
	"fmt"
	"slices"

	"github.com/backstay/backstay/retry"
)

// checkSense reports settings by hand that undo each other: each is in range, and together nothing is retried, or one of
// them has no effect. It asks of methods that are named, since a glob may meet some for which it is so. A farther setting
// that a nearer one cuts short is no mistake: a deployment may lower a bound that an author's setting exceeds then.
func (r *resolver) checkSense(d *MethodDefinition, m *merging, held []*admitted, method int) {
	if !slices.ContainsFunc(held, func(a *admitted) bool { return a.reach[method] == outright }) {
		return
	}
	report := func(key, problem, remedy string) {
		from := d.Origins[key]
		r.add(nil, DefinitionError{Ref: d.Ref, Annotation: from.Annotation, Place: from.Place, Problem: problem, Remedy: remedy})
	}
	s := &d.Settings
	has := func(f retry.PolicyFactory) bool { return slices.Contains(s.Policies, f) }

	if d.byHand(retryErrors.key) && d.retriesNothing() {
		report(retryErrors.key, "retryErrors is none, and there is no other condition, so nothing is ever retried",
			"write maxAttempts 1 for no retry, or a condition beside it, such as retryIfResult")
	}
	if has(retry.AttemptTimeout) && has(retry.Timeout) && s.Timeout > 0 && s.AttemptTimeout > s.Timeout && d.exceeds(attemptTimeout.key, timeout.key) {
		report(attemptTimeout.key, fmt.Sprintf("attemptTimeout %v is longer than timeout %v, so it never ends an attempt", s.AttemptTimeout, s.Timeout),
			"write a shorter attemptTimeout or a longer timeout, or leave one of them out")
	}
	if s.MaxAttempts == 1 && has(retry.MaxAttempts) {
		return // nothing waits, and nothing asks the budget
	}
	if has(retry.Budget) && s.BudgetName == "" && s.Budget.Percent == 0 && s.Budget.MinPerSec == 0 {
		for _, key := range []string{budgetPercent.key, budgetMinPerSec.key} {
			if d.byHand(key) {
				report(key, "budget percent 0 and minPerSec 0 pay for no retry",
					"write maxAttempts 1 for no retry, or a percent, such as 0.2")
				break
			}
		}
	}
	if !has(retry.Sleep) {
		return
	}
	if builtinStrategy(s.SleepStrategy) && s.Base > s.MaxDelay && d.exceeds(base.key, maxDelay.key) {
		report(base.key, fmt.Sprintf("base %v is longer than maxDelay %v, which bounds every wait", s.Base, s.MaxDelay),
			"write a shorter base or a longer maxDelay")
	}
	if first := min(s.Base, s.MaxDelay); isFlat(s.SleepStrategy) && has(retry.Timeout) && s.Timeout > 0 && first >= s.Timeout {
		for _, key := range []string{base.key, timeout.key} {
			if d.byHand(key) {
				report(key, fmt.Sprintf("each wait is %v and timeout is %v, so there is never time for a retry", first, s.Timeout),
					"write a shorter base or a longer timeout")
				break
			}
		}
	}
}

// byHand reports whether the value of an attribute is written by hand.
func (d *MethodDefinition) byHand(key string) bool { return d.Origins[key].Layer >= LayerTag }

// exceeds reports whether a value that is by hand was written in sight of its bound: the bound is of a farther layer, or of
// the same mark or call.
func (d *MethodDefinition) exceeds(key, bound string) bool {
	return d.byHand(key) && (!d.byHand(bound) || d.Origins[key] == d.Origins[bound])
}

// retriesNothing reports whether no condition can ever be met, and the policies do nothing else than retry: a breaker or a
// timeout is worth having without.
func (d *MethodDefinition) retriesNothing() bool {
	return len(d.Settings.RetryErrors) == 1 && isNone(d.Settings.RetryErrors[0]) &&
		len(d.RetryErrorRefs)+len(d.RetryIfError)+len(d.RetryIfResult) == 0 &&
		!slices.ContainsFunc(d.Settings.Policies, func(f retry.PolicyFactory) bool { return !slices.Contains(defaultPolicies, f) })
}

// builtinStrategy reports whether the waits of a strategy begin with the base, which is what the built-in ones do.
func builtinStrategy(s retry.SleepStrategy) bool {
	return s != nil && slices.ContainsFunc(strategyNames, func(name string) bool {
		return sameStrategy(strategy{literal: s}, strategy{literal: namedStrategies[name]})
	})
}

func isFlat(s retry.SleepStrategy) bool {
	return s != nil && sameStrategy(strategy{literal: s}, strategy{literal: retry.Flat})
}
