package aspect

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/backstay/backstay/annotation"
)

// Annotated matches methods that carry an annotation of type A, or of a type that embeds A, which makes A a kind:
// Annotated of annotation.AbstractRetry is every retry annotation. A method carries what is declared for it, by name or glob,
// and what is declared for all methods of its service.
func Annotated[A any]() Pointcut {
	a := reflect.TypeFor[A]()
	return &pointcut{text: written(wordAnnotated, typeText(a)), match: func(m *candidate) bool {
		_, ok := annotation.ValueOf(m.entries, a)
		return ok
	}}
}

// annotatedNamed is Annotated of the type of that name. Nobody but the methods that carry it can tell whether there is one,
// so unlike Annotated, which the compiler has checked, it has to meet something wherever it stands.
func annotatedNamed(name string) *pointcut {
	text := written(wordAnnotated, name)
	n, wrong := typeNamed(wordAnnotated, name, text)
	if wrong != "" {
		return wrongPointcut(text, wrong)
	}
	p := &pointcut{text: text, named: true, meant: &meanings{}}
	p.match = func(m *candidate) bool {
		met := false
		for _, e := range m.entries {
			for _, t := range n.within(reflect.TypeOf(e.Annotation)) {
				p.meant.add(t)
				met = true
			}
		}
		return met
	}
	return p
}

// Class matches the services of a class; * stays within a segment of its path, ** crosses. A class has three forms, and
// a pattern that matches one of them is enough: StripeGateway, payment.StripeGateway, and the full import path form
// example.com/shop/payment.StripeGateway.
func Class(glob string) Pointcut {
	return &pointcut{text: written(wordClass, glob), named: true, match: func(m *candidate) bool { return m.isOf(glob) }}
}

// Interface matches services provided as an I, or as an interface that has all methods of I.
func Interface[I any]() Pointcut {
	i := reflect.TypeFor[I]()
	mentioned.note(i)
	return &pointcut{text: written(wordInterface, typeText(i)), named: true, match: func(m *candidate) bool { return m.providedAs(i) }}
}

// interfaceNamed is Interface of the type of that name.
func interfaceNamed(name string) *pointcut {
	text := written(wordInterface, name)
	n, wrong := typeNamed(wordInterface, name, text)
	if wrong != "" {
		return wrongPointcut(text, wrong)
	}
	p := &pointcut{text: text, named: true, meant: &meanings{}}
	p.match = func(m *candidate) bool { return p.meant.providedAs(m, n) }
	return p
}

// Method matches methods by name or glob, several by comma, or the one that a method expression names: of the services
// provided as its interface, or of its concrete type. In a list Type.Name is the method of one type, as in a method
// expression; a type has the three forms of a class, and the name may be a glob.
func Method(method any) Pointcut {
	if names, ok := method.(string); ok {
		return methodNames(names)
	}
	recv, name, err := annotation.MethodOf(method)
	if err != nil {
		wrong := err.Error()
		if d := new(annotation.DefinitionError); errors.As(err, &d) {
			wrong = d.Problem + "; " + d.Remedy
		}
		return wrongPointcut(written(wordMethod, fmt.Sprintf("%T", method)), wrong)
	}
	mentioned.note(recv)
	return &pointcut{text: written(wordMethod, typeText(recv)+"."+name), named: true, match: func(m *candidate) bool {
		return m.method == name && (m.isReceiver(recv) || m.providedAs(recv))
	}}
}

// methodNames matches names, globs and Type.Name, several by comma.
func methodNames(names string) *pointcut {
	names = strings.TrimSpace(names)
	all := &pointcut{text: written(wordMethod, names)}
	for _, item := range split(names) {
		all.parts = append(all.parts, oneMethod(item))
	}
	all.match = func(m *candidate) bool { return anyOf(m, all.parts) }
	return all
}

// oneMethod matches one name, glob or Type.Name.
func oneMethod(item string) *pointcut {
	text := written(wordMethod, item)
	if out, not := strings.CutPrefix(item, "!"); not {
		return wrongPointcut(text, fmt.Sprintf("%s takes nothing out; write %s, or aspect.Not(aspect.Method(%q)) in code",
			text, written(wordNot, written(wordMethod, out)), out))
	}
	dot := lastDot(item)
	if dot < 0 {
		return &pointcut{text: text, named: true, match: func(m *candidate) bool { return matchGlob(item, m.method) }}
	}
	name := item[dot+1:]
	n, wrong := typeNamed(wordMethod, item[:dot], text)
	switch {
	case wrong != "":
		return wrongPointcut(text, wrong)
	case name == "":
		return wrongPointcut(text, fmt.Sprintf("%s names no method of %s; write %[2]s.* or the name of one", text, item[:dot]))
	}
	p := &pointcut{text: text, named: true, meant: &meanings{}}
	p.match = func(m *candidate) bool {
		return matchGlob(name, m.method) && (p.meant.isReceiver(m, n) || p.meant.providedAs(m, n))
	}
	return p
}
