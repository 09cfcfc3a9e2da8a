package container

import (
	"reflect"
	"slices"
	"strings"

	"github.com/backstay/backstay/annotation"
)

// classes are the names under which references find services.
type classes struct {
	byClass     map[string][]*service // by every form of the class
	byInterface map[string][]*service // by every form of the name of an interface that they are provided as
	names       []string              // all of these, each once, in order of registration
}

// spaces are those that a reference may have or leave out: Pair[string, int] is Pair[string,int].
var spaces = strings.NewReplacer(" , ", ",", ", ", ",", " ,", ",", "[ ", "[", " ]", "]")

// provides are the services of a class or, where only an interface of that name is known, all that are provided as it.
func (c *classes) provides(name string) []*service {
	name = spaces.Replace(name)
	all := slices.Clone(c.byClass[name])
	for _, s := range all {
		if s.class().Kind() != reflect.Interface {
			return all
		}
	}
	for _, s := range c.byInterface[name] {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// near is the class or interface that was probably meant: one whose name, with or without type arguments, is near.
func (c *classes) near(name string) string {
	n := len(c.names)
	candidates := make([]string, n, 2*n)
	for i, full := range c.names {
		candidates[i], _, _ = strings.Cut(full, "[")
	}
	candidates = append(candidates, c.names...)
	if near := annotation.NearMiss(spaces.Replace(name), candidates); near != "" {
		return c.names[slices.Index(candidates, near)%n]
	}
	return ""
}

// nameClasses gives every service its class: the shortest form that no other class has.
func (p *plan) nameClasses() {
	first := make(map[string]*service, len(p.services)) // of that short form
	several := map[string]bool{}                        // forms that more than one class has
	for _, s := range p.services {
		s.ref.Class = shortClass(s.class())
		if f, ok := first[s.ref.Class]; !ok {
			first[s.ref.Class] = s
		} else if f.class() != s.class() && annotation.ClassOf(f.class()).Full != annotation.ClassOf(s.class()).Full {
			several[s.ref.Class] = true
		}
	}
	if len(several) == 0 {
		return
	}
	qualified := map[string]string{}
	for _, s := range p.services {
		if !several[s.ref.Class] {
			continue
		}
		n := annotation.ClassOf(s.class())
		if full, ok := qualified[n.Qualified]; ok && full != n.Full {
			several[n.Qualified] = true
		}
		qualified[n.Qualified] = n.Full
	}
	for _, s := range p.services {
		if !several[s.ref.Class] {
			continue
		}
		if n := annotation.ClassOf(s.class()); several[n.Qualified] {
			s.ref.Class = n.Full
		} else {
			s.ref.Class = n.Qualified
		}
	}
}

// shortClass is the short form of a class. The usual type's is its name, which is at hand.
func shortClass(t reflect.Type) string {
	named := t
	if t.Kind() == reflect.Pointer && t.Name() == "" {
		named = t.Elem()
	}
	if name := named.Name(); name != "" && !strings.HasSuffix(name, "]") {
		return name
	}
	return annotation.ClassOf(t).Short
}

// indexClasses makes the index. Only references by class need it, so it is made when the first one is looked up.
func (p *plan) indexClasses() *classes {
	c := &classes{byClass: map[string][]*service{}, byInterface: map[string][]*service{}}
	add := func(to map[string][]*service, n annotation.ClassName, s *service) {
		for _, form := range [...]string{n.Short, n.Qualified, n.Full} {
			form = spaces.Replace(form)
			if len(c.byClass[form])+len(c.byInterface[form]) == 0 {
				c.names = append(c.names, form)
			}
			if !slices.Contains(to[form], s) { // two forms may be one, and two interfaces may have one name
				to[form] = append(to[form], s)
			}
		}
	}
	for _, s := range p.services {
		add(c.byClass, annotation.ClassOf(s.class()), s)
	}
	for _, s := range p.services {
		for _, t := range s.provided {
			if t.Kind() == reflect.Interface && t != s.class() {
				add(c.byInterface, annotation.ClassOf(t), s)
			}
		}
	}
	return c
}
