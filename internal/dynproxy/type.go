package dynproxy

import (
	"fmt"
	"reflect"
)

// Handler runs one method of a proxy. Its arguments are the call's, without the
// receiver; a variadic argument is one slice. The slice is the handler's own. It
// must return one value per result, of the result's type or assignable to it; an
// interface result that is nil is reflect.Zero of its type.
//
// A handler runs on the caller's goroutine and stack: a panic passes through to
// the caller, and so does runtime.Goexit.
type Handler func(args []reflect.Value) []reflect.Value

// Type is the proxy type of some interfaces. It is made by [TypeOf] and safe for
// concurrent use.
type Type struct {
	interfaces []reflect.Type
	methods    []Method // by name, which is the order of the slots
	layout     *layout  // what the build needs to make values
}

// NumMethod returns the number of methods of all the type's interfaces.
func (t *Type) NumMethod() int { return len(t.methods) }

// Method returns the i'th method in the order of their names, in which New takes
// its handlers. It panics if i is out of range.
func (t *Type) Method(i int) Method { return t.methods[i] }

// NumInterface returns the number of interfaces.
func (t *Type) NumInterface() int { return len(t.interfaces) }

// Type returns the struct type whose values implement the interfaces. Only New
// makes values of it that can be called: the methods of its zero value panic with
// a nil pointer dereference.
func (t *Type) Type() reflect.Type { return t.layout.proxy }

// New returns a value of the proxy type, which can be asserted to each of the
// interfaces. It is equal to itself and its copies alone.
//
// targets[i] is what the methods of the i'th interface are meant for: a value that
// implements it, or an interface value that holds one. Method i runs handlers[i];
// where that is nil, a call goes straight through to the target, with nothing but
// two jumps between. A target whose methods all have handlers may be the zero
// Value. data is what [DataOf] gives back.
//
// New panics if the lengths of the slices are not the type's numbers of interfaces
// and methods, if a target does not implement its interface, and if a method has
// neither handler nor target.
func (t *Type) New(targets []reflect.Value, handlers []Handler, data any) any {
	if len(targets) != len(t.interfaces) || len(handlers) != len(t.methods) {
		panic(fmt.Sprintf("dynproxy: New got %d targets for %d interfaces, %d handlers for %d methods",
			len(targets), len(t.interfaces), len(handlers), len(t.methods)))
	}
	return t.layout.build(t, targets, handlers, data)
}

// DataOf returns the data that New or NewFunc was given for v, and whether v is a proxy.
func DataOf(v any) (any, bool) {
	if t := reflect.TypeOf(v); t != nil && t.Kind() == reflect.Func {
		return dataOfFunc(v)
	}
	if _, ok := proxyTypes.Load(reflect.TypeOf(v)); !ok {
		return nil, false
	}
	return dataOf(reflect.ValueOf(v))
}
