package container

import (
	"reflect"
	"slices"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container/internal/methods"
)

func init() {
	methods.Find = func(c, method any) (bool, string) {
		p, _ := c.(*Container).plan()
		return p.findMethod(method)
	}
}

// findMethod finds a method of the services, annotated or not. near is what was probably meant by one that is not there.
func (p *plan) findMethod(method any) (has bool, near string) {
	text, isText := method.(string)
	if !isText {
		recv, name, err := annotation.MethodOf(method)
		return err == nil && slices.ContainsFunc(p.services, func(s *service) bool {
			return (s.class() == recv || slices.Contains(s.provided, recv) || s.bare != nil && s.bare.provided[0] == recv) && slices.Contains(s.methodNames(), name)
		}), ""
	}
	ref, err := annotation.ParseReference(text)
	if err != nil {
		return false, ""
	}
	some := p.classes().provides(ref.Class)
	if ref.Service != "" {
		some = withName(some, ref.Service)
	}
	var refs []string
	for _, s := range p.services {
		for _, name := range s.methodNames() {
			if name == ref.Method && slices.Contains(some, s) {
				return true, ""
			}
			of := s.ref
			of.Method = name
			refs = append(refs, of.String())
			of.Name = "" // means it as well
			refs = append(refs, of.String())
		}
	}
	return false, annotation.NearMiss(text, refs)
}

// methodNames are the exported methods of the service's class, and of what it is provided as.
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
