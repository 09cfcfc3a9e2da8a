package container

import "reflect"

// isDecorated reports whether something stands around what the constructor has built.
func (s *service) isDecorated() bool { return len(s.inner) > 0 }

// hidden is where the target is that decorators stand around and hide: the service's class has methods that they need not
// have. It returns nil where they are of that class themselves.
func (s *service) hidden() *result {
	if !s.isDecorated() || s.t.Kind() != reflect.Interface {
		return nil
	}
	for i := range s.inner {
		if s.inner[i].t.Kind() != reflect.Interface {
			return &s.inner[i]
		}
	}
	return &s.inner[len(s.inner)-1]
}

// coreOf is the hidden target among what has been built; invalid where there is none.
func (s *service) coreOf(results []reflect.Value) (core reflect.Value) {
	if at := s.hidden(); at != nil {
		core = at.of(results)
		for core.Kind() == reflect.Interface {
			core = core.Elem()
		}
	}
	return core
}

// ofClass is the built target as far as its class is meant: for methods that are in no interface.
func (s *service) ofClass() reflect.Value {
	if s.core.IsValid() {
		return s.core
	}
	return s.target
}
