package container

import (
	"cmp"
	"reflect"
)

// instance builds a transient for a scope, whose lock is held then, or for the container.
func (p *plan) instance(s *service, in *Scope) (reflect.Value, *failure) {
	cells := make([]cell, len(s.registration.services))
	if f := p.instantiate(s.registration, in, cells); f != nil {
		return reflect.Value{}, f
	}
	return cells[s.cell].value, nil
}

// fresh builds a transient that needs no scope.
func (p *plan) fresh(s *service) (v reflect.Value, err error) {
	if err := p.prepare(s.registration); err != nil {
		return v, err
	}
	v, f := p.instance(s, nil)
	if f != nil {
		return v, f.explained(s.registration)
	}
	return v, nil
}

// instantiate runs the constructor of a scoped or transient registration and puts its services, woven, into cells, one for
// each. Until all is well none of them is ready.
func (p *plan) instantiate(r *registration, in *Scope, cells []cell) *failure {
	var room [4]reflect.Value // the usual arguments, on the stack
	args := append(room[:0], r.fixed...)
	for _, i := range r.structs {
		args[i] = settable(args[i])
	}
	t := taker{p, r, in, &cells[0].ready}
	for i := range r.intakes {
		it := &r.intakes[i]
		if it.direct { // the usual one, without a detour
			v, f := in.own(it.offer.service)
			if f != nil {
				return f
			}
			args[it.parameter] = v
		} else if f := t.fill(args, it); f != nil {
			return f
		}
	}
	watch := r.took.watch()
	var results []reflect.Value
	if in == nil {
		results = r.function.Call(args)
	} else {
		results = run([2]*Scope{in}, r.function, args)
	}
	watch.stop()
	if r.fails {
		if err := results[len(results)-1]; !err.IsNil() {
			f := &failure{r, err.Interface().(error)}
			if u, ok := f.err.(*undecorated); ok {
				f.err = u.error
				return p.giveUp(r, in, f, results, args)
			}
			return f
		}
	}
	built := 0
	if in != nil {
		built = len(in.closers)
		if len(r.cleanups) > 0 {
			in.closers = append(in.closers, r.cleanupsOf(results)...)
		}
	}
	var failed *failure
	for i, s := range r.services {
		v := s.of(results)
		target, woven := v, v
		if !s.plain {
			var err error
			if target, woven, err = p.accept(s, results, p.resolve); err != nil {
				failed = cmp.Or(failed, &failure{r, err})
				target, woven = v, v // built all the same, and so to be closed
			}
		}
		cells[i].value = woven
		if in != nil && s.mayClose {
			in.closers = s.appendClosers(in.closers, target, woven, results, args)
		}
	}
	if failed != nil {
		if in != nil {
			in.closers = in.closers[:built]
		}
		return p.giveUp(r, in, failed, results, args)
	}
	r.took.record(watch)
	for i := range cells {
		cells[i].ready.Store(true)
	}
	return nil
}

// giveUp closes what a constructor has built and nobody gets. As a constructor is, what it calls is refused what it asks the
// scope for, which waits for it.
func (p *plan) giveUp(r *registration, in *Scope, f *failure, results, args []reflect.Value) *failure {
	kept := append([]reflect.Value(nil), args...) // so that those of the usual case stay on the stack
	discard := func() { f.err = p.discard(f.err, r.leftovers(results, kept)) }
	if in == nil {
		discard()
	} else {
		run([2]*Scope{in}, reflect.ValueOf(discard), nil)
	}
	return f
}
