package container

import (
	"fmt"
	"slices"
)

// A registration is bound to scopes when it can be had from a scope only: it is scoped, or it is a transient that takes,
// itself or through others, what is.

// isBound reports whether the registration can be had from a scope only.
func (r *registration) isBound() bool { return r.lifetime == scoped || r.via != nil }

// bind finds the transients that are bound to scopes.
func (p *plan) bind() {
	var open []*registration
	for _, r := range p.registrations {
		if r.lifetime == transient {
			open = append(open, r)
		}
	}
	p.transients = len(open)
	for again := true; again; {
		again = false
		for _, r := range open {
			if r.via == nil {
				r.via = p.takesBound(r)
				again = again || r.via != nil
			}
		}
	}
}

// takesBound is the first registration that r takes and that is bound to scopes, or nil.
func (p *plan) takesBound(r *registration) *registration {
	for i := range r.inputs {
		for _, s := range p.suppliers(&r.inputs[i]) {
			if to := s.registration; to != r && to.isBound() {
				return to
			}
		}
	}
	return nil
}

// suppliers are the services that an input is filled with.
func (p *plan) suppliers(in *input) []*service {
	if in.kind == grouped {
		return p.groups[in.key]
	}
	if o := p.find(in.key); o != nil {
		return []*service{o.service}
	}
	return nil
}

// whyBound says why the registration is bound to scopes.
func (r *registration) whyBound() string {
	switch {
	case r.verb == expect:
		return "is what each scope is supplied with"
	case r.lifetime == scoped:
		return "is built once in each scope"
	}
	return fmt.Sprintf("takes %v (%s), which %s", r.via.ref(), r.via.written, r.via.whyBound())
}

// misfit says what is wrong with an input whose kind does not fit the lifetime of what it is filled with. The problem is
// empty if nothing is.
func (in *input) misfit(to *service) (problem, remedy string) {
	r := to.registration
	switch {
	case in.kind == provider && r.lifetime != transient:
		return fmt.Sprintf("a container.Provider[%v], and %v (%s) is not built anew at each Get", in.key.t, to.ref, r.written),
			fmt.Sprintf("take the %v itself or a container.Lazy[%v], or say container.Transient() where it is provided", in.key.t, in.key.t)
	case in.kind == lazy && r.lifetime == transient:
		return fmt.Sprintf("a container.Lazy[%v], and %v (%s) is transient: there is no one that it could give", in.key.t, to.ref, r.written),
			fmt.Sprintf("take a container.Provider[%v]", in.key.t)
	}
	return "", ""
}

// outlives reports that a registration takes what does not live as long as it does.
func (p *plan) outlives(r *registration, in *input, to *service) {
	problem, remedy := in.misfit(to)
	switch {
	case problem != "":
		p.report(r, r.wrongInput(in, mistake{in.taker() + " takes " + problem, remedy}))
	case r.lifetime == singleton && to.registration.isBound():
		p.report(r, r.wrongInput(in, mistake{
			fmt.Sprintf("it is built once, and %s takes %s%v (%s), which %s", in.taker(), in.kind.of(), to.ref, to.registration.written, to.registration.whyBound()),
			p.instead(r, in, to),
		}))
	}
}

// instead is what to write instead of a singleton that takes what is bound to scopes.
func (p *plan) instead(r *registration, in *input, to *service) string {
	if len(r.advice) > 0 || slices.ContainsFunc(r.services, func(s *service) bool { return slices.Contains(s.provided, listenerType) }) {
		return "leave it out, and find what belongs to a call in the call's context"
	}
	remedy := fmt.Sprintf("say container.Scoped() where %v is provided", r.ref())
	if of := to.registration; of.verb == provide && of.lifetime == scoped && in.kind != grouped && p.takesBound(of) == nil {
		remedy += fmt.Sprintf(", or container.Transient() where %v is, and take a container.Provider[%v]", to.ref, in.key.t)
	}
	return remedy
}

// refers reports that an annotation refers to what is not built once. Chains are compiled once for all instances of a
// service.
func (p *plan) refers(r *registration, e *edge) {
	to := e.to
	if to.lifetime == singleton || to.broken {
		return
	}
	why := "is built anew each time"
	if to.isBound() {
		why = to.whyBound()
	}
	remedy := fmt.Sprintf("let %v be a singleton", to.ref())
	if e.need.Reference {
		remedy = fmt.Sprintf("refer to a singleton, or to another method of %v itself", r.ref())
	}
	d := r.wrong(fmt.Sprintf("%s needs %v (%s), which %s; what an annotation needs is built once", e.need.Why, to.ref(), to.written, why), remedy)
	d.Place = e.need.Place
	p.report(r, d)
}

// unbound explains why a service cannot be had from the container. The problem is empty if it can.
func (s *service) unbound(by request) (problem, remedy string) {
	if r := s.registration; r.isBound() {
		return fmt.Sprintf("%v, and %v (%s) %s", by, s.ref, r.written, r.whyBound()), "get it from a scope, which c.Scope() opens"
	}
	return "", ""
}
