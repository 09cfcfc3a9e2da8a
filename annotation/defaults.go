package annotation

import (
	"fmt"
	"reflect"
	"slices"
)

// typeDefaults is what the Defaults of an annotation say, those of what it embeds included. It is made once for each type in
// one Resolve, so that two declarations of a type have the same values, closures too.
type typeDefaults struct {
	kind     *kind
	settings []defaulted
	sets     []setter
	levels   []level
	mistakes []mistake
}

// defaulted is a setting in Defaults.
type defaulted struct {
	setting
	level int          // index in levels
	by    reflect.Type // whose Defaults say so
}

// level is what one type's Defaults say of the list of policies.
type level struct{ lists []listing }

// defaultsOf asks the levels of k, the innermost first. A nearer level replaces a farther one's value of an attribute,
// conditions included; ignoreErrors and onlyIf unite.
func (r *resolver) defaultsOf(k *kind) *typeDefaults {
	if d, ok := r.defaults[k.typ]; ok {
		return d
	}
	d := &typeDefaults{kind: k}
	for i, t := range k.levels {
		l := r.ask(t)
		d.mistakes = append(d.mistakes, l.mistakes...)
		d.levels = append(d.levels, level{l.lists})
		d.sets = append(d.sets, l.sets...)
		kept := make([]defaulted, 0, len(d.settings)+len(l.settings))
		for _, old := range d.settings {
			if !l.replaces(old.attr) {
				kept = append(kept, old)
			}
		}
		for _, s := range l.settings {
			kept = append(kept, defaulted{s, i, t})
		}
		d.settings = kept
	}
	r.defaults[k.typ] = d
	return d
}

// replaces reports whether the layer's settings take the place of a farther layer's settings of the attribute.
func (l *layer) replaces(a attribute) bool {
	if a.about().unites == all {
		return false
	}
	return slices.ContainsFunc(l.settings, func(s setting) bool { return s.attr == a })
}

// ask is what the Defaults of t say, asked of a zero value, once in one Resolve.
func (r *resolver) ask(t reflect.Type) *layer {
	if l, ok := r.asked[t]; ok {
		return l
	}
	opts, m := callDefaults(t)
	l := layerOf(opts)
	l.checkSets(t)
	for i, m := range l.mistakes {
		if m.place == "" {
			l.mistakes[i].problem = fmt.Sprintf("Defaults of %v: %s", t, m.problem)
		}
	}
	if m != nil {
		l.mistakes = append(l.mistakes, *m)
	}
	r.asked[t] = &l
	return &l
}

func callDefaults(t reflect.Type) (opts []Option, m *mistake) {
	defer func() {
		if p := recover(); p != nil {
			m = &mistake{problem: fmt.Sprintf("Defaults of %v panics: %v", t, p), remedy: "let Defaults return options whatever the annotation's fields hold"}
		}
	}()
	return reflect.New(t).Interface().(defaulter).Defaults(), nil
}
