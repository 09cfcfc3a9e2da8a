package annotation

import (
	"fmt"
	"reflect"

	"github.com/backstay/backstay/retry"
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
		kept := d.settings[:0:0]
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
	for _, s := range l.settings {
		if s.attr == a {
			return true
		}
	}
	return false
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

// stack is one declaration's layers: the container's, those of its Defaults, and what is set by hand.
type stack struct {
	container *layer
	defaults  *typeDefaults
	hand      *layer
}

// policies are the lists that hold for the declaration: the one that was last replaced, and what was added to it since.
// With it comes the layer of the last replacement: 0 for the table, 1 for the container, then the levels of Defaults.
func (s *stack) policies() (lists [][]retry.PolicyFactory, replaced int) {
	lists = [][]retry.PolicyFactory{defaultPolicies}
	at := func(layer int, of []listing) {
		for _, l := range of {
			if l.add {
				lists = append(lists, l.factories)
				continue
			}
			lists, replaced = [][]retry.PolicyFactory{l.factories}, layer
		}
	}
	at(1, s.container.lists)
	for i, l := range s.defaults.levels {
		at(2+i, l.lists)
	}
	at(2+len(s.defaults.levels), s.hand.lists)
	return lists, replaced
}

// brought are the policies that attributes bring in: those that are set by hand, and those that are set in a layer that is
// not farther than the one that last replaced the list, so that nothing that is written goes unenforced.
func (s *stack) brought(replaced int) []retry.PolicyFactory {
	var brought []retry.PolicyFactory
	at := func(layer int, a attribute) {
		if layer >= replaced || a == attribute(ignoreErrors) {
			brought = append(brought, a.about().brings)
		}
	}
	for _, x := range s.container.settings {
		at(1, x.attr)
	}
	for _, x := range s.defaults.settings {
		at(2+x.level, x.attr)
	}
	for _, x := range s.hand.settings {
		brought = append(brought, x.attr.about().brings)
	}
	return brought
}
