package annotation

import (
	"fmt"
	"slices"

	"github.com/backstay/backstay/retry"
)

// retries says what an annotation retries, as far as the settings of one layer tell.
type retries struct {
	errors  bool         // some errors
	results []*Reference // results of which one of these says so
}

// readRetries looks for conditions among settings, and reports whether there are any.
func readRetries(settings []setting) (r retries, own bool) {
	ofErrors := false
	for _, s := range settings {
		switch s.attr {
		case attribute(retryErrors):
			ofErrors = true
			r.errors = r.errors || slices.ContainsFunc(s.value.([]matcher), func(m matcher) bool {
				return m.literal == nil || !sameMatcher(m.literal, retry.NoError)
			})
		case attribute(retryIfError):
			ofErrors = true
			r.errors = true
		case attribute(retryIfResult):
			r.results = append(r.results, s.value.(*Reference))
		}
	}
	r.errors = r.errors || !ofErrors
	return r, ofErrors || len(r.results) > 0
}

// retries is what the declaration retries, by hand or by its Defaults. Without conditions of its own it lives by those of
// the annotations beside it, or by the container's, which is what it says then.
func (s *stack) retries() (_ retries, own bool) {
	if r, own := readRetries(s.hand.settings); own {
		return r, true
	}
	var byDefault []setting
	for _, x := range s.defaults.settings {
		byDefault = append(byDefault, x.setting)
	}
	if r, own := readRetries(byDefault); own {
		return r, true
	}
	r, _ := readRetries(s.container.settings)
	return r, false
}

// some reports whether anything that the method does can be retried. A panic may stand for an error. Who writes by hand that
// nothing is retried means it.
func (r *retries) some(m Method, panics bool) bool {
	if !r.errors && len(r.results) == 0 {
		return true
	}
	return r.errors && (m.returnsError() || panics) || slices.ContainsFunc(r.results, func(p *Reference) bool {
		return m.hasResult() || !p.isFalsy()
	})
}

// setsPanics reports whether retryPanics is set to true.
func setsPanics(s setting) bool {
	return s.attr == attribute(retryPanics) && s.value.(bool)
}

// panics reports whether an annotation of the method makes panics throwables.
func (r *resolver) panics(method int) bool {
	if slices.ContainsFunc(r.container.settings, setsPanics) {
		return true
	}
	return slices.ContainsFunc(r.admitted, func(a *admitted) bool {
		return a.reach[method] > 0 && (slices.ContainsFunc(a.hand.settings, setsPanics) ||
			slices.ContainsFunc(a.layers.defaults.settings, func(x defaulted) bool { return setsPanics(x.setting) }))
	})
}

// ruleOutImpossible takes out of each declaration's reach the methods that can never be retried under it. That is a mistake
// where the method is named; a glob skips it, and is a mistake when it meets nothing else.
func (r *resolver) ruleOutImpossible() {
	for _, own := range []bool{true, false} { // those without conditions of their own look at those that have some
		for _, a := range r.admitted {
			if a.kind.retry && a.ownConditions == own {
				r.ruleOut(a)
			}
		}
	}
}

func (r *resolver) ruleOut(a *admitted) {
	var skipped *mistake
	met, named := false, false
	for i, m := range r.subject.Methods {
		if a.reach[i] == 0 {
			continue
		}
		obstacle := r.obstacle(a, i)
		switch {
		case obstacle == nil:
			met = true
			continue
		case a.reach[i] == outright:
			named = true
			r.report(a.Declaration, m.Name, *obstacle)
		case skipped == nil:
			skipped = obstacle
		}
		a.reach[i] = 0
	}
	if skipped != nil && !met && !named {
		r.report(a.Declaration, "", mistake{
			problem: fmt.Sprintf("%s meets only methods that can never be retried: %s", a.methods.text, skipped.problem),
			remedy:  skipped.remedy,
		})
	}
}

// obstacle says why the method can never be retried under the declaration; nil: it can.
func (r *resolver) obstacle(a *admitted, method int) *mistake {
	m := r.subject.Methods[method]
	if !m.takesContext() && a.timesAttempts() {
		return &mistake{
			problem: fmt.Sprintf("attemptTimeout needs a context that ends an attempt, and %s takes none", m.Name),
			remedy:  "let its first parameter be a context.Context, or leave attemptTimeout out",
		}
	}
	panics := r.panics(method)
	if a.judges || a.retries.some(m, panics) {
		return nil
	}
	if !a.ownConditions && slices.ContainsFunc(r.admitted, func(b *admitted) bool {
		return b.kind.retry && b.ownConditions && b.reach[method] > 0 && (b.judges || b.retries.some(m, panics))
	}) {
		return nil
	}
	if a.retries.errors {
		return &mistake{
			problem: fmt.Sprintf("%s returns no error, so it can never be retried", m.Name),
			remedy:  "let its last result be an error, or say by annotation.RetryIfResult which results are retried",
		}
	}
	return &mistake{
		problem: fmt.Sprintf("%s returns no result that could be falsy", m.Name),
		remedy:  "let it return a result beside the error, or use an annotation that retries errors, such as aliases.RetryThrowable",
	}
}

// timesAttempts reports whether the declaration bounds attempts, apart from what the container's defaults say: those are
// left out of methods that cannot have them.
func (a *admitted) timesAttempts() bool {
	s := stack{container: &layer{}, defaults: a.layers.defaults, hand: a.layers.hand}
	lists, replaced := s.policies()
	return slices.Contains(slices.Concat(append(lists, s.brought(replaced))...), retry.AttemptTimeout)
}
