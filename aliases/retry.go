package aliases

import (
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// Retry retries any error, 10 attempts at most, within a budget of 20 % of the calls, without a wait. It says nothing
// itself: these are the defaults of every retry annotation.
type Retry struct{ annotation.AbstractRetry }

// RetryThrowable is [Retry], and says that errors are retried when it meets another annotation: beside [RetryFalsy], both
// are.
type RetryThrowable struct{ Retry }

// Defaults lists what differs from Retry.
func (RetryThrowable) Defaults() []annotation.Option {
	return []annotation.Option{annotation.RetryErrors(retry.AnyError)}
}

// RetryFalsy retries falsy results, not errors. A method without a result beside its error cannot carry it.
type RetryFalsy struct{ Retry }

// Defaults lists what differs from Retry.
func (RetryFalsy) Defaults() []annotation.Option {
	return []annotation.Option{
		annotation.RetryErrors(retry.NoError),
		annotation.RetryIfResult(retry.Falsy),
	}
}
