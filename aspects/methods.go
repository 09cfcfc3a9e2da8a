package aspects

import (
	"maps"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// methods holds what an aspect keeps for each method that it meets. It is made at a method's first call; later calls find it
// without a lock or an allocation. The zero value is ready.
type methods[S any] struct {
	known atomic.Pointer[map[retry.MethodRef]S] // replaced, never changed: calls read it
	mu    sync.Mutex                            // held to replace it
}

// of is what is kept for a method. ok is false before its first call.
func (m *methods[S]) of(ref retry.MethodRef) (s S, ok bool) {
	if known := m.known.Load(); known != nil {
		s, ok = (*known)[ref]
	}
	return s, ok
}

// add keeps what prepare makes for a method, once: of several first calls at a time all get what one of them has made.
func (m *methods[S]) add(method aspect.MetMethod, prepare func(aspect.MetMethod) S) S {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, ok := m.of(method.Ref); ok {
		return s
	}
	next := map[retry.MethodRef]S{}
	if known := m.known.Load(); known != nil {
		maps.Copy(next, *known)
	}
	s := prepare(method)
	next[method.Ref] = s
	m.known.Store(&next)
	return s
}

// all is what is kept for the methods that have been called so far; it is only read.
func (m *methods[S]) all() map[retry.MethodRef]S {
	if known := m.known.Load(); known != nil {
		return *known
	}
	return nil
}

// met is the called method, as Check sees it.
func met(jp aspect.JoinPoint) aspect.MetMethod {
	return aspect.MetMethod{Ref: jp.Ref(), Method: jp.Method(), Annotations: jp.Annotations()}
}

// settings is an annotation that says what holds for a method.
type settings interface{ Validate() error }

// declared is what holds for a method: its nearest annotation of type A, else byDefault; and where that is written, as far as
// it is known. An annotation that is not valid is returned too: whoever weaves reports it, and nobody calls the method.
func declared[A settings](m aspect.MetMethod, byDefault *A, option string) (a A, place string, err error) {
	t, entries := reflect.TypeFor[A](), m.Annotations
	for i := range entries {
		if v, ok := annotation.ValueOf(entries[i:i+1], t); ok {
			return v.Interface().(A), entries[i].Place, nil
		}
	}
	if byDefault == nil {
		return a, "", wrong[A](m.Ref, "", "the method has none, and the aspect has no default", "annotate the method, or give the aspect's constructor "+option)
	}
	if err := (*byDefault).Validate(); err != nil {
		return a, "", wrong[A](m.Ref, "", "the aspect's default is not valid: "+err.Error(), "correct what "+option+" is given")
	}
	return *byDefault, "", nil
}

// wrong is a mistake in an annotation of type A.
func wrong[A any](ref retry.MethodRef, place, problem, remedy string) error {
	return &annotation.DefinitionError{
		Ref: ref, Annotation: reflect.TypeFor[A]().String(), Place: place, Problem: problem, Remedy: remedy,
	}
}

var errorType = reflect.TypeFor[error]()

// hasError reports whether a method's last result is an error, by which a call can be refused.
func hasError(m annotation.Method) bool {
	n := m.Type.NumOut()
	return n > 0 && m.Type.Out(n-1) == errorType
}
