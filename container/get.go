package container

import (
	"fmt"
	"reflect"

	"github.com/backstay/backstay/annotation"
)

// Source is what [Get] gets services from: a *Container.
type Source interface{ source() *Container }

func (c *Container) source() *Container { return c }

// Get returns the service that is provided as a T, woven: an interface, a func type, or a concrete type. With [Name] it
// returns the one of that name. It verifies first, once; the definition errors are its error then.
//
// Services that the T needs are built before it. When a constructor fails the error says who asked for whom, with the
// files and lines of the registrations, and unwraps to the constructor's own error; the next Get runs the constructor
// again. A T that nobody provides is a definition error that says what comes close to it.
//
// A constructor cannot get from the container that runs it: what it needs is a parameter. Get is refused there, whether
// the service is built or not, since that would depend on the order of building.
//
// A built service is found without a lock and without an allocation.
func Get[T any](from Source, opts ...GetOption) (T, error) {
	var c *Container
	if from != nil {
		c = from.source()
	}
	if c == nil {
		var none T
		return none, noContainer(annotation.Caller(0))
	}
	name := ""
	for _, o := range opts {
		if n, ok := o.(NameOption); ok {
			name = string(n)
		}
	}
	k := key{reflect.TypeFor[T](), name}
	if p := c.live.Load(); p != nil && p.engine.owner.Load() == 0 {
		if o := p.find(k); o != nil {
			if v := o.value.Load(); v != nil {
				return *(*v).(*T), nil
			}
		}
	}
	v, err := c.get(k)
	if err != nil {
		var none T
		return none, err
	}
	return *v.(*T), nil
}

// get is Get for what is not built, or while something is being built. It returns a pointer to the service.
func (c *Container) get(k key) (any, error) {
	p, err := c.current()
	if err != nil {
		return nil, err
	}
	o := p.find(k)
	if o == nil {
		problem, remedy := p.missing(k)
		if isIn(k.t) {
			remedy = "it embeds container.In: Invoke a func that takes it"
		}
		return nil, &annotation.DefinitionError{Problem: problem, Remedy: remedy, Place: annotation.Caller(1)}
	}
	if p.inside() {
		return nil, refusal(fmt.Sprintf("container.Get[%v]", k.t), annotation.Caller(1))
	}
	if err := p.build(o.service.registration); err != nil {
		return nil, askedBy("container.Get", annotation.Caller(1), err)
	}
	return o.open(), nil
}
