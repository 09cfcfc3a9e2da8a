package aspect

import (
	"context"
	"fmt"
	"reflect"
)

// JoinPoint is one call of one method of a woven service, as one aspect of its chain sees it: a frame and a place in the
// chain. It is a small value and ends with the call; what of it is needed longer has to be copied.
type JoinPoint struct {
	frame *Frame
	next  int // index in the chain of what Proceed runs
}

// Proceed clears the results and runs what is further in, the target last. It may be called again, also after a panic:
// aspects further in run again, and see the arguments as this aspect has left them. It must not be called by several
// goroutines at once; each takes a [JoinPoint.Clone].
func (jp JoinPoint) Proceed() error {
	f := jp.frame
	f.mustRun()
	f.clear()
	aspects := f.chain.method.aspects
	if jp.next == len(aspects) {
		return f.invoke()
	}
	defer f.undoBeyond(jp.next) // also after a panic, which this aspect may recover
	return aspects[jp.next].Process(JoinPoint{f, jp.next + 1})
}

// Clone has arguments and results of its own, so that several goroutines can proceed at once. Its results are its own
// too: the aspect that cloned takes them over by Result and SetResult.
func (jp JoinPoint) Clone() JoinPoint {
	jp.frame.mustRun()
	return JoinPoint{jp.frame.clone(), jp.next}
}

// Context is the call's context: its first parameter of type context.Context, else that of its *http.Request, else
// context.Background(). Inside a retry it is that of the attempt.
func (jp JoinPoint) Context() context.Context {
	jp.frame.mustRun()
	return jp.frame.context()
}

// SetContext replaces the call's context for what is further in, until this aspect returns: the parameter of type
// context.Context, else the *http.Request, by a copy that has ctx. It reports whether there is one of these to bring it;
// where there is none, or a nil request, nothing changes. Derive ctx from [JoinPoint.Context], by which sessions further
// in know those further out. A nil ctx panics.
func (jp JoinPoint) SetContext(ctx context.Context) bool {
	f := jp.frame
	f.mustRun()
	if ctx == nil {
		panic(fmt.Sprintf("aspect: SetContext of nil for %v", f.method().ref))
	}
	if p := f.contextArg(); p != nil {
		old := *p
		*p = ctx
		f.undoable(jp.next, func() { *p = old })
		return true
	}
	p := f.requestArg()
	if p == nil || *p == nil {
		return false
	}
	old := *p
	*p = old.WithContext(ctx)
	f.undoable(jp.next, func() { *p = old })
	return true
}

// Arg is the i-th argument; a variadic one is a slice. Arg[T] panics when that is no T.
func Arg[T any](jp JoinPoint, i int) T {
	f := jp.frame
	f.inRange("argument", i, f.method().typ.NumIn())
	if r, ok := f.call.(*reflected); ok {
		return unboxed[T](f, "argument", i, r.args[i].Interface())
	}
	return read[T](f, "argument", i, f.call.Arg(i))
}

// SetArg replaces the i-th argument for what is further in, until this aspect returns. It panics when T does not fit.
func SetArg[T any](jp JoinPoint, i int, v T) {
	f := jp.frame
	f.inRange("argument", i, f.method().typ.NumIn())
	f.undoable(jp.next, write(f, "argument", i, f.call.Arg(i), v))
}

// Result is the i-th result. Result[T] panics when that is no T.
func Result[T any](jp JoinPoint, i int) T {
	f := jp.frame
	f.inRange("result", i, f.method().typ.NumOut())
	if r, ok := f.call.(*reflected); ok {
		return unboxed[T](f, "result", i, r.result(i).Interface())
	}
	return read[T](f, "result", i, f.call.Result(i))
}

// SetResult replaces the i-th result. The error result is what Process returns, whatever is set. SetResult panics when T
// does not fit.
func SetResult[T any](jp JoinPoint, i int, v T) {
	f := jp.frame
	f.inRange("result", i, f.method().typ.NumOut())
	f.dirty = true
	write(f, "result", i, f.call.Result(i), v)
}

// read is what cell, a pointer, points at, as a T.
func read[T any](f *Frame, what string, i int, cell any) T {
	if p, ok := cell.(*T); ok {
		return *p
	}
	return unboxed[T](f, what, i, reflect.ValueOf(cell).Elem().Interface())
}

// unboxed is boxed as a T. A nil interface is the zero value of an interface type.
func unboxed[T any](f *Frame, what string, i int, boxed any) (v T) {
	if boxed == nil {
		if t := reflect.TypeFor[T](); t.Kind() == reflect.Interface {
			return v
		}
	}
	v, ok := boxed.(T)
	if !ok {
		panic(fmt.Sprintf("aspect: %s %d of %v is a %T, not a %v", what, i, f.method().ref, boxed, reflect.TypeFor[T]()))
	}
	return v
}

// write sets what cell, a pointer, points at to v. It returns what takes that back.
func write[T any](f *Frame, what string, i int, cell any, v T) (restore func()) {
	if p, ok := cell.(*T); ok {
		old := *p
		*p = v
		return func() { *p = old }
	}
	at := reflect.ValueOf(cell).Elem()
	fitting := f.fit(what, reflect.ValueOf(&v).Elem(), at.Type())
	old := copied(at)
	at.Set(fitting)
	return func() { at.Set(old) }
}

// inRange refuses what is not there, and a call that has let go of it.
func (f *Frame) inRange(what string, i, n int) {
	f.mustRun()
	if i < 0 || i >= n {
		panic(fmt.Sprintf("aspect: %v has no %s %d", f.method().ref, what, i))
	}
}

// fit is v as what can be assigned to a t.
func (f *Frame) fit(what string, v reflect.Value, t reflect.Type) reflect.Value {
	if v.Kind() == reflect.Interface && !v.Type().AssignableTo(t) {
		v = v.Elem()
	}
	if !v.IsValid() {
		if t.Kind() == reflect.Interface {
			return reflect.Zero(t)
		}
		panic(fmt.Sprintf("aspect: nil is no %s of type %v of %v", what, t, f.method().ref))
	}
	if !v.Type().AssignableTo(t) {
		panic(fmt.Sprintf("aspect: a %v is no %s of type %v of %v", v.Type(), what, t, f.method().ref))
	}
	return v
}
