package container

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/backstay/backstay/annotation"
)

// Invoke calls function with its parameters injected, and returns its error, if it has one. Parameters are what those of
// a constructor may be, structs that embed [In] and [Lazy] included. Invoke verifies first, once, and calls nothing when
// there is a definition error. The function runs outside every lock: it may use the container.
//
// As [Get], Invoke is refused inside a constructor.
func (c *Container) Invoke(function any) error {
	p, err := c.current()
	if err != nil {
		return err
	}
	f := reflect.ValueOf(function)
	needs, targets, errs := p.invocation(f, false)
	if len(errs) > 0 {
		return invocationErrors(errs, annotation.Caller(0))
	}
	if p.inside() {
		return refusal(request{form: "Invoke"}, "container", annotation.Caller(0))
	}
	args := zeros(f.Type())
	if err := p.fill(args, needs, targets); err != nil {
		return askedBy("Invoke", annotation.Caller(0), err)
	}
	return call(f, args)
}

// fill builds what the func of an Invoke needs, and puts it into its arguments.
func (p *plan) fill(args []reflect.Value, needs []input, targets []*registration) error {
	if err := p.build(); err != nil { // the listeners, where nothing else is needed
		return err
	}
	for _, r := range targets {
		if err := p.prepare(r); err != nil {
			return err
		}
	}
	return taker{plan: p}.fillAll(args, needs)
}

// fillAll puts what the func of an Invoke needs into its arguments.
func (t taker) fillAll(args []reflect.Value, needs []input) error {
	for i := range needs {
		it := t.plan.intakeOf(&needs[i])
		if f := t.fill(args, &it); f != nil {
			return f.explained(t.plan.leading(&needs[i], f.at))
		}
	}
	return nil
}

// leading is the registration for an input from which the path leads to what failed.
func (p *plan) leading(in *input, failed *registration) *registration {
	for _, s := range p.suppliers(in) {
		if path(s.registration, failed) != nil {
			return s.registration
		}
	}
	return failed
}

// zeros are settable arguments for a func of type t.
func zeros(t reflect.Type) []reflect.Value {
	args := make([]reflect.Value, t.NumIn())
	for i := range args {
		args[i] = reflect.New(t.In(i)).Elem()
	}
	return args
}

// call calls the func of an Invoke.
func call(f reflect.Value, args []reflect.Value) (err error) {
	if out := f.Call(args); len(out) == 1 {
		err, _ = out[0].Interface().(error)
	}
	return err
}

// invocationErrors are definition errors of an Invoke at a place.
func invocationErrors(errs []error, place string) error {
	for i := range errs {
		errs[i] = at(place, errs[i])
	}
	return errors.Join(errs...)
}

// invocation is what a func needs to be called, in a scope or without one: what it takes, and the registrations that
// provide that.
func (p *plan) invocation(f reflect.Value, inScope bool) (needs []input, targets []*registration, errs []error) {
	wrong := func(problem, remedy string) {
		errs = append(errs, &annotation.DefinitionError{Problem: "Invoke: " + problem, Remedy: remedy})
	}
	if f.Kind() != reflect.Func || f.IsNil() {
		what := "nil"
		if f.IsValid() {
			what = f.Type().String()
		}
		wrong(what+" cannot be called", "give it a func")
		return nil, nil, errs
	}
	t := f.Type()
	if n := t.NumOut(); n > 1 || n == 1 && t.Out(0) != errorType {
		wrong(fmt.Sprintf("a %v returns what nobody would get", t), "let it return an error or nothing")
	}
	needs = inputs(t, nil, wrong)
	check := func(in *input, s *service) {
		if problem, remedy := in.misfit(s); problem != "" {
			wrong("the func takes "+problem, remedy)
		} else if r := s.registration; !inScope && r.isBound() {
			wrong(fmt.Sprintf("the func takes %s%v (%s), which %s", in.kind.of(), s.ref, r.written, r.whyBound()), "use Invoke of a scope, which c.Scope() opens")
		}
	}
	for i := range needs {
		in := &needs[i]
		if in.kind == grouped {
			for _, m := range p.misgrouped(in, "the func", asking{frozen: true}) {
				wrong(m.problem, m.remedy)
			}
			for _, s := range p.groups[in.key] {
				check(in, s)
				if !in.soft {
					targets = append(targets, s.registration)
				}
			}
			continue
		}
		o := p.find(in.key)
		switch {
		case o == nil && in.optional:
		case o == nil:
			problem, remedy := p.missing(in.key, asking{frozen: true})
			wrong(problem+", which the func takes"+in.kind.text(), remedy)
		default:
			check(in, o.service)
			if in.kind == single {
				targets = append(targets, o.service.registration)
			}
		}
	}
	return needs, targets, errs
}
