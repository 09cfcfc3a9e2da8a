package microprofile_test

import (
	"errors"
	"fmt"

	"github.com/backstay/backstay/retry"
)

// The lattice of errors that MicroProfile's three suites throw: E0 is an Exception, E1 an E0, E2 an E1; E0S, E1S and E2S are
// leaves below them; a RuntimeException is an Exception, and an Error is none.
//
// Go has several ways to say that one error is another. A lattice says it in one of them: values that wrap each other, types
// that unwrap to each other, and types that embed each other and so have each other's methods.
type declaredLattice struct {
	name   string
	thrown map[string]error
	on     map[string]retry.Matcher
}

// declaredThrown are the errors in the order of the tables.
var declaredThrown = []string{"Exception", "E0", "E1", "E2", "E2S", "E1S", "E0S", "RuntimeException", "Error"}

var declaredLattices = []declaredLattice{declaredSentinels(), declaredUnwrapping(), declaredEmbedding()}

func declaredSentinels() declaredLattice {
	below := func(parent error, name string) error { return fmt.Errorf("%s: %w", name, parent) }
	exception := errors.New("Exception")
	e0 := below(exception, "E0")
	e1 := below(e0, "E1")
	e2 := below(e1, "E2")
	return declaredLattice{
		"sentinels",
		map[string]error{
			"Exception": exception, "E0": e0, "E1": e1, "E2": e2,
			"E0S": below(e0, "E0S"), "E1S": below(e1, "E1S"), "E2S": below(e2, "E2S"),
			"RuntimeException": below(exception, "RuntimeException"), "Error": errors.New("Error"),
		},
		map[string]retry.Matcher{"Exception": retry.Is(exception), "E0": retry.Is(e0), "E1": retry.Is(e1), "E2": retry.Is(e2)},
	}
}

// The types of the second lattice: each but the first unwraps to a value of the type above it.
type (
	declaredException struct{}
	declaredRuntime   struct{}
	declaredError     struct{}
	declaredE0        struct{}
	declaredE1        struct{}
	declaredE2        struct{}
	declaredE0S       struct{}
	declaredE1S       struct{}
	declaredE2S       struct{}
)

func (declaredException) Error() string { return "Exception" }
func (declaredRuntime) Error() string   { return "RuntimeException" }
func (declaredError) Error() string     { return "Error" }
func (declaredE0) Error() string        { return "E0" }
func (declaredE1) Error() string        { return "E1" }
func (declaredE2) Error() string        { return "E2" }
func (declaredE0S) Error() string       { return "E0S" }
func (declaredE1S) Error() string       { return "E1S" }
func (declaredE2S) Error() string       { return "E2S" }
func (declaredRuntime) Unwrap() error   { return declaredException{} }
func (declaredE0) Unwrap() error        { return declaredException{} }
func (declaredE1) Unwrap() error        { return declaredE0{} }
func (declaredE2) Unwrap() error        { return declaredE1{} }
func (declaredE0S) Unwrap() error       { return declaredE0{} }
func (declaredE1S) Unwrap() error       { return declaredE1{} }
func (declaredE2S) Unwrap() error       { return declaredE2{} }

func declaredUnwrapping() declaredLattice {
	return declaredLattice{
		"types that unwrap",
		map[string]error{
			"Exception": declaredException{}, "E0": declaredE0{}, "E1": declaredE1{}, "E2": declaredE2{},
			"E0S": declaredE0S{}, "E1S": declaredE1S{}, "E2S": declaredE2S{},
			"RuntimeException": declaredRuntime{}, "Error": declaredError{},
		},
		map[string]retry.Matcher{
			"Exception": retry.As[declaredException](), "E0": retry.As[declaredE0](), "E1": retry.As[declaredE1](), "E2": retry.As[declaredE2](),
		},
	}
}

// The interfaces of the third lattice, and the structs that have their methods by embedding.
type (
	declaredIsException interface {
		error
		exception()
	}
	declaredIsE0 interface {
		error
		e0()
	}
	declaredIsE1 interface {
		error
		e1()
	}
	declaredIsE2 interface {
		error
		e2()
	}

	declaredAnException struct{ name string }
	declaredAnE0        struct{ declaredAnException }
	declaredAnE1        struct{ declaredAnE0 }
	declaredAnE2        struct{ declaredAnE1 }
)

func (e *declaredAnException) Error() string { return e.name }
func (*declaredAnException) exception()      {}
func (*declaredAnE0) e0()                    {}
func (*declaredAnE1) e1()                    {}
func (*declaredAnE2) e2()                    {}

func declaredEmbedding() declaredLattice {
	exception := func(name string) declaredAnException { return declaredAnException{name} }
	e0 := func(name string) declaredAnE0 { return declaredAnE0{exception(name)} }
	e1 := func(name string) declaredAnE1 { return declaredAnE1{e0(name)} }
	e2 := func(name string) *declaredAnE2 { return &declaredAnE2{e1(name)} }
	top, runtime := exception("Exception"), exception("RuntimeException")
	zero, zeroLeaf, one, oneLeaf := e0("E0"), e0("E0S"), e1("E1"), e1("E1S")
	return declaredLattice{
		"types that embed",
		map[string]error{
			"Exception": &top, "E0": &zero, "E1": &one, "E2": e2("E2"),
			"E0S": &struct{ declaredAnE0 }{zeroLeaf}, "E1S": &struct{ declaredAnE1 }{oneLeaf}, "E2S": e2("E2S"),
			"RuntimeException": &runtime, "Error": errors.New("Error"),
		},
		map[string]retry.Matcher{
			"Exception": retry.As[declaredIsException](), "E0": retry.As[declaredIsE0](), "E1": retry.As[declaredIsE1](), "E2": retry.As[declaredIsE2](),
		},
	}
}
