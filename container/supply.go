package container

import (
	"fmt"
	"reflect"

	"github.com/backstay/backstay/annotation"
)

// Supply gives the scope the value that [Expect] announced: the one of the value's type, or of an interface that it
// implements. It comes before anything that needs the value is asked for. Supply returns nothing: a value that is not
// expected, a second one of the same type, one that comes after something was built without it, and nil are errors of
// every Get that follows, each with the place of this call. What is expected and not supplied is an error of the Get that
// needs it. The scope does not close what it is supplied with.
func (s *Scope) Supply(value any) {
	if s == nil || s.plan == nil {
		return // every Get says so
	}
	if s.isInside() { // the lock is this goroutine's own
		s.faults = append(s.faults, refusal(request{form: "Scope.Supply"}, "scope", annotation.Caller(0)))
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.Load() == closed {
		return
	}
	if err := s.supply(reflect.ValueOf(value)); err != nil {
		s.faults = append(s.faults, at(annotation.Caller(0), err))
		s.state.Store(wrong)
	}
}

// supply keeps a value for what is expected. The lock is held.
func (s *Scope) supply(v reflect.Value) error {
	if !v.IsValid() || (v.Kind() == reflect.Func || v.Kind() == reflect.Pointer) && v.IsNil() {
		what := "nil"
		if v.IsValid() {
			what = "a nil " + v.Type().String()
		}
		return &annotation.DefinitionError{Problem: "Scope.Supply of " + what, Remedy: "supply a value"}
	}
	of, err := s.plan.expectedFor(v.Type())
	if err != nil {
		return err
	}
	c := &s.cells[of.cell]
	switch c.given {
	case supplied:
		return &annotation.DefinitionError{
			Problem: fmt.Sprintf("Scope.Supply of a %v, and the scope has its %v (%s)", v.Type(), of.t, of.registration.place),
			Remedy:  "call it once in each scope",
		}
	case missed:
		return &annotation.DefinitionError{
			Problem: fmt.Sprintf("Scope.Supply of a %v after something was built without its %v (%s)", v.Type(), of.t, of.registration.place),
			Remedy:  "call it before the first Get",
		}
	}
	c.value, c.given = v, supplied
	if of.plain {
		c.ready.Store(true)
	}
	return nil
}
