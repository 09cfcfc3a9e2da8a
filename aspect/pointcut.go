package aspect

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/backstay/backstay/annotation"
)

// Pointcut selects join points and prints itself. One that matches nothing is a definition error. Only services that are
// provided as an interface or a func can be met: calls of a concrete type cannot be intercepted.
type Pointcut interface {
	String() string
	pointcut()
}

// matcher is the part of a pointcut that the weaver asks, once per method, when a service is planned.
type matcher interface {
	Pointcut
	matches(m *candidate) bool
	problems() []string // what is wrong with it, each "problem; remedy"

	// names are the parts that name a class, an interface or a method. Each has to meet something: a misspelt name under
	// Not would let the aspect run where it must not.
	names() map[*pointcut]bool
}

// candidate is a method that a pointcut may meet.
type candidate struct {
	class      annotation.ClassName
	impl       reflect.Type
	interfaces []reflect.Type
	method     string
	entries    []annotation.Entry
}

// pointcut is the one implementation.
type pointcut struct {
	text  string
	match func(m *candidate) bool
	wrong []string
	named bool        // it names a class, an interface or a method
	parts []*pointcut // of a composition, or the several names of one Method
}

func (p *pointcut) String() string            { return p.text }
func (p *pointcut) pointcut()                 {}
func (p *pointcut) matches(m *candidate) bool { return p.match(m) }
func (p *pointcut) problems() []string        { return p.wrong }

func (p *pointcut) names() map[*pointcut]bool {
	all := map[*pointcut]bool{}
	if p.named {
		all[p] = true
	}
	for _, part := range p.parts {
		maps.Copy(all, part.names())
	}
	return all
}

// Annotated matches methods that carry an annotation of type A, or of a type that embeds A: Annotated of
// annotation.AbstractRetry is the kind, every retry annotation.
func Annotated[A any]() Pointcut {
	a := reflect.TypeFor[A]()
	return &pointcut{text: fmt.Sprintf("annotated(%v)", a), match: func(m *candidate) bool {
		_, ok := annotation.ValueOf(m.entries, a)
		return ok
	}}
}

// Class matches the services of a class; * stays within a segment of its path, ** crosses. A class has three forms, and
// a pattern that matches one of them is enough: StripeGateway, payment.StripeGateway, and the full import path form
// example.com/shop/payment.StripeGateway.
func Class(glob string) Pointcut {
	return &pointcut{text: fmt.Sprintf("class(%s)", glob), named: true, match: func(m *candidate) bool {
		return matchGlob(glob, m.class.Short) || matchGlob(glob, m.class.Qualified) || matchGlob(glob, m.class.Full)
	}}
}

// Interface matches services provided as an I, or as an interface that has all methods of I.
func Interface[I any]() Pointcut {
	i := reflect.TypeFor[I]()
	return &pointcut{text: fmt.Sprintf("interface(%v)", i), named: true, match: func(m *candidate) bool { return providedAs(m, i) }}
}

func providedAs(m *candidate, t reflect.Type) bool {
	for _, i := range m.interfaces {
		if i == t || t.Kind() == reflect.Interface && i.Implements(t) {
			return true
		}
	}
	return false
}

// Method matches methods by name or glob, several by comma, or the one that a method expression names: of the services
// provided as its interface, or of its concrete type.
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
		return &pointcut{text: fmt.Sprintf("method(%T)", method), wrong: []string{wrong}, match: func(*candidate) bool { return false }}
	}
	return &pointcut{text: fmt.Sprintf("method(%v.%s)", recv, name), named: true, match: func(m *candidate) bool {
		return m.method == name && (m.impl != nil && isReceiver(recv, m.impl) || providedAs(m, recv))
	}}
}

// methodNames matches names and globs, several by comma.
func methodNames(names string) Pointcut {
	all := &pointcut{text: fmt.Sprintf("method(%s)", names)}
	for item := range strings.SplitSeq(names, ",") {
		item = strings.TrimSpace(item)
		if out, not := strings.CutPrefix(item, "!"); not {
			all.wrong = append(all.wrong, fmt.Sprintf("method(%s) takes nothing out; write aspect.Not(aspect.Method(%q))", names, out))
		}
		all.parts = append(all.parts, &pointcut{
			text: fmt.Sprintf("method(%s)", item), named: true, match: func(m *candidate) bool { return matchGlob(item, m.method) },
		})
	}
	all.match = func(m *candidate) bool {
		return slices.ContainsFunc(all.parts, func(p *pointcut) bool { return p.match(m) })
	}
	return all
}

// Any matches every join point.
func Any() Pointcut {
	return &pointcut{text: "any", match: func(*candidate) bool { return true }}
}

// And matches what all of p match.
func And(p ...Pointcut) Pointcut {
	return compose("and", p, func(m *candidate, parts []*pointcut) bool {
		for _, x := range parts {
			if !x.matches(m) {
				return false
			}
		}
		return true
	})
}

// Or matches what one of p matches.
func Or(p ...Pointcut) Pointcut {
	return compose("or", p, func(m *candidate, parts []*pointcut) bool {
		for _, x := range parts {
			if x.matches(m) {
				return true
			}
		}
		return false
	})
}

// Not matches what p does not.
func Not(p Pointcut) Pointcut {
	return compose("not", []Pointcut{p}, func(m *candidate, parts []*pointcut) bool { return !parts[0].matches(m) })
}

func compose(name string, p []Pointcut, match func(*candidate, []*pointcut) bool) Pointcut {
	all := &pointcut{}
	var texts []string
	for _, x := range p {
		part, ok := x.(*pointcut)
		if !ok || part == nil {
			part = &pointcut{text: "nil", wrong: []string{"a pointcut is nil; write aspect.Any() or leave it out"}, match: func(*candidate) bool { return false }}
		}
		all.parts, texts, all.wrong = append(all.parts, part), append(texts, part.String()), append(all.wrong, part.problems()...)
	}
	all.text = fmt.Sprintf("%s(%s)", name, strings.Join(texts, ", "))
	all.match = func(m *candidate) bool { return match(m, all.parts) }
	return all
}
