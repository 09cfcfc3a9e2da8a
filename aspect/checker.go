package aspect

import (
	"fmt"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// Checker is an aspect that does not fit every method. It is asked about each method that its pointcut meets before the
// first call: by Verify where the aspect was given as a value or supplied, else when it is built. What it returns is a
// definition error: an *annotation.DefinitionError is completed, and of any other error the text is the problem.
type Checker interface {
	Aspect
	Check(m MetMethod) error
}

// MetMethod is a method that an aspect meets, as a [Checker] sees it.
type MetMethod struct {
	Ref         retry.MethodRef
	Method      annotation.Method
	Annotations []annotation.Entry // nearest first; not to be changed
}

// check asks an aspect that can tell about a method that it meets.
func (a *advice) check(x any, m *plannedMethod) []*annotation.DefinitionError {
	c, ok := x.(Checker)
	if !ok {
		return nil
	}
	errs := complete(ask(c, MetMethod{m.ref, annotation.Method{Name: m.name, Type: m.typ}, m.entries}), m.ref, "", a.Place)
	for _, d := range errs {
		if d.Remedy == "" {
			d.Problem = fmt.Sprintf("aspect %s does not fit: %s", a.name(), d.Problem)
			d.Remedy = "change the method, or let the aspect's pointcut leave it out"
		}
	}
	return errs
}

// ask is what the checker says. A panic is told as a mistake of it: Verify runs no code that may end it.
func ask(c Checker, m MetMethod) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &annotation.DefinitionError{Problem: fmt.Sprintf("Check of %T panics: %v", c, p), Remedy: "let it return an error"}
		}
	}()
	return c.Check(m)
}

// value is the aspect, where it is known before anything is built; nil: it is not.
func (a *advice) value() any {
	switch {
	case a.Aspect != nil:
		return a.Aspect
	case a.Service.Value.IsValid():
		return a.Service.Value.Interface()
	}
	return nil
}
