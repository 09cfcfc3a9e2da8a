package aspect

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/backstay/backstay/annotation"
)

// Order says of an aspect that it is inside or outside of others, wherever they are around the same call. Larger priorities
// are further out. Among equal ones orders decide: who says an order moves, and all others stay as they were given. An order
// that contradicts a priority or another order is a definition error, and so is one that means no aspect. Orders are
// comparable values; [InsideOf] and [OutsideOf] make them, and the zero value is a definition error.
type Order struct {
	of      reflect.Type // of the others
	outside bool
}

// InsideOf says that the aspect is inside of every other aspect of type A: a transaction that is inside of the retry is
// begun anew by each attempt. A is the type of an aspect, or a pointer to it, which means the same; or an interface, for
// all aspects that implement it. [RetryAspect] is the retry.
func InsideOf[A any]() Order { return Order{of: bareType(reflect.TypeFor[A]())} }

// OutsideOf says that the aspect is outside of every other aspect of type A, as [InsideOf].
func OutsideOf[A any]() Order { return Order{of: bareType(reflect.TypeFor[A]()), outside: true} }

// String is such as "inside of aspect.RetryAspect".
func (o Order) String() string {
	side := "inside"
	if o.outside {
		side = "outside"
	}
	return fmt.Sprintf("%s of %v", side, o.of)
}

// bareType is t without a pointer.
func bareType(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// isAspect reports whether something of the type that the order names could be an aspect.
func (o Order) isAspect() bool {
	return o.of.Kind() == reflect.Interface || o.of.Implements(aspectType) || reflect.PointerTo(o.of).Implements(aspectType)
}

var aspectType = reflect.TypeFor[Aspect]()

// means reports whether the order of one aspect is about another.
func (o Order) means(one, other *advice) bool {
	if o.of == nil || one == other || one.Service.ID != nil && one.Service.ID == other.Service.ID {
		return false
	}
	return slices.ContainsFunc(other.types(), func(t reflect.Type) bool {
		return bareType(t) == o.of || o.of.Kind() == reflect.Interface && t.Implements(o.of)
	})
}

// types are what is known of the aspect's type before it is built.
func (a *advice) types() []reflect.Type {
	all := []reflect.Type{reflect.TypeOf(a.Aspect)}
	if a.Aspect == nil {
		all = append([]reflect.Type{a.Service.Impl, a.Service.Type}, a.Service.As...)
	}
	return slices.DeleteFunc(all, func(t reflect.Type) bool { return t == nil })
}

// contradicts says that an order of a is against the priorities.
func (a *advice) contradicts(o Order, other *advice) *annotation.DefinitionError {
	most := "most"
	if o.outside {
		most = "least"
	}
	return &annotation.DefinitionError{
		Problem: fmt.Sprintf("%s has priority %d and is to be %v, and %s has %d: larger priorities are further out", a.name(), a.Priority, o, other.located(), other.Priority),
		Remedy:  fmt.Sprintf("give %s a priority of at %s %d, or leave the order out", a.name(), most, other.Priority),
		Place:   a.Place,
	}
}

// located names the aspect and, where that is known, its place.
func (a *advice) located() string {
	if a.Place == "" {
		return a.name()
	}
	return fmt.Sprintf("%s (%s)", a.name(), a.Place)
}

// unordered reports what is wrong with the orders of a, one of all.
func (a *advice) unordered(all []*advice) (errs []*annotation.DefinitionError) {
	for _, o := range a.Orders {
		wrong := ""
		switch {
		case o.of == nil:
			wrong = "an order of " + a.name() + " is empty; write aspect.InsideOf[A]() or aspect.OutsideOf[A](), where A is the type of an aspect"
		case !o.isAspect():
			wrong = fmt.Sprintf("%s is to be %v, which has no method Process(aspect.JoinPoint) error; name the type of an aspect", a.name(), o)
		case !slices.ContainsFunc(all, func(other *advice) bool { return o.means(a, other) }):
			wrong = fmt.Sprintf("%s is to be %v, and there is no other aspect of that type; leave the order out, or name one of these: %s", a.name(), o, a.others(all))
		default:
			continue
		}
		errs = append(errs, problem(wrong, a.Place))
	}
	return append(errs, a.disorder...)
}

// others lists the aspects besides a. Of some only an interface is known.
func (a *advice) others(all []*advice) string {
	var names []string
	hint := ""
	for _, other := range all {
		if other == a {
			continue
		}
		if name := other.name(); !slices.Contains(names, name) {
			names = append(names, name)
		}
		if other.Aspect == nil && other.Service.Impl == nil {
			hint = "; where a constructor returns an interface, say what it builds by container.Impl"
		}
	}
	return strings.Join(names, ", ") + hint
}

// disorder reports what the orders of an aspect that a method meets contradict, once: the chain would not be what they say.
func (p *planning) disorder(a *advice) {
	for _, err := range a.disorder {
		if !slices.Contains(p.errs, error(err)) {
			p.errs = append(p.errs, err)
		}
	}
}
