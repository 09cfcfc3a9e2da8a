package dynproxy

import (
	"reflect"
	"runtime"
	"sync"
	"unsafe"
	"weak"
)

// funcs finds what NewFunc was given for a function, by the address of its closure. It keeps nothing alive: the closure
// holds its own entry's data, the map knows that by a weak pointer, and an entry goes when its closure is collected.
var funcs sync.Map // uintptr to weak.Pointer[funcData]

type funcData struct{ data any }

// NewFunc returns a function of type t, of any signature, that runs handler. It works on every platform. DataOf finds
// data. The function is a value of t, so that it can be told from others that run the same code.
func NewFunc(t reflect.Type, handler Handler, data any) reflect.Value {
	kept := &funcData{data}
	f := reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		defer runtime.KeepAlive(kept)
		return handler(args)
	})
	closure, entry := funcWord(f.Interface()), weak.Make(kept)
	key := uintptr(closure)
	funcs.Store(key, entry)
	// The address may be another closure's by the time of the cleanup: then the entry is that one's.
	runtime.AddCleanup((*byte)(closure), func(gone weak.Pointer[funcData]) { funcs.CompareAndDelete(key, gone) }, entry)
	return f
}

// dataOfFunc returns what NewFunc was given for v, which is a function.
func dataOfFunc(v any) (any, bool) {
	closure := funcWord(v)
	if closure == nil {
		return nil, false
	}
	entry, ok := funcs.Load(uintptr(closure))
	if !ok {
		return nil, false
	}
	kept := entry.(weak.Pointer[funcData]).Value()
	runtime.KeepAlive(v)
	if kept == nil {
		return nil, false
	}
	return kept.data, true
}

// funcWord returns the data word of an interface value that holds a function: the address of its closure. Functions are
// pointers to closures, and a pointer is the data word itself; both hold on every platform of gc. What is read is an
// address to compare, so that elsewhere the worst is that a function is not found.
func funcWord(v any) unsafe.Pointer {
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1]
}
