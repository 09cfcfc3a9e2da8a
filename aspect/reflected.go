package aspect

import (
	"context"
	"net/http"
	"reflect"
)

// reflected is a call through a proxy made at run time: it knows its arguments and results by reflection alone.
type reflected struct {
	Frame
	target  *reflect.Value // the target's method, bound
	args    []reflect.Value
	results []reflect.Value // nil: none yet, all zero

	// context is the cell of the context among the arguments, which every retry needs; the other cells are made on demand.
	context context.Context
}

var _ Call = (*reflected)(nil)

// callReflected is one call of a chain's method on target, which is bound.
func (c *Chain) callReflected(target *reflect.Value, args []reflect.Value) []reflect.Value {
	r := &reflected{target: target, args: args}
	defer r.End()
	return r.finish(c.Run(r))
}

// Invoke calls the target and keeps its results.
func (r *reflected) Invoke() error {
	m := r.method()
	if m.typ.IsVariadic() {
		r.results = r.target.CallSlice(r.args)
	} else {
		r.results = r.target.Call(r.args)
	}
	if m.errorAt < 0 || r.results[m.errorAt].IsNil() {
		return nil
	}
	return r.results[m.errorAt].Interface().(error)
}

// finish is what the caller gets, after err has come out of the chain.
func (r *reflected) finish(err error) []reflect.Value {
	m, results := r.method(), r.results
	if results == nil {
		results = m.zeroResults()
	}
	if m.errorAt >= 0 && (err != nil || !results[m.errorAt].IsNil()) {
		results[m.errorAt] = errorValue(err)
	}
	return results
}

// errorValue is a function of its own so that only calls with an error move it to the heap.
func errorValue(err error) reflect.Value { return reflect.ValueOf(&err).Elem() }

// contextOf is the context that the arguments bring; nil when they bring none.
func (r *reflected) contextOf(m *method) (ctx context.Context) {
	switch {
	case m.contextAt >= 0:
		ctx, _ = r.args[m.contextAt].Interface().(context.Context)
	case m.requestAt >= 0:
		ctx = contextOf(r.args[m.requestAt].Interface().(*http.Request))
	}
	return ctx
}

// Arg moves the i-th argument into a cell, unless it is in one, and returns the cell.
func (r *reflected) Arg(i int) any {
	if i == r.method().contextAt {
		if v := r.args[i]; !v.CanAddr() {
			r.context, _ = v.Interface().(context.Context)
			r.args[i] = reflect.ValueOf(&r.context).Elem()
		}
		return &r.context
	}
	return moved(&r.args[i])
}

// Result does the same for the i-th result.
func (r *reflected) Result(i int) any {
	if r.results == nil {
		r.results = r.method().zeroResults()
		r.dirty = true
	}
	return moved(&r.results[i])
}

// result is the i-th result where it is.
func (r *reflected) result(i int) reflect.Value {
	if r.results == nil {
		return r.method().zeros[i]
	}
	return r.results[i]
}

// moved puts *v into a cell of its own, unless it is in one, and returns the cell.
func moved(v *reflect.Value) any {
	if !v.CanAddr() {
		*v = copied(*v)
	}
	return v.Addr().Interface()
}

// copied is v in a cell of its own.
func copied(v reflect.Value) reflect.Value {
	cell := reflect.New(v.Type()).Elem()
	cell.Set(v)
	return cell
}

// Clear forgets the results.
func (r *reflected) Clear() { r.results = nil }

// Clone has arguments and results of its own.
func (r *reflected) Clone() Call {
	c := &reflected{target: r.target, args: owned(r.args), results: owned(r.results)}
	if at := r.method().contextAt; at >= 0 && r.args[at].CanAddr() {
		c.context = r.context
		c.args[at] = reflect.ValueOf(&c.context).Elem()
	}
	return c
}

// owned are the values, those in cells in other cells.
func owned(all []reflect.Value) []reflect.Value {
	if all == nil {
		return nil
	}
	mine := make([]reflect.Value, len(all))
	for i, v := range all {
		if v.CanAddr() {
			v = copied(v)
		}
		mine[i] = v
	}
	return mine
}

// Release lets go of the target, the arguments and the results.
func (r *reflected) Release() {
	r.target, r.args, r.results, r.context = nil, nil, nil, nil
}
