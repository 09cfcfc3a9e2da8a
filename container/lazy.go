package container

import (
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
// the T if nothing has needed it before; in a scoped service it gives the T of the same scope. A Lazy is not a dependency:
// it counts in no cycle, but a T that nobody provides is a definition error all the same. Of a T that is built anew each
// time there is a [Provider]. A copy of a Lazy is the same Lazy. It is safe for concurrent use; the zero value gives an
// error.
type Lazy[T any] struct{ binding *binding }

func (Lazy[T]) kind() inputKind                { return lazy }
func (Lazy[T]) target() reflect.Type           { return reflect.TypeFor[T]() }
func (Lazy[T]) bind(to *binding) reflect.Value { return reflect.ValueOf(Lazy[T]{to}) }

// Get returns the T, woven.
func (l Lazy[T]) Get() (T, error) {
	var none T
	b := l.binding
	if err := b.check("container.Lazy"); err != nil {
		return none, at(annotation.Caller(0), err)
	}
	if b.offer.service.registration.lifetime == scoped {
		v, err := b.inScope()
		if err != nil {
			return none, asked("container.Lazy.Get", annotation.Caller(0), err)
		}
		return as[T](v), nil
	}
	v, err := b.once()
	if err != nil {
		return none, asked("container.Lazy.Get", annotation.Caller(0), err)
	}
	return *v.(*T), nil
}

// once is a pointer to the singleton that a Lazy is for.
func (b *binding) once() (any, error) {
	if v := b.offer.value.Load(); v != nil {
		return *v, nil
	}
	if r := b.offer.service.registration; !r.done.Load() {
		if b.plan.inside() {
			return nil, refusal(request{"container.Lazy[%v].Get builds", b.key.t}, "container", "")
		}
		if err := b.plan.build(r); err != nil {
			return nil, err
		}
	}
	return b.offer.open(), nil
}

// inScope is the scoped service that a Lazy is for. What is built is there without a lock, in constructors too.
func (b *binding) inScope() (reflect.Value, error) {
	if c := &b.scope.cells[b.offer.service.cell]; c.ready.Load() {
		return c.value, nil
	}
	return b.scope.obtain(b.offer.service, request{"container.Lazy[%v].Get builds", b.key.t})
}
