package container

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// directory finds what references, policies and aspects need, before anything is built.
type directory struct {
	*plan
	of *service // that is being planned, if one is
}

var _ aspect.Directory = directory{}

// found is s as weavers see it.
func (s *service) found(t reflect.Type) aspect.Found {
	f := aspect.Found{ID: s, Type: t, Impl: s.impl, As: s.interfaces()}
	under := s.t
	if hidden := s.hidden(); hidden != nil {
		under = hidden.t
	}
	if r := s.registration; r.overridden {
		f.Impl = nil // the declared class is not what stands under the weave
		if under.Kind() != reflect.Interface {
			f.Impl = under
		}
	} else if r.value.IsValid() && s.field == nil {
		f.Value = r.value
	}
	return f
}

// handed is the type under which a service is handed over when none is asked for.
func (s *service) handed() reflect.Type {
	if s.flattened() {
		return s.t
	}
	return s.provided[0]
}

// Class implements [aspect.Directory].
func (d directory) Class(class, name string) (aspect.Found, error) {
	s, err := d.byClass(class, name)
	if err != nil && d.of != nil && d.isOwn(class, name) {
		s, err = d.of, nil
	}
	if err != nil {
		return aspect.Found{}, err
	}
	return s.found(s.handed()), nil
}

// isOwn reports whether class and name are the reference of the service that is being planned, and of no other. Where its
// class is an interface that others are provided as too, that is what its own declarations mean by it.
func (d directory) isOwn(class, name string) bool {
	own := d.of.ref
	return own.Class == class && own.Name == name && len(withName(d.classes().byClass[class], name)) == 1
}

// byClass is the service of a class and name, or the only one that is provided as an interface of that name. The name may
// also stand behind the class: Class#name. Of several services of one class, one has no name and needs none.
func (p *plan) byClass(class, name string) (*service, error) {
	if c, n, ok := strings.Cut(class, "#"); ok && name == "" {
		class, name = c, n
	}
	c := p.classes()
	all := c.provides(class)
	if len(all) == 0 {
		remedy := "Provide one"
		if near := c.near(class); near != "" {
			remedy = "did you mean " + near + "?"
		}
		return nil, &annotation.DefinitionError{Problem: "there is no service of class " + class, Remedy: remedy}
	}
	some := withName(all, name)
	if name == "" && (len(some) == 0 || !ofOneClass(all) || !annotation.ClassOf(all[0].class()).Is(class)) {
		some = all // the only one needs no name; one without a name stands neither for other classes nor for an interface
	}
	switch {
	case len(some) == 1:
		return some[0], nil
	case len(some) > 1:
		return nil, ambiguous("class "+class, some)
	}
	return nil, &annotation.DefinitionError{
		Problem: fmt.Sprintf("no service of class %s is named %q", class, name), Remedy: "write " + texts(all, " or "),
	}
}

// ofOneClass reports whether the services are several of one concrete class.
func ofOneClass(all []*service) bool {
	first := all[0].class()
	for _, s := range all {
		if t := s.class(); t != first && annotation.ClassOf(t).Full != annotation.ClassOf(first).Full {
			return false
		}
	}
	return true
}

func withName(all []*service, name string) (some []*service) {
	for _, s := range all {
		if s.ref.Name == name {
			some = append(some, s)
		}
	}
	return some
}

// texts are the services, one after the other.
func texts(all []*service, between string) string {
	var names []string
	for _, s := range all {
		if n := s.ref.String(); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return strings.Join(names, between)
}

// ambiguous says that several services are meant by what stands for one.
func ambiguous(what string, all []*service) error {
	places := make([]string, len(all))
	classes := map[string]bool{}
	for i, s := range all {
		places[i] = fmt.Sprintf("%v (%s)", s.ref, s.registration.place)
		classes[s.ref.Class] = true
	}
	remedy := "tell them apart by container.Name, and write Class#name"
	if len(classes) == len(all) && !slices.ContainsFunc(all, func(s *service) bool { return s.class().Kind() == reflect.Interface }) {
		remedy = "tell them apart: write " + texts(all, " or ")
	}
	return &annotation.DefinitionError{
		Problem: fmt.Sprintf("there are %d services of %s: %s", len(all), what, strings.Join(places, ", ")),
		Remedy:  remedy,
	}
}

// Type implements [aspect.Directory].
func (d directory) Type(t reflect.Type) (aspect.Found, error) {
	if o := d.find(key{t, ""}); o != nil && o.service.whole == nil {
		return o.service.found(t), nil
	}
	var provided, built []*service
	for _, s := range d.services {
		switch {
		case s.flattened():
		case slices.Contains(s.provided, t):
			provided = append(provided, s)
		case s.impl != nil && (s.impl == t || s.impl == reflect.PointerTo(t)):
			built = append(built, s)
		}
	}
	switch {
	case len(provided) == 1:
		return provided[0].found(t), nil
	case len(provided) > 1:
		return aspect.Found{}, ambiguous("type "+t.String(), provided)
	case len(built) == 1:
		return built[0].found(built[0].handed()), nil
	case len(built) > 1:
		return aspect.Found{}, ambiguous("type "+t.String(), built)
	}
	problem, remedy := d.missing(key{t, ""}, asking{})
	return aspect.Found{}, &annotation.DefinitionError{Problem: problem, Remedy: remedy}
}

// Name implements [aspect.Directory].
func (d directory) Name(name string) (aspect.Found, error) {
	all := withName(d.services, name)
	switch {
	case len(all) == 1:
		return all[0].found(all[0].handed()), nil
	case len(all) > 1:
		err := ambiguous(fmt.Sprintf("the name %q", name), all).(*annotation.DefinitionError)
		err.Remedy = "give all but one another name by container.Name"
		return aspect.Found{}, err
	}
	problem := fmt.Sprintf("nothing is supplied under the name %q", name)
	remedy := fmt.Sprintf("Supply one with container.Name(%q)", name)
	if c := d.classes(); len(c.provides(name)) > 0 {
		problem += ", which is a class"
	} else if near := annotation.NearMiss(name, slices.Concat(d.names(), builtinNames())); near != "" {
		remedy = "did you mean " + near + "? Else " + remedy
	} else if near := c.near(name); near != "" {
		remedy = "did you mean the class " + near + "? Else " + remedy
	}
	return aspect.Found{}, &annotation.DefinitionError{Problem: problem, Remedy: remedy}
}

// builtinNames are what tags may say where they may say the name of what is supplied. Which attribute is meant is not
// known here.
func builtinNames() (names []string) {
	for _, attribute := range [...]string{"sleepStrategy", "retryErrors", "retryIfResult"} {
		names = append(names, annotation.BuiltinNames(attribute)...)
	}
	return names
}

// names are those that services have.
func (p *plan) names() (names []string) {
	for _, s := range p.services {
		if s.ref.Name != "" {
			names = append(names, s.ref.Name)
		}
	}
	return names
}

// checkNames refuses two matchers of one name: tags refer to a matcher by its name alone, whatever its type.
func (p *plan) checkNames() {
	first := map[string]*service{}
	for _, s := range p.services {
		if s.ref.Name == "" || !s.is(matcherType) {
			continue
		}
		switch f := first[s.ref.Name]; {
		case f == nil:
			first[s.ref.Name] = s
		case f.t != s.t: // of one type they have one key, and that is reported
			p.report(s.registration, s.registration.wrong(
				fmt.Sprintf("two matchers are named %q, the first at %s", s.ref.Name, f.registration.place),
				"give one of them another name by container.Name"))
		}
	}
}
