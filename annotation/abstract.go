package annotation

import "reflect"

// AbstractRetry makes the struct that embeds it, by value, a retry annotation: [IsRetry] reports true, and RetryAspect runs
// a session around the methods that carry it. An annotation that adds nothing has the defaults of aliases.Retry.
type AbstractRetry struct{}

var abstractRetry = reflect.TypeFor[AbstractRetry]()

// IsRetry reports whether t is a retry annotation: it is [AbstractRetry] or embeds it. For those who weave.
func IsRetry(t reflect.Type) bool { return EmbedsOrIs(t, abstractRetry) }

// EmbedsOrIs reports whether t is a, or a struct that embeds a by value, at any depth. For those who weave.
func EmbedsOrIs(t, a reflect.Type) bool {
	_, ok := pathTo(t, a)
	return ok
}

// pathTo finds the embedded part of type a in t, as an index path; the path of t itself is empty.
func pathTo(t, a reflect.Type) ([]int, bool) {
	if t == a {
		return nil, true
	}
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.Anonymous {
			continue
		}
		if path, ok := pathTo(f.Type, a); ok {
			return append([]int{i}, path...), true
		}
	}
	return nil, false
}

// partAt is the embedded part of v at path, as a value that may be read and set. v must be addressable. The detour by the
// address is for annotations that embed an unexported type: reflect would let nobody have that part, though its type is
// no secret of whoever asks for it.
func partAt(v reflect.Value, path []int) reflect.Value {
	for _, i := range path {
		f := v.Field(i)
		v = reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
	}
	return v
}
