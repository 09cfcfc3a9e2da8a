package container

import (
	"fmt"
	"reflect"

	"github.com/backstay/backstay/annotation"
)

// Expect says that every scope of c is supplied with a T by [Scope.Supply], such as the request or the tenant that it is
// for. Scoped services can take one then, and Verify knows that it will be there. It is a registration like those of
// Provide, and comes before the first use as they do.
//
// T may be an interface; any value that implements it will do then.
func Expect[T any](c *Container) {
	c.record(expect, placeOfCaller(), recipe{expected: reflect.TypeFor[T]()}, []ProvideOption{Scoped()})
}

// parseExpected reads what a scope will be supplied with.
func (r *registration) parseExpected() {
	t := r.expected
	bare := t
	if t.Kind() == reflect.Pointer {
		bare = t.Elem()
	}
	if isIn(bare) || isOut(bare) || t.Implements(laterType) {
		r.problem(fmt.Sprintf("a %v cannot be supplied", t), "expect a type of your own")
		return
	}
	if marks := annotation.Marks(t); len(marks) > 0 {
		r.problem(fmt.Sprintf("a %v cannot be supplied, since it has the mark %s and would not be woven", t, marks[0].Place()),
			"expect what one is built from, and Provide its constructor with container.Scoped()")
		return
	}
	r.addResult(result{t: r.expected}, fieldTag{}, spot{kind: "what is expected"})
}

// expectedFor is the service that a supplied value of type t stands for: that of its own type, else that of the one
// interface that it implements.
func (p *plan) expectedFor(t reflect.Type) (*service, error) {
	if o := p.unnamed[t]; o != nil && o.service.registration.verb == expect {
		return o.service, nil
	}
	if known, ok := p.implemented.Load(t); ok {
		return known.(*service), nil
	}
	var found *service
	for _, s := range p.services {
		switch {
		case s.registration.verb != expect || s.t.Kind() != reflect.Interface || !t.Implements(s.t):
		case found != nil:
			return nil, &annotation.DefinitionError{
				Problem: fmt.Sprintf("Scope.Supply of a %v, which is both a %v (%s) and a %v (%s) that are expected", t, found.t, found.registration.place, s.t, s.registration.place),
				Remedy:  "expect a struct type of your own that holds one of them",
			}
		default:
			found = s
		}
	}
	if found == nil {
		return nil, p.unexpected(t)
	}
	p.implemented.Store(t, found)
	return found, nil
}

// unexpected says that no scope is expected to be supplied with a t.
func (p *plan) unexpected(t reflect.Type) error {
	remedy := fmt.Sprintf("say container.Expect[%v](c) where services are provided", t)
	for _, s := range p.services {
		if s.registration.verb == expect && (s.t == reflect.PointerTo(t) || reflect.PointerTo(s.t) == t) {
			remedy = fmt.Sprintf("supply a %v, which is expected (%s)", s.t, s.registration.place)
		}
	}
	return &annotation.DefinitionError{Problem: fmt.Sprintf("Scope.Supply of a %v, which is not expected", t), Remedy: remedy}
}
