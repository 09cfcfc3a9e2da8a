package explain

import (
	"slices"
	"strconv"
	"strings"
)

// graph is the picture of a wiring, before it is written down in some language.
type graph struct {
	nodes []node
	edges []edge
}

// node is a service, an aspect, or both.
type node struct {
	id     string
	lines  []string // of its label
	shape  shape
	scoped bool // in the frame of what belongs to a scope
	woven  bool
	twice  bool // decorated
}

type shape uint8

const (
	box     shape = iota // a singleton
	rounded              // a scoped service
	ellipse              // a transient
	slanted              // a value
	hexagon              // an aspect
)

// edge leads from who needs to what is needed, or from an aspect to what it stands around.
type edge struct {
	from, to string
	label    string
	style    style
}

type style uint8

const (
	solid  style = iota // built before
	dashed              // asked for later
	loose               // asked for later, and possibly from both sides
	thick               // stands around
)

// picture draws the wiring.
func (w *Wiring) picture() *graph {
	g := &graph{}
	aspects, bound := w.aspectNodes(), w.bound()
	for i := range w.Services {
		n := w.Services[i].node(i, slices.Contains(aspects, serviceID(i)))
		n.scoped = bound[i]
		g.nodes = append(g.nodes, n)
	}
	for i, a := range w.Aspects {
		if a.Service == Nobody && w.isUsed(i) {
			g.nodes = append(g.nodes, node{id: aspects[i], lines: []string{a.Name}, shape: hexagon})
		}
	}
	for i := range w.Services {
		s := &w.Services[i]
		for _, n := range s.Needs {
			if n.To != Nobody && n.Kind != Surround { // the aspect's own arrow says that
				g.add(edge{serviceID(i), serviceID(n.To), n.label(), n.style()})
			}
		}
	}
	for i := range w.Aspects {
		for j := range w.Services {
			if methods := w.Services[j].surroundedBy(i); len(methods) > 0 {
				g.add(edge{aspects[i], serviceID(j), list(methods, 3), thick})
			}
		}
	}
	return g
}

// add adds an edge. Those that lead the same way in the same style are one, with the labels of all.
func (g *graph) add(e edge) {
	for i := range g.edges {
		same := &g.edges[i]
		if same.from != e.from || same.to != e.to || same.style != e.style {
			continue
		}
		if e.label != "" && !slices.Contains(strings.Split(same.label, ", "), e.label) {
			same.label = strings.TrimPrefix(same.label+", "+e.label, ", ")
		}
		return
	}
	g.edges = append(g.edges, e)
}

// scoped are the nodes in the frame of what belongs to a scope.
func (g *graph) scoped() (all []node) {
	for _, n := range g.nodes {
		if n.scoped {
			all = append(all, n)
		}
	}
	return all
}

// bound reports of each service whether it belongs to a scope: it is scoped, or is a transient that takes what is.
func (w *Wiring) bound() []bool {
	all := make([]bool, len(w.Services))
	for i, s := range w.Services {
		all[i] = s.Lifetime == Scoped
	}
	for again := true; again; {
		again = false
		for i, s := range w.Services {
			takes := func(n Need) bool { return n.To != Nobody && all[n.To] }
			if s.Lifetime == Transient && !all[i] && slices.ContainsFunc(s.Needs, takes) {
				all[i], again = true, true
			}
		}
	}
	return all
}

// aspectNodes are the nodes that the aspects are: of the service, where one is a service.
func (w *Wiring) aspectNodes() []string {
	ids := make([]string, len(w.Aspects))
	for i, a := range w.Aspects {
		ids[i] = "aspect" + strconv.Itoa(i)
		if a.Service != Nobody {
			ids[i] = serviceID(a.Service)
		}
	}
	return ids
}

func (w *Wiring) isUsed(aspect int) bool {
	return slices.ContainsFunc(w.Services, func(s Service) bool { return len(s.surroundedBy(aspect)) > 0 })
}

// surroundedBy are the methods in whose chain an aspect is.
func (s *Service) surroundedBy(aspect int) (methods []string) {
	for _, m := range s.Methods {
		if slices.ContainsFunc(m.Aspects, func(u AspectUse) bool { return u.Aspect == aspect }) {
			methods = append(methods, m.Name)
		}
	}
	return methods
}

func serviceID(i int) string { return "service" + strconv.Itoa(i) }

func (s *Service) node(i int, aspect bool) node {
	n := node{id: serviceID(i), lines: s.label(aspect), woven: s.IsWoven(), twice: len(s.Decorators) > 0}
	switch {
	case aspect:
		n.shape = hexagon
	case s.Origin == Supply || s.Origin == Expect:
		n.shape = slanted
	case s.Lifetime == Scoped:
		n.shape = rounded
	case s.Lifetime == Transient:
		n.shape = ellipse
	}
	return n
}

func (n *Need) style() style {
	switch {
	case n.Kind == Lazy:
		return loose
	case n.Kind.IsLater():
		return dashed
	}
	return solid
}
