//go:build gc && !purego && (amd64 || arm64)

package dynproxy

import (
	"fmt"
	"reflect"
	"unsafe"
)

// table is the header of what the first word of a proxy points at; the slots follow
// it in the same allocation, one word per method. The routines know this layout;
// its length is the proxy type's. All of its words are pointers, so it is allocated
// as a slice of them, which is what the garbage collector goes by.
type table struct {
	// byValue is where a routine finds its closure when it takes this table for the
	// proxy, because the receiver was passed by value.
	byValue *table
	record  *record
}

// tableOf returns words, which begin with headerWords of a table, as one. Both are
// pointers, in the same order: the conversion is between types of one layout.
func tableOf(words []unsafe.Pointer) *table {
	return (*table)(unsafe.Pointer(unsafe.SliceData(words)))
}

// record is what New was given for a proxy.
type record struct{ data any }

// forward is the closure of a method that goes straight through: what the forward
// routine reads, in this order.
type forward struct {
	routine  uintptr        // the routine itself: a closure begins with its code
	method   uintptr        // code of the target's method
	receiver unsafe.Pointer // what that code takes as its receiver
}

// build makes a proxy. Arguments are those of New, whose lengths are right.
func (l *layout) build(t *Type, targets []reflect.Value, handlers []Handler, data any) any {
	box := reflect.New(l.proxy)
	proxy, address := box.Elem(), box.UnsafePointer()
	for k, target := range targets {
		// An interface value is opened: its own type need not have the methods.
		if target.Kind() == reflect.Interface {
			target = target.Elem()
		}
		if target.IsValid() {
			// The conversion to the interface gives the target's itab and data word.
			proxy.Field(1 + k).Set(target)
		}
	}

	straight := 0
	for _, h := range handlers {
		if h == nil {
			straight++
		}
	}
	forwards := make([]forward, straight)
	words := make([]unsafe.Pointer, headerWords+len(l.slots))
	for i, s := range l.slots {
		if h := handlers[i]; h != nil {
			words[headerWords+i] = closureOf(reflect.MakeFunc(s.handlerType,
				func(args []reflect.Value) []reflect.Value { return h(args[1:]) }))
			continue
		}
		f := &forwards[0]
		forwards = forwards[1:]
		// The field lies in the box, at the offset that reflect tells, and has the
		// layout of an interface with methods.
		target := (*iface)(unsafe.Add(address, s.field))
		if target.itab == nil {
			panic(fmt.Sprintf("dynproxy: method %s of %v has neither a handler nor a target",
				t.methods[i].Name, t.interfaces[s.target]))
		}
		// The itab belongs to the field's interface, and has index as its method: both
		// are reflect's. The receiver goes where a call through the interface puts it.
		f.routine = forwardRoutine
		f.method = target.itab.method(s.index)
		f.receiver = target.data
		words[headerWords+i] = unsafe.Pointer(f)
	}

	header := tableOf(words)
	header.byValue, header.record = l.valueTable, &record{data}
	proxy.SetZero()
	// The first field is a *table at offset 0, unexported and so closed to reflect.
	*(**table)(address) = header

	// The box becomes the interface's data as it is, where Interface would copy it.
	// It is of the type whose descriptor stands in the interface, and not written to
	// from here on.
	v := l.zero
	(*eface)(unsafe.Pointer(&v)).data = address
	return v
}

// dataOf returns the data of a value whose type is a proxy type. Its zero value is
// no proxy.
func dataOf(v reflect.Value) (any, bool) {
	header := (*table)(v.Field(0).UnsafePointer())
	if header == nil {
		return nil, false
	}
	return header.record.data, true
}
