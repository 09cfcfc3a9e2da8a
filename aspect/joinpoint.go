package aspect

import (
	"context"
	"fmt"
	"reflect"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// JoinPoint is one call of one method of a woven service, as one aspect of its chain sees it: a frame and a place in the
// chain. It is a small value and ends with the call; what of it is needed longer has to be copied.
type JoinPoint struct {
	frame *frame
	next  int // index in the chain of what Proceed runs
}

// Proceed clears the results and runs what is further in, the target last. It may be called again, also after a panic:
// aspects further in run again, and see the arguments as this aspect has left them. It must not be called by several
// goroutines at once; each takes a [JoinPoint.Clone].
func (jp JoinPoint) Proceed() error {
	f := jp.frame
	f.results = nil
	if jp.next == len(f.method.chain) {
		return f.invoke()
	}
	defer f.undoBeyond(jp.next) // also after a panic, which this aspect may recover
	return f.method.chain[jp.next].Process(JoinPoint{f, jp.next + 1})
}

// Clone has arguments and results of its own, so that several goroutines can proceed at once. Its results are its own
// too: the aspect that cloned takes them over by Result and SetResult.
func (jp JoinPoint) Clone() JoinPoint { return JoinPoint{jp.frame.clone(), jp.next} }

// Ref names the method.
func (jp JoinPoint) Ref() retry.MethodRef { return jp.frame.method.ref }

// Context is the call's context: its first parameter of type context.Context, else that of its *http.Request, else
// context.Background(). Inside a retry it is that of the attempt.
func (jp JoinPoint) Context() context.Context { return jp.frame.context() }

// Arg is the i-th argument; a variadic one is a slice. Arg[T] panics when that is no T.
func Arg[T any](jp JoinPoint, i int) T {
	return as[T]("argument", jp, i, jp.frame.Arg(i), jp.frame.method.typ.NumIn())
}

// SetArg replaces the i-th argument for what is further in, until this aspect returns. It panics when T does not fit.
func SetArg[T any](jp JoinPoint, i int, v T) {
	f := jp.frame
	inRange("argument", jp, i, f.method.typ.NumIn())
	f.setArg(jp.next, i, fit("argument", jp, reflect.ValueOf(&v).Elem(), f.method.typ.In(i)))
}

// Result is the i-th result. Result[T] panics when that is no T.
func Result[T any](jp JoinPoint, i int) T {
	return as[T]("result", jp, i, jp.frame.Result(i), jp.frame.method.typ.NumOut())
}

// SetResult replaces the i-th result. The error result is what Process returns, whatever is set. SetResult panics when T
// does not fit.
func SetResult[T any](jp JoinPoint, i int, v T) {
	f := jp.frame
	inRange("result", jp, i, f.method.typ.NumOut())
	f.setResult(i, fit("result", jp, reflect.ValueOf(&v).Elem(), f.method.typ.Out(i)))
}

// AnnotationOf returns the method's nearest annotation of type A, or the A that an annotation embeds, and reports
// whether there is one.
func AnnotationOf[A any](jp JoinPoint) (a A, ok bool) {
	v, ok := annotation.ValueOf(jp.frame.method.entries, reflect.TypeFor[A]())
	if ok {
		a = v.Interface().(A)
	}
	return a, ok
}

// as gives a boxed value its type; a nil interface is the zero value of an interface type.
func as[T any](what string, jp JoinPoint, i int, boxed any, n int) (v T) {
	inRange(what, jp, i, n)
	if boxed == nil {
		if t := reflect.TypeFor[T](); t.Kind() == reflect.Interface {
			return v
		}
	}
	v, ok := boxed.(T)
	if !ok {
		panic(fmt.Sprintf("aspect: %s %d of %v is a %T, not a %v", what, i, jp.Ref(), boxed, reflect.TypeFor[T]()))
	}
	return v
}

func inRange(what string, jp JoinPoint, i, n int) {
	if i < 0 || i >= n {
		panic(fmt.Sprintf("aspect: %v has no %s %d", jp.Ref(), what, i))
	}
}

// fit makes v a value of type t.
func fit(what string, jp JoinPoint, v reflect.Value, t reflect.Type) reflect.Value {
	if v.Type() == t {
		return v
	}
	if v.Kind() == reflect.Interface && !v.Type().AssignableTo(t) {
		v = v.Elem()
	}
	if !v.IsValid() {
		if t.Kind() == reflect.Interface {
			return reflect.Zero(t)
		}
		panic(fmt.Sprintf("aspect: nil is no %s of type %v of %v", what, t, jp.Ref()))
	}
	if !v.Type().AssignableTo(t) {
		panic(fmt.Sprintf("aspect: a %v is no %s of type %v of %v", v.Type(), what, t, jp.Ref()))
	}
	fitted := reflect.New(t).Elem()
	fitted.Set(v)
	return fitted
}
