package annotation

import (
	"reflect"
	"slices"
	"sync"
)

// Registry tells what is declared. The zero value is empty and ready. It is safe for concurrent use.
type Registry struct {
	mu       sync.RWMutex
	services []declared
}

// declared is a service and what holds for its methods.
type declared struct {
	subject Subject
	entries []Entry // of all methods, in order; those of one method nearest first
}

// Add adds what Resolve has decided about a service. For those who weave.
func (r *Registry) Add(s Subject, defs []MethodDefinition) {
	d := declared{subject: s}
	for _, m := range defs {
		d.entries = append(d.entries, m.Entries...)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.services = append(r.services, d)
}

// Of returns the annotations of a method, nearest first. The reference is a method expression, Class@Method, or
// Class#name@Method; the class may be in any form, and an interface's name is accepted where exactly one service provides
// it. Where a reference means methods of several services, theirs come in order of registration. A reference that means
// none has no annotations.
func (r *Registry) Of(method any) []Entry {
	ref, fl := referTo(method, parseReference)
	if fl != nil || ref.Method == "" {
		return nil
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	var found []Entry
	for _, d := range r.meant(ref) {
		for _, e := range d.entries {
			if e.Ref.Method == ref.Method {
				found = append(found, e)
			}
		}
	}
	return found
}

// meant are the services that a reference means.
func (r *Registry) meant(ref *Reference) []declared {
	if ref.Recv != nil {
		return r.all(func(s *Subject) bool { return s.isOf(ref.Recv) })
	}
	byClass := r.all(func(s *Subject) bool {
		return (ref.Service == "" || ref.Service == s.Ref.Name) && s.isClass(ref.Class)
	})
	if len(byClass) > 0 {
		return byClass
	}
	byInterface := r.all(func(s *Subject) bool {
		return slices.ContainsFunc(s.Interfaces, func(t reflect.Type) bool { return ClassOf(t).Is(ref.Class) })
	})
	if len(byInterface) == 1 {
		return byInterface
	}
	return nil
}

func (r *Registry) all(match func(*Subject) bool) []declared {
	var found []declared
	for i := range r.services {
		if match(&r.services[i].subject) {
			found = append(found, r.services[i])
		}
	}
	return found
}

// isOf reports whether t, the receiver of a method expression, is the service's concrete type or an interface that it is
// provided as.
func (s *Subject) isOf(t reflect.Type) bool {
	if t.Kind() != reflect.Interface {
		return s.Impl != nil && plainType(t) == plainType(s.Impl)
	}
	return slices.ContainsFunc(s.Interfaces, func(i reflect.Type) bool {
		return i.Kind() == reflect.Interface && i.Implements(t)
	})
}

func (s *Subject) isClass(name string) bool {
	return name == s.Ref.Class || s.Impl != nil && ClassOf(s.Impl).Is(name)
}

// AllOf returns the methods that carry an annotation of type A, or of a type that embeds A, in order of registration.
func AllOf[A any](r *Registry) []Entry { return r.allOf(reflect.TypeFor[A]()) }

func (r *Registry) allOf(t reflect.Type) []Entry {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var found []Entry
	for _, d := range r.services {
		for _, e := range d.entries {
			if EmbedsOrIs(reflect.TypeOf(e.Annotation), t) {
				found = append(found, e)
			}
		}
	}
	return found
}
