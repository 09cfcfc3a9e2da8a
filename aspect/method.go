package aspect

import (
	"context"
	"net/http"
	"reflect"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

var (
	contextType  = reflect.TypeFor[context.Context]()
	requestType  = reflect.TypeFor[*http.Request]()
	errorType    = reflect.TypeFor[error]()
	sessionType  = reflect.TypeFor[*retry.Session]()
	settingsType = reflect.TypeFor[retry.Settings]()
)

// signature is what a method's type says to a session.
type signature struct {
	typ       reflect.Type // without the receiver
	contextAt int          // the first parameter of type context.Context; -1: none
	requestAt int          // the first parameter of type *http.Request; -1: none
	errorAt   int          // the last result, if its type is error; -1: none
	judgedAt  int          // the result by which falsiness is judged; -1: none
	zeros     []reflect.Value
}

func signatureOf(t reflect.Type) signature {
	s := signature{typ: t, contextAt: -1, requestAt: -1, errorAt: -1, judgedAt: -1}
	for i := range t.NumIn() {
		switch in := t.In(i); {
		case in == contextType && s.contextAt < 0:
			s.contextAt = i
		case in == requestType && s.requestAt < 0:
			s.requestAt = i
		}
	}
	values := t.NumOut()
	if values > 0 && t.Out(values-1) == errorType {
		values--
		s.errorAt = values
	}
	switch {
	case values > 0 && t.Out(values-1).Kind() == reflect.Bool:
		s.judgedAt = values - 1
	case values > 0:
		s.judgedAt = 0
	}
	s.zeros = make([]reflect.Value, t.NumOut())
	for i := range s.zeros {
		s.zeros[i] = reflect.Zero(t.Out(i))
	}
	return s
}

// zeroResults are zero values of its own for each call.
func (s *signature) zeroResults() []reflect.Value { return append([]reflect.Value(nil), s.zeros...) }

// parameters are the parameter types; a variadic one is a slice.
func (s *signature) parameters() []reflect.Type {
	var in []reflect.Type
	for p := range s.typ.Ins() {
		in = append(in, p)
	}
	return in
}

// method is one woven method: what is the same for all its calls. Its chain is compiled once, never per call.
type method struct {
	signature
	name    string
	ref     retry.MethodRef
	class   annotation.ClassName
	entries []annotation.Entry
	aspects []Aspect            // outermost first
	policy  *retry.HybridPolicy // of the retry aspect; nil: none
}

// instance is one woven value and what is under it.
type instance struct {
	woven, target reflect.Value
	core          reflect.Value // what a target that stands around it hides; invalid: nothing
	kind          ProxyKind
}

// method is the service's own method of that name: the woven one or, where the proxy does not have it, the core's or target's.
func (i *instance) method(name string) reflect.Value {
	if m := i.woven.MethodByName(name); m.IsValid() {
		return m
	}
	if i.core.IsValid() { // it is of the type whose method has been checked
		return i.core.MethodByName(name)
	}
	return i.target.MethodByName(name)
}
