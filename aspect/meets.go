package aspect

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"unicode"

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
// example.com/shop/payment.StripeGateway. A type of package main has no import path: it is main.StripeGateway in full, so
// that example.com/shop/** does not match it, and main.* does.
func Class(glob string) Pointcut {
	text := written(wordClass, glob)
	switch {
	case strings.TrimSpace(glob) == "":
		return wrongPointcut(text, text+" names no class; write any, or a class or glob, as in class(Pg*)")
	case isList(glob):
		return wrongPointcut(text, fmt.Sprintf("%s has several classes; write %s", text, oneEach(wordClass, glob)))
	}
	return &pointcut{text: text, named: true, match: func(m *candidate) bool { return m.isOf(glob) }}
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
		return wrongPointcut(written(wordMethod, given(method)), wrong)
	}
	mentioned.note(recv)
	return &pointcut{text: written(wordMethod, typeText(recv)+"."+name), named: true, match: func(m *candidate) bool {
		return m.method == name && (m.isReceiver(recv) || m.providedAs(recv))
	}}
}

// given is what was given for a method and is none, as far as a line can show it.
func given(method any) string {
	v := reflect.ValueOf(method)
	switch {
	case !v.IsValid():
		return "nil"
	case v.Kind() == reflect.Func && v.IsNil():
		return "a nil " + v.Type().String()
	case v.Kind() == reflect.Func:
		name, _ := strings.CutSuffix(runtime.FuncForPC(v.Pointer()).Name(), "-fm") // of a method value
		return name[strings.LastIndexByte(name, '/')+1:]
	case v.CanInt() || v.CanUint() || v.CanFloat() || v.Kind() == reflect.Bool || v.Kind() == reflect.String:
		return fmt.Sprintf("%#v", method)
	}
	return "a " + v.Type().String()
}

// methodNames matches names, globs and Type.Name, several by comma.
func methodNames(names string) *pointcut {
	names = strings.TrimSpace(names)
	all := &pointcut{text: written(wordMethod, names)}
	if strings.Trim(names, ", ") == "" {
		return wrongPointcut(all.text, all.text+" names no method; write any, or names and globs by comma, as in method(Get*,Find)")
	}
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
	name := item[dot+1:]
	switch {
	case item == "":
		return wrongPointcut(text, "an item of the methods is empty; leave out the comma, as in method(Get*,Find)")
	case (dot < 0 || name != "") && !isMethodGlob(name):
		return wrongPointcut(text, fmt.Sprintf("%q is no method; write %s", item, methodsMeant(item)))
	case dot < 0:
		return &pointcut{text: text, named: true, match: func(m *candidate) bool { return matchGlob(item, m.method) }}
	}
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

// methodsMeant says how a text that is no method is written, as far as can be guessed.
func methodsMeant(item string) string {
	names := strings.FieldsFunc(item, func(r rune) bool { return unicode.IsSpace(r) || r == '|' || r == ';' })
	switch {
	case len(names) > 1 && !slices.ContainsFunc(names, func(name string) bool { return !isMethodGlob(name) }):
		return written(wordMethod, strings.Join(names, ","))
	case len(at(item).problems()) == 0:
		return at(item).inList()
	}
	return "names and globs by comma, as in method(Get*,Find), or Type.Method"
}
