package container

import (
	"fmt"
	"slices"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// edge is a registration that has to be built before another: for a parameter of its constructor, or for weaving.
type edge struct {
	to   *registration
	in   int32 // index of the input; -1: need says why
	need *aspect.Need
}

// link finds what every registration needs, and reports what is missing.
func (p *plan) link(room *rooms) {
	for _, r := range p.registrations {
		r.edges = room.edges.carve(len(r.inputs))
		for i := range r.inputs {
			p.linkInput(r, i)
		}
		for _, s := range r.services {
			if s.plan == nil {
				continue
			}
			needs := s.plan.Needs()
			for i := range needs {
				// A service that refers to another method of its own is built by then.
				if to := needs[i].ID.(*service); to != s || !needs[i].Reference {
					r.edges = append(r.edges, edge{to.registration, -1, &needs[i]})
					p.refers(r, &r.edges[len(r.edges)-1])
				}
			}
		}
	}
}

func (p *plan) linkInput(r *registration, i int) {
	in := &r.inputs[i]
	if in.kind == grouped {
		if in.required || in.isMap() {
			for _, m := range p.misgrouped(in, in.taker(), asking{}) {
				p.report(r, r.wrongInput(in, m))
			}
		}
		for _, s := range p.groups[in.key] {
			r.edges = append(r.edges, edge{s.registration, int32(i), nil})
			p.outlives(r, in, s)
		}
		return
	}
	o := p.find(in.key)
	switch {
	case o == nil && in.optional:
	case o == nil && in.decorator != nil && !in.decorator.tells(in.key):
	case o == nil:
		problem, remedy := p.missing(in.key, asking{})
		if r.lifetime != singleton && in.name == "" && in.kind == single && !slices.Contains(runners, in.key.t) {
			remedy += fmt.Sprintf(", or say container.Expect[%v](c) if each scope is supplied with one", in.key.t)
		}
		p.report(r, r.wrongInput(in, mistake{problem + ", which " + in.taker() + " takes" + in.kind.text(), remedy}))
	default:
		if in.kind == single {
			r.edges = append(r.edges, edge{o.service.registration, int32(i), nil})
		}
		p.outlives(r, in, o.service)
	}
}

// wrongInput is a definition error of what the registration takes, at the place of who takes it.
func (r *registration) wrongInput(in *input, m mistake) *annotation.DefinitionError {
	d := r.wrong(m.problem, m.remedy)
	d.Place = r.placeOfInput(in).String()
	return d
}

// placeOfInput is the call that says who takes an input.
func (r *registration) placeOfInput(in *input) place {
	if in.decorator != nil {
		return in.decorator.written
	}
	return r.written
}

// isSoft reports whether an edge leads to a member of a group of which only what is built is taken.
func (r *registration) isSoft(e *edge) bool { return e.need == nil && r.inputs[e.in].soft }

// text says how an input is taken, after what it is.
func (k inputKind) text() string {
	switch k {
	case lazy:
		return " as a container.Lazy"
	case provider:
		return " as a container.Provider"
	}
	return ""
}

// of says how an input is taken, before what it is.
func (k inputKind) of() string {
	if text := k.text(); text != "" {
		return text[len(" as "):] + " of "
	}
	return ""
}
