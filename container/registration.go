package container

import (
	"reflect"
	"sync/atomic"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// verb is the call that made a registration.
type verb string

const (
	provide  verb = "Provide"
	supply   verb = "Supply"
	override verb = "Override"
	expect   verb = "Expect"
	decorate verb = "Decorate"
)

// registration is what one call of Provide, Supply, Override, Expect or Decorate recorded. Until the plan is frozen it is as it was
// written; freezing adds what it comes to.
type registration struct {
	verb  verb
	index int   // in order of registration
	place place // of the call
	*options
	errs []error // what is wrong with it alone

	recipe
	services []*service // what the recipe's results are provided as
	offers   []*offer   // the keys of all of them: what dig is given
	edges    []edge     // what has to be built before

	repeated   bool // an earlier one of the same line provides the same
	broken     bool // something is wrong with it alone, so its services are not planned
	overridden bool // the recipe is an override's
	finished   bool // what its constructor returns is not handed out as it is: it is woven, or it has a life, see plan.live
	canFail    bool // the constructor that dig gets may fail
	direct     bool // dig gets the user's constructor as it is
	flat       bool // dig gets a parameter for each input, since it cannot read those of the function

	decorators []*decorator // that stand around its services, in order: the last is the outermost

	*blueprint               // of what is scoped or transient; nil of a singleton
	via        *registration // what a transient takes that is bound to scopes; nil: nothing

	took buildTime // by constructor and decorators, without what they need; of a scoped or transient one, the first time

	// What the constructor of a singleton has returned, where the life cycle needs more of it than the services.
	results []reflect.Value

	// Set when everything that it builds is built and woven: from then on its services are only read.
	done atomic.Bool

	// Room for the usual case: one service under one type.
	usual struct {
		service  service
		list     [1]*service
		provided [1]reflect.Type
	}
}

// options are what the options of a registration have said.
type options struct {
	name      string
	as, impls []reflect.Type
	asSelf    bool // what As replaces stays a key
	group     *group
	annotated []*annotated
	advice    []aspect.Advice
	lifetime  lifetime
	hooks     []*hook
	timeouts  timeouts
	unmanaged bool // its own Start, Stop, Close and Health are not ours to call
}

// noOptions are those of all registrations that have none. Nobody writes to them.
var noOptions options

// recipe is how the targets of a registration come into being. An override replaces it, and decorators are folded into it.
type recipe struct {
	written  place         // the call that says it
	function reflect.Value // the constructor
	value    reflect.Value // or the supplied value
	expected reflect.Type  // or the type of what scopes are supplied with
	inputs   []input
	cleanups []int // the results that undo what the constructor has done
	fails    bool  // the last result is an error
}

// result is where a target is among the results of a recipe.
type result struct {
	index int
	field []int // inside a struct that embeds Out; nil: the result itself
	t     reflect.Type
}

// of is the value of the result among those that a constructor has returned.
func (at result) of(results []reflect.Value) reflect.Value {
	if at.field == nil {
		return results[at.index]
	}
	return results[at.index].FieldByIndex(at.field)
}

// ref names the registration in messages: by its first service or, when that is not known, by the type of what it builds.
func (r *registration) ref() retry.MethodRef {
	if len(r.services) > 0 && r.services[0].ref.Class != "" {
		return r.services[0].ref
	}
	ref := retry.MethodRef{Name: r.name}
	switch {
	case r.expected != nil:
		ref.Class = annotation.ClassOf(r.expected).Short
	case r.value.IsValid():
		ref.Class = annotation.ClassOf(r.value.Type()).Short
	case r.function.IsValid() && r.function.Kind() == reflect.Func:
		for t := range r.function.Type().Outs() {
			if t != errorType {
				ref.Class = annotation.ClassOf(t).Short
				break
			}
		}
	}
	return ref
}

// wrong is a definition error of the registration.
func (r *registration) wrong(problem, remedy string) *annotation.DefinitionError {
	return &annotation.DefinitionError{Ref: r.ref(), Place: r.written.String(), Problem: problem, Remedy: remedy}
}

// problem records a definition error of the registration.
func (r *registration) problem(problem, remedy string) {
	r.errs = append(r.errs, r.wrong(problem, remedy))
}
