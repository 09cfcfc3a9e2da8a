package container

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// plan is what the registrations come to. Nothing of it changes once it is frozen, except that services get built, so it
// is read without a lock.
type plan struct {
	container     *Container
	size          int             // the number of registrations
	registrations []*registration // without overrides and decorators
	services      []*service      // without those under their own type that AsSelf keeps
	unnamed       map[reflect.Type]*offer
	named         map[key]*offer
	groups        map[key][]*service // in order of registration
	classes       func() *classes

	weaver    *aspect.Weaver
	hub       *hub // nil: nobody listens
	listeners []*service

	engine engine

	// What is scoped or transient.
	transients  int // how many registrations are
	cells       int // of a scope
	resolve     aspect.Resolve
	fixing      sync.Mutex // around completing blueprints
	implemented sync.Map   // reflect.Type of a supplied value to *service, the expected interface that it implements

	repeats  []place // of registrations that provide what the same line has provided before
	findings []finding
	errs     []error   // all definition errors, in order of registration
	told     []finding // what they were found as; fewer, since handing the plan to dig may add some
}

// finding is a definition error, and the registration that it belongs to in the order of reporting.
type finding struct {
	at    int
	err   error
	of    *registration // nil: the plan as a whole
	steps []string      // of a cycle, each on a line
}

// last is where errors are reported that belong to no registration.
const last = int(^uint(0) >> 1)

// freeze makes the plan of the registrations and verifies it: it finds all that is wrong, and runs no constructor. When
// nothing is wrong the plan is handed to dig.
func freeze(c *Container, all []*registration, declared []aspect.WeaverOption, s *settings) *plan {
	p := &plan{
		container: c,
		size:      len(all),
		unnamed:   make(map[reflect.Type]*offer, len(all)),
		named:     map[key]*offer{},
		groups:    map[key][]*service{},
	}
	p.registrations = make([]*registration, 0, len(all))
	p.services = make([]*service, 0, len(all))
	p.classes = sync.OnceValue(p.indexClasses)
	room := newRooms(len(all))
	var overrides, decorators []*registration
	for _, r := range all {
		if r.verb == decorate {
			decorators = append(decorators, r)
			continue
		}
		r.parse(room)
		p.report(r, r.errs...)
		if r.verb == override {
			overrides = append(overrides, r)
			continue
		}
		p.registrations = append(p.registrations, r)
		for _, s := range r.services {
			if s.whole == nil {
				p.services = append(p.services, s)
			}
		}
	}
	p.nameClasses()
	several := p.gathered()
	for _, s := range p.services {
		p.offer(s, several, room)
		if s.bare != nil {
			s.bare.ref = s.ref
			p.offer(s.bare, several, room)
		}
	}
	p.dropRepeated()
	p.checkNames()
	for _, o := range overrides {
		p.override(o)
	}
	p.decorate(decorators)
	p.weave(s, declared)
	p.bind()
	p.link(room)
	p.cycles()
	p.live(s)

	slices.SortStableFunc(p.findings, func(a, b finding) int { return cmp.Compare(a.at, b.at) })
	said := map[string]bool{}
	for _, f := range p.findings {
		if text := f.err.Error(); !said[text] { // what is wrong with the defaults is wrong for every service
			said[text] = true
			p.errs, p.told = append(p.errs, f.err), append(p.told, f)
		}
	}
	if len(p.errs) == 0 {
		p.lay()
		p.engine.hand(p)
	}
	return p
}

// report records errors of a registration; nil is the plan as a whole.
func (p *plan) report(r *registration, errs ...error) {
	at := last
	if r != nil {
		at = r.index
	}
	for _, err := range errs {
		p.findings = append(p.findings, finding{at: at, err: err, of: r})
	}
}

// find returns the offer of a key, or nil.
func (p *plan) find(k key) *offer {
	if k.name == "" {
		return p.unnamed[k.t]
	}
	return p.named[k]
}

// gatheredTypes are what the container looks for itself, as many as there are: nobody needs to name listeners and aspects
// to tell them apart.
var gatheredTypes = []reflect.Type{listenerType, aspectType, reflect.TypeFor[aspect.Func]()}

// gathered are those of the gathered types that several services without a name are provided as. They are no keys.
func (p *plan) gathered() (several []reflect.Type) {
	seen := map[reflect.Type]bool{}
	for _, s := range p.services {
		for _, t := range s.provided {
			if s.ref.Name != "" || !s.keyed() || !slices.Contains(gatheredTypes, t) {
				continue
			}
			if seen[t] {
				several = append(several, t)
			}
			seen[t] = true
		}
	}
	return several
}

// offer makes a service findable by its keys and in its group.
func (p *plan) offer(s *service, several []reflect.Type, room *rooms) {
	r := s.registration
	for _, t := range s.provided {
		if s.group != nil {
			k := key{t, s.group.name}
			p.groups[k] = append(p.groups[k], s)
		}
		if !s.keyed() || s.ref.Name == "" && slices.Contains(several, t) {
			continue
		}
		k := key{t, s.ref.Name}
		if first := p.find(k); first != nil {
			if r.repeats(first.service.registration) {
				p.repeated(r, k)
				continue
			}
			remedy := "give one of them another name by container.Name"
			if r.verb == expect || first.service.registration.verb == expect {
				remedy = "leave one of them out"
			}
			p.report(r, &annotation.DefinitionError{
				Ref: s.ref, Place: r.place.String(),
				Problem: fmt.Sprintf("%v is provided twice, first at %v", k, first.service.registration.place),
				Remedy:  remedy,
			})
			continue
		}
		o := &room.offers.carve(1)[:1][0]
		o.key, o.service = k, s
		if r.offers == nil {
			r.offers = room.lists.carve(1)
		}
		r.offers = append(r.offers, o)
		if k.name == "" {
			p.unnamed[t] = o
		} else {
			p.named[k] = o
		}
	}
}
