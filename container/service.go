package container

import (
	"fmt"
	"reflect"
	"sync/atomic"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// service is one target of a registration, and what it is provided as.
type service struct {
	registration *registration
	result
	ref          retry.MethodRef // class and name
	impl         reflect.Type    // the concrete type; nil when only an interface is known
	provided     []reflect.Type  // the types of its keys, or of its elements in a group
	explicit     bool            // they are what As says
	bare         *service        // the same target under its own type, which cannot be woven: see AsSelf; nil: none
	whole        *service        // of a bare one, the service that it belongs to
	declared     reflect.Type    // the type that was provided, where overrides and decorators have put another in its place
	group        *group          // that it is in; nil: none
	declarations []annotation.Declaration
	plan         *aspect.Plan // nil where nothing can be woven

	// Values that decorators have wrapped, the outermost first: a Close or Stop that the decorated one hides is theirs.
	inner []result

	target, woven reflect.Value // of a singleton, once the registration is done; the target is no interface
	core          reflect.Value // and where decorators hide it, the target under them, which is of the service's class

	// Of what is scoped or transient.
	cell     int  // where an instance of it is: in a scope, or among the services of its registration
	plain    bool // what the constructor returns is the service as it is: there is nothing to check or to weave
	mayClose bool // instances may have a Close

	unmarked atomic.Pointer[reflect.Type] // the last type that a constructor has returned as an interface, and that has no marks
}

// class is the type that the service's class is named after.
func (s *service) class() reflect.Type {
	switch {
	case s.impl != nil:
		return s.impl
	case s.declared != nil:
		return s.declared
	}
	return s.t
}

// keyed reports whether the service is found by its type: what is in a group needs a name for that.
func (s *service) keyed() bool { return s.ref.Name != "" || s.group == nil }

// flattened reports whether the service is a slice whose elements are in a group.
func (s *service) flattened() bool { return s.group != nil && s.group.flatten }

// unwoven reports the marks of a type whose values are in a group by flattening. What is in the slice is not woven, so
// nothing would enforce them.
func (s *service) unwoven(t reflect.Type) (errs []error) {
	for _, m := range annotation.Marks(t) {
		d := s.wrong(fmt.Sprintf("the elements of a slice that is flattened into group %q are not woven, and %v has the mark %s", s.group.name, t, m.Place()),
			fmt.Sprintf("Provide each by itself, by container.As of an interface and container.Group(%q)", s.group.name))
		d.Annotation = m.Type().String()
		errs = append(errs, d)
	}
	return errs
}

// unwovenElements reports the marks of what is in a slice that is flattened, each type once.
func (s *service) unwovenElements(slice reflect.Value) (errs []error) {
	seen := map[reflect.Type]bool{}
	for i := range slice.Len() {
		if e := slice.Index(i).Elem(); e.IsValid() && !seen[e.Type()] { // a nil element has no marks
			seen[e.Type()] = true
			errs = append(errs, s.unwoven(e.Type())...)
		}
	}
	return errs
}

// isOpen reports whether the service is a flattened slice of an interface: what is in it is known when it is built.
func (s *service) isOpen() bool { return s.flattened() && s.t.Elem().Kind() == reflect.Interface }

// is reports whether the target, as far as its type is known, implements the interface t.
func (s *service) is(t reflect.Type) bool {
	return !s.flattened() && (s.t.Implements(t) || s.impl != nil && s.impl != s.t && s.impl.Implements(t))
}

// interfaces are what the service can be woven as: the interfaces that it is provided as, or its func type. A func type
// beside interfaces is a service of its own.
func (s *service) interfaces() (all []reflect.Type) {
	if s.flattened() {
		return nil
	}
	for _, t := range s.provided {
		if t.Kind() == reflect.Interface || t.Kind() == reflect.Func {
			all = append(all, t)
		}
	}
	return all
}

// isWoven reports whether some method of the service has a chain.
func (s *service) isWoven() bool { return s.plan != nil && s.plan.IsWoven() }

// as is the built service as a t, one of the types that it is provided as.
func (s *service) as(t reflect.Type) reflect.Value { return convert(s.woven, t) }

// convert makes v a t. v may be an interface of another type; what is in it is a t then.
func convert(v reflect.Value, t reflect.Type) reflect.Value {
	if v.Type() == t {
		return v
	}
	cell := reflect.New(t).Elem()
	if v.Kind() == reflect.Interface && !v.Type().AssignableTo(t) {
		v = v.Elem()
	}
	cell.Set(v)
	return cell
}

// wrong is a definition error of the service.
func (s *service) wrong(problem, remedy string) *annotation.DefinitionError {
	d := s.registration.wrong(problem, remedy)
	d.Ref = s.ref
	return d
}
