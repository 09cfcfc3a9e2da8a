package retry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The errors of the model's world: those that attempts return, and those that policies and hooks say.
var (
	errModelBoom    = errors.New("boom")
	errModelOther   = errors.New("other")
	errModelIgnored = errors.New("ignored")
	errModelFull    = errors.New("full")  // of a policy that refuses
	errModelHook    = errors.New("hook")  // of BeforeRetry
	errModelSpare   = errors.New("spare") // of a fallback
	errModelStop    = errors.New("stop")  // the cause of a cancellation
)

type modelBusy struct{ after time.Duration }

func (modelBusy) Error() string               { return "busy" }
func (e modelBusy) RetryAfter() time.Duration { return e.after }

// modelOpinion is an error that says itself whether it is worth a retry.
type modelOpinion bool

func (modelOpinion) Error() string     { return "opinion" }
func (e modelOpinion) Retryable() bool { return bool(e) }

// modelList is an error that == panics on.
type modelList []string

func (modelList) Error() string { return "list" }

// modelErrors are the errors that have a name of their own in the model.
var modelErrors = []struct {
	name string
	err  error
}{
	{"boom", errModelBoom},
	{"other", errModelOther},
	{"ignored", errModelIgnored},
	{"busy", modelBusy{2 * time.Second}},
	{"eager", modelOpinion(true)},
	{"stubborn", modelOpinion(false)},
	{"full", errModelFull},
	{"hook", errModelHook},
	{"spare", errModelSpare},
	{"stop", errModelStop},
	{"canceled", context.Canceled},
	{"expired", context.DeadlineExceeded},
	{"circuit open", ErrCircuitOpen},
	{"no time", ErrTimeout},
}

// realError is the error of a name.
func realError(name string) error {
	switch name {
	case "":
		return nil
	case "list":
		return modelList{"a"}
	case "permanent":
		return Permanent(errModelBoom)
	case "wrapped":
		return fmt.Errorf("wrapped: %w", errModelBoom)
	}
	for _, e := range modelErrors {
		if e.name == name {
			return e.err
		}
	}
	panic("no error is called " + name)
}

// nameOfError is what the model calls an error; "" when it only holds others.
func nameOfError(err error) string {
	switch e := err.(type) {
	case modelList:
		return "list"
	case *permanentError:
		return "permanent"
	case *RejectedError:
		return "rejected by " + e.Ref.Method
	case *PanicError:
		return fmt.Sprintf("panic %v", e.Value)
	case *ExhaustedError:
		return fmt.Sprintf("%s exhausted by %s after %d in %v: %s", e.Ref.Method, e.Limit, e.Attempts, e.Elapsed, inModelWords(e.Reason))
	}
	for _, e := range modelErrors {
		if e.err == err {
			return e.name
		}
	}
	return ""
}

// inModelWords are the names of all that errors.Is and errors.As can find in an error.
func inModelWords(err error) string {
	var names []string
	var walk func(error)
	walk = func(err error) {
		names = append(names, nameOfError(err))
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			if inner := x.Unwrap(); inner != nil {
				walk(inner)
			}
		case interface{ Unwrap() []error }:
			for _, e := range x.Unwrap() {
				walk(e)
			}
		}
	}
	if err == nil {
		return "none"
	}
	walk(err)
	return modelWords(names)
}

func modelWords(names []string) string {
	slices.Sort(names)
	return strings.Join(slices.DeleteFunc(slices.Compact(names), func(s string) bool { return s == "" }), "+")
}

// modelError is an error in the model: a name, and what it holds. Two are the same error when they are one pointer.
type modelError struct {
	name  string
	holds []*modelError
	after func() time.Duration // what its RetryAfter says; nil when it has none
}

// modelKnown are the errors of which there is one.
var modelKnown = func() map[string]*modelError {
	known := map[string]*modelError{}
	for _, e := range modelErrors {
		known[e.name] = &modelError{name: e.name}
	}
	known["busy"].after = func() time.Duration { return 2 * time.Second }
	return known
}()

// modelErrorOf is the model of realError.
func modelErrorOf(name string) *modelError {
	switch name {
	case "":
		return nil
	case "list":
		return &modelError{name: name}
	case "permanent":
		return &modelError{name: name, holds: []*modelError{modelKnown["boom"]}}
	case "wrapped":
		return &modelError{holds: []*modelError{modelKnown["boom"]}}
	}
	return modelKnown[name]
}

// modelHolding is an error of no name that holds others, those that are nil left out.
func modelHolding(errs ...*modelError) *modelError {
	return &modelError{holds: slices.DeleteFunc(errs, func(e *modelError) bool { return e == nil })}
}

// all calls f with the error and all that it holds, the nearest first, until f reports false.
func (e *modelError) all(f func(*modelError) bool) bool {
	if e == nil {
		return true
	}
	if !f(e) {
		return false
	}
	for _, h := range e.holds {
		if !h.all(f) {
			return false
		}
	}
	return true
}

func (e *modelError) has(is func(*modelError) bool) bool {
	return !e.all(func(x *modelError) bool { return !is(x) })
}

func (e *modelError) is(name string) bool {
	return e.has(func(x *modelError) bool { return x.name == name })
}

func (e *modelError) String() string {
	if e == nil {
		return "none"
	}
	var names []string
	e.all(func(x *modelError) bool { names = append(names, x.name); return true })
	return modelWords(names)
}

// same reports whether two errors are one value, which nobody can say of a list.
func (e *modelError) same(other *modelError) bool { return e != nil && e == other && e.name != "list" }

// unmarked is the error without the mark of Permanent, which the outermost session takes off; one that the callee has
// wrapped stays.
func (e *modelError) unmarked() *modelError {
	if e != nil && e.name == "permanent" {
		return e.holds[0]
	}
	return e
}
