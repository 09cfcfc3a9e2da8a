//go:build gc && !purego && (amd64 || arm64)

package dynproxy

import (
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"unsafe"
)

// layout is what is made once per proxy type, so that making a value is cheap.
//
// The proxy type is struct{ table *table; I0 Interface0; I1 Interface1 ... } with
// the interfaces embedded. The embedded fields give the type its methods and stay
// nil in its values, so that two proxies compare and hash by their tables alone,
// whatever their targets are. The first field is unexported, so that a package that
// copies or fills values by reflection leaves it nil instead of giving it a table
// without slots; a nil table is a nil dereference like any other.
type layout struct {
	proxy reflect.Type
	zero  any // the zero value of the proxy type
	slots []slot
	// valueTable has the closures for receivers passed by value, one per method.
	valueTable *table
}

// slot is what a method of a proxy type needs to fill its slot.
type slot struct {
	handlerType reflect.Type // of the function that runs a handler: receiver's address first
	target      int          // which of the targets it is meant for
	field       uintptr      // offset of that interface's field in the proxy type
	index       int          // of the method in that interface
}

// newLayout makes the proxy type of interfaces that have the given methods, sorted
// by name, and writes its method records. The caller holds making. The error says
// why this build cannot have the type.
func newLayout(interfaces []reflect.Type, methods []Method) (*layout, error) {
	if len(methods) > maxMethods {
		return nil, fmt.Errorf("%d methods are too many, the limit is %d", len(methods), maxMethods)
	}
	proxy, err := structOf(interfaces)
	if err != nil {
		return nil, err
	}
	if err := writeRoutines(proxy, interfaces, methods); err != nil {
		return nil, err
	}
	l := &layout{proxy: proxy, zero: reflect.Zero(proxy).Interface(), slots: make([]slot, len(methods))}
	position := make(map[string]int, len(methods))
	for i, m := range methods {
		position[m.Name] = i
		l.slots[i].handlerType = withReceiver(reflect.TypeFor[unsafe.Pointer](), m.Type)
	}
	for k, t := range interfaces {
		for i := range t.NumMethod() {
			s := &l.slots[position[t.Method(i).Name]]
			s.target, s.field, s.index = k, proxy.Field(1+k).Offset, i
		}
	}
	l.valueTable = valueTable(proxy)
	return l, nil
}

// structOf makes the struct type. Nobody else can have the same one, whose records
// must stay as reflect made them, since the type of its first field is private.
func structOf(interfaces []reflect.Type) (t reflect.Type, err error) {
	private := reflect.TypeFor[table]()
	fields := []reflect.StructField{{Name: "table", PkgPath: private.PkgPath(), Type: reflect.PointerTo(private)}}
	for k, t := range interfaces {
		// The field's name need not be the type's, which may occur twice or not at all.
		fields = append(fields, reflect.StructField{Name: "I" + strconv.Itoa(k), Type: t, Anonymous: true})
	}
	defer func() {
		// StructOf panics on what it does not implement; what that is, it may change.
		if p := recover(); p != nil {
			err = fmt.Errorf("reflect.StructOf refuses it: %v", p)
		}
	}()
	return reflect.StructOf(fields), nil
}

// writeRoutines replaces the code in the method records of a proxy type that is
// not in use yet: no interface value has held it, so the runtime has cached nothing
// of it. Everything is compared with reflect's view of the type before and after.
func writeRoutines(proxy reflect.Type, interfaces []reflect.Type, methods []Method) error {
	var names []string
	for _, t := range interfaces {
		for i := range t.NumMethod() {
			names = append(names, t.Method(i).Name)
		}
	}
	records, err := methodRecords(proxy, names)
	if err != nil {
		return err
	}
	// StructOf appends the interfaces' methods one after the other. The runtime wants
	// the records sorted, whichever interface they come from.
	sort.Sort(byName{names, records})

	refusal := reflect.ValueOf(refuseByValue).Pointer()
	for i := range records {
		code := codeAt(&methodRoutines[i])
		records[i].byPointer = addReflectOff(code)
		records[i].byValue = records[i].byPointer
		if !valueInRegisters(proxy) {
			records[i].byValue = addReflectOff(codeAt(&refusal))
		}
	}
	return checkRoutines(proxy, methods, refusal)
}

// byName sorts method records together with their names.
type byName struct {
	names   []string
	records []methodRecord
}

func (s byName) Len() int           { return len(s.names) }
func (s byName) Less(i, j int) bool { return s.names[i] < s.names[j] }
func (s byName) Swap(i, j int) {
	s.names[i], s.names[j] = s.names[j], s.names[i]
	s.records[i], s.records[j] = s.records[j], s.records[i]
}

// checkRoutines reports whether reflect sees what writeRoutines was to write.
func checkRoutines(proxy reflect.Type, methods []Method, refusal uintptr) error {
	for i, m := range methods {
		found, want := proxy.Method(i), methodRoutines[i]
		if !valueInRegisters(proxy) {
			want = refusal
		}
		if found.Name != m.Name || found.Func.Pointer() != want || want == 0 {
			return fmt.Errorf("method records do not keep what is written: method %d is %s at %#x, not %s at %#x",
				i, found.Name, found.Func.Pointer(), m.Name, want)
		}
	}
	return nil
}

// valueInRegisters reports whether a receiver of the proxy type, passed by value,
// is passed in registers, its first word in the first. The convention puts a value
// there as a whole or not at all, and a receiver comes first. The limit is amd64's
// nine registers; arm64 has more, but behaviour should not depend on that.
func valueInRegisters(proxy reflect.Type) bool {
	return proxy.Size() <= 9*unsafe.Sizeof(uintptr(0))
}

// refuseByValue is the code for receivers passed by value that are not passed in
// registers, where no routine can find them. Only reflect.Type.Method leads here.
func refuseByValue() {
	panic("dynproxy: a proxy of more than four interfaces cannot be called by the Func of reflect.Type.Method; " +
		"use reflect.Value.Method")
}

// valueTable makes the closures for calls in which the receiver is the proxy
// itself: functions that call the method through the receiver's address instead.
func valueTable(proxy reflect.Type) *table {
	words := make([]unsafe.Pointer, headerWords+proxy.NumMethod())
	for i := range proxy.NumMethod() {
		ftype := proxy.Method(i).Type
		words[headerWords+i] = closureOf(reflect.MakeFunc(ftype, func(args []reflect.Value) []reflect.Value {
			if ftype.IsVariadic() {
				return args[0].Method(i).CallSlice(args[1:])
			}
			return args[0].Method(i).Call(args[1:])
		}))
	}
	return tableOf(words)
}

// withReceiver returns the type of a function that takes a receiver before the
// parameters of a method.
func withReceiver(receiver, method reflect.Type) reflect.Type {
	in := []reflect.Type{receiver}
	for p := range method.Ins() {
		in = append(in, p)
	}
	var out []reflect.Type
	for r := range method.Outs() {
		out = append(out, r)
	}
	return reflect.FuncOf(in, out, method.IsVariadic())
}
