package container

import (
	"reflect"
	"slices"
)

// decoration makes one function of a registration's recipe and the decorators around its services. The function takes what
// the constructor takes, then what each decorator takes but for the service. It returns what the constructor returns, then
// each decorated value, then an error. To whoever builds the registration that is a constructor like any other, so what
// decorators take are dependencies like any others.
type decoration struct {
	plan         *plan
	registration *registration
	under        recipe // without the decorators
	results      int    // of it, but for an error
	layers       []*layer
}

func newDecoration(p *plan, r *registration) *decoration {
	d := &decoration{plan: p, registration: r, under: r.recipe, results: 1}
	if r.function.IsValid() {
		d.results = r.function.Type().NumOut() - count(r.fails)
	}
	return d
}

// add puts a decorator around a service, outside what is around it. That of a type kept by AsSelf is part of the whole.
func (d *decoration) add(by *decorator, s *service) {
	whole, t := s, by.t
	if s.whole != nil {
		whole = s.whole
	}
	if s.flattened() {
		t = s.t
	}
	l := &layer{decorator: by, service: whole, from: whole.result, to: result{index: d.results + len(d.layers), t: t}}
	if !whole.isDecorated() {
		l.original = &service{
			registration: whole.registration, result: whole.result, ref: whole.ref,
			impl: whole.impl, provided: whole.provided, group: whole.group,
		}
	}
	d.layers = append(d.layers, l)
	whole.decorate(l.to)
	if s != whole {
		s.decorate(l.to)
	}
}

// decorate makes what is at the place of a decorated value the service's target.
func (s *service) decorate(to result) {
	if s.declared == nil {
		s.declared = s.t
	}
	s.inner = slices.Insert(s.inner, 0, s.result)
	s.result = to
}

// fold gives the registration the function.
func (d *decoration) fold() {
	r := d.registration
	var ins, outs []reflect.Type
	if f := d.under.function; f.IsValid() {
		ins, outs = slices.Collect(f.Type().Ins()), slices.Collect(f.Type().Outs())[:d.results]
	} else {
		outs = []reflect.Type{d.under.value.Type()}
	}
	taken := slices.Clone(d.under.inputs)
	for _, l := range d.layers {
		l.first = len(ins)
		for _, in := range l.inputs {
			in.decorator = l.decorator
			in.parameter += l.first
			if l.given.field == nil && in.parameter-l.first > l.given.parameter {
				in.parameter--
			}
			taken = append(taken, in)
		}
		for i, t := range slices.Collect(l.function.Type().Ins()) {
			if !l.isGiven(i) {
				ins = append(ins, t)
			}
		}
		outs = append(outs, l.to.t)
		r.decorators = append(r.decorators, l.decorator)
	}
	outs = append(outs, errorType)
	r.function, r.value = reflect.MakeFunc(reflect.FuncOf(ins, outs, false), d.build), reflect.Value{}
	r.inputs, r.fails, r.flat = taken, true, true
}

// build is the function. Where a decorator fails, what the constructor has returned is there beside the error.
func (d *decoration) build(args []reflect.Value) []reflect.Value {
	results := make([]reflect.Value, 0, d.results+len(d.layers)+1)
	if f := d.under.function; f.IsValid() {
		results = append(results, f.Call(args[:f.Type().NumIn()])...)
		if d.under.fails {
			err := results[d.results]
			if results = results[:d.results]; !err.IsNil() {
				return d.failed(results, err)
			}
		}
	} else {
		results = append(results, d.under.value)
	}
	ended := false
	defer func() {
		if !ended { // a decorator has panicked, and nobody else has what it should have decorated
			_ = d.plan.discard(nil, d.registration.leftovers(d.failed(results, reflect.Zero(errorType)), args))
		}
	}()
	for _, l := range d.layers {
		v, err := d.apply(l, results, args)
		if err != nil {
			ended, err = true, &undecorated{err}
			return d.failed(results, reflect.ValueOf(&err).Elem())
		}
		results = append(results, v)
	}
	ended = true
	if d.registration.lifetime == singleton {
		for _, s := range d.registration.services {
			s.core = s.coreOf(results)
		}
	}
	return append(results, reflect.Zero(errorType))
}

// failed completes the results by zero values and the error.
func (d *decoration) failed(results []reflect.Value, err reflect.Value) []reflect.Value {
	for _, l := range d.layers[len(results)-d.results:] {
		results = append(results, reflect.Zero(l.to.t))
	}
	return append(results, err)
}

// apply decorates what is among the results: a service, or each element of a slice that is flattened into a group.
func (d *decoration) apply(l *layer, results, args []reflect.Value) (v reflect.Value, err error) {
	given := l.from.of(results)
	if l.original != nil {
		if _, _, err := d.plan.accept(l.original, results, nil); err != nil {
			return v, err
		}
	}
	if !l.service.flattened() {
		return l.call(given, args)
	}
	all := reflect.MakeSlice(given.Type(), given.Len(), given.Len())
	for i := range given.Len() {
		e := given.Index(i)
		if !isNil(e) {
			if e, err = l.call(e, args); err != nil {
				return v, err
			}
		}
		all.Index(i).Set(e)
	}
	return all, nil
}
