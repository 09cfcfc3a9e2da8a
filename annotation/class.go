package annotation

import (
	"net/url"
	"reflect"
	"strings"
)

// ClassName is the name of a service's type in three forms, from the shortest to the one that is unambiguous. Type
// arguments are in the same form as the name.
type ClassName struct {
	Short     string // "PgRepository[User]"
	Qualified string // "pg.PgRepository[model.User]", by the packages' names
	Full      string // "example.com/shop/pg.PgRepository[example.com/shop/model.User]"
}

// Is reports whether name is one of the three forms.
func (c ClassName) Is(name string) bool {
	return name == c.Short || name == c.Qualified || name == c.Full
}

// ClassOf is the class of a service of type t. Pointers are stripped; an unnamed type is what reflect prints of it, in all
// forms. For those who weave.
func ClassOf(t reflect.Type) ClassName {
	for t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	name := t.Name()
	if name == "" {
		s := t.String()
		return ClassName{s, s, s}
	}
	if t.PkgPath() == "" { // a predeclared type
		return ClassName{name, name, name}
	}
	qualifier, _, _ := strings.Cut(t.String(), ".")
	base, arguments, _ := strings.Cut(name, "[")
	if arguments == "" {
		return ClassName{base, qualifier + "." + base, t.PkgPath() + "." + base}
	}
	arguments = "[" + arguments
	return ClassName{
		Short:     base + rename(arguments, func(_, name string) string { return name }),
		Qualified: qualifier + "." + base + rename(arguments, func(path, name string) string { return packageName(path) + "." + name }),
		Full:      t.PkgPath() + "." + base + rename(arguments, func(path, name string) string { return path + "." + name }),
	}
}

// rename writes each qualified name in the type arguments of a type's name anew. The text is reflect's: import paths are
// whole, and the dots in the last element of a path are escaped.
func rename(arguments string, form func(path, name string) string) string {
	var b strings.Builder
	for len(arguments) > 0 {
		if arguments[0] == '"' { // the tag of an unnamed struct
			end := quotedEnd(arguments)
			b.WriteString(arguments[:end])
			arguments = arguments[end:]
			continue
		}
		if n := strings.IndexAny(arguments, "[](){}*,; \""); n != 0 {
			if n < 0 {
				n = len(arguments)
			}
			b.WriteString(renameOne(arguments[:n], form))
			arguments = arguments[n:]
			continue
		}
		b.WriteByte(arguments[0])
		arguments = arguments[1:]
	}
	return b.String()
}

func renameOne(word string, form func(path, name string) string) string {
	dots := len(word) - len(strings.TrimLeft(word, ".")) // of a variadic parameter
	prefix, word := word[:dots], word[dots:]
	slash := strings.LastIndexByte(word, '/')
	dot := strings.IndexByte(word[slash+1:], '.')
	if dot < 0 {
		return prefix + word
	}
	path, name := word[:slash+1+dot], word[slash+1+dot+1:]
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	name, _, _ = strings.Cut(name, "·") // the number of a type that is declared in a function
	return prefix + form(path, name)
}

// packageName guesses the name of the package at path, which a type argument does not tell.
func packageName(path string) string {
	elements := strings.Split(path, "/")
	last := elements[len(elements)-1]
	if len(elements) > 1 && isMajorVersion(last) {
		last = elements[len(elements)-2]
	}
	if dot := strings.LastIndexByte(last, '.'); dot > 0 && isMajorVersion(last[dot+1:]) {
		last = last[:dot]
	}
	return last
}

func isMajorVersion(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}

// quotedEnd is the length of the quoted string that s begins with, or all of s.
func quotedEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}
