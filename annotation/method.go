package annotation

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Method is one method that a service is called by.
type Method struct {
	Name string
	Type reflect.Type // a func type, without the receiver
}

var (
	errorType   = reflect.TypeFor[error]()
	contextType = reflect.TypeFor[context.Context]()
)

// returnsError reports whether the method's last result is an error; only a last result of type error is one.
func (m Method) returnsError() bool {
	n := m.Type.NumOut()
	return n > 0 && m.Type.Out(n-1) == errorType
}

// hasResult reports whether there is a result to judge: one that is not the error.
func (m Method) hasResult() bool {
	return m.Type.NumOut() > 1 || m.Type.NumOut() == 1 && !m.returnsError()
}

// takesContext reports whether attempts can be given a context of their own.
func (m Method) takesContext() bool {
	for i := range m.Type.NumIn() {
		if t := m.Type.In(i); t == contextType || isRequest(t) {
			return true
		}
	}
	return false
}

// isRequest reports whether t is *http.Request. It is told by its name, so that not everybody who retries links net/http.
func isRequest(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Elem().Name() == "Request" && t.Elem().PkgPath() == "net/http"
}

// MethodsOf lists the methods that a service of the given interfaces is called by, in order, each once. Unexported ones are
// left out: nobody outside their package can name them. A func type, of a service that is a func, has one method, named
// Call. For those who weave.
func MethodsOf(interfaces ...reflect.Type) []Method {
	var methods []Method
	for i, t := range interfaces {
		if t.Kind() == reflect.Func {
			methods = append(methods, Method{"Call", t})
			continue
		}
		if t.Kind() != reflect.Interface {
			continue
		}
		methods = slices.Grow(methods, t.NumMethod())
		for at := range t.NumMethod() {
			m := t.Method(at)
			if m.IsExported() && !anyHas(interfaces[:i], m.Name) {
				methods = append(methods, Method{m.Name, m.Type})
			}
		}
	}
	return methods
}

// anyHas reports whether one of the interfaces has a method of that name.
func anyHas(interfaces []reflect.Type, name string) bool {
	return slices.ContainsFunc(interfaces, func(t reflect.Type) bool {
		if t.Kind() != reflect.Interface {
			return false
		}
		_, has := t.MethodByName(name)
		return has
	})
}

// MethodOf reads a method expression, such as PaymentGateway.Charge or (*OfflineGateway).Charge: its receiver's type and
// its name. Anything else is an error: a method value, which is bound to one receiver, a func, a closure. For those who
// weave.
func MethodOf(expr any) (recv reflect.Type, name string, err error) {
	recv, name, m := methodOf(expr)
	if m != nil {
		return nil, "", &DefinitionError{Problem: m.problem, Remedy: m.remedy}
	}
	return recv, name, nil
}

func methodOf(expr any) (recv reflect.Type, name string, _ *mistake) {
	const remedy = `write the method expression, such as Gateway.Charge, or the method's name, such as "Charge"`
	wrong := func(format string, args ...any) *mistake {
		return &mistake{problem: fmt.Sprintf(format, args...), remedy: remedy}
	}
	v := reflect.ValueOf(expr)
	switch {
	case !v.IsValid():
		return nil, "", wrong("nil is no method")
	case v.Kind() != reflect.Func:
		return nil, "", wrong("a value of type %v is no method", v.Type())
	case v.IsNil():
		return nil, "", wrong("a nil %v is no method", v.Type())
	}
	symbol := runtime.FuncForPC(v.Pointer()).Name()
	if bound, ok := strings.CutSuffix(symbol, "-fm"); ok {
		return nil, "", wrong("%s is a method value, bound to its receiver", lastElement(bound))
	}
	dot := strings.LastIndexByte(strings.TrimSuffix(symbol, "[...]"), '.')
	if v.Type().NumIn() > 0 && dot > 0 {
		recv, name = v.Type().In(0), symbol[dot+1:]
		if _, ok := recv.MethodByName(name); (ok || isHidden(symbol, dot)) && isReceiver(symbol[:dot], recv) {
			return recv, name, nil
		}
	}
	return nil, "", wrong("%s is a func, and no method", lastElement(symbol))
}

// isHidden reports whether what follows the dot of a symbol may be an unexported method, which reflection does not know: a
// type stands before it, and it is neither exported nor what the compiler calls a closure.
func isHidden(symbol string, dot int) bool {
	name := symbol[dot+1:]
	number, closure := strings.CutPrefix(name, "func")
	closure = closure && strings.Trim(number, "0123456789") == ""
	return isIdentifier(name) && !isExported(name) && !closure && strings.Contains(lastElement(symbol[:dot]), ".")
}

func isExported(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first)
}

// isReceiver reports whether the symbol of a method, up to its name, ends in the receiver's type. It tells a method from a
// func of the same name.
func isReceiver(symbol string, recv reflect.Type) bool {
	name := recv.Name()
	if recv.Kind() == reflect.Pointer && name == "" {
		var ok bool
		if symbol, ok = strings.CutSuffix(symbol, ")"); !ok {
			return false
		}
		name = recv.Elem().Name()
		symbol = strings.Replace(symbol, "(*", "", 1)
	} else if name == "" { // an unnamed interface
		return strings.HasPrefix(symbol, "go:")
	}
	name, _, _ = strings.Cut(name, "[")
	symbol = strings.TrimSuffix(symbol, "[...]")
	symbol = symbol[strings.LastIndexByte(symbol, '.')+1:]
	symbol, _, _ = strings.Cut(symbol, "·") // the number of a type that is declared in a function
	return symbol == name
}

// lastElement is a symbol as it is written in code: without the path to its package.
func lastElement(symbol string) string {
	return symbol[strings.LastIndexByte(symbol, '/')+1:]
}
