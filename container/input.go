package container

import (
	"fmt"
	"reflect"

	"go.uber.org/dig"
)

// In makes a struct a parameter whose exported fields are filled, each as a parameter of its type would be. The tags
// `name:"x"`, `optional:"true"` and `group:"x"` say more of a field; `ignore-unexported:"true"` on the embedded In skips
// unexported ones. It is dig's own: structs written for dig or fx work.
//
// A group is taken as a slice, in order of registration, or as a map[string]T, by the names of its members; then a member
// without a name is a definition error. After a comma, "soft" takes only members that something else has built, and
// "required" makes it a definition error that nobody is in the group. Both may be said: somebody is in it then, and may not
// be built.
type In = dig.In

// Out makes a struct a result whose exported fields are provided, each under its type. The tags `name:"x"` and
// `group:"x"`, or both, say more of a field. It is dig's own.
type Out = dig.Out

var (
	inType         = reflect.TypeFor[In]()
	outType        = reflect.TypeFor[Out]()
	errorType      = reflect.TypeFor[error]()
	stringType     = reflect.TypeFor[string]()
	inPointerType  = reflect.TypeFor[*In]()
	outPointerType = reflect.TypeFor[*Out]()
)

// input is one thing that a constructor, or the func of an Invoke, takes.
type input struct {
	key                    // of a group: the element type and the group's name
	t         reflect.Type // of the parameter or field
	kind      inputKind
	optional  bool
	soft      bool       // of a group: only what is built anyway
	required  bool       // of a group: somebody has to be in it
	parameter int        // which one
	field     []int      // in the struct that the parameter is; nil: the parameter itself
	decorator *decorator // who takes it, if the constructor does not
}

// taker names who takes the input, in messages that say the place: see wrongInput.
func (in *input) taker() string {
	if in.decorator != nil {
		return "its decorator"
	}
	return "its constructor"
}

// role is what kind of func takes the input.
func (in *input) role() string {
	if in.decorator != nil {
		return "decorator"
	}
	return "constructor"
}

// isMap reports whether a group is taken by the names of its members.
func (in *input) isMap() bool { return in.kind == grouped && in.t.Kind() == reflect.Map }

type inputKind uint8

const (
	single inputKind = iota
	lazy
	provider
	grouped
)

// inputs appends what a func of type t takes. Each problem is told to wrong.
func inputs(t reflect.Type, all []input, wrong func(problem, remedy string)) []input {
	for i := range t.NumIn() {
		all = appendInputs(all, input{t: t.In(i), parameter: i}, fieldTag{}, spot{kind: "parameter", number: i + 1}, wrong)
	}
	if t.IsVariadic() {
		wrong(fmt.Sprintf("%v is variadic, and nothing is injected into a variadic parameter", t), "wrap it in a func without that parameter")
		return all[:len(all)-1]
	}
	return all
}

// appendInputs adds what a parameter or field comes to: itself, or the fields of the struct that it is.
func appendInputs(all []input, in input, tag fieldTag, what spot, wrong func(problem, remedy string)) []input {
	t := in.t
	switch {
	case tag.group != nil:
		if t.Kind() != reflect.Slice && (t.Kind() != reflect.Map || t.Key() != stringType) || t.Elem().Implements(laterType) {
			wrong(fmt.Sprintf("%s takes group %q as a %v", what, tag.group.name, t), "make it a slice of what is in the group, or a map[string] of it")
			return all
		}
		in.kind, in.soft, in.required, in.key = grouped, tag.group.soft, tag.group.required, key{t.Elem(), tag.group.name}
		return append(all, in)
	case t.Kind() != reflect.Struct:
		if p := t.Kind() == reflect.Pointer; p && isIn(t.Elem()) {
			wrong(fmt.Sprintf("%s is a pointer to a struct that embeds container.In", what), "take the struct by value")
			return all
		} else if p && isOut(t.Elem()) {
			wrong(what.String()+" is a struct of results", "take a struct that embeds container.In")
			return all
		}
	case t.Implements(laterType):
		later := reflect.Zero(t).Interface().(laterParameter)
		in.kind, in.optional = later.kind(), tag.optional
		in.key = key{later.target(), tag.name}
		return append(all, in)
	case isOut(t) || embeds(t, outPointerType):
		wrong(what.String()+" is a struct of results", "take a struct that embeds container.In")
		return all
	case embeds(t, inPointerType):
		wrong(fmt.Sprintf("%v embeds a pointer to container.In", t), "embed container.In itself")
		return all
	case isIn(t):
		return appendFields(all, in, wrong)
	}
	in.optional, in.key = tag.optional, key{t, tag.name}
	return append(all, in)
}

// appendFields adds the fields of a struct that embeds In.
func appendFields(all []input, in input, wrong func(problem, remedy string)) []input {
	t, ignore := in.t, false
	for i := range t.NumField() {
		if f := t.Field(i); f.Type == inType {
			tag, problem, remedy := parseTag(f.Tag, sentinelKeys)
			if problem != "" {
				wrong(fmt.Sprintf("field %s of %v: %s", f.Name, t, problem), remedy)
			}
			ignore = tag.optional
		}
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Type == inType || !f.IsExported() && ignore {
			continue
		}
		what := spot{field: f.Name, of: t}
		if !f.IsExported() {
			wrong(what.String()+" is not exported, so it cannot be filled", "export it, or write container.In `ignore-unexported:\"true\"`")
			continue
		}
		tag, problem, remedy := parseTag(f.Tag, inKeys)
		if problem != "" {
			wrong(what.String()+": "+problem, remedy)
			continue
		}
		field := append(append([]int(nil), in.field...), i)
		all = appendInputs(all, input{t: f.Type, parameter: in.parameter, field: field}, tag, what, wrong)
	}
	return all
}

func isIn(t reflect.Type) bool  { return isOrEmbeds(t, inType) }
func isOut(t reflect.Type) bool { return isOrEmbeds(t, outType) }

// isOrEmbeds is what dig.IsIn and dig.IsOut say of a type. They allocate, and it is asked of all inputs and results.
func isOrEmbeds(t, sought reflect.Type) bool {
	if t.Kind() != reflect.Struct || t == sought {
		return t == sought
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && isOrEmbeds(f.Type, sought) {
			return true
		}
	}
	return false
}

// embeds reports whether the struct t has an embedded field of that type.
func embeds(t, field reflect.Type) bool {
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && f.Type == field {
			return true
		}
	}
	return false
}
