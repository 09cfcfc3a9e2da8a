package annotation

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"

	"github.com/backstay/backstay/retry"
)

// Reference is a function that an attribute names: a fallback, a predicate, a hook; or a matcher or strategy by its name.
// It is told apart when it is written and resolved at weaving. Exactly one of Func, Recv, Class and Name is set. For those
// who weave.
type Reference struct {
	Attribute string // that names it: "fallback"

	Func any // a Go function that is no method expression

	Recv reflect.Type // a method expression: the receiver's type, concrete or an interface; with Method

	Class, Service string // "Class@Method", or "Class#service@Method"
	Method         string

	Name string // what is supplied under this name; for a sleep strategy also a class, or Class#name

	Annotation string // the annotation that the reference was written for
	Place      string // where
}

// String is the reference as it is written.
func (r Reference) String() string {
	switch {
	case r.Func != nil:
		return lastElement(runtime.FuncForPC(reflect.ValueOf(r.Func).Pointer()).Name())
	case r.Recv != nil && r.Recv.Kind() == reflect.Pointer:
		return "(" + r.Recv.String() + ")." + r.Method
	case r.Recv != nil:
		return r.Recv.String() + "." + r.Method
	}
	if r.Class != "" {
		return retry.MethodRef{Class: r.Class, Name: r.Service, Method: r.Method}.String()
	}
	return r.Name
}

// ParseReference reads "Class@Method", "Class#name@Method" or a name. The class may be in any form of [ClassName]. The
// error is a *DefinitionError. For those who weave.
func ParseReference(s string) (Reference, error) {
	r, fl := parseReference(s)
	if fl != nil {
		m := fl.mistake("reference "+fmt.Sprintf("%q", s), "")
		return Reference{}, &DefinitionError{Problem: m.problem, Remedy: m.remedy}
	}
	return *r, nil
}

func parseReference(s string) (*Reference, *flaw) {
	wrong := func(format string, args ...any) (*Reference, *flaw) {
		return nil, &flaw{problem: fmt.Sprintf(format, args...), advice: "Class@Method, Class#name@Method, or a name that a function is supplied under"}
	}
	at := strings.LastIndexByte(s, '@')
	if at < 0 {
		if !isName(s) {
			return wrong("%q is no name", s)
		}
		return &Reference{Name: s}, nil
	}
	class, service, named := strings.Cut(s[:at], "#")
	switch {
	case !isClass(class):
		return wrong("%q is no class", class)
	case named && !isName(service):
		return wrong("%q is no name", service)
	case !isIdentifier(s[at+1:]):
		return wrong("%q is no method", s[at+1:])
	}
	return &Reference{Class: class, Service: service, Method: s[at+1:]}, nil
}

// isClass reports whether s may be the name of a class. What is between the brackets of a generic one is left to whoever
// knows the classes.
func isClass(s string) bool {
	name, arguments, generic := strings.Cut(s, "[")
	if generic && (!strings.HasSuffix(arguments, "]") || strings.ContainsAny(arguments, "\"\n\r\t")) {
		return false
	}
	return isIdentifier(name[strings.LastIndexAny(name, "./")+1:]) && isName(name)
}

// isName reports whether s may be the name of a service, or of what is supplied: no part of it is a sign that references
// or lists have another use for.
func isName(s string) bool {
	name, arguments, generic := strings.Cut(s, "[")
	if generic {
		return isClass(s) && !strings.Contains(arguments, "#")
	}
	for _, r := range name {
		if r <= ' ' || r == 0x7f || strings.ContainsRune("@#,*!()\"'`\\", r) {
			return false
		}
	}
	return s != ""
}

// functions are references to functions; resultPredicates may be the name of the built-in one as well.
var (
	functions        = domain[*Reference]{parse: parseReference, same: sameFunction, show: showFunction}
	resultPredicates = domain[*Reference]{parse: parseResultPredicate, same: sameFunction, show: showFunction}
)

func showFunction(r *Reference) string {
	if r.Class != "" || r.Name != "" {
		return fmt.Sprintf("%q", r.String())
	}
	return r.String()
}

// falsyName is retry.Falsy in a tag.
const falsyName = "falsy"

func parseResultPredicate(text string) (*Reference, *flaw) {
	if text == falsyName {
		return &Reference{Func: retry.Falsy}, nil
	}
	if fl := wrongCase(text, "predicates", predicateNames); fl != nil {
		return nil, fl
	}
	return parseReference(text)
}

// isFalsy reports whether the predicate is retry.Falsy, which needs a result to judge.
func (r *Reference) isFalsy() bool {
	return r.Func != nil && sameFunc(r.Func, retry.Falsy)
}

// referTo is the reference that an option was given.
func referTo(f any, parse func(string) (*Reference, *flaw)) (*Reference, *flaw) {
	if text, ok := f.(string); ok {
		return parse(text)
	}
	if recv, name, m := methodOf(f); m == nil {
		return &Reference{Recv: recv, Method: name}, nil
	}
	if v := reflect.ValueOf(f); v.Kind() != reflect.Func || v.IsNil() {
		return nil, &flaw{problem: fmt.Sprintf("%T is no function", f), advice: `a func, a method expression, "Class@Method", or a name`}
	}
	return &Reference{Func: f}, nil
}

// as is the reference as one attribute of a method has it.
func (r *Reference) as(attribute string, from Origin) Reference {
	named := *r
	named.Attribute, named.Annotation, named.Place = attribute, from.Annotation, from.Place
	return named
}

// sameFunction reports whether two references are known to be to one function.
func sameFunction(a, b *Reference) bool {
	if a == b {
		return true
	}
	if a.Func != nil || b.Func != nil {
		return a.Func != nil && b.Func != nil && sameFunc(a.Func, b.Func)
	}
	return a.Recv == b.Recv && a.Class == b.Class && a.Service == b.Service && a.Method == b.Method && a.Name == b.Name
}

// sameFunc reports whether a and b are one declared func. Two closures share their code, not what they hold, so they are
// taken to differ; and so are the instances of a generic func.
func sameFunc(a, b any) bool {
	va, vb := reflect.ValueOf(a), reflect.ValueOf(b)
	return va.Type() == vb.Type() && va.Pointer() == vb.Pointer() &&
		strings.Count(lastElement(runtime.FuncForPC(va.Pointer()).Name()), ".") == 1
}
