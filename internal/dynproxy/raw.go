//go:build gc && !purego && (amd64 || arm64)

package dynproxy

import (
	"fmt"
	"reflect"
	"unsafe"
)

// This file has the runtime's data layouts that the package relies on, for 64-bit
// builds of gc, and the functions that read them. They are those of package
// internal/abi. For each stands which check finds out that it has changed.

// eface is a value of an interface type without methods: the address of the
// dynamic type's descriptor, and the data word. Self check: checkWords.
type eface struct {
	descriptor unsafe.Pointer
	data       unsafe.Pointer
}

// iface is a value of an interface type with methods: the address of the itab of
// the interface and the dynamic type, and the data word, which is what a method
// called through the interface gets as its receiver. Self check: checkWords.
type iface struct {
	itab *itab
	data unsafe.Pointer
}

// itab has the code addresses that a call through an interface jumps to, one per
// method of the interface, in reflect's order. It is never moved or freed. Self
// check: checkItab.
type itab struct {
	inter, descriptor unsafe.Pointer
	_                 uint32 // a hash of the descriptor
	_                 uint32
	code              [1]uintptr // as many as the interface has methods
}

// descriptorSize is what a struct type's descriptor takes: 48 bytes common to all
// types, the package path (8), the slice of fields (24). The uncommon record comes
// right behind it, here as everywhere in the runtime. Check: methodRecords.
const descriptorSize = 48 + 8 + 24

// uncommon says where a type's method records are. Check: methodRecords.
type uncommon struct {
	packagePath int32
	methods     uint16 // how many
	exported    uint16 // how many of them are exported; they come first
	offset      uint32 // from this struct to the first record
	_           uint32
}

// methodRecord is one method of a type that is not an interface. Code is named by
// offsets into the program's text or, in a type made at run time, by the negative
// numbers that addReflectOff hands out. Records are in the order of the names:
// the runtime looks for an interface's methods in one pass over both. Checks:
// methodRecords before they are written, checkRoutines after.
type methodRecord struct {
	name, signature int32
	byPointer       int32 // code for calls whose receiver is the interface's data word
	byValue         int32 // code for calls whose receiver is the value itself
}

// addReflectOff returns the number by which a type made at run time names code at
// an address. The same address always gets the same number. Package reflect keeps
// it open to linkname for packages that do what this one does (go.dev/issue/67401).
// The linker checks that it exists; methodRecords checks what it returns.
//
//go:linkname addReflectOff reflect.addReflectOff
//go:noescape
func addReflectOff(code unsafe.Pointer) int32

// descriptorOf returns the address of the descriptor of a type that reflect has
// returned. Those are pointers to it, so it is the data word of the interface value.
// Self check: checkWords. The descriptor of a type made at run time is on the heap
// and kept by reflect for good.
func descriptorOf(t reflect.Type) unsafe.Pointer {
	return (*iface)(unsafe.Pointer(&t)).data
}

// closureOf returns the closure of a function: an object that begins with the
// address of its code, which that code finds in the context register. A function
// is a pointer to it, so it is the data word of an interface value that holds one.
// Self check: checkClosure.
func closureOf(f reflect.Value) unsafe.Pointer {
	v := f.Interface()
	return (*eface)(unsafe.Pointer(&v)).data
}

// codeAt turns a code address kept as a number into a pointer. It reads the same
// word as the other type; the pointer is into the program's text, where the
// garbage collector looks for nothing and nothing moves.
func codeAt(address *uintptr) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(address))
}

// methodRecords returns the method records of a struct type that reflect.StructOf
// has made, after comparing them with what reflect tells about the type: names are
// the methods that it must have, in order.
//
// No value of the type is needed, and nothing is written. The reads stay within
// the descriptor's allocation as long as that holds uncommon and records at all.
func methodRecords(t reflect.Type, names []string) ([]methodRecord, error) {
	if t.Kind() != reflect.Struct || t.NumMethod() != len(names) || len(names) == 0 {
		return nil, fmt.Errorf("reflect.StructOf makes %v with %d methods where %d were expected",
			t, t.NumMethod(), len(names))
	}
	u := (*uncommon)(unsafe.Add(descriptorOf(t), descriptorSize))
	if int(u.methods) != len(names) || u.exported != u.methods || uintptr(u.offset) != unsafe.Sizeof(*u) {
		return nil, fmt.Errorf("types are laid out differently by this toolchain: %d methods, %d exported, "+
			"at offset %d, where reflect has %d", u.methods, u.exported, u.offset, len(names))
	}
	records := unsafe.Slice((*methodRecord)(unsafe.Add(unsafe.Pointer(u), u.offset)), len(names))
	for i, record := range records {
		// Method and Func.Pointer are reflect's own reading of the i'th record. The
		// code is reflect's panicking stub, and was given its number by reflect.
		method := t.Method(i)
		if method.Name != names[i] {
			return nil, fmt.Errorf("reflect.StructOf has method %s where %s was expected", method.Name, names[i])
		}
		address := method.Func.Pointer()
		number := addReflectOff(codeAt(&address))
		if record.byPointer != number || record.byValue != number {
			return nil, fmt.Errorf("method records are laid out differently by this toolchain: "+
				"%s has code %d and %d where reflect has %d", method.Name, record.byPointer, record.byValue, number)
		}
	}
	return records, nil
}

// method returns the code address of the i'th method of the itab's interface. The
// array is declared with one element and has as many as the interface has methods.
func (t *itab) method(i int) uintptr {
	return *(*uintptr)(unsafe.Add(unsafe.Pointer(&t.code), uintptr(i)*unsafe.Sizeof(t.code[0])))
}
