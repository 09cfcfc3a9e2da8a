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
				_, remedy := p.missing(k)
				p.report(o, o.wrong("Override replaces "+k.String()+", and nothing provides it", strings.Replace(remedy, "Provide one", "Provide it", 1)))
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
