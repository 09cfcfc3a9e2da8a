package container

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// construct is what dig calls to build a registration.
func (p *plan) construct(r *registration, args []reflect.Value) []reflect.Value {
	var err error
	if !r.done.Load() { // a supplied value is done from the start
		if f := p.attempt(r, args); f != nil {
			err = f.err
			p.engine.failure = cmp.Or(p.engine.failure, f)
		}
	}
	return r.digResults(err)
}

// attempt builds and weaves the services of a registration. Until all is well, nothing of it is seen.
func (p *plan) attempt(r *registration, args []reflect.Value) *failure {
	p.engine.latest = nil
	if err := p.tooLate(r); err != nil {
		return &failure{r, err}
	}
	for i := range r.edges { // before the constructor runs, so that it does not run in vain
		if err := p.ensureEdge(r, &r.edges[i]); err != nil {
			return &failure{r, err}
		}
	}
	var watch stopwatch
	results := []reflect.Value{r.value}
	if r.function.IsValid() {
		t := taker{plan: p, consumer: r, built: &r.done}
		for i := range r.inputs {
			if in := &r.inputs[i]; p.isOurs(in) {
				it := p.intakeOf(in)
				if f := t.fill(args, &it); f != nil {
					return f
				}
			}
		}
		watch = r.took.watch()
		results = r.function.Call(args)
		watch.stop()
	}
	if r.fails {
		if err, _ := results[len(results)-1].Interface().(error); err != nil {
			return &failure{r, p.undone(r, err, results, args)}
		}
	}
	if f := p.acceptAll(r, results, args); f != nil {
		return f
	}
	r.took.record(watch)
	r.done.Store(true)
	return nil
}

// acceptAll checks and weaves what a constructor has returned. What it refuses, and what it cannot get to since the user's
// code panics, is closed at once: nobody else could.
func (p *plan) acceptAll(r *registration, results, args []reflect.Value) (f *failure) {
	accepted := false
	defer func() {
		switch {
		case accepted:
		case f != nil:
			f.err = p.discard(f.err, r.leftovers(results, args))
		default:
			_ = p.discard(nil, r.leftovers(results, args))
		}
	}()
	for _, s := range r.services {
		var err error
		if s.target, s.woven, err = p.accept(s, results, p.resolving); err != nil {
			return &failure{r, err}
		}
	}
	if len(r.cleanups)+len(r.decorators) > 0 {
		r.results = results
	}
	accepted = true
	return nil
}

// undone is the error of a constructor, which has cleaned up itself, or of a decorator: what the constructor has built for
// that is closed.
func (p *plan) undone(r *registration, err error, results, args []reflect.Value) error {
	if u, ok := err.(*undecorated); ok {
		return p.discard(u.error, r.leftovers(results, args))
	}
	return err
}

// ensureEdge builds what dig cannot know that a registration needs: what its weaving needs, the members of groups, and
// what transients need that it takes.
func (p *plan) ensureEdge(r *registration, e *edge) error {
	switch {
	case r.isSoft(e):
	case e.to.lifetime == transient:
		return p.prepareInside(e.to)
	case e.need != nil || r.inputs[e.in].kind == grouped:
		return p.ensure(e.to)
	}
	return nil
}

// isOurs reports whether dig does not know what an input of a singleton is filled with.
func (p *plan) isOurs(in *input) bool {
	if in.kind != single || p.transients == 0 {
		return in.kind != single
	}
	o := p.find(in.key)
	return o != nil && o.service.registration.lifetime == transient
}

// accept checks what a constructor has returned for a service, and weaves it.
func (p *plan) accept(s *service, results []reflect.Value, resolve aspect.Resolve) (target, woven reflect.Value, err error) {
	var none reflect.Value
	v := s.of(results)
	target = v
	if v.Kind() == reflect.Interface || v.Kind() == reflect.Func {
		if v.IsNil() {
			return none, none, s.wrong(fmt.Sprintf("its constructor returned a nil %v and no error", s.t), "return a value, or an error")
		}
		if v.Kind() == reflect.Interface {
			target = v.Elem()
		}
	}
	if err := s.checkBuilt(target.Type()); err != nil {
		return none, none, err
	}
	if s.isOpen() {
		if errs := s.unwovenElements(target); len(errs) > 0 {
			return none, none, errors.Join(errs...)
		}
	}
	if !s.isWoven() {
		return target, v, nil
	}
	woven, err = s.plan.WeaveAround(v, s.coreOf(results), func(f aspect.Found) (value, impl reflect.Value, err error) {
		if f.ID == any(s) { // another method of the service itself
			return convert(target, f.Type), target, nil
		}
		return resolve(f)
	})
	if err != nil {
		return none, none, err
	}
	return target, woven, nil
}

// resolving gives what weaving needs, while singletons are being built: it builds what is not built. The lock is held.
func (p *plan) resolving(f aspect.Found) (value, impl reflect.Value, err error) {
	if err := p.ensure(f.ID.(*service).registration); err != nil {
		return value, impl, err
	}
	return p.resolved(f)
}

// resolved gives what weaving needs and is built.
func (p *plan) resolved(f aspect.Found) (value, impl reflect.Value, err error) {
	of := f.ID.(*service)
	return of.as(f.Type), of.ofClass(), nil
}

// checkBuilt compares the type of what was built with what was known when the plan was made.
func (s *service) checkBuilt(t reflect.Type) error {
	switch r := s.registration; {
	case s.isDecorated(): // the decorator's result has been looked at, and what it got as well
	case r.overridden:
		for _, iface := range s.provided {
			if !t.AssignableTo(iface) {
				return s.wrong(fmt.Sprintf("Override built a %v, which does not implement %v%s", t, iface, lack(t, iface)), "implement it")
			}
		}
	case s.t.Kind() != reflect.Interface:
	case s.impl == nil:
		if known := s.unmarked.Load(); known != nil && *known == t {
			return nil
		}
		marks := annotation.Marks(t)
		if len(marks) == 0 {
			unmarked := t // a copy, so that only this path allocates
			s.unmarked.Store(&unmarked)
			return nil
		}
		errs := make([]error, len(marks))
		how, remedy := "its constructor built", fmt.Sprintf("say container.Impl[%v]() where it is provided", t)
		if r.verb == expect {
			how, remedy = "the scope was supplied with", "expect what one is built from, and Provide its constructor with container.Scoped()"
		}
		for i, m := range marks {
			d := s.wrong(fmt.Sprintf("%s a %v, whose mark %s was not known when the plan was verified", how, t, m.Place()), remedy)
			d.Annotation = m.Type().String()
			errs[i] = d
		}
		return errors.Join(errs...)
	case t != s.impl:
		return s.wrong(fmt.Sprintf("its constructor built a %v, and container.Impl says %v", t, s.impl), fmt.Sprintf("say container.Impl[%v]()", t))
	}
	return nil
}
