package aspect

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// directory finds what a weaver has wrapped and what WithService has given it. It is safe for concurrent use.
type directory struct {
	mu  sync.Mutex
	all []*entry
}

// entry is one service of a directory.
type entry struct {
	ref           retry.MethodRef
	class         annotation.ClassName
	impl, typ     reflect.Type // typ is the interface that it was wrapped as, else impl
	value, target reflect.Value
}

func (d *directory) add(e *entry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all = append(d.all, e)
}

func (d *directory) addService(v any) {
	t := reflect.TypeOf(v)
	if t == nil {
		return // nil is no service; whoever needs one is told that there is none
	}
	e := &entry{impl: t, typ: t, value: reflect.ValueOf(v)}
	e.target = e.value
	if i := instanceOf(v); i != nil { // woven by another weaver
		e.impl, e.target = i.target.Type(), i.target
	}
	e.class = annotation.ClassOf(e.impl)
	e.ref.Class = d.classOf(e.impl)
	d.add(e)
}

// classOf is the shortest form of t's class that no other class of the directory has.
func (d *directory) classOf(t reflect.Type) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	class := annotation.ClassOf(t)
	short := class.Short
	for _, e := range d.all {
		if e.class.Full != class.Full && e.class.Short == class.Short {
			short = class.Qualified
			if e.class.Qualified == class.Qualified {
				return class.Full
			}
		}
	}
	return short
}

// some are the entries that match, in order.
func (d *directory) some(match func(*entry) bool) (hits []*entry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range d.all {
		if match(e) {
			hits = append(hits, e)
		}
	}
	return hits
}

// isA reports whether the entry is what a method expression with the receiver t, or a constructor that takes a t, is after.
func (e *entry) isA(t reflect.Type) bool {
	return isReceiver(t, e.impl) || e.typ == t || t.Kind() == reflect.Interface && e.impl.Implements(t)
}

func (e *entry) found() Found { return Found{ID: e, Type: e.typ, Impl: e.impl, Value: e.value} }

// one is the only one of the entries, else an error: what was looked for, and how to find it or tell several apart.
func one(hits []*entry, what, remedy string) (Found, error) {
	switch len(hits) {
	case 0:
		return Found{}, &annotation.DefinitionError{Problem: "there is no " + what, Remedy: remedy}
	case 1:
		return hits[0].found(), nil
	}
	d := &annotation.DefinitionError{Problem: fmt.Sprintf("there are %d of %s", len(hits), what), Remedy: "tell them apart by aspect.WithName, and write Class#name"}
	if forms := differentClasses(hits); len(forms) > 0 {
		d.Remedy = "write " + strings.Join(forms, " or ")
	}
	return Found{}, d
}

// differentClasses are the shortest forms in which all classes of the entries differ; none where two are of one class.
func differentClasses(hits []*entry) []string {
	for _, form := range []func(annotation.ClassName) string{
		func(c annotation.ClassName) string { return c.Short },
		func(c annotation.ClassName) string { return c.Qualified },
		func(c annotation.ClassName) string { return c.Full },
	} {
		var forms []string
		for _, e := range hits {
			if f := form(e.class); !slices.Contains(forms, f) {
				forms = append(forms, f)
			}
		}
		if len(forms) == len(hits) {
			return forms
		}
	}
	return nil
}

// Class implements [Directory].
func (d *directory) Class(class, name string) (Found, error) {
	all := d.some(func(e *entry) bool { return e.class.Is(class) })
	if len(all) == 0 {
		all = d.some(func(e *entry) bool { return e.typ.Kind() == reflect.Interface && annotation.ClassOf(e.typ).Is(class) })
	}
	if len(all) == 0 {
		remedy := "wrap it before, or give it by aspect.WithService"
		if near := annotation.NearMiss(class, d.classes()); near != "" {
			remedy = "did you mean " + near + "?"
		}
		return one(nil, "class "+class, remedy)
	}
	what, remedy := "class "+class, ""
	named := slices.DeleteFunc(slices.Clone(all), func(e *entry) bool { return e.ref.Name != name })
	if name != "" {
		what += fmt.Sprintf(" named %q", name)
		var refs []string
		for _, e := range all {
			refs = append(refs, e.ref.String())
		}
		remedy = "write " + strings.Join(refs, " or ")
	} else if len(named) == 0 {
		named = all // the only one needs no name
	}
	return one(named, what, remedy)
}

// knowsNone reports whether there is nothing that the reference could be to. It may be to the service that is being wrapped
// then, by an interface of it; where there are several, it is to none.
func (d *directory) knowsNone(ref *annotation.Reference) bool {
	return len(d.some(func(e *entry) bool {
		if ref.Recv != nil {
			return e.isA(ref.Recv)
		}
		return e.class.Is(ref.Class) || annotation.ClassOf(e.typ).Is(ref.Class)
	})) == 0
}

func (d *directory) classes() (names []string) {
	for _, e := range d.some(func(*entry) bool { return true }) {
		names = append(names, e.class.Short)
	}
	return names
}

// Type implements [Directory].
func (d *directory) Type(t reflect.Type) (Found, error) {
	return one(d.some(func(e *entry) bool { return e.isA(t) }), t.String(), "wrap it before, or give it by aspect.WithService")
}

// Name implements [Directory].
func (d *directory) Name(name string) (Found, error) {
	return one(d.some(func(e *entry) bool { return e.ref.Name == name }),
		fmt.Sprintf("service named %q", name), "wrap it with aspect.WithName, or write Class@Method or a Go function")
}

func (d *directory) resolve(f Found) (value, impl reflect.Value, err error) {
	e := f.ID.(*entry)
	return e.value, e.target, nil
}
