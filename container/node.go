package container

import (
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/backstay/backstay/aspect"
)

// node is a registration as the life cycle sees it.
type node struct {
	*registration
	needs, users []*node // what it needs, and who needs it: started before, and after
	parts        []*part
	up           atomic.Bool // all that is to be started of it is
}

// part is a value that a node starts, stops and asks for its health: a service, or an element of a slice that is flattened
// into a group.
type part struct {
	service  *service
	layers   []any // woven, then the target, then what decorators hide
	supplied bool  // it belongs to who supplied it

	started bool    // its Start has returned nil
	late    *flight // its Start, if that has overrun
}

// nodes are the built registrations and what they need, in the order of the graph: each after those that it needs.
func (p *plan) nodes() []*node {
	g := graph{nodes: make([]*node, p.size)}
	for _, r := range p.registrations {
		g.nodes[r.index] = &node{registration: r}
	}
	p.connect(&g)
	all := g.sorted()
	claims := claims{}
	for _, n := range all {
		if n.lifetime == singleton && n.done.Load() && !n.unmanaged {
			for _, s := range n.services {
				n.add(s, claims)
			}
		}
	}
	p.connectListeners(&g, all)
	return g.sorted()
}

// add adds what the service consists of and nobody has claimed.
func (n *node) add(s *service, claims claims) {
	switch {
	case s.whole != nil: // it has the same target
	case !s.flattened():
		n.claim(s, s.layers(s.woven, s.target, -1), claims)
	default:
		for i := range s.target.Len() {
			n.claim(s, s.layers(s.target.Index(i), s.target.Index(i), i), claims)
		}
	}
}

// layers are the values in which a method is looked for, the outermost first; of a flattened slice those of the i-th.
func (s *service) layers(woven, target reflect.Value, i int) (all []any) {
	add := func(v reflect.Value) {
		v = concrete(v)
		if v.IsValid() && !(v.Kind() == reflect.Pointer && v.IsNil()) {
			all = append(all, v.Interface())
		}
	}
	add(woven)
	add(target)
	for _, at := range s.inner {
		v := at.of(s.registration.results)
		if i >= 0 {
			v = v.Index(i)
		}
		add(v)
	}
	return all
}

// claims tell which values are started and stopped by whom: one that several registrations provide is by the first. Equal
// values that are not the same have several.
type claims map[any][]*part

// of is the part that has claimed a value which the registration provides; nil: none has.
func (c claims) of(value any, r *registration) *part {
	for _, p := range c[value] {
		if isSame(value, p.service.registration, r) {
			return p
		}
	}
	return nil
}

func (n *node) claim(s *service, layers []any, claims claims) {
	pt := &part{service: s, layers: layers, supplied: s.registration.isSupplied()}
	var identities []any
	for _, v := range layers {
		id := aspect.Unwrap(v)
		if !reflect.ValueOf(id).Comparable() || slices.Contains(identities, id) {
			continue
		}
		if first := claims.of(id, s.registration); first != nil {
			first.supplied = first.supplied || pt.supplied
			return
		}
		identities = append(identities, id)
	}
	if len(layers) == 0 {
		return
	}
	for _, id := range identities {
		claims[id] = append(claims[id], pt)
	}
	n.parts = append(n.parts, pt)
}

// isSame reports whether two registrations have provided one value. Pointers tell. Other values may be equal, as pointers
// to variables without a size may, when they are not the same; so there the second one has to be made from the first.
func isSame(value any, first, second *registration) bool {
	t := reflect.TypeOf(value)
	return t.Kind() == reflect.Pointer && t.Elem().Size() > 0 || first != second && path(second, first) != nil
}

// isUp reports whether the node is started, or has nothing to be started.
func (n *node) isUp() bool { return n.up.Load() || !n.canStart() }

// canStart reports whether the node has something to be started.
func (n *node) canStart() bool {
	for _, p := range n.parts {
		if _, ok := find[starts](p); ok {
			return true
		}
	}
	return len(n.hooksOf(onStart)) > 0
}

// find returns the outermost layer that is a T.
func find[T any](p *part) (v T, ok bool) {
	for _, l := range p.layers {
		if v, ok = l.(T); ok {
			return v, true
		}
	}
	return v, false
}

// value is the outermost layer of the service that the hook can be called with; nil where an override has put something
// else in its place.
func (h *hook) value() any {
	s := h.service
	if s.flattened() {
		return s.target.Interface()
	}
	for _, v := range s.layers(s.woven, s.target, -1) {
		if reflect.TypeOf(v).AssignableTo(h.t) {
			return v
		}
	}
	return nil
}

// hooksOf are the node's hooks of a kind, in order.
func (n *node) hooksOf(kind hookKind) (all []*hook) {
	for _, h := range n.hooks {
		if h.kind == kind && n.done.Load() && h.value() != nil {
			all = append(all, h)
		}
	}
	return all
}
