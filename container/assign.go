package container

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

var aspectType = reflect.TypeFor[aspect.Aspect]()

// assign gives what the options say to the services that they are for. Of a constructor with several results an option
// is for the one that it fits.
func (r *registration) assign() {
	for _, t := range r.impls {
		r.assignImpl(t)
	}
	for _, t := range r.as {
		r.assignAs(t)
	}
	for _, s := range r.services {
		r.checkProvided(s)
	}
	for _, a := range r.annotated {
		if s := r.annotatedService(a); s != nil {
			s.declarations = append(s.declarations, a.declaration)
		}
	}
	for i := range r.advice {
		s := r.one("container.AsAspect", func(s *service) bool { return s.is(aspectType) }, func() {
			r.problem(fmt.Sprintf("%v is no aspect.Aspect", r.services[0].t), "give it a method Process(aspect.JoinPoint) error")
		})
		r.advice[i].Service.ID = s
	}
	if r.asSelf {
		r.keepSelf()
	}
}

// keepSelf makes the types that As has replaced keys again. What can be woven is one more type of the service; what cannot
// is a service of its own, that shares the target and nothing else, so that nobody finds it by a class.
func (r *registration) keepSelf() {
	for _, s := range r.services {
		switch {
		case !s.explicit || slices.Contains(s.provided, s.t):
		case s.t.Kind() == reflect.Interface:
			s.provided = append(s.provided, s.t)
			r.checkProvided(s)
		default:
			s.bare = &service{registration: r, result: s.result, impl: s.t, provided: []reflect.Type{s.t}, group: s.group, whole: s}
			r.checkProvided(s.bare)
		}
	}
	for _, s := range r.services {
		if s.bare != nil {
			r.services = append(r.services, s.bare)
		}
	}
}

// bareNote says that the service can be had without what is woven around it.
func (s *service) bareNote() string {
	interfaces := list(s.interfaces(), " or ")
	lacks := "what is woven around it"
	if len(s.inner) > len(s.bare.inner) {
		lacks += ", and without the decorators of " + interfaces
	}
	return fmt.Sprintf("%v: who takes a %v gets it without %s, which only those who take a %s get; leave container.AsSelf out if nobody needs it (%s)",
		s.ref, s.bare.provided[0], lacks, interfaces, s.registration.place)
}

// one is the only service that fits; nil when none does, which missing tells, or when several do.
func (r *registration) one(option string, fits func(*service) bool, missing func()) (found *service) {
	for _, s := range r.services {
		if !fits(s) {
			continue
		}
		if found != nil {
			r.problem(fmt.Sprintf("%s may be for %v or for %v", option, found.t, s.t), "provide each by a constructor of its own")
			return nil
		}
		found = s
	}
	if found == nil {
		missing()
	}
	return found
}

func (r *registration) assignImpl(t reflect.Type) {
	option := fmt.Sprintf("container.Impl[%v]", t)
	if t.Kind() == reflect.Interface {
		r.problem(option+" names an interface", "name the concrete type that the constructor builds")
		return
	}
	s := r.one(option, func(s *service) bool { return s.t == t || s.t.Kind() == reflect.Interface && t.Implements(s.t) }, func() {
		switch first := r.services[0].t; {
		case first.Kind() == reflect.Interface:
			r.problem(fmt.Sprintf("%s: %v does not implement %v%s", option, t, first, lack(t, first)), "name the type that the constructor builds"+pointer(t, first))
		default:
			r.problem(fmt.Sprintf("%s: the constructor returns a %v", option, first), "leave it out: it is for constructors that return an interface")
		}
	})
	if s != nil {
		s.impl = t
	}
}

func (r *registration) assignAs(t reflect.Type) {
	option, first := fmt.Sprintf("container.As[%v]", t), r.services[0]
	var s *service
	if t.Kind() != reflect.Interface {
		r.problem(option+" names no interface", "name an interface that the service implements")
	} else {
		s = r.one(option, func(s *service) bool { return s.is(t) }, func() {
			from := first.t
			if first.impl != nil {
				from = first.impl
			}
			r.problem(fmt.Sprintf("%s: %v does not implement it%s", option, from, lack(from, t)), "implement it, or name another interface"+pointer(from, t))
		})
	}
	if s == nil && len(r.services) == 1 && first.field == nil {
		s = first // it is meant for a t, so whoever takes one is not told that it is missing
	}
	switch {
	case s == nil:
		return
	case s.field != nil:
		r.problem(fmt.Sprintf("%s cannot change the type of a field of a result struct", option),
			fmt.Sprintf("declare the field as %v, and say container.Impl[%v]()", t, s.t))
		return
	case !s.explicit:
		s.provided, s.explicit = s.provided[:0], true
	}
	if !slices.Contains(s.provided, t) {
		s.provided = append(s.provided, t)
	}
}

// checkProvided refuses what dig would take for a failure of the constructor.
func (r *registration) checkProvided(s *service) {
	for _, t := range s.provided {
		if t.Implements(errorType) {
			r.problem(fmt.Sprintf("%v is an error, so it cannot be told from a failure of its constructor", t),
				"provide it as an interface without Error() string, by container.As, or return the error as the last result")
		}
	}
}

// annotatedService is the service that an annotation is for: the only one, or that of the method expression.
func (r *registration) annotatedService(a *annotated) *service {
	if len(r.services) == 1 {
		return r.services[0]
	}
	recv, _, err := annotation.MethodOf(a.method)
	if err == nil {
		for _, s := range r.services {
			if s.impl == recv || slices.Contains(s.provided, recv) {
				return s
			}
		}
	}
	d := r.wrong("it builds several services, and the annotation does not say which it is for", "select the methods by a method expression of one of them")
	d.Annotation, d.Place = a.declaration.Type().String(), a.declaration.Place()
	r.errs = append(r.errs, d)
	return nil
}

// lack says which method keeps t from implementing the interface.
func lack(t, iface reflect.Type) string {
	for i := range iface.NumMethod() {
		m := iface.Method(i)
		has, ok := t.MethodByName(m.Name)
		switch {
		case m.PkgPath != "": // a type of another package cannot have it, and reflect does not find it
			return ": it has no method " + m.Name + " of package " + m.PkgPath
		case !ok:
			return ": it has no method " + m.Name
		case !sameMethod(t, has, m.Type):
			return fmt.Sprintf(": its method %s is not a %v", m.Name, m.Type)
		}
	}
	return ""
}

// sameMethod reports whether the method of t has the type that an interface wants.
func sameMethod(t reflect.Type, m reflect.Method, want reflect.Type) bool {
	if t.Kind() == reflect.Interface {
		return m.Type == want
	}
	if m.Type.NumIn() != want.NumIn()+1 || m.Type.NumOut() != want.NumOut() || m.Type.IsVariadic() != want.IsVariadic() {
		return false
	}
	for i := range want.NumIn() {
		if m.Type.In(i+1) != want.In(i) {
			return false
		}
	}
	for i := range want.NumOut() {
		if m.Type.Out(i) != want.Out(i) {
			return false
		}
	}
	return true
}

// pointer says that it is the pointer that implements the interface, where it is.
func pointer(t, iface reflect.Type) string {
	if p := reflect.PointerTo(t); t.Kind() != reflect.Pointer && p.Implements(iface) {
		return fmt.Sprintf("; %v implements it", p)
	}
	return ""
}
