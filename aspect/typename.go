package aspect

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/backstay/backstay/annotation"
)

// typeText is a type as pointcuts print it: by the names of the packages, which is short enough to read.
func typeText(t reflect.Type) string {
	t, stars := pointee(t)
	return strings.Repeat("*", stars) + annotation.ClassOf(t).Qualified
}

// typeName is a type as it is written in a pointcut, in any form of annotation.ClassName.
type typeName struct {
	name  string
	stars int // before it
}

// typeNamed reads the name of a type, for a pointcut that is written so. What is wrong with it is "problem; remedy".
func typeNamed(word, text, written string) (n typeName, wrong string) {
	n.name = strings.TrimLeft(text, "*")
	n.stars = len(text) - len(n.name)
	example := "write its name, as in " + typeExamples[word]
	switch base, _, isGeneric := strings.Cut(n.name, "["); {
	case n.name == "":
		return n, fmt.Sprintf("%s names no type; %s", written, example)
	case strings.HasPrefix(n.name, "@"):
		return n, fmt.Sprintf("%s has an @ before a type; leave it out, as in %s", written, typeExamples[word])
	case hasOutside(n.name, ','):
		return n, fmt.Sprintf("%s has several types; write %s", written, oneEach(word, text))
	case isSpaced(text):
		return n, fmt.Sprintf("%s has a space in a type; %s", written, example)
	case hasGlob(text) && isGeneric && base != "" && !hasGlob(base):
		return n, fmt.Sprintf("%s has a glob for a type, and each instance is a type of its own; write one, such as %s[int], or several in or(P, P)", written, base)
	case hasGlob(text):
		return n, fmt.Sprintf("%s has a glob for a type; %s", written, example)
	}
	return n, ""
}

// hasGlob reports whether a star in the text of a type is no pointer's: it does not stand before a type, or stands within a
// name.
func hasGlob(text string) bool {
	found := false
	scan(text, func(i, _ int) bool {
		if text[i] != '*' {
			return true
		}
		before := strings.TrimRight(text[:i], "*")
		after, _ := utf8.DecodeRuneInString(strings.TrimLeft(text[i:], "*"))
		last, _ := utf8.DecodeLastRuneInString(before)
		isVariadic := strings.HasSuffix(before, "...")
		found = isInName(last) && !isVariadic || !isInName(after) && !strings.ContainsRune("[(<", after) || strings.ContainsRune("./-~", after)
		return !found
	})
	return found
}

// isInName reports whether a rune may be in a qualified name.
func isInName(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_./-~", r))
}

// oneEach are pointcuts of the types that a list has.
func oneEach(word, list string) string {
	var each []string
	for _, t := range split(list) {
		if t != "" {
			each = append(each, written(word, t))
		}
	}
	switch len(each) {
	case 0:
		return typeExamples[word]
	case 1:
		return each[0]
	}
	return wordOr + "(" + strings.Join(each, ", ") + ")"
}

var typeExamples = map[string]string{
	wordAnnotated: "annotated(audit.Audited)", wordInterface: "interface(payment.Gateway)", wordMethod: "method(payment.Gateway.Charge)",
}

func pointee(t reflect.Type) (to reflect.Type, stars int) {
	for t.Kind() == reflect.Pointer && t.Name() == "" {
		t, stars = t.Elem(), stars+1
	}
	return t, stars
}

// is reports whether t has that name.
func (n typeName) is(t reflect.Type) bool {
	t, stars := pointee(t)
	return stars == n.stars && annotation.ClassOf(t).Is(n.name)
}

// within are the types of that name among t and what it embeds by value.
func (n typeName) within(t reflect.Type) (all []reflect.Type) {
	if n.is(t) {
		all = append(all, t)
	}
	if t.Kind() != reflect.Struct {
		return all
	}
	for f := range t.Fields() {
		if f.Anonymous {
			all = append(all, n.within(f.Type)...)
		}
	}
	return all
}

// meanings are the types that a name in a pointcut has met, in full. It is safe for concurrent use.
type meanings struct {
	mu  sync.Mutex
	met []string
}

func (m *meanings) add(t reflect.Type) {
	full := annotation.ClassOf(t).Full
	m.mu.Lock()
	defer m.mu.Unlock()
	if i, known := slices.BinarySearch(m.met, full); !known {
		m.met = slices.Insert(m.met, i, full)
	}
}

// problems says that a name has met several types: an aspect must not run around what nobody had in mind.
func (m *meanings) problems(text string) []string {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.met) < 2 {
		return nil
	}
	return []string{fmt.Sprintf("%s means %s; write the one with its import path, or both in or(...)", text, strings.Join(m.met, " and "))}
}

// isReceiver is that of the candidate for a type by name.
func (m *meanings) isReceiver(c *candidate, n typeName) bool {
	if c.impl == nil {
		return false
	}
	if n.is(c.impl) || c.impl.Kind() == reflect.Pointer && n.is(c.impl.Elem()) {
		m.add(c.impl)
		return true
	}
	return false
}

// providedAs is that of the candidate for a type by name.
func (m *meanings) providedAs(c *candidate, n typeName) bool {
	met := false
	for _, i := range c.interfaces {
		if n.is(i) {
			m.add(i)
			met = true
		}
	}
	for _, t := range mentioned.named(n) {
		if c.providedAs(t) {
			m.add(t)
			met = true
		}
	}
	return met
}

// mentioned are the interfaces that pointcuts have been written of in code. A name alone does not tell the methods of an
// interface, so without it a pointcut that is read back could not meet what the one that was printed meets.
var mentioned interfaces

// interfaces remembers interface types by name, since types do not change. It is safe for concurrent use.
type interfaces struct {
	mu  sync.Mutex
	all []reflect.Type
}

func (s *interfaces) note(t reflect.Type) {
	if t.Kind() != reflect.Interface {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.all, t) {
		s.all = append(s.all, t)
	}
}

func (s *interfaces) named(n typeName) (all []reflect.Type) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.all {
		if n.is(t) {
			all = append(all, t)
		}
	}
	return all
}
