package dynproxy

import (
	"fmt"
	"reflect"
	"sort"
)

// Method is one method of a proxy type.
type Method struct {
	Name      string
	Type      reflect.Type // the function type without a receiver
	Interface reflect.Type // which of the type's interfaces has it
}

// maxParameters is how many parameters and results a method may have together:
// reflect.FuncOf takes 128, and one of them is the receiver.
const maxParameters = 127

// methodsOf returns the methods of all interfaces in the order of their names,
// which is the order of a type's method records, or says why there can be no
// proxy of them on any build.
func methodsOf(interfaces []reflect.Type) ([]Method, error) {
	if len(interfaces) == 0 {
		return nil, &UnsupportedError{Reason: "no interface was given"}
	}
	var methods []Method
	owner := make(map[string]reflect.Type)
	for _, t := range interfaces {
		if err := checkInterface(t); err != nil {
			return nil, err
		}
		for i := range t.NumMethod() {
			m := t.Method(i)
			if other, taken := owner[m.Name]; taken {
				return nil, &OverlapError{Method: m.Name, A: other, B: t}
			}
			owner[m.Name] = t
			methods = append(methods, Method{Name: m.Name, Type: m.Type, Interface: t})
		}
	}
	sort.Slice(methods, func(i, j int) bool { return methods[i].Name < methods[j].Name })
	return methods, nil
}

// checkInterface says why t alone cannot be proxied.
func checkInterface(t reflect.Type) error {
	refuse := func(format string, args ...any) error {
		return &UnsupportedError{Interfaces: []reflect.Type{t}, Reason: fmt.Sprintf(format, args...)}
	}
	switch {
	case t == nil:
		return refuse("the type is nil")
	case t.Kind() != reflect.Interface:
		return refuse("it is not an interface type")
	case t.NumMethod() == 0:
		return refuse("it has no methods")
	}
	for i := range t.NumMethod() {
		m := t.Method(i)
		if m.PkgPath != "" {
			return refuse("its method %s is unexported, so only package %s can implement it", m.Name, m.PkgPath)
		}
		if n := m.Type.NumIn() + m.Type.NumOut(); n > maxParameters {
			return refuse("its method %s has %d parameters and results, the limit is %d", m.Name, n, maxParameters)
		}
	}
	return nil
}
