package aspects

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
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

// declared is what holds for a method: its one annotation of type A, else byDefault; and where that is written, as far as it
// is known. Several are a mistake: whichever counted, who wrote another one would not know. An annotation that is not valid is
// returned too: whoever weaves reports it, and nobody calls the method.
func declared[A settings](m aspect.MetMethod, byDefault *A, option string) (a A, place string, err error) {
	t, found := reflect.TypeFor[A](), 0
	var others []string
	for i, e := range m.Annotations {
		v, ok := annotation.ValueOf(m.Annotations[i:i+1], t)
		switch {
		case !ok:
			continue
		case found == 0:
			a, place = v.Interface().(A), e.Place
		default:
			others = append(others, written(e, t))
		}
		found++
	}
	switch {
	case found > 1:
		return a, place, wrong[A](m.Ref, place,
			fmt.Sprintf("the method has %d, and one alone can hold: another is %s", found, strings.Join(others, ", another ")), "keep one of them")
	case found == 1:
		return a, place, nil
	}
	if byDefault == nil {
		return a, "", wrong[A](m.Ref, "", "the method has none, and the aspect has no default", "annotate the method, or give the aspect's constructor "+option)
	}
	if err := (*byDefault).Validate(); err != nil {
		return a, "", wrong[A](m.Ref, "", "the aspect's default is not valid: "+err.Error(), "correct what "+option+" is given")
	}
	return *byDefault, "", nil
}

// written tells of an annotation that holds a t where it is, and what it is if it is not a t itself.
func written(e annotation.Entry, t reflect.Type) string {
	at := "at " + e.Place
	if e.Place == "" {
		at = "elsewhere"
	}
	if own := reflect.TypeOf(e.Annotation); own != t {
		at = "the " + own.String() + " " + at
	}
	return at
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
