package aspect

import (
	"fmt"
	"reflect"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// planned is a reference as far as it is known before anything is built.
type planned struct {
	annotation.Reference
	found  *Found       // nil for a Go function, and for a method of the service itself
	own    bool         // it is a method of the service itself: it is called on the woven one
	method string       // of the service found; empty: the service is the function itself
	typ    reflect.Type // of that method
	shape  shape
}

// planning is the planning of one service.
type planning struct {
	plan *Plan
	dir  Directory
	errs []error
}

func (p *planning) fail(ref annotation.Reference, m retry.MethodRef, text string) {
	d := problem(text, ref.Place)
	d.Ref, d.Annotation = m, ref.Annotation
	p.errs = append(p.errs, d)
}

// need adds an edge of the graph, once of either kind: a service may have references to itself, but nothing else.
func (p *planning) need(found Found, why, place string, reference bool) {
	for _, n := range p.plan.needs {
		if n.ID == found.ID && n.Reference == reference {
			return
		}
	}
	p.plan.needs = append(p.plan.needs, Need{found, why, place, reference})
}

// reference finds the function that an attribute of m names, and its shape. It returns nil when there is a problem.
func (p *planning) reference(ref annotation.Reference, m *plannedMethod) *planned {
	r := &planned{Reference: ref}
	t, ok := p.typeOf(r, m)
	if !ok {
		return nil
	}
	var wrong string
	if r.shape, wrong = attributeOf(ref.Attribute, &m.signature).choose(ref.Attribute, t, &m.signature, m.name); wrong != "" {
		p.fail(ref, m.ref, wrong)
		return nil
	}
	return r
}

func (p *planning) references(refs []annotation.Reference, m *plannedMethod) (all []*planned) {
	for _, ref := range refs {
		if r := p.reference(ref, m); r != nil {
			all = append(all, r)
		}
	}
	return all
}

func (p *planning) optional(ref *annotation.Reference, m *plannedMethod) *planned {
	if ref == nil {
		return nil
	}
	return p.reference(*ref, m)
}

// typeOf is the type of the function that r names.
func (p *planning) typeOf(r *planned, m *plannedMethod) (reflect.Type, bool) {
	if r.Func != nil {
		t := reflect.TypeOf(r.Func)
		if t.Kind() != reflect.Func || reflect.ValueOf(r.Func).IsNil() {
			p.fail(r.Reference, m.ref, fmt.Sprintf("%s is a %v; give it a func, a method expression or \"Class@Method\"", r.Attribute, t))
			return nil, false
		}
		return t, true
	}
	itself := func() (reflect.Type, bool) {
		p.fail(r.Reference, m.ref, fmt.Sprintf("%s %v is the method itself; name another one", r.Attribute, r.Reference))
		return nil, false
	}
	found, err := p.find(r.Reference)
	r.method = r.Method
	r.own = (err != nil || p.wraps()) && p.namesItself(&r.Reference) || err == nil && p.sameService(&found) ||
		err != nil && r.method != m.name && p.namesOwnClass(&r.Reference)
	switch {
	case r.own && r.method == m.name:
		return itself()
	case r.own && r.method != "":
		return p.methodType(r, p.self(), m)
	case err != nil:
		p.errs = appendAll(p.errs, complete(err, m.ref, r.Annotation, r.Place))
		return nil, false
	}
	r.found = &found
	p.need(found, fmt.Sprintf("%s %v of %s", r.Attribute, r.Reference, m.name), r.Place, true)
	if r.method == "" {
		if found.Type.Kind() != reflect.Func {
			p.fail(r.Reference, m.ref, fmt.Sprintf("%s %q is a %v, not a func; supply a func under that name, or write Class@Method", r.Attribute, r.Name, found.Type))
			return nil, false
		}
		return found.Type, true
	}
	return p.methodType(r, found, m)
}

// methodType is the type of the method of found that r names.
func (p *planning) methodType(r *planned, found Found, m *plannedMethod) (reflect.Type, bool) {
	types := append([]reflect.Type{found.Type}, found.As...)
	if found.Impl != nil {
		types = append(types, found.Impl)
	}
	for _, t := range types {
		if f, ok := methodType(t, r.method); ok {
			r.typ = f
			return f, true
		}
	}
	problem := fmt.Sprintf("%s %v: %v has no exported method %s", r.Attribute, r.Reference, implOf(&found), r.method)
	not := "" // its own method is no answer
	if r.own {
		not = m.name
	}
	remedy := methodHint(implOf(&found), r.method, not)
	if impl := p.plan.service.Impl; r.own && found.Impl != impl {
		if _, ok := methodType(impl, r.method); ok {
			problem += fmt.Sprintf(", and that is all that is known of what stands in for the %v", impl)
			remedy = "let the constructor of what stands in return a type that has it"
		}
	}
	p.fail(r.Reference, m.ref, problem+"; "+remedy)
	return nil, false
}

// wraps reports whether the service is being wrapped: a weaver's own directory does not hold a target before it is woven,
// and may hold another one of the same class, which is not meant then.
func (p *planning) wraps() bool {
	_, weavers := p.dir.(*directory)
	return weavers
}

// self is the service that is being planned, as its own references find it.
func (p *planning) self() Found {
	s := &p.plan.service
	if !p.wraps() {
		if found, err := p.dir.Class(s.Ref.Class, s.Ref.Name); err == nil {
			return found
		}
	}
	return Found{Type: s.Interfaces[0], Impl: s.Impl, As: s.Interfaces}
}

// namesOwnClass reports whether the reference is to the class of the service that is being planned, without a name. Where
// all services of the class have names, a mark, which is written once for all, means to each of them itself.
func (p *planning) namesOwnClass(ref *annotation.Reference) bool {
	impl := p.plan.service.Impl
	return impl != nil && ref.Class != "" && ref.Service == "" && annotation.ClassOf(impl).Is(ref.Class)
}

// namesItself reports whether the reference is to the service that is being planned, which a directory may not know yet.
func (p *planning) namesItself(ref *annotation.Reference) bool {
	s := &p.plan.service
	if d, ok := p.dir.(*directory); ok && d.knowsNone(ref) && p.couldBeItself(ref) {
		return true
	}
	if ref.Recv != nil || s.Impl == nil {
		return ref.Recv != nil && isReceiver(ref.Recv, s.Impl)
	}
	return ref.Class != "" && ref.Service == s.Ref.Name && annotation.ClassOf(s.Impl).Is(ref.Class)
}

// couldBeItself reports whether the reference is to the service that is being planned if it is the only one: by its class or
// an interface that it is provided as, with its name or without one.
func (p *planning) couldBeItself(ref *annotation.Reference) bool {
	s := &p.plan.service
	return slices.ContainsFunc(append([]reflect.Type{s.Impl}, s.Interfaces...), func(t reflect.Type) bool {
		switch {
		case t == nil:
			return false
		case ref.Recv != nil:
			return ref.Recv.Kind() == reflect.Interface && t.Implements(ref.Recv)
		}
		return ref.Class != "" && (ref.Service == "" || ref.Service == s.Ref.Name) && annotation.ClassOf(t).Is(ref.Class)
	})
}

// isReceiver reports whether a method expression with the receiver recv names a method of the concrete type t.
func isReceiver(recv, t reflect.Type) bool { return t == recv || t == reflect.PointerTo(recv) }

// comesBack reports the fallbacks among the service's own methods that lead back to where they began.
func (p *planning) comesBack() {
	for _, m := range p.plan.methods {
		at := p.ownFallback(m)
		for range p.plan.methods {
			if at == nil {
				break
			}
			if at == m {
				f := m.retry.fallback
				p.fail(f.Reference, m.ref, fmt.Sprintf("fallback %v comes back to the method itself; leave one of the fallbacks out", f.Reference))
				break
			}
			at = p.ownFallback(at)
		}
	}
}

// ownFallback is the method of the same service that is the fallback of m, or nil.
func (p *planning) ownFallback(m *plannedMethod) *plannedMethod {
	if m.retry == nil || m.retry.fallback == nil || !m.retry.fallback.own {
		return nil
	}
	for _, other := range p.plan.methods {
		if other.name == m.retry.fallback.method {
			return other
		}
	}
	return nil
}

// sameService reports whether found is the service that is being planned.
func (p *planning) sameService(found *Found) bool {
	if p.wraps() {
		return false
	}
	same, err := p.dir.Class(p.plan.service.Ref.Class, p.plan.service.Ref.Name)
	return err == nil && same.ID == found.ID
}

func (p *planning) find(ref annotation.Reference) (Found, error) {
	switch {
	case ref.Recv != nil:
		return p.dir.Type(ref.Recv)
	case ref.Class != "":
		return p.dir.Class(ref.Class, ref.Service)
	}
	return p.dir.Name(ref.Name)
}

func implOf(found *Found) reflect.Type {
	if found.Impl != nil {
		return found.Impl
	}
	return found.Type
}

// methodType is the type of an exported method without its receiver.
func methodType(t reflect.Type, name string) (reflect.Type, bool) {
	if t.Kind() == reflect.Func && name == "Call" {
		return t, true
	}
	m, ok := t.MethodByName(name)
	if !ok || !m.IsExported() {
		return nil, false
	}
	if t.Kind() == reflect.Interface {
		return m.Type, true
	}
	var in, out []reflect.Type
	for i := 1; i < m.Type.NumIn(); i++ {
		in = append(in, m.Type.In(i))
	}
	for o := range m.Type.Outs() {
		out = append(out, o)
	}
	return reflect.FuncOf(in, out, m.Type.IsVariadic()), true
}

// methodHint says what to write instead of the name of a method that t does not have; not is no answer.
func methodHint(t reflect.Type, name, not string) string {
	var names []string
	for i := range t.NumMethod() {
		if n := t.Method(i).Name; n != not {
			names = append(names, n)
		}
	}
	if near := annotation.NearMiss(name, names); near != "" {
		return "did you mean " + near + "?"
	}
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) {
		return "export it, or write a func that calls it"
	}
	return "write one that it has"
}

// bind makes the function callable, when what it needs is built.
func (r *planned) bind(resolve Resolve) (*function, error) {
	switch {
	case r.own:
		return &function{own: r.method, shape: r.shape}, nil
	case r.found == nil:
		return &function{value: reflect.ValueOf(r.Func), shape: r.shape}, nil
	}
	value, impl, err := resolve(*r.found)
	if err != nil {
		return nil, err
	}
	if r.method == "" || value.Kind() == reflect.Func && r.method == "Call" {
		return &function{value: value, shape: r.shape}, nil
	}
	// What is woven has the methods of all interfaces, not only of the one that it is handed over as.
	f := dynamic(value).MethodByName(r.method)
	if !f.IsValid() || f.Type() != r.typ { // what hides the target may have another method of that name
		f = dynamic(impl).MethodByName(r.method) // in no interface: the target's own
	}
	return &function{value: f, shape: r.shape}, nil
}

// dynamic is what v is, or what is in it when v is an interface.
func dynamic(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}
