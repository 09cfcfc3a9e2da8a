package aspect

import (
	"maps"
	"slices"
	"strings"
)

// Pointcut selects join points and prints itself, so that [ParsePointcut] reads it back. One that matches nothing is a
// definition error, but for [Optional]. Only services that are provided as an interface or a func can be met: calls of a concrete type cannot
// be intercepted. Pointcuts are immutable to their users, and safe for concurrent use.
type Pointcut interface {
	String() string
	pointcut()
}

// matcher is the part of a pointcut that the weaver asks, once per method, when a service is planned.
type matcher interface {
	Pointcut
	matches(m *candidate) bool
	problems() []string // what is wrong with it, each "problem; remedy"
	mayBeIdle() bool    // it may meet nothing

	// names are the parts that name a class, an interface or a method. Each has to meet something: a misspelt name under
	// Not would let the aspect run where it must not.
	names() map[*pointcut]bool
}

// pointcut is the one implementation.
type pointcut struct {
	text   string
	listed string // its text in a list, where that differs
	match  func(m *candidate) bool
	wrong  []string
	named  bool        // it names a class, an interface or a method
	idle   bool        // it may meet nothing
	parts  []*pointcut // of a composition, or the several names of one Method or At
	meant  *meanings   // of a type that is written by name; else nil
}

func (p *pointcut) String() string            { return p.text }
func (p *pointcut) pointcut()                 {}
func (p *pointcut) matches(m *candidate) bool { return p.match(m) }

func (p *pointcut) problems() []string {
	all := p.wrong
	for _, part := range p.parts {
		all = append(all[:len(all):len(all)], part.problems()...)
	}
	return append(all[:len(all):len(all)], p.meant.problems(p.text)...)
}

func (p *pointcut) mayBeIdle() bool { return p.idle }

func (p *pointcut) names() map[*pointcut]bool {
	all := map[*pointcut]bool{}
	if p.idle {
		return all
	}
	if p.named {
		all[p] = true
	}
	for _, part := range p.parts {
		maps.Copy(all, part.names())
	}
	return all
}

// inList is the text of p as one of several.
func (p *pointcut) inList() string {
	if p.listed != "" {
		return p.listed
	}
	return p.text
}

// wrongPointcut matches nothing and says why: "problem; remedy".
func wrongPointcut(text, wrong string) *pointcut {
	return &pointcut{text: text, wrong: []string{wrong}, match: func(*candidate) bool { return false }}
}

// Any matches every join point.
func Any() Pointcut {
	return &pointcut{text: wordAny, match: func(*candidate) bool { return true }}
}

// And matches what all of p match.
func And(p ...Pointcut) Pointcut {
	return compose(wordAnd, p, func(m *candidate, parts []*pointcut) bool {
		return !slices.ContainsFunc(parts, func(x *pointcut) bool { return !x.matches(m) })
	})
}

// Or matches what one of p matches.
func Or(p ...Pointcut) Pointcut {
	return compose(wordOr, p, anyOf)
}

// Not matches what p does not.
func Not(p Pointcut) Pointcut {
	return compose(wordNot, []Pointcut{p}, func(m *candidate, parts []*pointcut) bool { return !parts[0].matches(m) })
}

// Optional matches what p does, and may match nothing, as may what p names: for aspects and annotations that come with a
// library, which does not know what it is used for. Such an annotation may also find nearer ones everywhere. What is wrong
// with p is an error all the same.
func Optional(p Pointcut) Pointcut {
	o := compose(wordOptional, []Pointcut{p}, anyOf).(*pointcut)
	o.idle = true
	return o
}

func anyOf(m *candidate, parts []*pointcut) bool {
	return slices.ContainsFunc(parts, func(x *pointcut) bool { return x.matches(m) })
}

func compose(word string, p []Pointcut, match func(*candidate, []*pointcut) bool) Pointcut {
	all := &pointcut{}
	var texts []string
	for _, x := range p {
		part, ok := x.(*pointcut)
		if !ok || part == nil {
			part = wrongPointcut("nil", "a pointcut is nil; write aspect.Any() or leave it out")
		}
		all.parts, texts = append(all.parts, part), append(texts, part.inList())
	}
	all.text = word + "(" + strings.Join(texts, ", ") + ")"
	all.match = func(m *candidate) bool { return match(m, all.parts) }
	return all
}
