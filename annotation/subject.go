package annotation

import (
	"reflect"

	"github.com/backstay/backstay/retry"
)

// Subject is a service as declarations see it. For those who weave.
type Subject struct {
	Ref        retry.MethodRef // Class and Name
	Impl       reflect.Type    // the concrete type; nil when only an interface is known
	Interfaces []reflect.Type  // that it is provided as; one func type for a func service; none: it cannot be woven
	Methods    []Method        // of those interfaces; see MethodsOf
	Place      string          // of the registration
}

// Off is an annotation that a method would carry, had a configuration not turned it off.
type Off struct {
	Type  reflect.Type
	Place string // where the annotation was written
	By    string // where the configuration was
}

// MethodDefinition is what holds for one method: its annotations, and the merged attributes if one of them is a retry
// annotation. For those who weave.
type MethodDefinition struct {
	Ref     retry.MethodRef
	Method  Method
	Entries []Entry // all annotations of the method, nearest first: one of each retry annotation's type; others may be several

	Off []Off // annotations that a configuration has turned off

	Retry    bool           // one of the annotations is a retry annotation; else nothing below is set
	Settings retry.Settings // complete; SleepStrategy is nil where SleepStrategyRef is set

	Fallback, WaitHint, BeforeRetry, Discard *Reference // nil: none
	SleepStrategyRef                         *Reference
	RetryIfError, RetryIfResult, OnlyIf      []Reference
	RetryErrorRefs, IgnoreErrorRefs          []Reference // matchers by name, beside those in Settings

	// Whether somebody has written the settings of the budget or breaker, or part of them: by hand or in the Defaults of an
	// annotation. Where nobody has, those of another method that shares it by name hold.
	BudgetWritten, BreakerWritten bool

	// Origins tells where the value of an attribute comes from, by its key; those of a budget and breaker are "budget.ttl",
	// "breaker.window" and so on. An attribute that is not in it has the table's default, which the zero Origin says. Of
	// settings that unite it is the highest.
	Origins map[string]Origin
}
