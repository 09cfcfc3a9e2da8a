package container

import (
	"reflect"
	"slices"
	"sync/atomic"
)

// blueprint is how instances of a scoped or transient registration are built. It is worked out when the first one is asked
// for, so that building one looks nothing up.
type blueprint struct {
	// Set when the singletons that its instances need, directly or through others, are built. What follows is only read
	// from then on.
	ready   atomic.Bool
	fixed   []reflect.Value // the arguments, as far as they are the same for all instances
	structs []int           // the parameters that are structs with some field among the intakes
	intakes []intake        // what differs from instance to instance
}

// intake is an input, and what it is filled with.
type intake struct {
	*input
	offer   *offer     // nil of a group, and where an optional one is not provided
	members []*service // of a group
	exact   bool       // an instance is of the input's type as it is
	direct  bool       // a parameter that is the scope's, as it is
}

// lay gives each scoped or transient registration its blueprint, and what is scoped its cells.
func (p *plan) lay() {
	p.resolve = p.resolved
	for _, r := range p.registrations {
		if r.lifetime == singleton {
			continue
		}
		r.blueprint = &blueprint{}
		for i, s := range r.services {
			s.cell = i
			if r.lifetime == scoped {
				s.cell = p.cells
				p.cells++
			}
			s.plain = s.t.Kind() != reflect.Interface && s.t.Kind() != reflect.Func && !r.overridden && !s.isOpen() && !s.isWoven()
			s.mayClose = r.verb != expect && s.whole == nil && s.canClose()
		}
	}
}

// intakeOf is the intake of an input.
func (p *plan) intakeOf(in *input) intake {
	if in.kind == grouped {
		return intake{input: in, members: p.groups[in.key]}
	}
	it := intake{input: in, offer: p.find(in.key)}
	if it.offer != nil {
		s := it.offer.service
		it.exact = s.plain && s.t == in.t
		it.direct = it.exact && in.kind == single && in.field == nil && s.registration.lifetime == scoped
	}
	return it
}

// parts is what has to be there before the first instance of a registration can be built.
type parts struct {
	seen       map[*registration]bool
	singletons []*registration
	instances  []*registration // whose blueprints are not ready, each after those that it needs
}

func partsOf(r *registration) *parts {
	a := &parts{seen: map[*registration]bool{}}
	a.add(r)
	return a
}

func (a *parts) add(r *registration) {
	if a.seen[r] {
		return
	}
	a.seen[r] = true
	switch {
	case r.lifetime == singleton:
		a.singletons = append(a.singletons, r)
		return
	case r.ready.Load():
		return
	}
	for i := range r.edges {
		if e := &r.edges[i]; !r.isSoft(e) {
			a.add(e.to)
		}
	}
	a.instances = append(a.instances, r)
}

// prepare builds a singleton, or the singletons that instances of r need.
func (p *plan) prepare(r *registration) error {
	if r.lifetime == singleton {
		return p.build(r)
	}
	if r.ready.Load() {
		return nil
	}
	a := partsOf(r)
	if err := p.build(a.singletons...); err != nil {
		if b, ok := err.(*buildError); ok && slices.Contains(a.singletons, b.chain[0]) {
			b.chain = chain(r, b.chain[len(b.chain)-1])
		}
		return err
	}
	p.fix(a.instances)
	return nil
}

// prepareInside is prepare for a transient that a singleton takes, while that one is being built.
func (p *plan) prepareInside(r *registration) error {
	if r.ready.Load() {
		return nil
	}
	a := partsOf(r)
	for _, s := range a.singletons {
		if err := p.ensure(s); err != nil {
			return err
		}
	}
	p.fix(a.instances)
	return nil
}

// fix completes blueprints whose singletons are built.
func (p *plan) fix(all []*registration) {
	p.fixing.Lock()
	defer p.fixing.Unlock()
	for _, r := range all {
		if r.ready.Load() {
			continue // another goroutine was faster
		}
		if r.function.IsValid() {
			p.draw(r)
		}
		r.ready.Store(true)
	}
}

// draw sorts what a constructor takes into what is the same for all instances and what is not.
func (p *plan) draw(r *registration) {
	b := r.blueprint
	for in := range r.function.Type().Ins() {
		b.fixed = append(b.fixed, reflect.Zero(in))
	}
	for i := range r.inputs {
		in := &r.inputs[i]
		it := p.intakeOf(in)
		switch {
		case in.kind == single && it.offer == nil: // optional
		case in.kind == single && it.offer.service.registration.lifetime == singleton:
			in.put(b.fixed, it.offer.service.as(in.t))
		default:
			b.intakes = append(b.intakes, it)
			if in.field != nil && !slices.Contains(b.structs, in.parameter) {
				b.structs = append(b.structs, in.parameter)
			}
		}
	}
}
