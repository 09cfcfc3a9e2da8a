package annotation

import (
	"cmp"
	"reflect"
	"slices"
)

// Declaration is one annotation as it was written: its type, the methods that it is attached to, and what was set by hand.
// What is wrong with it is kept and reported by [Resolve]. It is immutable, and safe for concurrent use. For those who
// weave.
type Declaration struct {
	typ   reflect.Type
	place string
	tag   bool

	methods    selector
	recv       reflect.Type // of a method expression
	unselected bool         // the methods could not be read; a mistake says so
	stray      bool         // a field that is no mark: there is a mistake and nothing else

	// Of one for many services: the methods of this one that it is for. It is farther than all that is said of one service.
	forMany bool
	among   []string

	hand layer

	// Of a mark: the struct that has it, how deep that is embedded, and, where it is, the methods that it promotes.
	owner    reflect.Type
	depth    int
	promoted map[string]bool
}

// Declare is an annotation of type A at a registration, attached to what method selects: a method expression, or a string
// of names and globs. The place is that of the call; see [Caller]. For those who weave.
func Declare[A any](method any, place string, opts ...Option) Declaration {
	return declare(reflect.TypeFor[A](), method, place, opts)
}

func declare(t reflect.Type, method any, place string, opts []Option) Declaration {
	d := Declaration{typ: t, place: place, hand: layerOf(opts)}
	k := kindOf(t)
	if !k.retry && len(k.mistakes) == 0 {
		d.hand.refuseAttributes()
	}
	d.hand.checkSets(t)
	if text, ok := method.(string); ok {
		d.selectMethods(text)
		return d
	}
	recv, name, m := methodOf(method)
	if m != nil {
		d.unselected = true
		d.hand.mistakes = append(d.hand.mistakes, *m)
		return d
	}
	d.recv = recv
	d.methods = selector{text: Reference{Recv: recv, Method: name}.String(), in: []pattern{pattern(name)}}
	return d
}

// DeclareAll is an annotation of type A for methods of many services.
// [Declaration.Among] says which methods of one service they are. For those who weave.
func DeclareAll[A any](place string, opts ...Option) Declaration {
	d := declare(reflect.TypeFor[A](), "*", place, opts)
	d.forMany = true
	return d
}

// Among is the declaration for the named methods of one service, which text selects, such as that of a pointcut. What anybody says of that service alone is nearer. For those
// who weave.
func (d Declaration) Among(text string, methods []string) Declaration {
	d.methods.text, d.among = text, methods
	return d
}

// Mistakes are what is wrong with a declaration for many services, wherever it is used, each a *DefinitionError. For those
// who weave.
func (d Declaration) Mistakes() (errs []error) {
	for _, m := range slices.Concat(kindOf(d.typ).mistakes, d.hand.mistakes) {
		errs = append(errs, &DefinitionError{Annotation: d.typ.String(), Place: cmp.Or(m.place, d.place), Problem: m.problem, Remedy: m.remedy})
	}
	return errs
}

// selectMethods reads names and globs.
func (d *Declaration) selectMethods(text string) {
	s, m := parseSelector(text)
	if m != nil {
		d.unselected = true
		d.hand.mistakes = append(d.hand.mistakes, *m)
		return
	}
	d.methods = s
}

// Type is the annotation's type.
func (d Declaration) Type() reflect.Type { return d.typ }

// Place is the file:line of the call, or Type.field of the mark.
func (d Declaration) Place() string { return d.place }

// FromTag reports whether the declaration is a mark.
func (d Declaration) FromTag() bool { return d.tag }

// String is the annotation, the methods that it is attached to, and the place.
func (d Declaration) String() string {
	s := d.typ.String()
	if d.methods.text != "" {
		s += " on " + d.methods.text
	}
	return s + " (" + d.place + ")"
}

// methodTag is the key method of a mark, as it is written; "" of a registration.
func (d *Declaration) methodTag() string {
	if !d.tag {
		return ""
	}
	return tagged(methodKey, d.methods.text)
}

// origin is that of what was set by hand.
func (d *Declaration) origin() Origin {
	o := Origin{Layer: LayerRegistration, Annotation: d.typ.String(), Place: d.place}
	if d.tag {
		o.Layer = LayerTag
	}
	return o
}
