package container

import (
	"fmt"
	"reflect"
)

// lifeMethods are the methods that the life cycle calls, and the hooks that can stand in for them.
var lifeMethods = [...]struct {
	name string
	hook hookKind
	t    reflect.Type
}{
	{"Start", onStart, reflect.TypeFor[starts]()},
	{"Stop", onStop, reflect.TypeFor[stops]()},
	{"Health", onHealth, reflect.TypeFor[healthy]()},
}

// lifeNotes tell of methods that look as if the life cycle called them, and are of another type.
func (s *service) lifeNotes() (notes []string) {
	r := s.registration
	if r.lifetime != singleton || s.impl == nil || s.flattened() || r.unmanaged {
		return nil
	}
	for _, m := range lifeMethods {
		got, ok := s.impl.MethodByName(m.name)
		if !ok || s.impl.Implements(m.t) || s.hasHook(m.hook) {
			continue
		}
		notes = append(notes, fmt.Sprintf("%v: its method %s is not called, since it is a %v; make it a func(context.Context) error, or say container.%v (%s)",
			s.ref, m.name, withoutReceiver(got.Type), m.hook, r.place))
	}
	return notes
}

func (s *service) hasHook(kind hookKind) bool {
	for _, h := range s.registration.hooks {
		if h.kind == kind && h.service == s {
			return true
		}
	}
	return false
}

// withoutReceiver is the type of a method value, of the type of a method expression.
func withoutReceiver(t reflect.Type) reflect.Type {
	var ins, outs []reflect.Type
	for i := range t.NumIn() - 1 {
		ins = append(ins, t.In(i+1))
	}
	for o := range t.Outs() {
		outs = append(outs, o)
	}
	return reflect.FuncOf(ins, outs, t.IsVariadic())
}
