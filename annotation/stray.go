package annotation

import (
	"fmt"
	"reflect"
	"strings"
)

// isStray reports whether a field of a service that is no mark was meant to be one: a blank field of an annotation's own
// type or with a key method in its tag, a list of marks, a retry annotation with that key. Nothing would read it. It is
// asked of every field of every service, so it looks at the name and the tag first.
func isStray(f reflect.StructField) bool {
	if k := f.Type.Kind(); (k == reflect.Slice || k == reflect.Array) && elementOf(f.Type).Implements(markType) {
		return true
	}
	selects := selectsMethods(string(f.Tag))
	if f.Name == "_" {
		return selects || IsRetry(elementOf(f.Type))
	}
	return selects && IsRetry(elementOf(f.Type))
}

// elementOf is what a pointer or a list is of, or a list of lists. A type that is a list of itself has no end.
func elementOf(t reflect.Type) reflect.Type {
	const deepest = 4
	for range deepest {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array:
			t = t.Elem()
		}
	}
	return t
}

// selectsMethods reports whether a tag has the key that selects methods, be the tag malformed or not.
func selectsMethods(tag string) bool {
	for rest := tag; ; {
		i := strings.Index(rest, methodKey+":")
		if i < 0 {
			return false
		}
		if i == 0 || strings.IndexByte(" \t\n\"", rest[i-1]) >= 0 {
			return true
		}
		rest = rest[i+1:]
	}
}

// strayMark is a declaration that only carries the mistake.
func strayMark(owner reflect.Type, f reflect.StructField) Declaration {
	a := elementOf(f.Type)
	if a.Kind() == reflect.Struct && a.Implements(markType) {
		a = markedBy(a)
	}
	d := Declaration{typ: a, tag: true, place: placeOf(owner, f), owner: owner, unselected: true, stray: true}
	right := fmt.Sprintf("annotation.On[%v]", a)
	if a.Kind() != reflect.Struct || a.Name() == "" {
		right = "annotation.On[T], T being the annotation"
	}
	d.hand.wrong(fmt.Sprintf("the type of the field is %v, which attaches nothing", f.Type), "write _ "+right)
	return d
}
