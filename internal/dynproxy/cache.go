package dynproxy

import (
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
)

// node stands for a list of interfaces; its children stand for lists that are
// longer by one. A tree is looked up without making a key, so without allocation.
type node struct {
	proxy    atomic.Pointer[Type] // nil until a proxy type of this list was made
	children sync.Map             // reflect.Type of the next interface -> *node
}

var (
	// lists finds the proxy type of a list of interfaces. Like reflect's types,
	// which it holds, its entries live as long as the program.
	lists node
	// proxyTypes finds a Type by its struct type: reflect.Type -> *Type.
	proxyTypes sync.Map
	// making is held while a proxy type is made: its records are written in place,
	// and reflect would give the same type to a second goroutine.
	making sync.Mutex
	// support is the verdict on this build, reached on first use.
	support = sync.OnceValue(selfCheck)
)

// Supported reports whether this build can make proxies at run time. The first
// call runs the self check.
func Supported() bool { return support() == nil }

// TypeOf returns the proxy type of interfaces whose method sets are disjoint. The
// same list always gives the same Type; its order is that of the targets which
// [Type.New] takes, so another order of the same interfaces is another Type.
//
// The error is an [*OverlapError] or an [*UnsupportedError].
func TypeOf(interfaces ...reflect.Type) (*Type, error) {
	if t := cached(interfaces); t != nil {
		return t, nil
	}
	interfaces = slices.Clone(interfaces)
	methods, err := methodsOf(interfaces)
	if err != nil {
		return nil, err
	}
	if err := support(); err != nil {
		return nil, &UnsupportedError{Interfaces: interfaces, Reason: err.Error()}
	}
	t, err := makeType(interfaces, methods)
	if err != nil {
		return nil, &UnsupportedError{Interfaces: interfaces, Reason: err.Error()}
	}
	return t, nil
}

// cached returns the proxy type of a list that was asked for before, or nil.
func cached(interfaces []reflect.Type) *Type {
	at := &lists
	for _, t := range interfaces {
		child, ok := at.children.Load(t)
		if !ok {
			return nil
		}
		at = child.(*node)
	}
	return at.proxy.Load()
}

// makeType makes and publishes the proxy type of a list, which it keeps, unless
// another goroutine was first. The type's records are written before anybody can
// read them: nobody has the type until it is published here. The error is the
// reason for an UnsupportedError.
func makeType(interfaces []reflect.Type, methods []Method) (*Type, error) {
	making.Lock()
	defer making.Unlock()
	if t := cached(interfaces); t != nil {
		return t, nil
	}
	layout, err := newLayout(interfaces, methods)
	if err != nil {
		return nil, err
	}
	t := &Type{interfaces: interfaces, methods: methods, layout: layout}
	proxyTypes.Store(layout.proxy, t)
	at := &lists
	for _, next := range interfaces {
		child, _ := at.children.LoadOrStore(next, new(node))
		at = child.(*node)
	}
	at.proxy.Store(t)
	return t, nil
}
