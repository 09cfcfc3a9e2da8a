package aspect

import (
	"fmt"
	"reflect"
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
}

func (p *pointcut) String() string            { return p.text }
func (p *pointcut) pointcut()                 {}
func (p *pointcut) matches(m *candidate) bool { return p.match(m) }
func (p *pointcut) problems() []string        { return p.wrong }

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
	return &pointcut{text: fmt.Sprintf("class(%s)", glob), match: func(m *candidate) bool {
		return matchGlob(glob, m.class.Short) || matchGlob(glob, m.class.Qualified) || matchGlob(glob, m.class.Full)
	}}
}

// Interface matches services provided as an I, or as an interface that has all methods of I.
func Interface[I any]() Pointcut {
	i := reflect.TypeFor[I]()
	return &pointcut{text: fmt.Sprintf("interface(%v)", i), match: func(m *candidate) bool { return providedAs(m, i) }}
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
		var wrong []string
		items := strings.Split(names, ",")
		for i, item := range items {
			if items[i] = strings.TrimSpace(item); strings.HasPrefix(items[i], "!") {
				wrong = append(wrong, fmt.Sprintf("method(%s) takes nothing out; write aspect.Not(aspect.Method(%q))", names, items[i][1:]))
			}
		}
		return &pointcut{text: fmt.Sprintf("method(%s)", names), wrong: wrong, match: func(m *candidate) bool {
			for _, item := range items {
				if matchGlob(item, m.method) {
					return true
				}
			}
			return false
		}}
	}
	recv, name, err := annotation.MethodOf(method)
	if err != nil {
		return &pointcut{text: fmt.Sprintf("method(%T)", method), wrong: []string{err.Error()}, match: func(*candidate) bool { return false }}
	}
	return &pointcut{text: fmt.Sprintf("method(%v.%s)", recv, name), match: func(m *candidate) bool {
		return m.method == name && (m.impl != nil && isReceiver(recv, m.impl) || providedAs(m, recv))
	}}
}

// Any matches every join point.
func Any() Pointcut {
	return &pointcut{text: "any", match: func(*candidate) bool { return true }}
}

// And matches what all of p match.
func And(p ...Pointcut) Pointcut {
	return compose("and", p, func(m *candidate, parts []matcher) bool {
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
	return compose("or", p, func(m *candidate, parts []matcher) bool {
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
	return compose("not", []Pointcut{p}, func(m *candidate, parts []matcher) bool { return !parts[0].matches(m) })
}

func compose(name string, p []Pointcut, match func(*candidate, []matcher) bool) Pointcut {
	var parts []matcher
	var texts, wrong []string
	for _, x := range p {
		part, ok := x.(matcher)
		if !ok {
			part = &pointcut{text: "nil", wrong: []string{"a pointcut is nil; write aspect.Any() or leave it out"}, match: func(*candidate) bool { return false }}
		}
		parts, texts, wrong = append(parts, part), append(texts, part.String()), append(wrong, part.problems()...)
	}
	return &pointcut{fmt.Sprintf("%s(%s)", name, strings.Join(texts, ", ")), func(m *candidate) bool { return match(m, parts) }, wrong}
}
