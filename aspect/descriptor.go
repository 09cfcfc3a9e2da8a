package aspect

import (
	"reflect"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// Ref names the method.
func (jp JoinPoint) Ref() retry.MethodRef { return jp.frame.method().ref }

// Method is the method's name and its type, which has no receiver; that of a service whose type is a func is called Call.
func (jp JoinPoint) Method() annotation.Method {
	m := jp.frame.method()
	return annotation.Method{Name: m.name, Type: m.typ}
}

// Class is the class of the service, in all its forms: that of the concrete type, or of the interface where only that is
// known.
func (jp JoinPoint) Class() annotation.ClassName { return jp.frame.method().class }

// Target is what is under the weave; of a service whose type is a func, the func. Calls on it run no aspect.
func (jp JoinPoint) Target() any { return jp.frame.chain.instance.target.Interface() }

// Proxy is the woven value that was called: what the service's consumers hold. Calls on it run all aspects, this one
// included.
func (jp JoinPoint) Proxy() any { return jp.frame.chain.instance.woven.Interface() }

// Annotations are those of the method, nearest first. All calls share the slice: it is not to be changed.
func (jp JoinPoint) Annotations() []annotation.Entry {
	all := jp.frame.method().entries
	return all[:len(all):len(all)]
}

// AnnotationOf returns the method's nearest annotation of type A, or the A that an annotation embeds, and reports
// whether there is one.
func AnnotationOf[A any](jp JoinPoint) (a A, ok bool) {
	v, ok := annotation.ValueOf(jp.frame.method().entries, reflect.TypeFor[A]())
	if ok {
		a = v.Interface().(A)
	}
	return a, ok
}

// AnnotationsOf returns all annotations of type A that the method has, and the As that others embed, nearest first. An
// annotation may be given several times, unless it is a retry annotation.
func AnnotationsOf[A any](jp JoinPoint) (all []A) {
	t, entries := reflect.TypeFor[A](), jp.frame.method().entries
	for i := range entries {
		if v, ok := annotation.ValueOf(entries[i:i+1], t); ok {
			all = append(all, v.Interface().(A))
		}
	}
	return all
}

// NumArg is how many arguments there are; a variadic one is one.
func (jp JoinPoint) NumArg() int { return jp.frame.method().typ.NumIn() }

// NumResult is how many results there are, with the error.
func (jp JoinPoint) NumResult() int { return jp.frame.method().typ.NumOut() }

// Args are all arguments, boxed, in a slice of their own; a variadic one is a slice. [Arg] and [SetArg] do not box.
func (jp JoinPoint) Args() []any {
	f := jp.frame
	f.mustRun()
	all := make([]any, jp.NumArg())
	for i := range all {
		all[i] = f.arg(i).Interface()
	}
	return all
}

// Results are all results, boxed, in a slice of their own; zero values before the target has returned. The error is the
// last, as the target has returned it: what an aspect makes of it is what its Process returns. [Result] and [SetResult] do
// not box.
func (jp JoinPoint) Results() []any {
	f := jp.frame
	f.mustRun()
	all := make([]any, jp.NumResult())
	for i := range all {
		all[i] = f.result(i).Interface()
	}
	return all
}
