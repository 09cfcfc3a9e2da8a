package container

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/backstay/backstay/annotation"
)

// repeats reports whether the registration is made by the same line as an earlier one: what wires has run once more.
func (r *registration) repeats(first *registration) bool {
	return r != first && r.verb == first.verb && r.place == first.place
}

// repeated reports that a line has provided a key twice, once for each line.
func (p *plan) repeated(r *registration, k key) {
	if r.repeated {
		return
	}
	r.repeated, r.broken = true, true
	if slices.Contains(p.repeats, r.place) {
		return
	}
	p.repeats = append(p.repeats, r.place)
	p.report(r, &annotation.DefinitionError{
		Ref: r.ref(), Place: r.place.String(),
		Problem: fmt.Sprintf("%v is provided twice: this line has run more than once", k),
		Remedy:  "call the func that it stands in once for each container, or tell the services apart by container.Name",
	})
}

// dropRepeated leaves out what lines have registered once more, so that nothing else is said of it.
func (p *plan) dropRepeated() {
	if len(p.repeats) == 0 {
		return
	}
	ofRepeated := func(s *service) bool { return s.registration.repeated }
	p.registrations = slices.DeleteFunc(p.registrations, func(r *registration) bool { return r.repeated })
	p.services = slices.DeleteFunc(p.services, ofRepeated)
	for k, all := range p.groups {
		p.groups[k] = slices.DeleteFunc(all, ofRepeated)
	}
	maps.DeleteFunc(p.unnamed, func(_ reflect.Type, o *offer) bool { return ofRepeated(o.service) })
	maps.DeleteFunc(p.named, func(_ key, o *offer) bool { return ofRepeated(o.service) })
}
