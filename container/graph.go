package container

import "slices"

// graph is in which order what a container has built is started and stopped.
type graph struct {
	nodes []*node // by index of the registration; nil of overrides and decorators
}

// connect draws what has to be started before what: what was needed to build it, and, where that makes no cycle, what it
// can ask for later, since its Start may do so.
func (p *plan) connect(g *graph) {
	for _, r := range p.registrations {
		n := g.nodes[r.index]
		for i := range r.edges {
			n.need(g.nodes[r.edges[i].to.index])
		}
	}
	for _, r := range p.registrations {
		n := g.nodes[r.index]
		for i := range r.inputs {
			if in := &r.inputs[i]; in.kind == lazy || in.kind == provider {
				if o := p.find(in.key); o != nil {
					to := g.nodes[o.service.registration.index]
					if !to.reaches(g)[n.index] {
						n.need(to)
					}
				}
			}
		}
	}
}

// connectListeners lets whoever listens live longer than those of which it is told, unless it needs them itself.
func (p *plan) connectListeners(g *graph, all []*node) {
	for _, s := range p.listeners {
		l := g.nodes[s.registration.index]
		if len(l.parts)+len(l.hooks) == 0 {
			continue
		}
		below := l.reaches(g)
		for _, n := range all {
			if len(n.parts)+len(n.hooks) > 0 && !below[n.index] {
				n.need(l)
			}
		}
	}
}

func (n *node) need(to *node) {
	if n != to && !slices.Contains(n.needs, to) {
		n.needs, to.users = append(n.needs, to), append(to.users, n)
	}
}

// reaches tells, by index, what the node needs, itself included, directly or through others.
func (n *node) reaches(g *graph) []bool {
	seen := make([]bool, len(g.nodes))
	seen[n.index] = true
	for open := []*node{n}; len(open) > 0; {
		last := open[len(open)-1]
		open = open[:len(open)-1]
		for _, to := range last.needs {
			if !seen[to.index] {
				seen[to.index] = true
				open = append(open, to)
			}
		}
	}
	return seen
}

// sorted are the nodes, each after those that it needs, else in order of registration.
func (g *graph) sorted() (all []*node) {
	walk(g.nodes, (*node).below, func(n *node) bool { all = append(all, n); return false }, nil)
	return all
}

// below is what a node needs, and above who needs it.
func (n *node) below() []*node { return n.needs }
func (n *node) above() []*node { return n.users }

// walk visits all nodes, each after those that come first for it. first says which, and is one of below and above. What
// visit returns true for is worked on, each in a goroutine of its own, and those that come after it wait for that. walk
// returns when all work is done.
func walk(nodes []*node, first func(*node) []*node, visit func(*node) bool, work func(*node)) {
	size := 0
	for _, n := range nodes {
		if n != nil {
			size = max(size, n.index+1)
		}
	}
	after := make([][]*node, size)
	waits := make([]int, size)
	var ready []*node
	for _, n := range nodes {
		if n == nil {
			continue
		}
		before := first(n)
		for _, b := range before {
			after[b.index] = append(after[b.index], n)
		}
		if waits[n.index] = len(before); len(before) == 0 {
			ready = append(ready, n)
		}
	}
	over := make(chan *node)
	finish := func(n *node) {
		for _, a := range after[n.index] {
			if waits[a.index]--; waits[a.index] == 0 {
				ready = append(ready, a)
			}
		}
	}
	for running := 0; ; {
		for len(ready) > 0 {
			n := ready[0]
			ready = ready[1:]
			if !visit(n) {
				finish(n)
				continue
			}
			running++
			go func() {
				defer func() { over <- n }()
				work(n)
			}()
		}
		if running == 0 {
			return
		}
		n := <-over
		running--
		finish(n)
	}
}
