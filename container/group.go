package container

import (
	"fmt"
	"slices"
	"strings"

	"github.com/backstay/backstay/annotation"
)

// mistake is what is wrong with what somebody takes, and what to write instead.
type mistake struct{ problem, remedy string }

// misgrouped is what is wrong with how a group is taken by who: that nobody is in it, or, of a map, members without names.
func (p *plan) misgrouped(in *input, who string, by asking) (all []mistake) {
	members := p.groups[in.key]
	if in.required && len(members) == 0 {
		problem, remedy := p.missingGroup(in.key, by)
		all = append(all, mistake{problem + ", which " + who + " requires", remedy})
	}
	if !in.isMap() {
		return all
	}
	as := fmt.Sprintf("%s takes group %q as a map, by the names of its members, and ", who, in.name)
	for _, s := range members {
		switch {
		case s.flattened():
			all = append(all, mistake{
				as + fmt.Sprintf("what is in %v (%s), which is flattened into it, has none", s.ref, s.registration.place),
				"Provide each by itself, with container.Name, or take a slice",
			})
		case s.ref.Name == "":
			all = append(all, mistake{
				as + fmt.Sprintf("%v (%s) has none", s.ref, s.registration.place), "give it one by container.Name, or take a slice",
			})
		}
	}
	return all
}

// groupNotes tell of groups that a registration takes and that nobody is in. It may be meant: what is plugged in is up to who
// wires. Where it is not, nothing else would tell of a name that is spelt in another way.
func (p *plan) groupNotes(r *registration) (notes []string) {
	for i := range r.inputs {
		in := &r.inputs[i]
		if in.kind != grouped || in.required || len(p.groups[in.key]) > 0 {
			continue
		}
		meant := ""
		if hints := p.nearGroup(in.key); len(hints) > 0 {
			meant = "; did you mean " + strings.Join(hints, ", or ") + "?"
		}
		notes = append(notes, fmt.Sprintf("%v: nothing of type %v is in group %q, which %s takes%s (%s)", r.ref(), in.key.t, in.name, in.taker(), meant, r.placeOfInput(in)))
	}
	return notes
}

// missingGroup says that nothing of a type is in a group, and what was probably meant: a group of nearly that name, what is in
// the group under another type, what is of that type and in no group.
func (p *plan) missingGroup(k key, by asking) (problem, remedy string) {
	problem = fmt.Sprintf("nothing of type %v is in group %q", k.t, k.name)
	remedy = fmt.Sprintf("Provide one with container.Group(%q)", k.name)
	if hints := p.nearGroup(k); len(hints) > 0 {
		meant := "did you mean " + strings.Join(hints, ", or ") + "?"
		if by.frozen {
			return problem, meant
		}
		remedy = meant + " Else " + remedy
	}
	return problem, remedy
}

// nearGroup are the services and groups that come close to a group in which nobody is.
func (p *plan) nearGroup(k key) (hints []string) {
	var names []string
	for _, s := range p.services {
		switch in := s.group != nil; {
		case slices.Contains(s.provided, k.t) && in:
			names = append(names, s.group.name)
		case slices.Contains(s.provided, k.t):
			hints = append(hints, fmt.Sprintf("to put %v into it, by container.Group(%q) (%s)", s.ref, k.name, s.registration.place))
		case in && s.group.name == k.name && s.is(k.t):
			hints = append(hints, fmt.Sprintf("to provide %v as it, by container.As[%v]() (%s)", s.t, k.t, s.registration.place))
		}
	}
	if near := annotation.NearMiss(k.name, names); near != "" {
		return []string{fmt.Sprintf("group %q", near)}
	}
	return hints[:min(3, len(hints))]
}
