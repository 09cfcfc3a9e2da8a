package container

import (
	"fmt"
	"reflect"

	"github.com/backstay/backstay/annotation"
)

// request is a call by which somebody asks for something. Only messages need it as text.
type request struct {
	form string       // "Invoke", or with a verb for the type: "container.Get[%v]"
	t    reflect.Type // what is asked for; nil: it is not one thing
}

// String is the request as messages name it.
func (r request) String() string {
	if r.t == nil {
		return r.form
	}
	return fmt.Sprintf(r.form, r.t)
}

// refusal explains to a constructor why it cannot ask who runs it: the container or a scope.
func refusal(by request, runner, place string) error {
	return &annotation.DefinitionError{
		Problem: by.String() + " inside a constructor that the same " + runner + " runs",
		Remedy:  "make what is needed a parameter of the constructor, or take a container.Lazy of it and call its Get later",
		Place:   place,
	}
}
