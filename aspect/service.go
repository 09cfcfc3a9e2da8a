package aspect

import (
	"reflect"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// Service is one registration, as a weaver sees it. Containers fill it; users of [Wrap] do not need it.
type Service struct {
	Ref          retry.MethodRef          // class and name
	Impl         reflect.Type             // the concrete type; nil when only an interface is known
	Interfaces   []reflect.Type           // what it is provided as that can be woven: interfaces, or one func type
	Declarations []annotation.Declaration // from the registration; the marks of Impl are read by Plan
	Place        string                   // of the registration
}

// class is the service's: that of the concrete type or, where that is not known, of the interface.
func (s *Service) class() annotation.ClassName {
	if s.Impl != nil {
		return annotation.ClassOf(s.Impl)
	}
	return annotation.ClassOf(s.Interfaces[0])
}

// Found is a service that a directory has found.
type Found struct {
	ID    any            // comparable: the directory's own name of it
	Type  reflect.Type   // under which it is handed over: an interface or func type that it is provided as, else Impl
	Impl  reflect.Type   // of the target, where known
	As    []reflect.Type // all that it is provided as, where that is more than Type
	Value reflect.Value  // of a supplied value, known before anything is built; else invalid
}

// Directory finds, before anything is built, what references and policies need. An error says what is missing and what
// to write instead, best as an *annotation.DefinitionError with Problem and Remedy; the weaver adds by whom it is needed.
type Directory interface {
	// Class finds the service of a class in any of its forms, or the one that provides an interface of that name.
	// name tells services of one class apart; empty where there is one.
	Class(class, name string) (Found, error)
	// Type finds what a policy's constructor takes, and the receiver of a method expression: a concrete type, whatever
	// it is provided as, or an interface.
	Type(t reflect.Type) (Found, error)
	// Name finds what is supplied or provided under a name, of whatever type.
	Name(name string) (Found, error)
}

// Need is a service that has to be built before another can be woven: an edge of the graph.
type Need struct {
	Found
	Why       string // "fallback OfflineGateway@Charge of Charge"
	Place     string // where that is written
	Reference bool   // of an attribute, not of an aspect or a policy's constructor
}

// Advice puts an aspect around what a pointcut matches. The aspect is given, or is a service to be built.
type Advice struct {
	Pointcut Pointcut
	Priority int     // larger is further out; ties by Orders, then in the order of Advise
	Orders   []Order // which aspects it is inside or outside of
	Aspect   Aspect  // nil: Service is it
	Service  Found   // Orders know it by Impl, Type and As, before it is built
	Place    string
}

// Resolve gives what a Need names: the value is of Found.Type, woven where it is woven, and impl is the target under the
// weave, or the value itself.
type Resolve func(Found) (value, impl reflect.Value, err error)
