package container

import (
	"reflect"
	"slices"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// Methods are the methods of services that are meant by a method expression, by Class@Method or by Class#name@Method,
// whether anything is declared for them or not, in order of registration; nil means all methods. There are none where no
// service has such a method. A service that is a func has the method Call. It freezes the plan and builds nothing. What is
// declared for a method tells [Container.Registry].
func (c *Container) Methods(method any) (all []retry.MethodRef) {
	p, _ := c.plan()
	means := p.meaning(method)
	for _, s := range p.services {
		for _, name := range s.methodNames() {
			if means(s, name) {
				ref := s.ref
				ref.Method = name
				all = append(all, ref)
			}
		}
	}
	return all
}

// meaning reports of a method of a service whether it is meant by a method expression or a reference, or by nil.
func (p *plan) meaning(method any) func(s *service, name string) bool {
	if method == nil {
		return func(*service, string) bool { return true }
	}
	if text, ok := method.(string); ok {
		ref, err := annotation.ParseReference(text)
		if err != nil {
			return func(*service, string) bool { return false }
		}
		some := p.classes().provides(ref.Class)
		return func(s *service, name string) bool {
			return name == ref.Method && (ref.Service == "" || ref.Service == s.ref.Name) && slices.Contains(some, s)
		}
	}
	recv, of, err := annotation.MethodOf(method)
	return func(s *service, name string) bool {
		return err == nil && name == of && (s.class() == recv || slices.Contains(s.provided, recv))
	}
}

// methodNames are the exported methods of what the service is provided as and of its class.
func (s *service) methodNames() (names []string) {
	if s.flattened() {
		return nil
	}
	for _, m := range annotation.MethodsOf(s.interfaces()...) {
		names = append(names, m.Name)
	}
	if t := s.class(); t.Kind() != reflect.Interface {
		for m := range t.Methods() {
			if !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	return names
}
