package container

import (
	"reflect"

	"github.com/backstay/backstay/annotation"
)

// Source is what [Get] gets services from: a *Container or a *Scope.
type Source interface{ source() (*Container, *Scope) }

func (c *Container) source() (*Container, *Scope) { return c, nil }

// Get returns the service that is provided as a T, woven: an interface, a func type, or a concrete type. With [Name] it
// returns the one of that name. It verifies first, once; the definition errors are its error then.
//
// Services that the T needs are built before it. When a constructor fails the error says who asked for whom, with the
// files and lines of the registrations, and unwraps to the constructor's own error; the next Get runs the constructor
// again. A T that nobody provides is a definition error that says what comes close to it.
//
// From a [Scope] it returns what that has of a scoped service, and of everything else what the container has. A transient
// is built anew by each Get. What is bound to a scope is not to be had from the container: the error says why.
//
// A constructor cannot get from the container or the scope that runs it: what it needs is a parameter. Get is refused there, whether
// the service is built or not, since that would depend on the order of building.
//
// A built service is found without a lock and without an allocation.
func Get[T any](from Source, opts ...GetOption) (T, error) {
	var c *Container
	var s *Scope
	if from != nil {
		c, s = from.source()
	}
	if c == nil {
		var none T
		if _, ok := from.(*Scope); ok {
			return none, noScope(annotation.Caller(0))
		}
		return none, noContainer(annotation.Caller(0))
	}
	name := ""
	for _, o := range opts {
		if n, ok := o.(NameOption); ok {
			name = string(n)
		}
	}
	k := key{reflect.TypeFor[T](), name}
	if p := c.live.Load(); p != nil && p.engine.owner.Load() == 0 && s.isIdle() {
		if o := p.find(k); o != nil {
			if v := o.value.Load(); v != nil {
				return *(*v).(*T), nil
			}
			if v := s.ready(o.service); v.IsValid() {
				return as[T](v), nil
			}
		}
	}
	var v reflect.Value
	var err error
	if s != nil {
		v, err = s.get(k)
	} else {
		v, err = c.get(k)
	}
	if err != nil {
		var none T
		return none, asked("container.Get", annotation.Caller(0), err)
	}
	return as[T](v), nil
}

// get is Get for what is not built, or while something is being built.
func (c *Container) get(k key) (v reflect.Value, err error) {
	p, err := c.current()
	if err != nil {
		return v, err
	}
	o := p.find(k)
	if o == nil {
		return v, p.notProvided(k)
	}
	by := request{"container.Get[%v]", k.t}
	if p.inside() {
		return v, refusal(by, "container", "")
	}
	if problem, remedy := o.service.unbound(by); problem != "" {
		return v, &annotation.DefinitionError{Problem: problem, Remedy: remedy}
	}
	if o.service.registration.lifetime == transient {
		return p.fresh(o.service)
	}
	if err := p.build(o.service.registration); err != nil {
		return v, err
	}
	return reflect.ValueOf(o.open()).Elem(), nil
}

// notProvided says that nothing is provided under a key that was asked for.
func (p *plan) notProvided(k key) error {
	problem, remedy := p.missing(k, asking{option: true, frozen: true})
	if isIn(k.t) {
		remedy = "it embeds container.In: Invoke a func that takes it"
	}
	return &annotation.DefinitionError{Problem: problem, Remedy: remedy}
}
