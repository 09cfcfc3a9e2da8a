package container

import (
	"reflect"
	"slices"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

var (
	matcherType  = reflect.TypeFor[retry.Matcher]()
	listenerType = reflect.TypeFor[retry.Listener]()
)

// weave makes the weaver and plans the weaving of every service.
func (p *plan) weave(s *settings, declared []aspect.WeaverOption) {
	for _, s := range p.services {
		for _, t := range s.provided {
			if t == listenerType && !s.flattened() {
				p.listeners = append(p.listeners, s)
			}
		}
	}
	opts := slices.Clone(declared)
	if len(s.defaults) > 0 {
		opts = append(opts, aspect.WithDefaults(s.defaultsPlace, s.defaults...))
	}
	if s.generated {
		opts = append(opts, aspect.RequireGenerated())
	}
	if len(s.listeners)+len(p.listeners) > 0 {
		p.hub = newHub(s.listeners)
		opts = append(opts, aspect.WithListener(p.hub))
	}
	p.weaver = aspect.NewWeaver(opts...)
	p.report(nil, annotation.CheckDefaults(s.defaults, s.defaultsPlace)...)
	p.advise()
	p.planServices()
}

// advise tells the weaver of the services that are aspects.
func (p *plan) advise() {
	var all []aspect.Advice
	for _, r := range p.registrations {
		for _, a := range r.advice {
			if s, _ := a.Service.ID.(*service); s != nil {
				a.Service = s.found(s.handed())
				a.Service.Impl = s.impl // orders mean what was provided, whatever stands in for it
				all = append(all, a)
			}
		}
	}
	p.weaver.Advise(all...)
}

func (p *plan) planServices() {
	var right []*aspect.Plan
	for _, s := range p.services {
		r := s.registration
		switch supplied := r.value.IsValid(); {
		case r.broken:
		case s.isOpen() && supplied:
			p.report(r, s.unwovenElements(s.of([]reflect.Value{r.value}))...)
		case s.flattened():
			p.report(r, s.unwoven(s.t.Elem())...)
		}
		interfaces := s.interfaces()
		if len(interfaces)+len(s.declarations) == 0 && (s.impl == nil || len(annotation.Marks(s.impl)) == 0) {
			continue // nothing can be woven, and nothing is declared
		}
		plan, errs := p.weaver.Plan(aspect.Service{
			Ref: s.ref, Impl: s.impl, Interfaces: interfaces, Declarations: s.declarations, Place: r.place.String(),
		}, directory{p, s})
		if r.broken {
			continue // it was planned for what pointcuts mean by it; its own mistakes are told, and others may come of them
		}
		s.plan = plan
		r.finished = r.finished || plan.IsWoven()
		if len(errs) == 0 {
			right = append(right, plan)
		}
		p.reportPlanned(r, errs)
	}
	p.report(nil, p.weaver.Settle(right)...)
	p.report(nil, p.weaver.Unmatched()...)
}

// reportPlanned reports what was found while a service was planned. What names no service is not its own: it may be of the
// container's defaults, or of an aspect.
func (p *plan) reportPlanned(r *registration, errs []error) {
	for _, err := range errs {
		if definition(err).Ref == (retry.MethodRef{}) {
			p.report(nil, err)
			continue
		}
		p.report(r, err)
	}
}
