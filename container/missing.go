package container

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/backstay/backstay/annotation"
)

// missing says that nothing is provided under a key, and what was probably meant.
func (p *plan) missing(k key) (problem, remedy string) {
	problem, remedy = "nothing provides "+k.String(), "Provide one"
	if k.t.Implements(laterType) {
		later := reflect.Zero(k.t).Interface().(laterParameter)
		return problem, fmt.Sprintf("take the %v itself; a container.Lazy or container.Provider is only for the parameters of constructors, decorators and the func of an Invoke", later.target())
	}
	if near := p.near(k); len(near) > 0 {
		remedy = "did you mean " + strings.Join(near, ", or ") + "? Else Provide one"
	}
	if remedy == "Provide one" && k.name != "" {
		remedy += fmt.Sprintf(" with container.Name(%q)", k.name)
	}
	return problem, remedy
}

// near are the services that come close to a key: the same type under another name, the pointer or the value, the
// interface that a type is provided as, a type that implements the interface.
func (p *plan) near(k key) (hints []string) {
	add := func(hint string) {
		if len(hints) < 3 && !slices.Contains(hints, hint) {
			hints = append(hints, hint)
		}
	}
	var names []string
	for _, s := range p.services {
		if s.keyed() && slices.Contains(s.provided, k.t) && s.ref.Name != k.name {
			names = append(names, s.ref.Name)
		}
	}
	if near := annotation.NearMiss(k.name, names); near != "" {
		names = []string{near}
	}
	for _, n := range names {
		if n == "" {
			add("the " + k.t.String() + " without a name")
		} else {
			add(fmt.Sprintf("the %v named %q (a field of a container.In struct with the tag `name:%q`)", k.t, n, n))
		}
	}
	for _, s := range p.services {
		if s.flattened() {
			continue
		}
		for _, t := range s.provided {
			if s.keyed() && (t == reflect.PointerTo(k.t) || reflect.PointerTo(t) == k.t) {
				add(t.String())
			}
		}
		switch {
		case slices.Contains(s.provided, k.t) && s.group != nil:
			add(fmt.Sprintf("[]%v by the tag `group:%q`", k.t, s.group.name))
		case slices.Contains(s.provided, k.t):
			if s.ref.Name == "" && k.name == "" {
				add(fmt.Sprintf("one of the several %v without a name, which has to be given one", k.t))
			}
		case k.t.Kind() != reflect.Interface && s.impl == k.t:
			add(fmt.Sprintf("%v, which %v is provided as (%s)", s.provided[0], k.t, s.registration.place))
		case k.t.Kind() == reflect.Interface && k.t.NumMethod() > 0 && s.is(k.t):
			add(fmt.Sprintf("to provide %v as it, by container.As[%v]() (%s)", s.t, k.t, s.registration.place))
		}
	}
	return hints
}
