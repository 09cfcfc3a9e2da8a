package aspect

import (
	"context"
	"fmt"
	"reflect"

	"github.com/backstay/backstay/retry"
)

// frame is one call: its arguments and results, and the session of its retry. It is the retry.Call of that session.
type frame struct {
	method   *method
	instance *instance
	target   reflect.Value // the target's method, bound
	args     []reflect.Value
	results  []reflect.Value // nil: none yet, all zero
	undo     []change
	session  retry.Session
	used     bool // session is not to be handed out: it has been (contexts outlive calls), or the frame is a clone
}

// change is an argument that an aspect has replaced. depth is that aspect's place, so that what is further in can be
// undone without what is further out.
type change struct {
	depth, arg int
	old        reflect.Value
}

func (f *frame) setArg(depth, i int, v reflect.Value) {
	f.undo = append(f.undo, change{depth, i, f.args[i]})
	f.args[i] = v
}

// undoBeyond takes back what aspects further in than depth have done to the arguments.
func (f *frame) undoBeyond(depth int) {
	for n := len(f.undo); n > 0 && f.undo[n-1].depth > depth; n-- {
		f.args[f.undo[n-1].arg] = f.undo[n-1].old
		f.undo = f.undo[:n-1]
	}
}

func (f *frame) setResult(i int, v reflect.Value) {
	if f.results == nil {
		f.results = f.method.zeroResults()
	}
	f.results[i] = v
}

// invoke calls the target and keeps its results.
func (f *frame) invoke() error {
	if !f.target.IsValid() {
		panic(fmt.Sprintf("aspect: a join point of %v is used after its call has ended", f.method.ref))
	}
	if f.method.typ.IsVariadic() {
		f.results = f.target.CallSlice(f.args)
	} else {
		f.results = f.target.Call(f.args)
	}
	if f.method.errorAt < 0 {
		return nil
	}
	err, _ := f.results[f.method.errorAt].Interface().(error)
	return err
}

// finish is what the caller gets, after err has come out of the chain. The frame then lets go of all that the call has
// brought, since its session may live on as a context.
func (f *frame) finish(err error) []reflect.Value {
	m, results := f.method, f.results
	if results == nil {
		results = m.zeroResults()
	}
	switch {
	case m.errorAt >= 0:
		if err != nil || !results[m.errorAt].IsNil() {
			results[m.errorAt] = errorValue(err)
		}
	case err != nil:
		panic(err) // the method has no other way to say it
	}
	return results
}

// errorValue is a function of its own so that only calls with an error move it to the heap.
func errorValue(err error) reflect.Value { return reflect.ValueOf(&err).Elem() }

func (f *frame) release() {
	f.target, f.args, f.results, f.undo = reflect.Value{}, nil, nil, nil
}

func (f *frame) clone() *frame {
	c := &frame{method: f.method, instance: f.instance, target: f.target, args: append([]reflect.Value(nil), f.args...), used: true}
	if f.results != nil {
		c.results = append([]reflect.Value(nil), f.results...)
	}
	return c
}

// newSession is a session for one run of the retry aspect: the frame's own, or another when an aspect outside the retry
// proceeds again. That it is another tells that the request has been sent.
func (f *frame) newSession() *retry.Session {
	if f.used {
		return new(retry.Session)
	}
	f.used = true
	return &f.session
}

// context is the call's context as the arguments have it now.
func (f *frame) context() context.Context {
	var ctx context.Context
	switch m := f.method; {
	case m.contextAt >= 0:
		ctx, _ = f.args[m.contextAt].Interface().(context.Context)
	case m.requestAt >= 0:
		ctx = requestContext(f.args[m.requestAt])
	}
	if ctx == nil {
		ctx = context.Background()
	}
	return ctx
}

// Arg is the i-th argument, boxed.
func (f *frame) Arg(i int) any {
	if i < 0 || i >= len(f.args) {
		return nil
	}
	return f.args[i].Interface()
}

// Result is the i-th result, boxed.
func (f *frame) Result(i int) any {
	if i < 0 || i >= f.method.typ.NumOut() {
		return nil
	}
	if f.results == nil {
		return f.method.zeros[i].Interface()
	}
	return f.results[i].Interface()
}

// Clear forgets the results.
func (f *frame) Clear() { f.results = nil }

// Judged is a pointer to the result by which falsiness is judged.
func (f *frame) Judged() any {
	i := f.method.judgedAt
	if i < 0 {
		return nil
	}
	v := f.method.zeros[i]
	if f.results != nil {
		v = f.results[i]
	}
	if !v.CanAddr() {
		cell := reflect.New(v.Type())
		cell.Elem().Set(v)
		return cell.Interface()
	}
	return v.Addr().Interface()
}
