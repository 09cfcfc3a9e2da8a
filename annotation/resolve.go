package annotation

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/backstay/backstay/retry"
)

// Resolve decides what holds for each method of a service. The declarations are its marks and those of its registration;
// defaults are the container's, written at defaultsPlace; configured is what a deployment says over all of them. It returns the methods that carry an annotation, or would if it were not off, in order, and all
// problems, each a *DefinitionError with a problem, a remedy and a place; and with a reference and an annotation, unless it
// is in the container's defaults, which all services share. Where there are problems the definitions are not to be used.
// For those who weave.
func Resolve(s Subject, declarations []Declaration, defaults []Option, defaultsPlace string, configured ...Configured) ([]MethodDefinition, []error) {
	for i := range configured {
		configured[i].note()
	}
	if len(declarations) == 0 {
		return nil, nil
	}
	r := &resolver{
		subject: s, container: layerOf(defaults),
		defaults: map[reflect.Type]*typeDefaults{}, asked: map[reflect.Type]*layer{}, configured: configured,
	}
	r.checkContainer(defaultsPlace)
	for i := range declarations {
		r.admit(&declarations[i])
	}
	r.switchOff()
	r.replaceFarther()
	r.ruleOutImpossible()
	var defs []MethodDefinition
	for i := range s.Methods {
		if held := r.holding(i); len(held)+len(r.off[i]) > 0 {
			defs = append(defs, MethodDefinition{})
			r.define(&defs[len(defs)-1], i, held)
			defs[len(defs)-1].Off = r.off[i]
		}
	}
	return defs, r.errs
}

// CheckDefaults returns what is wrong with the container's defaults, written at place, whether or not a service is annotated;
// [Resolve] reports the same where one is. Each error is a *DefinitionError. For those who weave.
func CheckDefaults(defaults []Option, place string) []error {
	r := &resolver{container: layerOf(defaults)}
	r.checkContainer(place)
	return r.errs
}

// resolver is one Resolve.
type resolver struct {
	subject    Subject
	container  layer
	origin     Origin // of the container's defaults
	configured []Configured
	off        map[int][]Off // by method
	admitted   []*admitted
	defaults   map[reflect.Type]*typeDefaults
	asked      map[reflect.Type]*layer
	said       map[said]bool
	errs       []error
}

// admitted is a declaration that can be used, with what its type and its layers say.
type admitted struct {
	*Declaration
	kind   *kind
	layers stack
	reach  []int // by method: how near the declaration is; 0: not met, or no more

	// Of a retry annotation:
	lists         [][]retry.PolicyFactory // its policies, and those that its attributes bring in
	judges        bool                    // a policy of the user's own may retry anything
	retries       retries
	ownConditions bool

	met     bool     // a method that a nearer declaration has taken over, or that a mistake is reported of
	skipped *mistake // why a glob has skipped a method
}

func (r *resolver) checkContainer(place string) {
	r.origin = Origin{Layer: LayerContainer, Place: place}
	if len(r.container.sets) > 0 {
		r.container.wrong("annotation.Set is no default of all services", "set own fields in the Defaults of their annotation")
	}
	for _, m := range r.container.mistakes {
		r.add(nil, DefinitionError{Place: cmp.Or(m.place, place), Problem: m.problem, Remedy: m.remedy})
	}
}

// admit reports what is wrong with a declaration in itself, finds the methods that it meets, and keeps it if it meets any.
func (r *resolver) admit(d *Declaration) {
	if d.stray {
		for _, m := range d.hand.mistakes {
			r.report(d, "", m)
		}
		return
	}
	k := kindOf(d.typ)
	a := &admitted{Declaration: d, kind: k, layers: stack{container: &r.container, defaults: r.defaultsOf(k), hand: &d.hand}}
	own := slices.Concat(k.mistakes, a.layers.defaults.mistakes, d.hand.mistakes)
	if d.forMany {
		own = a.layers.defaults.mistakes // Mistakes tells the others, once
	}
	for _, m := range own {
		r.report(d, "", m)
	}
	a.reach = r.reach(d)
	if len(k.mistakes) > 0 || a.reach == nil {
		return
	}
	if k.retry {
		lists, replaced := a.layers.policies()
		a.retries, a.ownConditions = a.layers.retries()
		a.judges = slices.ContainsFunc(lists, hasOwnPolicy)
		a.lists = append(lists, a.layers.brought(replaced))
	}
	r.admitted = append(r.admitted, a)
}

// hasOwnPolicy reports whether the list has a policy of the user's own.
func hasOwnPolicy(list []retry.PolicyFactory) bool {
	return slices.ContainsFunc(list, func(f retry.PolicyFactory) bool { return !f.IsBuiltin() })
}

// report adds a mistake of a declaration, once, whichever method it is met at first.
func (r *resolver) report(d *Declaration, method string, m mistake) {
	ref := r.subject.Ref
	if ref.Method = cmp.Or(method, d.methods.only()); !slices.Contains(r.methodNames(), ref.Method) {
		ref.Method = ""
	}
	r.add(d, DefinitionError{Ref: ref, Annotation: d.typ.String(), Place: cmp.Or(m.place, d.place), Problem: m.problem, Remedy: m.remedy})
}

// said is a problem of a declaration, or of what all share, that has been reported.
type said struct {
	by             *Declaration
	place, problem string
}

func (r *resolver) add(d *Declaration, e DefinitionError) {
	s := said{d, e.Place, e.Problem}
	if r.said[s] {
		return
	}
	if r.said == nil {
		r.said = map[said]bool{}
	}
	r.said[s] = true
	r.errs = append(r.errs, &e)
}

// replaceFarther takes out of each declaration's reach the methods at which a nearer one of the same annotation type replaces
// it as a whole. The marks of an outer struct are nearer than those of a struct that it embeds.
func (r *resolver) replaceFarther() {
	var replaced []*int
	for _, a := range r.admitted {
		for i, near := range a.reach {
			if near > 0 && slices.ContainsFunc(r.admitted, func(b *admitted) bool {
				return a.typ == b.typ && (b.reach[i] > near || b.reach[i] == near && a.tag && b.tag && b.depth < a.depth)
			}) {
				a.met = true
				replaced = append(replaced, &a.reach[i])
			}
		}
	}
	for _, reach := range replaced {
		*reach = 0
	}
}

// holding are the declarations that hold for a method, nearest first.
func (r *resolver) holding(method int) []*admitted {
	var held []*admitted
	for _, a := range r.admitted {
		if a.reach[method] > 0 {
			held = append(held, a)
		}
	}
	slices.SortStableFunc(held, func(a, b *admitted) int { return compareNearness(a, b, method) })
	return held
}

func compareNearness(a, b *admitted, method int) int {
	return cmp.Or(cmp.Compare(b.reach[method], a.reach[method]), compareTags(a, b), cmp.Compare(a.depth, b.depth))
}

// compareTags puts registrations before tags.
func compareTags(a, b *admitted) int {
	switch {
	case a.tag == b.tag:
		return 0
	case b.tag:
		return -1
	}
	return 1
}
