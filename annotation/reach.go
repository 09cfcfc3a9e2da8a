package annotation

import (
	"fmt"
	"reflect"
	"slices"
)

// reach is how near the declaration is to each method of the service; nil if it meets none, which is reported.
func (r *resolver) reach(d *Declaration) []int {
	if len(r.subject.Interfaces) == 0 {
		r.report(d, "", mistake{
			problem: fmt.Sprintf("%s is provided as no interface, so its calls cannot be woven", r.subject.Ref.Class),
			remedy:  "provide it as an interface, by container.As",
		})
		return nil
	}
	if d.unselected {
		return nil
	}
	right := r.checkNamed(d) // what is wrong with the methods that it does meet is told as well
	reach := make([]int, len(r.subject.Methods))
	met := false
	for i, m := range r.subject.Methods {
		if d.promoted == nil || d.promoted[m.Name] {
			reach[i] = d.methods.nearness(m.Name)
		}
		if d.forMany {
			reach[i] = 0
			if slices.Contains(d.among, m.Name) {
				reach[i] = farthest
			}
		}
		met = met || reach[i] > 0
	}
	if met {
		return reach
	}
	if right && !d.meetsShadowed() {
		r.report(d, "", mistake{
			problem: fmt.Sprintf("%s meets no method", d.methods.text),
			remedy:  oneOf(r.methodNames()),
		})
	}
	return nil
}

// checkNamed reports the methods that the declaration names and that it cannot meet.
func (r *resolver) checkNamed(d *Declaration) bool {
	if d.recv != nil {
		return r.checkReceiver(d)
	}
	right := true
	for _, name := range d.methods.named() {
		switch {
		case d.depth > 0 && !hasMethod(d.owner, name) && slices.Contains(r.methodNames(), name):
			right = false
			r.report(d, name, mistake{
				problem: fmt.Sprintf("%s is no method that %s promotes", name, ClassOf(d.owner).Short),
				remedy:  "move the mark to the struct that has the method",
			})
		case d.depth > 0 && !hasMethod(d.owner, name):
			right = r.unknown(d, name, methodNames(reflect.PointerTo(d.owner)), nil)
		case d.depth > 0 && !d.promoted[name]: // the outer struct shadows it
		case !slices.Contains(r.methodNames(), name):
			right = r.unknown(d, name, r.methodNames(), r.subject.Impl)
		}
	}
	return right
}

// unknown reports a name that is not among the known ones, since impl has it and no interface does, or nobody has it. It is
// false, for the caller to return.
func (r *resolver) unknown(d *Declaration, name string, known []string, impl reflect.Type) bool {
	if impl != nil && hasMethod(impl, name) {
		r.report(d, name, mistake{
			problem: fmt.Sprintf("%s is not in an interface that %s is provided as", name, r.subject.Ref.Class),
			remedy:  "provide it as one that has the method, by container.As",
		})
		return false
	}
	remedy := oneOf(known)
	if near := NearMiss(name, known); near != "" {
		remedy = "write " + near
	} else if impl != nil {
		if near := NearMiss(name, methodNames(reflect.PointerTo(plainType(impl)))); near != "" {
			remedy = fmt.Sprintf("write %s, and provide the service as an interface that has it", near)
		}
	}
	r.report(d, "", mistake{problem: fmt.Sprintf("there is no method %s", name), remedy: remedy})
	return false
}

// checkReceiver reports a method expression of a type that the service has nothing to do with.
func (r *resolver) checkReceiver(d *Declaration) bool {
	name := d.methods.only()
	if !isExported(name) {
		r.report(d, "", mistake{
			problem: fmt.Sprintf("%s is not exported, so its calls are not woven", d.methods.text),
			remedy:  "export it, or attach the annotation to the exported method that calls it",
		})
		return false
	}
	if r.ofImpl(d.recv) {
		return slices.Contains(r.methodNames(), name) || r.unknown(d, name, r.methodNames(), r.subject.Impl)
	}
	isInterface := d.recv.Kind() == reflect.Interface
	if isInterface && slices.ContainsFunc(r.subject.Interfaces, func(t reflect.Type) bool {
		return t.Kind() == reflect.Interface && t.Implements(d.recv)
	}) {
		return true
	}
	m := mistake{
		problem: fmt.Sprintf("%s is a method of another type than %s", d.methods.text, r.subject.Ref.Class),
		remedy:  fmt.Sprintf("write a method expression of %v, or the method's name", r.subject.Interfaces[0]),
	}
	if impl := r.subject.Impl; isInterface && impl != nil && (impl.Implements(d.recv) || reflect.PointerTo(impl).Implements(d.recv)) {
		m = mistake{
			problem: fmt.Sprintf("%s is not in an interface that %s is provided as", name, r.subject.Ref.Class),
			remedy:  fmt.Sprintf("provide it as %v, by container.As", d.recv),
		}
	}
	r.report(d, name, m)
	return false
}

// ofImpl reports whether t is the service's concrete type or a pointer to it.
func (r *resolver) ofImpl(t reflect.Type) bool {
	return r.subject.Impl != nil && plainType(t) == plainType(r.subject.Impl)
}

func plainType(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

func hasMethod(t reflect.Type, name string) bool {
	_, ok := reflect.PointerTo(plainType(t)).MethodByName(name)
	return ok
}

func (r *resolver) methodNames() []string {
	names := make([]string, len(r.subject.Methods))
	for i, m := range r.subject.Methods {
		names[i] = m.Name
	}
	return names
}

func methodNames(t reflect.Type) []string {
	var names []string
	for m := range t.Methods() {
		names = append(names, m.Name)
	}
	return names
}

// meetsShadowed reports whether the mark of an embedded struct meets methods of it, all of which are shadowed.
func (d *Declaration) meetsShadowed() bool {
	if d.depth == 0 {
		return false
	}
	shadowed := false
	for _, name := range methodNames(reflect.PointerTo(d.owner)) {
		if d.methods.nearness(name) == 0 {
			continue
		}
		if d.promoted[name] {
			return false
		}
		shadowed = true
	}
	return shadowed
}
