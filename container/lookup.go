package container

import (
	"errors"
	"fmt"
	"strings"

	"github.com/backstay/backstay/annotation"
)

// Lookup returns the service of a class, woven: Class, or Class#name for one of several. The class may be written in any
// unambiguous form, or be the name of an interface that exactly one service is provided as. As [Get], it builds a transient
// anew, and refuses what is bound to a scope. It verifies first, once.
func (c *Container) Lookup(class string) (any, error) {
	p, err := c.current()
	if err != nil {
		return nil, err
	}
	s, err := p.byClass(class, "")
	if of, _, ok := strings.Cut(class, "@"); ok && err != nil {
		err = &annotation.DefinitionError{Problem: fmt.Sprintf("%s is a reference of a method, and Lookup takes a class", class), Remedy: "write " + of}
	}
	if err != nil {
		return nil, at(annotation.Caller(0), err)
	}
	if p.inside() {
		return nil, refusal(request{form: "Lookup"}, "container", annotation.Caller(0))
	}
	if problem, remedy := s.unbound(request{form: "Lookup"}); problem != "" {
		return nil, &annotation.DefinitionError{Problem: problem, Remedy: remedy, Place: annotation.Caller(0)}
	}
	if s.registration.lifetime == transient {
		v, err := p.fresh(s)
		if err != nil {
			return nil, askedBy("Lookup", annotation.Caller(0), err)
		}
		return v.Interface(), nil
	}
	if err := p.build(s.registration); err != nil {
		return nil, askedBy("Lookup", annotation.Caller(0), err)
	}
	return s.woven.Interface(), nil
}

// at gives a definition error the place of the call that it is about.
func at(place string, err error) error {
	if d := new(annotation.DefinitionError); errors.As(err, &d) && d.Place == "" {
		d.Place = place
	}
	return err
}
