package container

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/backstay/backstay/annotation"
)

// asking is how somebody asks for a key, which makes a difference for what to write instead. The zero value is a parameter of
// a constructor.
type asking struct {
	option bool // by a call that takes container.Name
	frozen bool // when nothing can be provided any more
}

// named is a type as it is asked for under a name.
func (a asking) named(t reflect.Type, name string) string {
	switch {
	case name == "":
		return fmt.Sprintf("the %v without a name", t)
	case a.option:
		return fmt.Sprintf("the %v named %q, by container.Name(%q)", t, name, name)
	}
	return fmt.Sprintf("the %v named %q (a field of a container.In struct with the tag `name:%q`)", t, name, name)
}

// other is a type as it is asked for under a name, instead of another type under the name that was asked for.
func (a asking) other(t reflect.Type, name, asked string) string {
	if name == "" && asked == "" {
		return t.String()
	}
	return a.named(t, name)
}

// runners are the types of what runs constructors, which is not given to them.
var runners = []reflect.Type{reflect.TypeFor[*Container](), reflect.TypeFor[*Scope](), reflect.TypeFor[Source](), reflect.TypeFor[Container](), reflect.TypeFor[Scope]()}

// missing says that nothing is provided under a key, and what was probably meant.
func (p *plan) missing(k key, by asking) (problem, remedy string) {
	problem, remedy = "nothing provides "+k.String(), "Provide one"
	switch isRunner := k.name == "" && slices.Contains(runners, k.t); {
	case isRunner && by.option && by.frozen:
		return problem, "use what is asked: it is one"
	case isRunner && !by.option:
		return problem, "take what is needed of it as parameters, or a container.Lazy or container.Provider of what is needed later"
	}
	if k.t.Implements(laterType) {
		later := reflect.Zero(k.t).Interface().(laterParameter)
		return problem, fmt.Sprintf("take the %v itself; a container.Lazy or container.Provider is only for the parameters of constructors, decorators and the func of an Invoke", later.target())
	}
	if near := p.near(k, by); len(near) > 0 {
		remedy = "did you mean " + strings.Join(near, ", or ") + "?"
		if !by.frozen {
			remedy += " Else Provide one"
		}
	}
	if remedy == "Provide one" && k.name != "" {
		remedy += fmt.Sprintf(" with container.Name(%q)", k.name)
	}
	return problem, remedy
}

// near are the services that come close to a key: the same type under another name, the pointer or the value, the
// interface that a type is provided as, a type that implements the interface.
func (p *plan) near(k key, by asking) (hints []string) {
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
		add(by.named(k.t, n))
	}
	for _, s := range p.services {
		if s.flattened() {
			continue
		}
		for _, t := range s.provided {
			if s.keyed() && (t == reflect.PointerTo(k.t) || reflect.PointerTo(t) == k.t) {
				add(by.other(t, s.ref.Name, k.name))
			}
		}
		switch {
		case slices.Contains(s.provided, k.t) && s.group != nil:
			hint := fmt.Sprintf("[]%v by the tag `group:%q`", k.t, s.group.name)
			if by.option && by.frozen {
				hint += ", in a struct that the func of an Invoke takes" // Get has no tags
			}
			add(hint)
		case slices.Contains(s.provided, k.t):
			if s.ref.Name == "" && k.name == "" {
				add(fmt.Sprintf("one of the several %v without a name, which has to be given one", k.t))
			}
		case k.t.Kind() != reflect.Interface && s.impl == k.t:
			add(fmt.Sprintf("%s, which %v is provided as (%s)", by.other(s.provided[0], s.ref.Name, k.name), k.t, s.registration.place))
		case k.t.Kind() == reflect.Interface && k.t.NumMethod() > 0 && s.is(k.t):
			hint := fmt.Sprintf("to provide %v as it, by container.As[%v]() (%s)", s.t, k.t, s.registration.place)
			if s.ref.Name != k.name {
				hint += ", and then " + by.named(k.t, s.ref.Name)
			}
			add(hint)
		}
	}
	return hints
}
