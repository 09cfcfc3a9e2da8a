package backstayotel

import (
	"strings"

	"github.com/backstay/backstay/retry"
)

// scopeName is the instrumentation scope of the meter and the tracer.
const scopeName = "github.com/backstay/backstay/otel"

// The attributes that metrics have. The README has a table of what they mean. Spans have those of the method, of the result
// and of the limit as well.
const (
	classKey   = "backstay.class"
	nameKey    = "backstay.name"
	methodKey  = "backstay.method"
	resultKey  = "backstay.result"
	limitKey   = "backstay.limit"
	refusedKey = "backstay.refused"
	breakerKey = "backstay.breaker"
	stateKey   = "backstay.breaker.state"
	fromKey    = "backstay.breaker.from"
	toKey      = "backstay.breaker.to"
	budgetKey  = "backstay.budget"

	// otherValues is what OpenTelemetry's conventions call the values beyond those that are told apart.
	otherValues = "_OTHER"
)

// valid is a text as attributes and names of spans may hold it. What is not UTF-8 would cost an exporter all that it exports at
// once, so those bytes become U+FFFD; two names that differ in nothing else are one.
func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// validRef is ref in names that are [valid].
func validRef(ref retry.MethodRef) retry.MethodRef {
	return retry.MethodRef{Class: valid(ref.Class), Name: valid(ref.Name), Method: valid(ref.Method)}
}

// result is how a call ended, or a fallback.
type result int

const (
	succeeded result = iota
	failed
	canceled
	exhausted
	rejected
	aborted
	numResults
)

// String is the value of the attribute [resultKey].
func (r result) String() string {
	return [...]string{"succeeded", "failed", "canceled", "exhausted", "rejected", "aborted"}[r]
}
