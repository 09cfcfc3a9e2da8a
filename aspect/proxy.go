package aspect

import (
	"reflect"
	"sync"
)

// What generated proxies are made of. Users do not write it: go tool backstay does.

// Generation is the form that generated proxies and the library have in common. A generated file declares
//
//	var _ aspect.CurrentGeneration = aspect.Generation[[1]struct{}]("... generate it again")
//
// which does not compile against a library of another generation, and the text is in the compiler's message.
type Generation[V any] string

// CurrentGeneration is that of this library.
type CurrentGeneration = Generation[[1]struct{}]

// Proxy is embedded in generated proxies: it tells that they are woven, and what is under them.
type Proxy struct{ instance *instance }

func (p Proxy) woven() *instance { return p.instance }

// Chain is the chain of one method of a woven value: the aspects around it, outermost first, compiled once. It is safe for
// concurrent use.
type Chain struct {
	method   *method
	instance *instance
}

// Run runs the chain around call and returns the error result. A call struct is run once. An error that comes out of a
// method without an error result is raised as a panic.
func (c *Chain) Run(call Call) error {
	f := call.frame()
	f.call, f.chain = call, c
	err := c.method.aspects[0].Process(JoinPoint{f, 1}) // there is one; what it has done to the arguments ends with the call
	if err != nil && c.method.errorAt < 0 {
		panic(err) // the method has no other way to say it
	}
	return err
}

// Call is one call of one method: its arguments, its results, and the target. It embeds a [Frame]. Generated call structs
// implement it; each is used by one goroutine at a time.
type Call interface {
	// Invoke calls the target with the arguments, keeps its results, and returns the error result.
	Invoke() error
	// Arg is a pointer to the i-th argument; a variadic one is a slice. i is in range.
	Arg(i int) any
	// Result is a pointer to the i-th result. i is in range.
	Result(i int) any
	// Clear makes all results zero.
	Clear()
	// Clone has arguments and results of its own, and a zero Frame.
	Clone() Call
	// Release makes all arguments and results zero, and lets go of the target.
	Release()

	frame() *Frame
}

// generated are the makers of generated proxies: reflect.Type of the interface to *maker.
var generated sync.Map

// maker makes the proxies of one interface.
type maker struct {
	typ  reflect.Type
	make func(p Proxy, target reflect.Value, chain func(method string) *Chain) reflect.Value
}

// RegisterProxy makes the generated proxy of the interface I known: from then on it is preferred to one made at run time.
// Generated files call it from an init function. newProxy gets the target and the chains of its methods by name, nil for
// those that go straight through. Of several registrations for one interface the first holds. It is safe for concurrent use.
func RegisterProxy[I any](newProxy func(p Proxy, target I, chain func(method string) *Chain) I) {
	m := &maker{typ: reflect.TypeFor[I]()}
	m.make = func(p Proxy, target reflect.Value, chain func(string) *Chain) reflect.Value {
		return reflect.ValueOf(newProxy(p, target.Interface().(I), chain))
	}
	generated.LoadOrStore(m.typ, m)
}

// generatedFor is the maker for a service that is provided as the interfaces: that of the only one or, for several, that of
// an interface which has exactly their methods.
func generatedFor(interfaces []reflect.Type) *maker {
	if len(interfaces) == 1 {
		if m, ok := generated.Load(interfaces[0]); ok {
			return m.(*maker)
		}
		return nil
	}
	var found *maker
	union := countMethods(interfaces)
	generated.Range(func(t, m any) bool {
		if isUnion(t.(reflect.Type), interfaces, union) {
			found = m.(*maker)
		}
		return found == nil
	})
	return found
}

// isUnion reports whether t has the methods of all interfaces, n together, and no others.
func isUnion(t reflect.Type, interfaces []reflect.Type, n int) bool {
	if t.NumMethod() != n {
		return false
	}
	for _, i := range interfaces {
		if !t.Implements(i) {
			return false
		}
	}
	return true
}

// countMethods counts those that the interfaces have together.
func countMethods(interfaces []reflect.Type) int {
	names := map[string]bool{}
	for _, t := range interfaces {
		for i := range t.NumMethod() {
			names[t.Method(i).PkgPath+"."+t.Method(i).Name] = true
		}
	}
	return len(names)
}
