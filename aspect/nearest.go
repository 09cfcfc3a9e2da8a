package aspect

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/backstay/backstay/annotation"
)

// textsOf are the texts of pointcuts, in order.
func textsOf(some map[*pointcut]bool) (texts []string) {
	for p := range some {
		texts = append(texts, p.text)
	}
	slices.Sort(texts)
	return texts
}

// nothing says that a pointcut, or a part of one, meets nothing, and what was probably meant by the first of the parts that
// comes near to something. The lock is held.
func (w *Weaver) nothing(what, place string, parts ...string) error {
	d := &annotation.DefinitionError{
		Problem: what + " matches nothing", Place: place,
		Remedy: "correct it, or leave it out; only services that are provided as an interface or a func can be met",
	}
	for _, text := range parts {
		if near := w.near(text); near != "" {
			d.Remedy = fmt.Sprintf("did you mean %s?", near)
			break
		}
	}
	return d
}

// near is the pointcut of one name that was probably meant; empty: none is near.
func (w *Weaver) near(text string) string {
	word, name, ok := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	if !ok {
		return w.nearest(text)
	}
	n := w.names()
	of := func(word string, names []string) string {
		if near := annotation.NearMiss(name, names); near != "" {
			return word + "(" + near + ")"
		}
		return ""
	}
	switch word {
	case wordClass:
		if slices.Contains(n.interfaces, name) {
			return wordInterface + "(" + name + ")"
		}
		return of(word, n.classes)
	case wordInterface:
		if slices.Contains(n.classes, name) {
			return wordClass + "(" + name + ")"
		}
		return of(word, n.interfaces)
	case wordMethod:
		return of(word, n.methods)
	case wordAnnotated:
		return of(word, n.annotations)
	}
	return ""
}

// nearest is the reference that was probably meant; empty: none is near. A wrong class is found by itself, whatever the
// methods are.
func (w *Weaver) nearest(ref string) string {
	n := w.names()
	if near := annotation.NearMiss(ref, n.references); near != "" {
		return near
	}
	class, methods, ok := strings.Cut(ref, "@")
	if !ok {
		return ""
	}
	if near := annotation.NearMiss(class, n.classes); near != "" {
		return near + "@" + methods
	}
	return ""
}

// known are the names of what has been planned.
type known struct{ classes, interfaces, methods, references, annotations []string }

// names gathers what pointcuts can name. Only mistakes ask for it.
func (w *Weaver) names() (n known) {
	add := func(to *[]string, names ...string) {
		for _, name := range names {
			if name != "" && !slices.Contains(*to, name) {
				*to = append(*to, name)
			}
		}
	}
	forms := func(to *[]string, c annotation.ClassName) { add(to, c.Short, c.Qualified, c.Full) }
	for _, p := range w.plans {
		if len(p.service.Interfaces) == 0 {
			continue
		}
		class := p.service.class()
		forms(&n.classes, class)
		service := p.service.Ref
		service.Class = class.Short
		add(&n.classes, service.String())
		for _, i := range p.service.Interfaces {
			forms(&n.interfaces, annotation.ClassOf(i))
		}
		for _, m := range p.all {
			add(&n.methods, m.Name, class.Short+"."+m.Name)
			add(&n.references, class.Short+"@"+m.Name, service.String()+"@"+m.Name)
			for _, i := range p.service.Interfaces {
				add(&n.methods, annotation.ClassOf(i).Short+"."+m.Name)
			}
		}
		for _, d := range p.definitions {
			for _, e := range d.Entries {
				forms(&n.annotations, annotation.ClassOf(reflect.TypeOf(e.Annotation)))
			}
		}
	}
	return n
}

// remember keeps a plan for the sake of mistakes.
func (w *Weaver) remember(p *Plan) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.advice) > 1 || len(w.options.blankets)+len(w.options.configurations) > 0 {
		w.plans = append(w.plans, p)
	}
}
