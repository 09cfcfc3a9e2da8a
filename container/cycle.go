package container

import (
	"fmt"
	"strings"
)

// step is one registration on the path from the first one to where the search is.
type step struct {
	at   *registration
	next int // the edge to follow next; the one before it has been followed
}

// cycles reports every cycle of the graph once. The search keeps its own stack: a chain may be long.
func (p *plan) cycles() {
	const (
		unseen = iota
		onPath
		finished
	)
	state := make([]int8, p.size) // by index of the registration
	var path []step
	for _, r := range p.registrations {
		if state[r.index] != unseen {
			continue
		}
		path = append(path[:0], step{r, 0})
		state[r.index] = onPath
		for len(path) > 0 {
			top := &path[len(path)-1]
			if top.next == len(top.at.edges) {
				state[top.at.index] = finished
				path = path[:len(path)-1]
				continue
			}
			to := top.at.edges[top.next].to
			top.next++
			switch state[to.index] {
			case unseen:
				state[to.index] = onPath
				path = append(path, step{to, 0})
			case onPath:
				if !followedBefore(top) {
					p.reportCycle(path, to)
				}
			}
		}
	}
}

// followedBefore reports whether an earlier edge of the same registration leads to the same one.
func followedBefore(s *step) bool {
	to := s.at.edges[s.next-1].to
	for _, e := range s.at.edges[:s.next-1] {
		if e.to == to {
			return true
		}
	}
	return false
}

// reportCycle reports the part of the path that starts at the registration to which its last edge leads.
func (p *plan) reportCycle(path []step, first *registration) {
	for path[0].at != first {
		path = path[1:]
	}
	var drawn []string
	var parameter *edge // one whose type can be a Lazy
	var group *edge     // one of a member of a group
	var from, gathers *registration
	for _, s := range path {
		e := &s.at.edges[s.next-1]
		switch {
		case e.need != nil:
		case s.at.inputs[e.in].kind == single && parameter == nil:
			parameter, from = e, s.at
		case s.at.inputs[e.in].kind == grouped && group == nil:
			group, gathers = e, s.at
		}
		drawn = append(drawn, s.at.drawn(e))
	}
	d := first.wrong("a cycle: "+strings.Join(drawn, ", "), "leave one of them out")
	d.Place = first.placeOf(&first.edges[path[0].next-1])
	switch {
	case parameter != nil:
		later := "Lazy"
		if parameter.to.lifetime == transient {
			later = "Provider"
		}
		in := &from.inputs[parameter.in]
		d.Remedy = fmt.Sprintf("let the %s of %v take a container.%s[%v]", in.role(), from.ref(), later, in.key.t)
	case group != nil:
		in := &gathers.inputs[group.in]
		d.Remedy += fmt.Sprintf(", or let the %s of %v take a container.Lazy of one of them instead of group %q", in.role(), gathers.ref(), in.name)
	}
	p.report(first, d)
	p.findings[len(p.findings)-1].steps = drawn
}

// drawn is one step of a cycle.
func (r *registration) drawn(e *edge) string {
	why := ""
	switch {
	case e.need != nil:
		why = " for " + e.need.Why
	case r.inputs[e.in].kind == grouped:
		why = fmt.Sprintf(" in group %q", r.inputs[e.in].name)
	}
	if e.need == nil && r.inputs[e.in].decorator != nil {
		why += " for its decorator"
	}
	return fmt.Sprintf("%v needs %v%s (%s)", r.ref(), e.to.ref(), why, r.placeOf(e))
}

// placeOf is where it is written that r needs what the edge leads to.
func (r *registration) placeOf(e *edge) string {
	if e.need != nil {
		return e.need.Place
	}
	return r.placeOfInput(&r.inputs[e.in]).String()
}
