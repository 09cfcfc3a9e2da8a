package annotation

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/backstay/backstay/retry"
)

// Entry is one annotation of one method.
type Entry struct {
	Ref        retry.MethodRef
	Annotation any    // of the annotation's own type, with its own fields set
	Place      string // of the call, or of the mark

	Configured []string // the places of configurations that have set fields of it
}

// Settings are the annotation's own fields that are not zero, as a tag would set them: "topic=ledger, level=2". A field whose
// type has a String method says itself what is shown of it. For those who explain.
func (e Entry) Settings() string {
	v := reflect.ValueOf(e.Annotation)
	k := kindOf(v.Type())
	var all []string
	for _, f := range reflect.VisibleFields(v.Type()) {
		if own, ok := k.fields[lowerCamel(f.Name)]; ok && slices.Equal(own.index, f.Index) && !v.FieldByIndex(f.Index).IsZero() {
			all = append(all, lowerCamel(f.Name)+"="+shownField(v.FieldByIndex(f.Index)))
		}
	}
	return strings.Join(all, ", ")
}

// shownField is a field's value. A func has none that could be read.
func shownField(v reflect.Value) string {
	if v.Kind() == reflect.Func {
		return "func"
	}
	return fmt.Sprint(v.Interface())
}

// ValueOf is the annotation of type t among entries, the first if there are several, or the part of one that embeds t; it
// reports whether there is one. For those who weave.
func ValueOf(entries []Entry, t reflect.Type) (reflect.Value, bool) {
	for _, e := range entries {
		v := reflect.ValueOf(e.Annotation)
		path, ok := pathTo(v.Type(), t)
		if !ok {
			continue
		}
		if len(path) == 0 {
			return v, true
		}
		whole := reflect.New(v.Type()).Elem()
		whole.Set(v)
		return partAt(whole, path), true
	}
	return reflect.Value{}, false
}

// validator is an annotation that checks its own fields.
type validator interface{ Validate() error }

var validatorType = reflect.TypeFor[validator]()

// entries are the annotations of a method, made of the declarations that hold for it, nearest first. Those of one retry
// annotation make one; so do a mark and a registration of any other annotation, of which there may be several otherwise.
func (r *resolver) entries(ref retry.MethodRef, method int, held []*admitted) []Entry {
	if len(held) == 1 {
		return []Entry{r.entry(ref, method, held)}
	}
	var entries []Entry
	done := map[reflect.Type]bool{}
	for _, a := range held {
		if done[a.typ] {
			continue
		}
		done[a.typ] = true
		same := slices.DeleteFunc(slices.Clone(held), func(b *admitted) bool { return b.typ != a.typ })
		if a.kind.retry || len(same) == 2 && same[0].tag != same[1].tag {
			entries = append(entries, r.entry(ref, method, same))
			continue
		}
		for i := range same {
			entries = append(entries, r.entry(ref, method, same[i:i+1]))
		}
	}
	return entries
}

// entry makes one annotation of declarations of its type. Own fields are set by Defaults, then by tags, then by
// registrations, which come first in same, then by configurations.
func (r *resolver) entry(ref retry.MethodRef, method int, same []*admitted) Entry {
	first := same[0]
	v := reflect.New(first.typ).Elem()
	for _, s := range first.layers.defaults.sets {
		r.apply(first.Declaration, v, s)
	}
	if len(same) > 1 {
		same = slices.Clone(same)
		slices.SortStableFunc(same, func(a, b *admitted) int { return compareTags(b, a) })
	}
	for _, a := range same {
		for _, s := range a.hand.sets {
			r.apply(a.Declaration, v, s)
		}
	}
	var configured []string
	for _, c := range r.configuring(method) {
		for i, s := range c.hand.sets {
			if EmbedsOrIs(first.typ, s.typ) {
				r.apply(first.Declaration, v, s)
				c.effective("set", i)
				if !slices.Contains(configured, c.place) {
					configured = append(configured, c.place)
				}
			}
		}
	}
	r.checkOwnFields(same)
	if !slices.ContainsFunc(same, func(a *admitted) bool { return len(a.hand.mistakes) > 0 }) {
		r.validate(first.Declaration, v)
	}
	return Entry{Ref: ref, Annotation: v.Interface(), Place: first.place, Configured: configured}
}

// apply sets own fields. What is set of a part that the annotation embeds is set there.
func (r *resolver) apply(d *Declaration, v reflect.Value, s setter) {
	path, ok := pathTo(v.Type(), s.typ)
	if !ok {
		return // reported when it was declared
	}
	if err := s.apply(partAt(v, path)); err != nil {
		r.report(d, "", mistake{problem: err.Error(), remedy: "let the func set fields and do nothing else"})
	}
}

// checkOwnFields reports fields that tags of equal rank set to different values. Which two of them are named depends on what
// they say and not on which was met first.
func (r *resolver) checkOwnFields(same []*admitted) {
	if len(same) == 1 {
		return // a tag sets a field once
	}
	type written struct {
		text, where string
		by          *admitted
	}
	byField := map[string][]written{}
	for _, a := range same {
		for _, s := range a.hand.sets {
			if s.key != "" {
				byField[s.key] = append(byField[s.key], written{s.text, join(" ", a.origin().String(), a.methodTag()), a})
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(byField)) {
		all := byField[key]
		slices.SortStableFunc(all, func(a, b written) int { return cmp.Or(cmp.Compare(a.text, b.text), cmp.Compare(a.where, b.where)) })
		one, other := all[0], all[len(all)-1]
		if one.text != other.text {
			r.report(one.by.Declaration, "", mistake{
				problem: fmt.Sprintf("%s is %s (%s) and %s (%s), of equal rank", key, one.text, one.where, other.text, other.where),
				remedy:  "keep one of the two",
			})
		}
	}
}

// validate asks the annotation what is wrong with its fields.
func (r *resolver) validate(d *Declaration, v reflect.Value) {
	own, ok := v.Addr().Interface().(validator)
	if !ok {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			r.report(d, "", mistake{problem: fmt.Sprintf("its Validate panics: %v", p), remedy: "let it return an error"})
		}
	}()
	if err := own.Validate(); err != nil {
		r.report(d, "", mistake{problem: fmt.Sprintf("it is not valid: %v", err), remedy: "set its fields in the tag, or by annotation.Set"})
	}
}
