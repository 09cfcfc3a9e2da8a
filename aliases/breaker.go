package aliases

import (
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// CircuitBreaker retries as [Retry] does, without a budget, and stops calling for 10 s once a session is exhausted. Breaker
// attributes make it look at a window of calls instead.
type CircuitBreaker struct{ annotation.AbstractRetry }

// Defaults lists what differs from Retry.
func (CircuitBreaker) Defaults() []annotation.Option {
	return []annotation.Option{
		annotation.Policies(retry.Fallback, retry.Classifier, retry.CircuitBreaker, retry.MaxAttempts, retry.Sleep),
	}
}
