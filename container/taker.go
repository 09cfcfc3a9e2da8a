package container

import (
	"reflect"
	"sync/atomic"
)

// taker is who takes inputs: a constructor that is run, or the func of an Invoke.
type taker struct {
	plan     *plan
	consumer *registration // nil: the func of an Invoke
	scope    *Scope        // that it is run in, whose lock is held; nil: none
	built    *atomic.Bool  // whether this instance of the consumer is built
}

// fill puts what an intake takes into the arguments of the taker's func.
func (t taker) fill(args []reflect.Value, it *intake) *failure {
	v, f := t.value(it)
	if f == nil && v.IsValid() {
		it.put(args, v)
	}
	return f
}

// put puts v into the arguments of a func, as the parameter or the field that the input is.
func (in *input) put(args []reflect.Value, v reflect.Value) {
	if in.field == nil {
		args[in.parameter] = v
		return
	}
	if s := args[in.parameter]; !s.CanSet() {
		args[in.parameter] = settable(s)
	}
	args[in.parameter].FieldByIndex(in.field).Set(v)
}

// settable is a copy of v whose fields can be set.
func settable(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// value is what an intake takes; invalid where an optional one is not there.
func (t taker) value(it *intake) (v reflect.Value, f *failure) {
	switch {
	case it.kind == grouped:
		return t.members(it)
	case it.kind != single:
		return t.bound(it.input, it.offer), nil
	case it.offer == nil:
		return v, nil
	}
	s := it.offer.service
	if it.optional && s.registration.verb == expect && t.scope.goesWithout(s) {
		return v, nil
	}
	if v, f = t.get(s); f == nil && !it.exact {
		v = convert(v, it.t)
	}
	return v, f
}

// get is a service for the taker: the singleton, which is built by then, the scope's, or a new one.
func (t taker) get(s *service) (reflect.Value, *failure) {
	switch s.registration.lifetime {
	case scoped:
		return t.scope.own(s)
	case transient:
		return t.plan.instance(s, t.scope)
	}
	return s.woven, nil
}

// members is what a group is taken as: the slice of its members in order of registration, or the map by their names. Of a
// soft one only what is built.
func (t taker) members(it *intake) (reflect.Value, *failure) {
	if it.isMap() {
		return t.memberMap(it)
	}
	slice := reflect.MakeSlice(it.t, 0, len(it.members))
	for _, s := range it.members {
		if it.soft && !t.has(s) {
			continue
		}
		v, f := t.get(s)
		switch {
		case f != nil:
			return slice, f
		case s.flattened():
			for i := range v.Len() {
				slice = reflect.Append(slice, v.Index(i))
			}
		default:
			slice = reflect.Append(slice, convert(v, it.key.t))
		}
	}
	return slice, nil
}

// memberMap is the map of a group by names. Each member has one of its own.
func (t taker) memberMap(it *intake) (reflect.Value, *failure) {
	all := reflect.MakeMapWithSize(it.t, len(it.members))
	for _, s := range it.members {
		if it.soft && !t.has(s) {
			continue
		}
		v, f := t.get(s)
		if f != nil {
			return all, f
		}
		all.SetMapIndex(reflect.ValueOf(s.ref.Name), convert(v, it.key.t))
	}
	return all, nil
}

// has reports whether a service is built for the taker.
func (t taker) has(s *service) bool {
	switch s.registration.lifetime {
	case scoped:
		return t.scope.cells[s.cell].ready.Load()
	case transient:
		return false // another one would be
	}
	return s.registration.done.Load()
}
