package container

import (
	"reflect"

	"github.com/backstay/backstay/annotation"
)

// Provider is a parameter of a constructor, or a field of a struct that embeds [In], that builds a T at each Get. The T
// is a [Transient] service; of what is built once there is a [Lazy].
//
//	func NewPool(conns container.Provider[*Conn]) *Pool
//
// Get is an error until the service that took the Provider is built, so it is for methods, not for the constructor. In
// a scoped service the T is built in its scope: it may take what is scoped, and is closed with the scope. A Provider is not
// a dependency: it counts in no cycle, but a T that nobody provides is a definition error all the same. It is safe for
// concurrent use; the zero value gives an error.
type Provider[T any] struct{ binding *binding }

func (Provider[T]) kind() inputKind                { return provider }
func (Provider[T]) target() reflect.Type           { return reflect.TypeFor[T]() }
func (Provider[T]) bind(to *binding) reflect.Value { return reflect.ValueOf(Provider[T]{to}) }

// Get returns a new T, woven.
func (p Provider[T]) Get() (T, error) {
	v, err := p.binding.fresh()
	if err != nil {
		var none T
		return none, asked("container.Provider.Get", annotation.Caller(0), err)
	}
	return as[T](v), nil
}

// fresh builds what a Provider is for.
func (b *binding) fresh() (v reflect.Value, err error) {
	if err := b.check("container.Provider"); err != nil {
		return v, err
	}
	if b.scope != nil {
		return b.scope.obtain(b.offer.service, request{"container.Provider[%v].Get", b.key.t})
	}
	if r := b.offer.service.registration; !r.ready.Load() && b.plan.inside() {
		return v, refusal(request{"container.Provider[%v].Get builds", b.key.t}, "container", "")
	}
	return b.plan.fresh(b.offer.service)
}
