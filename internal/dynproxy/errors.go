package dynproxy

import (
	"fmt"
	"reflect"
	"strings"
)

// UnsupportedError says that interfaces cannot be proxied at run time, and why.
type UnsupportedError struct {
	// Interfaces are the types at fault: the one that cannot be proxied, or all
	// that were asked for where the build or their number is the reason.
	Interfaces []reflect.Type
	// Reason says what stands in the way, without the remedy.
	Reason string
}

// Error tells the reason and what to write instead.
func (e *UnsupportedError) Error() string {
	what := "no run-time proxy"
	for i, t := range e.Interfaces {
		what += []string{" of ", " and "}[min(i, 1)] + fmt.Sprint(t)
	}
	return what + ": " + e.Reason + "; " + e.Remedy()
}

// Remedy says what to write instead: it names the generator, except where a generated proxy would fail as well.
func (e *UnsupportedError) Remedy() string {
	names := make([]string, 0, len(e.Interfaces))
	for _, t := range e.Interfaces {
		if t == nil || t.Kind() != reflect.Interface || t.NumMethod() == 0 {
			return "ask for an interface type that has methods"
		}
		if t.Name() == "" {
			return "give the interface a name, say X, and generate a proxy: add //go:generate go tool backstay -type X"
		}
		name, _, _ := strings.Cut(t.Name(), "[") // the generator takes the generic type
		names = append(names, name)
	}
	if len(names) == 0 {
		return "ask for an interface type that has methods"
	}
	return "generate a proxy: add //go:generate go tool backstay -type " + strings.Join(names, ",")
}

// OverlapError says that two of the interfaces asked for have a method of the
// same name. One value could not tell whose target a call of it is meant for.
type OverlapError struct {
	Method string       // the name that both have
	A, B   reflect.Type // the interfaces, in the order in which they were given
}

// Error names the method and both interfaces, and what to write instead.
func (e *OverlapError) Error() string {
	return fmt.Sprintf("no one proxy of %v and %v: both have a method %s; ask for one interface that embeds both",
		e.A, e.B, e.Method)
}
