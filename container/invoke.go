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
	needs, targets, errs := p.invocation(f)
	if len(errs) > 0 {
		place := annotation.Caller(0)
		for i := range errs {
			errs[i] = at(place, errs[i])
		}
		return errors.Join(errs...)
	}
	if p.inside() {
		return refusal("Invoke", annotation.Caller(0))
	}
	if err := p.build(targets...); err != nil {
		return askedBy("Invoke", annotation.Caller(0), err)
	}
	args := make([]reflect.Value, f.Type().NumIn())
	for i := range args {
		args[i] = reflect.New(f.Type().In(i)).Elem()
	}
	for i := range needs {
		p.fill(args, &needs[i], nil)
	}
	if out := f.Call(args); len(out) == 1 {
		err, _ = out[0].Interface().(error)
	}
	return err
}

// invocation is what a func needs to be called: what it takes, and the registrations that provide that.
func (p *plan) invocation(f reflect.Value) (needs []input, targets []*registration, errs []error) {
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
	for i := range needs {
		in := &needs[i]
		if in.kind == grouped {
			for _, s := range p.groups[in.key] {
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
			problem, remedy := p.missing(in.key)
			wrong(problem+", which the func takes"+in.kind.text(), remedy)
		case in.kind == single:
			targets = append(targets, o.service.registration)
		}
	}
	return needs, targets, errs
}
