package container

import (
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
		err = p.attempt(r, args)
	}
	if err != nil && p.engine.failure == nil {
		p.engine.failure = &failure{r, err}
	}
	return r.digResults(err)
}

// attempt builds and weaves the services of a registration. Until all is well, nothing of it is seen.
func (p *plan) attempt(r *registration, args []reflect.Value) error {
	for i := range r.edges { // before the constructor runs, so that it does not run in vain
		if e := &r.edges[i]; e.need != nil || r.inputs[e.in].kind == grouped && !r.inputs[e.in].soft {
			if err := p.ensure(e.to); err != nil {
				return err
			}
		}
	}
	results := []reflect.Value{r.value}
	if r.function.IsValid() {
		for i := range r.inputs {
			if in := &r.inputs[i]; in.kind != single {
				p.fill(args, in, r)
			}
		}
		results = r.function.Call(args)
	}
	if r.fails {
		if err, _ := results[len(results)-1].Interface().(error); err != nil {
			return err
		}
	}
	for _, s := range r.services {
		if err := p.accept(s, s.of(results)); err != nil {
			return err
		}
	}
	r.done.Store(true)
	return nil
}

// fill puts what an input takes into the arguments of its func. The consumer is nil for an Invoke.
func (p *plan) fill(args []reflect.Value, in *input, consumer *registration) {
	var v reflect.Value
	switch in.kind {
	case lazy:
		v = p.lazyFor(consumer, in)
	case grouped:
		v = p.members(in)
	default:
		o := p.find(in.key)
		if o == nil {
			return // optional
		}
		v = o.service.as(o.t)
	}
	if in.field == nil {
		args[in.parameter] = v
		return
	}
	if s := args[in.parameter]; !s.CanSet() {
		args[in.parameter] = reflect.New(s.Type()).Elem()
		args[in.parameter].Set(s)
	}
	args[in.parameter].FieldByIndex(in.field).Set(v)
}

// members is the slice of a group, in order of registration. A soft one has only what is built.
func (p *plan) members(in *input) reflect.Value {
	slice := reflect.MakeSlice(in.t, 0, len(p.groups[in.key]))
	for _, s := range p.groups[in.key] {
		switch {
		case !s.registration.done.Load():
		case s.flattened():
			for i := range s.woven.Len() {
				slice = reflect.Append(slice, s.woven.Index(i))
			}
		default:
			slice = reflect.Append(slice, s.as(in.key.t))
		}
	}
	return slice
}

// accept checks what the constructor has returned for a service, and weaves it.
func (p *plan) accept(s *service, v reflect.Value) error {
	target := v
	if v.Kind() == reflect.Interface || v.Kind() == reflect.Func {
		if v.IsNil() {
			return s.wrong(fmt.Sprintf("its constructor returned a nil %v and no error", s.t), "return a value, or an error")
		}
		if v.Kind() == reflect.Interface {
			target = v.Elem()
		}
	}
	if err := s.checkBuilt(target.Type()); err != nil {
		return err
	}
	if s.isOpen() {
		if errs := s.unwovenElements(target); len(errs) > 0 {
			return errors.Join(errs...)
		}
	}
	if !s.isWoven() {
		s.target, s.woven = target, v
		return nil
	}
	woven, err := s.plan.Weave(v, func(f aspect.Found) (value, impl reflect.Value, err error) {
		of := f.ID.(*service)
		if of == s { // another method of the service itself
			return convert(target, f.Type), target, nil
		}
		if err := p.ensure(of.registration); err != nil {
			return value, impl, err
		}
		return of.as(f.Type), of.target, nil
	})
	if err != nil {
		return err
	}
	s.target, s.woven = target, woven
	return nil
}

// checkBuilt compares the type of what was built with what was known when the plan was made.
func (s *service) checkBuilt(t reflect.Type) error {
	switch r := s.registration; {
	case r.overridden:
		for _, iface := range s.provided {
			if !t.AssignableTo(iface) {
				return s.wrong(fmt.Sprintf("Override built a %v, which does not implement %v%s", t, iface, lack(t, iface)), "implement it")
			}
		}
	case s.t.Kind() != reflect.Interface:
	case s.impl == nil:
		marks := annotation.Marks(t)
		errs := make([]error, len(marks))
		for i, m := range marks {
			d := s.wrong(fmt.Sprintf("its constructor built a %v, whose mark %s was not known when the plan was verified", t, m.Place()),
				fmt.Sprintf("say container.Impl[%v]() where it is provided", t))
			d.Annotation = m.Type().String()
			errs[i] = d
		}
		return errors.Join(errs...)
	case t != s.impl:
		return s.wrong(fmt.Sprintf("its constructor built a %v, and container.Impl says %v", t, s.impl), fmt.Sprintf("say container.Impl[%v]()", t))
	}
	return nil
}
