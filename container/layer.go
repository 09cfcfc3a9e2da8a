package container

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/backstay/backstay/annotation"
)

// layer is one decorator around one service.
type layer struct {
	*decorator
	service  *service
	original *service // what the constructor builds, to be checked before the innermost decorator gets it; nil of others
	from, to result   // what it decorates, and where that is then
	first    int      // its first argument

	right atomic.Pointer[passed] // the last types that were right
}

// passed are the types of what a decorator got and returned.
type passed struct{ given, got reflect.Type }

// isGiven reports whether the i-th parameter of the decorator is the decorated service itself.
func (l *layer) isGiven(i int) bool { return l.given.field == nil && l.given.parameter == i }

// call calls the decorator.
func (l *layer) call(given reflect.Value, args []reflect.Value) (v reflect.Value, err error) {
	given = convert(given, l.t)
	rest := args[l.first:]
	in := make([]reflect.Value, l.function.Type().NumIn())
	for i := range in {
		if l.isGiven(i) {
			in[i] = given
		} else {
			in[i], rest = rest[0], rest[1:]
		}
	}
	if l.given.field != nil {
		l.given.put(in, given)
	}
	out := l.function.Call(in)
	if l.fails && !out[1].IsNil() {
		return v, &decorationError{l.written, out[1].Interface().(error)}
	}
	return out[0], l.check(given, out[0])
}

// check refuses what a decorator must not return.
func (l *layer) check(given, got reflect.Value) error {
	if isNil(got) {
		return l.refuse(fmt.Sprintf("its decorator returned a nil %v and no error", l.t), "return a value, or an error")
	}
	if got.Kind() != reflect.Interface || l.service.flattened() {
		return nil // known when the plan was made; the elements of a slice are looked at by whoever accepts it
	}
	types := passed{given.Elem().Type(), got.Elem().Type()}
	if right := l.right.Load(); types.given == types.got || right != nil && *right == types {
		return nil
	}
	for _, t := range l.service.provided {
		if !types.got.AssignableTo(t) {
			return l.refuse(fmt.Sprintf("its decorator returned a %v, and the service is provided as %v too, which that does not implement%s", types.got, t, lack(types.got, t)), "implement it")
		}
	}
	known := annotation.Marks(types.given)
	if l.service.impl != nil {
		known = append(known, annotation.Marks(l.service.impl)...)
	}
	var errs []error
	for _, m := range unknownMarks(types.got, known) {
		err := l.refuse(fmt.Sprintf("its decorator returned a %v, and nothing enforces its mark %s: what is declared for a service is said where it is provided", types.got, m.Place()),
			"leave it out, and say container.Annotate there")
		err.Annotation = m.Type().String()
		errs = append(errs, err)
	}
	if errs == nil {
		l.right.Store(&types)
	}
	return errors.Join(errs...)
}

// isNil reports whether v is a nil that cannot be a service.
func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Interface, reflect.Func, reflect.Pointer:
		return v.IsNil()
	}
	return false
}

// refuse is an error of the service, at the place of the decorator.
func (l *layer) refuse(problem, remedy string) *annotation.DefinitionError {
	d := l.service.wrong(problem, remedy)
	d.Place = l.written.String()
	return d
}

// decorationError is what a decorator has returned.
type decorationError struct {
	by  place
	err error
}

// Error is one line.
func (e *decorationError) Error() string {
	return fmt.Sprintf("its decorator (%s): %s", e.by, onLine(e.err, withoutName))
}

// Unwrap returns the decorator's error.
func (e *decorationError) Unwrap() error { return e.err }

// undecorated says of an error that the constructor has returned without one, so that what it returned is there to be
// closed. Who does that takes the error out.
type undecorated struct{ error }

// unknownMarks are the marks of a type that are not among the known ones.
func unknownMarks(t reflect.Type, known []annotation.Declaration) (all []annotation.Declaration) {
	for _, m := range annotation.Marks(t) {
		if !slices.ContainsFunc(known, func(k annotation.Declaration) bool { return k.Type() == m.Type() && k.Place() == m.Place() }) {
			all = append(all, m)
		}
	}
	return all
}
