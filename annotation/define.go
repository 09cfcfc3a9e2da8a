package annotation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/backstay/backstay/retry"
)

// define merges what holds for a method.
func (r *resolver) define(d *MethodDefinition, method int, held []*admitted) {
	retrying := retryAnnotations(held, method)
	if len(retrying) > 0 {
		*d = baseline
	}
	d.Ref, d.Method = r.subject.Ref, r.subject.Methods[method]
	d.Ref.Method = d.Method.Name
	d.Entries = r.entries(d.Ref, method, held)
	if len(retrying) == 0 {
		return
	}

	m := r.merge(method, retrying)
	for _, c := range m.conflicts() { // of no one declaration, so that it is told once, whichever of its methods is met first
		r.add(nil, DefinitionError{Ref: d.Ref, Annotation: c.by.typ.String(), Place: c.by.place, Problem: c.problem, Remedy: c.remedy})
	}
	m.store(d)
	d.Settings.Ref = d.Ref
	r.definePolicies(d, m, method, retrying)
	r.checkSettings(d, m, retrying, method)
}

// merge collects what the container and all retry annotations of a method say.
func (r *resolver) merge(method int, retrying []*admitted) *merging {
	m := &merging{}
	for _, s := range r.container.settings {
		m.offer(candidate{setting: s, rank: containerRank, from: r.origin})
	}
	for _, a := range retrying {
		m.offerAll(a, a.reach[method], a.tunes(retrying))
	}
	for _, c := range r.configuring(method) {
		for _, s := range c.hand.settings {
			m.offer(candidate{setting: s, rank: c.rank, from: c.origin()})
		}
	}
	return m
}

// tunes reports whether a registration's annotation is there by a mark too. Its Defaults count once then, as the author's;
// only what the registration says by hand is the deployment's.
func (a *admitted) tunes(retrying []*admitted) bool {
	return !a.tag && slices.ContainsFunc(retrying, func(b *admitted) bool { return b.tag && b.typ == a.typ })
}

// retryAnnotations are the retry annotations among held, nearest first. Where two are equally near it is not the order in
// which they were written that decides, so that what is made of them does not depend on it.
func retryAnnotations(held []*admitted, method int) []*admitted {
	if len(held) == 1 && held[0].kind.retry {
		return held
	}
	retrying := slices.DeleteFunc(slices.Clone(held), func(a *admitted) bool { return !a.kind.retry })
	slices.SortStableFunc(retrying, func(a, b *admitted) int {
		return cmp.Or(compareNearness(a, b, method), cmp.Compare(a.typ.String(), b.typ.String()))
	})
	return retrying
}

// definePolicies unites the lists of all declarations.
func (r *resolver) definePolicies(d *MethodDefinition, m *merging, method int, held []*admitted) {
	var lists [][]retry.PolicyFactory
	for _, a := range held {
		lists = append(lists, a.lists...)
		if a.tunes(held) && len(a.hand.lists) == 0 {
			continue
		}
		if from := a.listedBy(r.origin); from.Layer > d.Origins[policiesKey].Layer {
			d.Origins[policiesKey] = from
		}
	}
	lists = r.configurePolicies(d, method, lists)
	d.Settings.Policies = canonical(lists)
	if t := m.of(attemptTimeout); t != nil && r.isForMany(t, method) && !d.Method.takesContext() {
		d.Settings.Policies = slices.DeleteFunc(d.Settings.Policies, func(f retry.PolicyFactory) bool { return f == retry.AttemptTimeout })
		d.Settings.AttemptTimeout = 0
		delete(d.Origins, attemptTimeout.key)
	}
}

// configurePolicies lets the deployment replace the list, add to it, and bring policies in by attributes.
func (r *resolver) configurePolicies(d *MethodDefinition, method int, lists [][]retry.PolicyFactory) [][]retry.PolicyFactory {
	for _, c := range r.configuring(method) {
		for _, l := range c.hand.lists {
			if !l.add {
				lists = nil
			}
			lists = append(lists, l.factories)
			d.Origins[policiesKey] = c.origin()
		}
		var brought []retry.PolicyFactory
		for _, s := range c.hand.settings {
			brought = append(brought, s.attr.about().brings)
		}
		lists = append(lists, brought)
		c.effective("attributes", 0)
	}
	return lists
}

// isForMany reports whether a setting is of the container's defaults, or of a configuration that does not name the method:
// it is left out of methods that cannot have it.
func (r *resolver) isForMany(c *candidate, method int) bool {
	if c.from.Layer == LayerConfiguration {
		for _, of := range r.configuring(method) {
			if of.rank == c.rank {
				return of.class.isGlob() || of.method.nearness(r.subject.Methods[method].Name) < outright
			}
		}
	}
	return c.rank == containerRank
}

// listedBy is the nearest layer that says something of the list of policies.
func (a *admitted) listedBy(container Origin) Origin {
	if len(a.hand.lists) > 0 {
		return a.origin()
	}
	for i, l := range slices.Backward(a.layers.defaults.levels) {
		if len(l.lists) > 0 {
			return Origin{LayerAnnotation, a.kind.levels[i].String(), a.place}
		}
	}
	if len(a.layers.container.lists) > 0 {
		return container
	}
	return Origin{}
}

// checkSettings checks what can be seen only when everything is merged.
func (r *resolver) checkSettings(d *MethodDefinition, m *merging, held []*admitted, method int) {
	for _, a := range held {
		if len(a.hand.mistakes) > 0 || len(a.layers.defaults.mistakes) > 0 || len(r.container.mistakes) > 0 {
			return // what is missing now might be what is wrong there
		}
	}
	first := held[0].Declaration
	for _, row := range []*row[time.Duration]{timeout, attemptTimeout} {
		if m.of(row) == nil && slices.Contains(d.Settings.Policies, row.brings) {
			r.report(first, d.Method.Name, mistake{
				problem: fmt.Sprintf("%s is in the list of policies, and nobody says how long it is", row.key),
				remedy:  fmt.Sprintf("write annotation.%s, or leave the policy out", row.optionName()),
			})
		}
	}
	if t := m.of(attemptTimeout); t != nil && t.from.Layer == LayerConfiguration && slices.Contains(d.Settings.Policies, retry.AttemptTimeout) && !d.Method.takesContext() {
		r.add(nil, DefinitionError{
			Ref: d.Ref, Place: t.from.Place,
			Problem: fmt.Sprintf("attemptTimeout needs a context that ends an attempt, and %s takes none", d.Method.Name),
			Remedy:  "leave attemptTimeout out",
		})
	}
	if slices.Contains(d.Settings.Policies, retry.Budget) {
		r.checkGroup(d, m, budgetGroup, d.Settings.Budget.Check())
	}
	if slices.Contains(d.Settings.Policies, retry.CircuitBreaker) {
		r.checkGroup(d, m, breakerGroup, d.Settings.Breaker.Check())
	}
	r.checkSense(d, m, held, method)
	if d.Method.returnsError() || d.Fallback != nil {
		return
	}
	for _, f := range d.Settings.Policies {
		if f.Rejects() || f == retry.Timeout && d.Settings.Timeout == 0 {
			r.report(first, d.Method.Name, mistake{
				problem: fmt.Sprintf("%v may reject a call, and %s returns no error to say so", f, d.Method.Name),
				remedy:  "let its last result be an error, or write annotation.Fallback, or leave the policy out",
			})
		}
	}
}

// checkGroup reports what is wrong with the settings of a budget or breaker as a whole, at the place of the highest of them.
func (r *resolver) checkGroup(d *MethodDefinition, m *merging, group string, problems []string) {
	var top candidate
	for _, c := range m.best {
		if c.rank > top.rank && c.attr.about().inGroup(group) {
			top = c
		}
	}
	for _, p := range problems {
		problem, remedy, _ := strings.Cut(p, "; ")
		r.add(nil, DefinitionError{Ref: d.Ref, Annotation: top.from.Annotation, Place: top.from.Place, Problem: problem, Remedy: remedy})
	}
}
