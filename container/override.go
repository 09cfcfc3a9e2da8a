package container

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// override gives the recipe of o to the registration whose services it replaces.
func (p *plan) override(o *registration) {
	if o.broken {
		return
	}
	if len(o.annotated)+len(o.advice) > 0 || o.group != nil {
		p.report(o, o.wrong("Override takes no annotation, aspect or group: those of the service that it replaces stay",
			"leave them out, or say them where the service is provided"))
		return
	}
	replaced := map[*service]*service{}
	var r *registration
	for _, n := range o.services {
		for _, t := range n.provided {
			k := key{t, n.ref.Name}
			of := p.find(k)
			if of == nil {
				p.report(o, o.wrong("Override replaces "+k.String()+", and nothing provides it", p.insteadOf(n, k)))
				return
			}
			old := of.service
			if old.registration.verb == expect {
				p.report(o, o.wrong(fmt.Sprintf("Override replaces %v, which each scope is supplied with (%s)", k, old.registration.place), "supply the scope of the test with another"))
				return
			}
			if r != nil && old.registration != r {
				p.report(o, o.wrong(fmt.Sprintf("Override replaces services of two registrations, %s and %s", r.place, old.registration.place), "override each by itself"))
				return
			}
			if r = old.registration; replaced[old] == nil {
				replaced[old] = n
			}
			if replaced[old] != n {
				p.report(o, o.wrong(fmt.Sprintf("Override replaces %v twice", old.ref), "return it once"))
				return
			}
		}
	}
	if !p.replaces(o, r, replaced) {
		return
	}
	for old, n := range replaced {
		if old.declared == nil {
			old.declared = old.t
		}
		old.result = n.result
	}
	r.recipe, r.overridden = o.recipe, true
}

// insteadOf is what to write instead of an override of what nobody provides: where its target implements an interface that
// somebody provides, that is what it should be given as.
func (p *plan) insteadOf(n *service, k key) string {
	var hints []string
	for _, s := range p.services {
		for _, t := range s.provided {
			if n.flattened() || !s.keyed() || s.flattened() || t == k.t || t.Kind() != reflect.Interface || t.NumMethod() == 0 || !n.is(t) {
				continue
			}
			hint := fmt.Sprintf("container.As[%v]()", t)
			switch {
			case s.ref.Name == k.name:
			case s.ref.Name == "":
				hint += " and no name"
			default:
				hint += fmt.Sprintf(" and container.Name(%q)", s.ref.Name)
			}
			if !slices.Contains(hints, hint) {
				hints = append(hints, hint)
			}
		}
	}
	switch len(hints) {
	case 1:
		return "say " + hints[0] + ", or let the constructor return that interface"
	case 0:
		_, remedy := p.missing(k, asking{option: true})
		return strings.Replace(remedy, "Provide one", "Provide it", 1)
	}
	return "say " + strings.Join(hints[:min(3, len(hints))], ", or ")
}

// replaces reports whether the new targets can stand in for all that the registration builds.
func (p *plan) replaces(o, r *registration, replaced map[*service]*service) bool {
	for _, old := range r.services {
		n := replaced[old]
		if n == nil && old.whole != nil {
			if n = replaced[old.whole]; n.t != old.t {
				p.report(o, o.wrong(fmt.Sprintf("%v is provided as %v too (%s), and what the new constructor returns need not be one", old.ref, old.t, r.place), "let it return a "+old.t.String()))
				return false
			}
			replaced[old] = n
		}
		if n == nil {
			p.report(o, o.wrong(fmt.Sprintf("the constructor at %s builds %v as well", r.place, old.ref), "let the new constructor return all of: "+texts(r.services, ", ")))
			return false
		}
		for _, t := range old.provided {
			known := n.t.Kind() != reflect.Interface
			if slices.Contains(n.provided, t) || !known || n.t.AssignableTo(t) {
				continue // what an interface holds is known only when it is built
			}
			p.report(o, o.wrong(fmt.Sprintf("%v is provided as %v too, and %v does not implement it%s", old.ref, t, n.t, lack(n.t, t)), "implement it"))
			return false
		}
	}
	return true
}
