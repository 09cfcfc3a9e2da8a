package aspects

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/backstay/backstay/aspect"
)

// keyMaker makes the keys of one method's calls.
type keyMaker struct {
	custom func(jp aspect.JoinPoint) any // nil: of arguments
	args   []int
	open   []bool // whether the argument's type has interfaces in it, so that each value has to be looked at
}

var contextType = reflect.TypeFor[context.Context]()

// newKeyMaker is the way to a method's keys, or what is wrong with it.
func newKeyMaker(c Cacheable, method reflect.Type) (*keyMaker, string) {
	if c.Key != nil {
		return &keyMaker{custom: c.Key}, ""
	}
	k := &keyMaker{args: slices.Clone(c.KeyArgs)}
	if c.KeyArgs == nil {
		for i := range method.NumIn() {
			if method.In(i) != contextType {
				k.args = append(k.args, i)
			}
		}
	}
	for _, i := range k.args {
		if i < 0 || i >= method.NumIn() {
			return nil, fmt.Sprintf("keyArgs has %d, and the method has %d arguments, counted from 0", i, method.NumIn())
		}
		open, why := fitsKey(method.In(i))
		if why != "" {
			return nil, fmt.Sprintf("argument %d can be in no key: %s", i, why)
		}
		k.open = append(k.open, open)
	}
	return k, ""
}

// of is the key of a call, or what is wrong with it. Two keys are equal if what they are made of is.
func (k *keyMaker) of(jp aspect.JoinPoint) (key any, problem string) {
	if k.custom != nil {
		key = k.custom(jp)
		if key != nil && !reflect.ValueOf(key).Comparable() {
			return nil, fmt.Sprintf("Key returned a %T, which cannot be compared", key)
		}
		return key, ""
	}
	parts := make([]any, len(k.args))
	for n, i := range k.args {
		parts[n] = aspect.Arg[any](jp, i)
		if !k.open[n] {
			continue
		}
		if why := valueFitsKey(reflect.ValueOf(parts[n])); why != "" {
			return nil, fmt.Sprintf("argument %d can be in no key: %s", i, why)
		}
	}
	return keyOf(parts), ""
}

// keyOf makes one value of several that can be compared.
func keyOf(parts []any) (key any) {
	for i, p := range parts {
		if i == 0 {
			key = p
		} else {
			key = [2]any{key, p}
		}
	}
	return key
}

// equalsItself is false of a key with a NaN in it, which no map finds again.
func equalsItself(key any) bool {
	same := key
	return key == same
}

// fitsKey says why values of type t can be in no key; empty: they can. open is whether that depends on the values, since
// there are interfaces in them. An address is not what somebody means by the same argument: what is behind it changes.
func fitsKey(t reflect.Type) (open bool, why string) {
	switch t.Kind() {
	case reflect.Slice, reflect.Map, reflect.Func:
		return false, fmt.Sprintf("a %v cannot be compared", t)
	case reflect.Pointer, reflect.Chan, reflect.UnsafePointer:
		return false, fmt.Sprintf("a %v is compared by its address", t)
	case reflect.Interface:
		if t == contextType {
			return false, "a context.Context differs from call to call"
		}
		return true, ""
	case reflect.Array:
		return fitsKey(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			inner, why := fitsKey(f.Type)
			if why != "" {
				return false, fmt.Sprintf("%v has a field %s, and %s", t, f.Name, why)
			}
			open = open || inner
		}
	}
	return open, ""
}

// valueFitsKey asks the same of a value, and of what is in its interfaces.
func valueFitsKey(v reflect.Value) (why string) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return "" // a nil interface
	}
	open, why := fitsKey(v.Type())
	if why != "" || !open {
		return why
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := 0; i < v.NumField() && why == ""; i++ {
			why = valueFitsKey(v.Field(i))
		}
	case reflect.Array:
		for i := 0; i < v.Len() && why == ""; i++ {
			why = valueFitsKey(v.Index(i))
		}
	}
	return why
}
