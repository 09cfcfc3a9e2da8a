package retry

import "reflect"

// Falsy reports whether the judged result of the last attempt is falsy: a trailing bool, else the first result that is
// not the error, is its zero value or an empty slice or map, or says so by a method Falsy() bool.
func Falsy(s *Session) bool {
	switch p := s.call.Judged().(type) { // pointers to the usual types: no reflection, no boxing
	case nil:
		return false
	case *bool:
		return !*p
	case *string:
		return *p == ""
	case *int:
		return *p == 0
	case *[]byte:
		return len(*p) == 0
	case *[]string:
		return len(*p) == 0
	case *any:
		return falsy(reflect.ValueOf(*p))
	case interface{ Falsy() bool }:
		return isUnset(reflect.ValueOf(p).Elem()) || p.Falsy()
	default:
		return falsy(reflect.ValueOf(p).Elem())
	}
}

func falsy(v reflect.Value) bool {
	if !v.IsValid() || isUnset(v) {
		return true
	}
	if v.Kind() == reflect.Interface {
		return falsy(v.Elem()) // what is unset in it is not asked
	}
	if own, ok := v.Interface().(interface{ Falsy() bool }); ok {
		return own.Falsy()
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}

// isUnset reports whether v is a nil that has no answer of its own: a method on it would find nothing to ask.
func isUnset(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Chan:
		return v.IsNil()
	}
	return false
}
