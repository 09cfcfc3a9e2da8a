package backstayotel

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
