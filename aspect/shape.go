package aspect

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/backstay/backstay/retry"
)

// A function that an attribute names may take one of several parameter lists. Each is a shape: where each parameter comes
// from. Which one a function has is decided when the service is planned, from its type alone.

// source is where a parameter comes from.
type source struct {
	kind  sourceKind
	index int // of fromArg and fromResult
	typ   reflect.Type
}

type sourceKind uint8

const (
	fromArg     sourceKind = iota
	fromResult             // of the last attempt
	fromFailure            // the last attempt's error
	fromCause              // why a fallback runs
	fromContext            // of a fallback the caller's context, of a hook the session: an attempt's may have ended
	fromSession
)

type shape []source

// same reports whether both pass the same values.
func (s shape) same(o shape) bool {
	return slices.EqualFunc(s, o, func(a, b source) bool { return a.kind == b.kind && a.index == b.index })
}

// attribute is what functions an attribute takes.
type attribute struct {
	shapes  []shape
	results [][]reflect.Type // each list is allowed; a fallback's have to be assignable
}

var (
	boolResult     = [][]reflect.Type{{reflect.TypeFor[bool]()}}
	durationResult = [][]reflect.Type{{reflect.TypeFor[time.Duration]()}}
	errorOrNone    = [][]reflect.Type{{errorType}, {}}
	noResult       = [][]reflect.Type{{}}
)

// attributeOf is what the attribute takes on a method of that signature.
func attributeOf(name string, m *signature) attribute {
	params, values := m.argSources(), m.resultSources()
	failure, cause, session := source{fromFailure, 0, errorType}, source{fromCause, 0, errorType}, source{fromSession, 0, sessionType}
	switch name {
	case "retryIfError":
		return attribute{[]shape{{failure}, {session}}, boolResult}
	case "retryIfResult":
		return attribute{[]shape{values, {session}}, boolResult}
	case "onlyIf":
		return attribute{[]shape{params, {session}}, boolResult}
	case "waitHint":
		return attribute{[]shape{append(slices.Clone(values), failure), {session}}, durationResult}
	case "beforeRetry":
		return attribute{[]shape{params, {session}}, errorOrNone}
	case "discard":
		return attribute{[]shape{values, {session}}, noResult}
	case "fallback":
		ctx := source{fromContext, 0, contextType}
		var results []reflect.Type
		for out := range m.typ.Outs() {
			results = append(results, out)
		}
		return attribute{[]shape{params, append(slices.Clone(params), cause), {ctx, cause}, {cause}, {}}, [][]reflect.Type{results}}
	}
	panic("aspect: no attribute " + name + " takes a function") // a row of the table without a case here
}

func (m *signature) argSources() (s shape) {
	for i, t := range m.parameters() {
		if i == m.contextAt {
			s = append(s, source{fromContext, 0, t})
			continue
		}
		s = append(s, source{fromArg, i, t})
	}
	return s
}

func (m *signature) resultSources() (s shape) {
	for i := range m.typ.NumOut() {
		if i != m.errorAt {
			s = append(s, source{fromResult, i, m.typ.Out(i)})
		}
	}
	return s
}

// choose finds the shape of a function of type t. The problem, if there is one, is "problem; remedy".
func (a attribute) choose(what string, t reflect.Type, m *signature, name string) (shape, string) {
	var fitting []shape
	if a.resultsFit(t) {
		for _, s := range a.shapes {
			if s.fits(t) && !slices.ContainsFunc(fitting, s.same) {
				fitting = append(fitting, s)
			}
		}
	}
	switch len(fitting) {
	case 1:
		return fitting[0], ""
	case 0:
		return nil, fmt.Sprintf("%s %v does not fit %s, a %v; write %s", what, t, name, m.typ, strings.Join(a.texts(), " or "))
	}
	return nil, fmt.Sprintf("%s %v can be read in two ways for %s, a %v; write one that takes all parameters and the cause: %s",
		what, t, name, m.typ, a.text(a.shapes[1]))
}

// fits reports whether a function of type t takes what the shape passes. A variadic parameter takes a slice.
func (s shape) fits(t reflect.Type) bool {
	if t.NumIn() != len(s) {
		return false
	}
	for i, src := range s {
		// A session is a context too: who wants the context writes context.Context, and means that parameter.
		if !src.typ.AssignableTo(t.In(i)) || src.kind == fromSession && t.In(i) != sessionType {
			return false
		}
	}
	return true
}

func (a attribute) resultsFit(t reflect.Type) bool {
	return slices.ContainsFunc(a.results, func(want []reflect.Type) bool {
		if t.NumOut() != len(want) {
			return false
		}
		for i, w := range want {
			if !t.Out(i).AssignableTo(w) {
				return false
			}
		}
		return true
	})
}

// texts are the function types that would fit.
func (a attribute) texts() []string {
	var texts []string
	for _, s := range a.shapes {
		if text := a.text(s); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

func (a attribute) text(s shape) string {
	var in []reflect.Type
	for _, src := range s {
		in = append(in, src.typ)
	}
	return reflect.FuncOf(in, a.results[0], false).String()
}

// function is a function that an attribute names, bound and with its shape.
type function struct {
	value reflect.Value
	own   string // instead of value: a method of the called service itself
	shape shape
}

// call calls it for a session of a frame. ctx is the caller's for a fallback, and the session itself for everything else.
func (fn *function) call(ctx context.Context, s *retry.Session, cause error) []reflect.Value {
	f := frameOf(s)
	in := make([]reflect.Value, len(fn.shape))
	for i, src := range fn.shape {
		in[i] = f.value(src, ctx, s, cause)
	}
	value := fn.value
	if fn.own != "" {
		value = f.chain.instance.method(fn.own)
	}
	if value.Type().IsVariadic() {
		return value.CallSlice(in)
	}
	return value.Call(in)
}

// value is what a source is for a session.
func (f *Frame) value(src source, ctx context.Context, s *retry.Session, cause error) reflect.Value {
	switch src.kind {
	case fromArg:
		if m := f.method(); src.index == m.requestAt && m.contextAt < 0 {
			if r := *f.requestArg(); r != nil {
				return reflect.ValueOf(r.WithContext(ctx))
			}
		}
		return f.arg(src.index)
	case fromResult:
		return f.result(src.index)
	case fromFailure:
		failure := s.Failure()
		return reflect.ValueOf(&failure).Elem()
	case fromCause:
		return reflect.ValueOf(&cause).Elem()
	case fromContext:
		return reflect.ValueOf(&ctx).Elem()
	}
	return reflect.ValueOf(s)
}
