package container

import (
	"fmt"
	"reflect"
)

// parse reads what the registration takes and what it builds.
func (r *registration) parse(room *rooms) {
	switch r.verb {
	case supply:
		r.parseValue()
	case expect:
		r.parseExpected()
	default:
		r.parseConstructor(room)
	}
	if len(r.services) == 0 && len(r.errs) == 0 {
		r.problem("its constructor returns nothing that could be provided", "let it return the service")
	}
	if len(r.services) > 0 {
		r.assign()
	}
	if r.verb != expect || len(r.services) > 0 {
		r.checkLifetime()
	}
	if len(r.services) > 0 {
		r.assignHooks()
	}
	r.broken = len(r.errs) > 0
}

func (r *registration) parseValue() {
	v := r.value
	if !v.IsValid() {
		r.problem("nil is supplied", "supply a value")
		return
	}
	if (v.Kind() == reflect.Func || v.Kind() == reflect.Pointer) && v.IsNil() {
		r.problem(fmt.Sprintf("a nil %v is supplied", v.Type()), "supply a value")
		return
	}
	r.addResult(result{t: v.Type()}, fieldTag{}, spot{kind: "the value"})
}

func (r *registration) parseConstructor(room *rooms) {
	f := r.function
	switch {
	case !f.IsValid():
		r.problem("the constructor is nil", "give it a func")
		return
	case f.Kind() != reflect.Func:
		remedy := "give it a func that returns the service, or use Supply"
		if r.verb == override {
			remedy = "give it a func that returns what stands in for the service, or use containertest.Override, which takes a value"
		}
		r.problem(fmt.Sprintf("%v is no constructor", f.Type()), remedy)
		return
	case f.IsNil():
		r.problem(fmt.Sprintf("the constructor is a nil %v", f.Type()), "give it a func")
		return
	}
	t := f.Type()
	r.inputs = inputs(t, room.inputs.carve(t.NumIn()), r.problem)
	n := t.NumOut()
	if n > 0 && t.Out(n-1) == errorType {
		r.fails = true
		n--
	}
	for i := range n {
		if isCleanup(i, t.Out(i)) {
			r.cleanups = append(r.cleanups, i)
			continue
		}
		r.addResult(result{index: i, t: t.Out(i)}, fieldTag{}, spot{kind: "result", number: i + 1})
	}
}

// addResult adds what a result or field comes to: a service, or those of the fields of the struct that it is.
func (r *registration) addResult(at result, tag fieldTag, what spot) {
	t := at.t
	s := &r.usual.service
	if len(r.services) > 0 {
		s = &service{}
	}
	*s = service{registration: r, result: at}
	switch {
	case isIn(t) || t.Kind() == reflect.Pointer && isIn(t.Elem()):
		r.problem(what.String()+" is a struct of parameters", "return a struct that embeds container.Out")
		return
	case t.Kind() == reflect.Struct && (embeds(t, outPointerType) || embeds(t, inPointerType)), t.Kind() == reflect.Pointer && isOut(t.Elem()):
		r.problem(fmt.Sprintf("%s: %v is no struct of results by value", what, t), "embed container.Out itself, and return the struct, not a pointer to it")
		return
	case isOut(t):
		r.addFields(at)
		return
	case tag.group != nil:
		s.ref.Name, s.group = tag.name, tag.group
	case at.field != nil:
		s.ref.Name = tag.name
	default:
		s.ref.Name, s.group = r.name, r.group
	}
	if s.flattened() && t.Kind() != reflect.Slice {
		r.problem(fmt.Sprintf("%v is of type %v, and only a slice is flattened into a group", what, t), "return a slice")
		return
	}
	if s.flattened() && s.ref.Name != "" {
		r.problem(fmt.Sprintf("%v is flattened into group %q, so there is nothing that the name %q could be for", what, s.group.name, s.ref.Name), "leave the name or flatten out")
		return
	}
	if t.Kind() != reflect.Interface {
		s.impl = t
	}
	if s.flattened() {
		t = t.Elem()
	}
	if len(r.services) == 0 {
		r.services, s.provided = r.usual.list[:0], r.usual.provided[:0]
	}
	s.provided = append(s.provided, t)
	r.services = append(r.services, s)
}

// addFields adds the fields of a struct that embeds Out.
func (r *registration) addFields(at result) {
	t := at.t
	if at.field == nil && (r.name != "" || r.group != nil) {
		r.problem(fmt.Sprintf("container.Name and container.Group cannot tell which field of %v is meant", t), `write name:"x" or group:"x" into the field's tag`)
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Type == outType {
			continue
		}
		what := spot{field: f.Name, of: t}
		if !f.IsExported() {
			r.problem(what.String()+" is not exported, so it cannot be provided", "export it")
			continue
		}
		tag, problem, remedy := parseTag(f.Tag, outKeys)
		if problem != "" {
			r.problem(what.String()+": "+problem, remedy)
			continue
		}
		field := append(append([]int(nil), at.field...), i)
		r.addResult(result{index: at.index, field: field, t: f.Type}, tag, what)
	}
}
