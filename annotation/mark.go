package annotation

import (
	"fmt"
	"reflect"
	"slices"
)

// On attaches an annotation of type A. It is a blank field of the implementation, best its first, since a zero-size last
// field pads a struct:
//
//	type StripeGateway struct {
//		_ annotation.On[aliases.Retry] `method:"Charge,Refund" maxAttempts:"3"`
//	}
//
// The method key takes names and globs by comma; a ! takes methods out. Every other key sets the attribute, or the
// annotation's own field, of that name in lower camel case. The whole tag has to be right: see the package's documentation.
type On[A any] struct{}

func (On[A]) annotation() reflect.Type { return reflect.TypeFor[A]() }

// mark is an On of some type.
type mark interface{ annotation() reflect.Type }

var markType = reflect.TypeFor[mark]()

// annotationOf is A of the On[A] that t is.
func annotationOf(t reflect.Type) reflect.Type {
	return reflect.Zero(t).Interface().(mark).annotation()
}

// markedBy is A of the On[A] that the struct t is or embeds, also by pointer.
func markedBy(t reflect.Type) reflect.Type {
	if t.Size() == 0 {
		return annotationOf(t)
	}
	for f := range t.Fields() {
		if e := structOf(f.Type); f.Anonymous && e != nil && e.Implements(markType) {
			return markedBy(e)
		}
	}
	return t
}

// Marks reads the annotations of a struct type, or of a pointer to one, in order; then those of the structs that it embeds,
// which count for the methods that the type promotes from them. For those who weave.
func Marks(t reflect.Type) []Declaration {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	return marksOf(t, nil, nil)
}

// marksOf reads the marks of t, whose methods are met if path, the structs from the outermost one that embed it, promotes
// them.
func marksOf(t reflect.Type, path []reflect.Type, found []Declaration) []Declaration {
	var embedded []reflect.Type
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Type.Kind() == reflect.Struct && f.Type.Size() == 0 && f.Type.Implements(markType):
			found = append(found, readMark(t, f, path))
		case f.Type.Kind() == reflect.Pointer && f.Type.Implements(markType):
			d := Declaration{typ: annotationOf(f.Type.Elem()), tag: true, place: placeOf(t, f), owner: t, unselected: true}
			d.hand.wrong("the mark is a pointer", fmt.Sprintf("write the type itself: _ annotation.On[%v]", d.typ))
			found = append(found, d)
		case isStray(f):
			found = append(found, strayMark(t, f))
		case f.Anonymous:
			if e := structOf(f.Type); e != nil {
				embedded = append(embedded, e)
			}
		}
	}
	for _, e := range embedded {
		if e != t && !slices.Contains(path, e) {
			found = marksOf(e, append(path[:len(path):len(path)], t), found)
		}
	}
	return found
}

func structOf(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct {
		return t
	}
	return nil
}

// placeOf is Type.field.
func placeOf(t reflect.Type, f reflect.StructField) string {
	if t.Name() == "" {
		return "struct." + f.Name
	}
	return ClassOf(t).Short + "." + f.Name
}

func readMark(owner reflect.Type, f reflect.StructField, path []reflect.Type) Declaration {
	a := annotationOf(f.Type)
	d := Declaration{typ: a, tag: true, place: placeOf(owner, f), owner: owner, depth: len(path)}
	if len(path) > 0 {
		d.promoted = promoted(append(path[:len(path):len(path)], owner))
	}
	if f.Name != "_" {
		d.hand.wrong(fmt.Sprintf("the mark is the field %s", f.Name), fmt.Sprintf("write it as a blank field: _ annotation.On[%v]", a))
	}
	pairs, m := parseTag(string(f.Tag))
	if m != nil {
		if m.remedy == "" {
			m.remedy = fmt.Sprintf("write key:\"value\" pairs with a space between them, such as %s maxAttempts:\"3\"", tagged(methodKey, exampleMethod(owner)))
		}
		d.unselected = true
		d.hand.mistakes = append(d.hand.mistakes, *m)
		return d
	}
	k := kindOf(a)
	d.unselected = true
	for _, p := range pairs {
		switch {
		case p.key == methodKey:
			d.unselected = false
			d.selectMethods(p.value)
		case len(k.mistakes) == 0:
			d.hand.readKey(k, p.key, p.value)
		}
	}
	if d.unselected && len(d.hand.mistakes) == 0 {
		d.hand.wrong("the tag has no key method", "write "+tagged(methodKey, exampleMethod(owner)))
	}
	return d
}

// exampleMethod is a method that a tag may name.
func exampleMethod(t reflect.Type) string {
	if p := reflect.PointerTo(t); p.NumMethod() > 0 {
		return p.Method(0).Name
	}
	return "*"
}
