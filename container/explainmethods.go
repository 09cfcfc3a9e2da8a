package container

import (
	"reflect"
	"slices"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/explain"
)

// describedMethod is what the weaver tells of a method of a service.
type describedMethod = aspect.MethodDescription

// describe asks the weaver about the methods of all services, and lists the aspects. The retry is there if something is
// retried.
func (x *explanation) describe() {
	x.described = make([][]describedMethod, len(x.plan.services))
	retried := false
	for i, s := range x.plan.services {
		if s.plan != nil {
			x.described[i] = s.plan.Describe()
			retried = retried || slices.ContainsFunc(x.described[i], func(m describedMethod) bool { return slices.ContainsFunc(m.Aspects, isBuiltin) })
		}
	}
	for _, a := range x.plan.weaver.Aspects() {
		if isBuiltin(a) && !retried {
			continue
		}
		e := explain.Aspect{Name: a.Name, Pointcut: a.Pointcut, Priority: a.Priority, Service: explain.Nobody, Place: a.Place}
		if s, ok := a.Service.(*service); ok {
			e.Service = x.index[s]
		}
		for _, o := range a.Orders {
			e.Orders = append(e.Orders, o.String())
		}
		x.Aspects = append(x.Aspects, e)
	}
}

// isBuiltin reports whether an aspect comes with the library: the retry's.
func isBuiltin(a aspect.AspectDescription) bool { return a.Service == nil }

// methods are those of the i-th service that have an aspect or an annotation.
func (x *explanation) methods(i int) (all []explain.Method) {
	for _, m := range x.described[i] {
		e := explain.Method{Name: m.Ref.Method, Policies: m.Policies}
		for _, a := range m.Aspects {
			e.Aspects = append(e.Aspects, x.use(a))
		}
		for _, entry := range m.Entries {
			e.Annotations = append(e.Annotations, explain.Annotation{
				Type: reflect.TypeOf(entry.Annotation).String(), Settings: entry.Settings(), Place: entry.Place, Configured: entry.Configured,
			})
		}
		for _, off := range m.Off {
			e.Annotations = append(e.Annotations, explain.Annotation{Type: off.Type.String(), Place: off.Place, OffBy: off.By})
		}
		for _, a := range m.Attributes {
			e.Attributes = append(e.Attributes, explain.Attribute{Key: a.Key, Value: a.Value, Origin: a.Origin.String()})
		}
		all = append(all, e)
	}
	return all
}

// use is an aspect in the chain of a method.
func (x *explanation) use(a aspect.AspectDescription) explain.AspectUse {
	u := explain.AspectUse{Name: a.Name, Pointcut: a.Pointcut, Priority: a.Priority, Place: a.Place}
	of := explain.Nobody
	if s, ok := a.Service.(*service); ok {
		of = x.index[s]
	}
	u.Aspect = slices.IndexFunc(x.Aspects, func(e explain.Aspect) bool {
		return e.Service == of && e.Place == a.Place && e.Priority == a.Priority && e.Pointcut == a.Pointcut
	})
	return u
}
