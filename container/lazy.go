package container

import (
	"fmt"
	"reflect"

	"github.com/backstay/backstay/annotation"
)

// Lazy is a parameter of a constructor, or a field of a struct that embeds [In], that gives a T later. It is how a
// service gets its own woven self, so that a call that it makes on itself is intercepted like any other, and how two
// services can need each other:
//
//	func NewReports(self container.Lazy[Reports]) *PgReports
//
// Get is an error until the service that took the Lazy is built, so it is for methods, not for the constructor. It builds
// the T if nothing has needed it before. A Lazy is not a dependency: it counts in no cycle, but a T that nobody provides
// is a definition error all the same. A copy of a Lazy is the same Lazy. It is safe for concurrent use; the zero value
// gives an error.
type Lazy[T any] struct{ link *lazyLink }

// lazyLink binds a Lazy to who took it.
type lazyLink struct {
	plan     *plan
	consumer *registration // nil: the func of an Invoke
	key      key
	offer    *offer // nil: an optional one that nobody provides
}

// lazyParameter is what every Lazy is, whatever its T.
type lazyParameter interface {
	target() reflect.Type
	bind(*lazyLink) reflect.Value
}

func (Lazy[T]) target() reflect.Type              { return reflect.TypeFor[T]() }
func (Lazy[T]) bind(link *lazyLink) reflect.Value { return reflect.ValueOf(Lazy[T]{link}) }

// Get returns the T, woven.
func (l Lazy[T]) Get() (T, error) {
	v, err := l.link.get()
	if err != nil {
		var none T
		return none, err
	}
	return *v.(*T), nil
}

func (l *lazyLink) get() (any, error) {
	switch {
	case l == nil:
		return nil, &annotation.DefinitionError{Problem: "a container.Lazy that no container has filled", Remedy: "take it as a parameter of a constructor", Place: annotation.Caller(1)}
	case l.offer == nil:
		return nil, &annotation.DefinitionError{Problem: fmt.Sprintf("nothing provides %v, which is optional here", l.key), Remedy: "Provide one", Place: annotation.Caller(1)}
	case l.consumer != nil && !l.consumer.done.Load():
		return nil, l.consumer.wrong(fmt.Sprintf("container.Lazy[%v].Get before the service that took it is built", l.key.t), "call it in a method, not in the constructor")
	}
	if v := l.offer.value.Load(); v != nil {
		return *v, nil
	}
	if r := l.offer.service.registration; !r.done.Load() {
		if l.plan.inside() {
			return nil, refusal(fmt.Sprintf("container.Lazy[%v].Get builds", l.key.t), annotation.Caller(1))
		}
		if err := l.plan.build(r); err != nil {
			return nil, askedBy("container.Lazy.Get", annotation.Caller(1), err)
		}
	}
	return l.offer.open(), nil
}

// lazyFor is the Lazy that a consumer takes as an input.
func (p *plan) lazyFor(consumer *registration, in *input) reflect.Value {
	link := &lazyLink{plan: p, consumer: consumer, key: in.key, offer: p.find(in.key)}
	return reflect.Zero(in.t).Interface().(lazyParameter).bind(link)
}
