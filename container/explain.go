package container

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/explain"
)

// Explain tells all that the container consists of: where each service comes from, what it needs and why, whether it is
// built and how long that took, how it is woven, and of each method the chain, the policies, and every setting with the
// place where its value was written. Print it, or draw it:
//
//	fmt.Println(c.Explain())
//	os.WriteFile("wiring.dot", []byte(c.Explain().DOT()), 0o644)
//
// It freezes the plan and builds nothing. Where there are definition errors it tells what is known all the same, and the
// errors. It may be called at any time, inside a constructor too.
func (c *Container) Explain() *explain.Wiring {
	p, err := c.plan()
	x := &explanation{plan: p, index: map[*service]int{}}
	x.Services = []explain.Service{}
	for i, s := range p.services {
		x.index[s] = i
		if s.bare != nil { // the same target under another key
			x.index[s.bare] = i
		}
	}
	x.describe()
	for i, s := range p.services {
		e := x.service(s)
		e.Methods = x.methods(i)
		x.Services = append(x.Services, e)
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range joined.Unwrap() {
			x.Problems = append(x.Problems, err.Error())
		}
	}
	return &x.Wiring
}

// explanation is a wiring that is being written.
type explanation struct {
	explain.Wiring
	plan      *plan
	index     map[*service]int    // in the wiring
	described [][]describedMethod // of each
}

func (x *explanation) service(s *service) explain.Service {
	r := s.registration
	e := explain.Service{
		Ref: s.ref, Class: annotation.ClassOf(s.class()).Full, Lifetime: explain.Singleton,
		Origin: explain.Origin(r.verb), Place: r.place.String(), Decorators: s.decoratorPlaces(),
		Proxy: s.proxyKind().String(),
		Needs: slices.Concat(x.taken(r), x.woven(s)),
	}
	e.Ref.Method = ""
	for _, t := range s.keyTypes() {
		e.Provided = append(e.Provided, t.String())
	}
	if s.group != nil {
		e.Group = s.group.name
	}
	switch r.lifetime {
	case scoped:
		e.Lifetime = explain.Scoped
	case transient:
		e.Lifetime = explain.Transient
	}
	if r.overridden {
		e.Override = r.written.String()
	}
	took, built := r.took.known()
	e.Built = r.verb == supply || r.done.Load() || (r.direct || r.lifetime != singleton) && built
	if e.Built {
		e.Took = took
	}
	return e
}

// keyTypes are the types that a service is found as.
func (s *service) keyTypes() []reflect.Type {
	if s.bare != nil {
		return append(slices.Clone(s.provided), s.bare.provided...)
	}
	return s.provided
}

// proxyKind tells how the service is woven.
func (s *service) proxyKind() aspect.ProxyKind {
	if s.plan == nil {
		return aspect.NoProxy
	}
	return s.plan.Kind()
}

// decoratorPlaces are where the decorators of a service were written, the innermost first.
func (s *service) decoratorPlaces() (places []string) {
	types := s.keyTypes()
	for _, d := range s.registration.decorators {
		mine := d.name == s.ref.Name
		if d.group != nil {
			mine = s.group != nil && s.group.name == d.group.name
		}
		if mine && slices.Contains(types, d.t) {
			places = append(places, d.place.String())
		}
	}
	return places
}

// taken is what constructor and decorators take.
func (x *explanation) taken(r *registration) (all []explain.Need) {
	for i := range r.inputs {
		in := &r.inputs[i]
		n := explain.Need{To: explain.Nobody, Kind: kindOf(in), Key: in.key.String(), Place: r.written.String(), Optional: in.optional}
		if in.decorator != nil {
			n.Place = in.decorator.place.String()
		}
		if in.kind != grouped {
			if o := x.plan.find(in.key); o != nil {
				n.To = x.index[o.service]
			}
			all = append(all, n)
			continue
		}
		n.Key = in.name
		members := x.plan.groups[in.key]
		n.Optional = in.soft || len(members) == 0 && !in.required
		for _, s := range members {
			n.To = x.index[s]
			all = append(all, n)
		}
		if len(members) == 0 {
			all = append(all, n)
		}
	}
	return all
}

func kindOf(in *input) explain.NeedKind {
	switch {
	case in.kind == lazy:
		return explain.Lazy
	case in.kind == provider:
		return explain.Provider
	case in.decorator != nil:
		return explain.Decorator
	case in.kind == grouped:
		return explain.Group
	}
	return explain.Parameter
}

// woven is what the weaving of a service needs.
func (x *explanation) woven(s *service) (all []explain.Need) {
	if s.plan == nil {
		return nil
	}
	for _, n := range s.plan.Needs() {
		kind := explain.Policy
		switch {
		case n.Reference:
			kind = explain.Reference
		case strings.HasPrefix(n.Why, "aspect "):
			kind = explain.Surround
		}
		all = append(all, explain.Need{To: x.index[n.ID.(*service)], Kind: kind, Key: fmt.Sprint(n.Type), Why: n.Why, Place: n.Place})
	}
	return all
}
