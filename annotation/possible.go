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
				return m.literal == nil || !isNone(m.literal)
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

// some reports whether anything that the method does can be retried. A panic may stand for an error. Where nothing is to be
// retried it is not the method that stands in the way; see checkSense.
func (r *retries) some(m Method, panics bool) bool {
	if !r.errors && len(r.results) == 0 {
		return true
	}
	return r.errors && (m.returnsError() || panics) || slices.ContainsFunc(r.results, func(p *Reference) bool {
		return m.hasResult() || !p.isFalsy()
	})
}

// panics reports whether panics of the method are throwables, by the setting that holds.
func (r *resolver) panics(method int) bool {
	held := retryAnnotations(r.holding(method), method)
	on := r.merge(method, held).of(retryPanics)
	return on != nil && on.value.(bool)
}

// ruleOutImpossible takes out of each declaration's reach the methods that can never be retried under it. That is a mistake
// where the method is named; a glob skips it, and is a mistake when it meets nothing else.
func (r *resolver) ruleOutImpossible() {
	r.ruleOut(func(a *admitted, m Method, _ int) *mistake { return a.lacksContext(m) })
	for _, own := range []bool{true, false} { // those without conditions of their own look at those that have some
		r.ruleOut(func(a *admitted, m Method, i int) *mistake {
			if a.ownConditions != own {
				return nil
			}
			return r.lacksCondition(a, m, i)
		})
	}
	for _, a := range r.admitted {
		if a.skipped != nil && !a.met && !a.forMany && slices.Max(a.reach) == 0 {
			r.report(a.Declaration, "", mistake{
				problem: fmt.Sprintf("%s meets only methods that can never be retried: %s", a.methods.text, a.skipped.problem),
				remedy:  a.skipped.remedy,
			})
		}
	}
}

// ruleOut asks for the obstacles of all declarations before it takes any out, since they look at each other.
func (r *resolver) ruleOut(obstacle func(*admitted, Method, int) *mistake) {
	var out []func()
	for _, a := range r.admitted {
		for i, m := range r.subject.Methods {
			if !a.kind.retry || a.reach[i] == 0 {
				continue
			}
			if o := obstacle(a, m, i); o != nil {
				out = append(out, func() { r.takeOut(a, i, o) })
			}
		}
	}
	for _, take := range out {
		take()
	}
}

func (r *resolver) takeOut(a *admitted, method int, obstacle *mistake) {
	if a.reach[method] == outright {
		a.met = true
		r.report(a.Declaration, r.subject.Methods[method].Name, *obstacle)
	} else if a.skipped == nil {
		a.skipped = obstacle
	}
	a.reach[method] = 0
}

// lacksContext says why attempts of the method cannot be bounded as the declaration says; nil: they can, or need not.
func (a *admitted) lacksContext(m Method) *mistake {
	if m.takesContext() || !a.timesAttempts() {
		return nil
	}
	return &mistake{
		problem: fmt.Sprintf("attemptTimeout needs a context that ends an attempt, and %s takes none", m.Name),
		remedy:  "let its first parameter be a context.Context, or leave attemptTimeout out",
	}
}

// lacksCondition says why nothing that the method does can be retried under the declaration; nil: something can.
func (r *resolver) lacksCondition(a *admitted, m Method, method int) *mistake {
	if a.judges || a.retries.some(m, false) {
		return nil
	}
	panics := r.panics(method)
	if a.retries.some(m, panics) {
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
	return slices.ContainsFunc(append(lists, s.brought(replaced)), func(list []retry.PolicyFactory) bool {
		return slices.Contains(list, retry.AttemptTimeout)
	})
}
