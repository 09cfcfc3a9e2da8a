package container

import (
	"fmt"
	"reflect"

	"github.com/backstay/backstay/annotation"
)

// binding binds a Lazy or a Provider to who took it.
type binding struct {
	taker
	key   key
	offer *offer // nil: an optional one that nobody provides
}

// laterParameter is what every Lazy and every Provider is, whatever its T.
type laterParameter interface {
	kind() inputKind
	target() reflect.Type
	bind(*binding) reflect.Value
}

var laterType = reflect.TypeFor[laterParameter]()

// bound is the Lazy or Provider that a taker takes as an input.
func (t taker) bound(in *input, o *offer) reflect.Value {
	return reflect.Zero(in.t).Interface().(laterParameter).bind(&binding{t, in.key, o})
}

// check reports why Get of what is bound cannot be answered yet, or never can.
func (b *binding) check(what string) error {
	switch {
	case b == nil:
		return &annotation.DefinitionError{Problem: "a " + what + " that no container has filled", Remedy: "take it as a parameter of a constructor"}
	case b.offer == nil:
		return &annotation.DefinitionError{Problem: fmt.Sprintf("nothing provides %v, which is optional here", b.key), Remedy: "Provide one"}
	case b.consumer != nil && !b.built.Load():
		return b.consumer.wrong(fmt.Sprintf("%s[%v].Get before the service that took it is built", what, b.key.t), "call it in a method, not in the constructor")
	}
	return nil
}

// as is a built service as a T, one of the types that it is provided as.
func as[T any](v reflect.Value) T { return v.Interface().(T) }

// asked completes an error of a request: who asked, and where.
func asked(what, place string, err error) error {
	if b, ok := err.(*buildError); ok {
		return askedBy(what, place, b)
	}
	return at(place, err)
}
