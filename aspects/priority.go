package aspects

import "github.com/backstay/backstay/aspect"

// Priorities that fit together; a larger one is further out. The package's documentation says why they are in this order.
const (
	// LoggingPriority is outside everything: what is logged is what the caller gets.
	LoggingPriority = aspect.RetryPriority + 400
	// TimingPriority is outside everything but logging: the times are those that callers see.
	TimingPriority = aspect.RetryPriority + 300
	// RecoverPriority is inside logging and timing, which then see an error, and outside the retry, which then sees the panic
	// and repeats it only where RetryPanics says so.
	RecoverPriority = aspect.RetryPriority + 200
	// CachePriority is outside the retry: a hit starts no session, and what is kept is what the retry has made good.
	CachePriority = aspect.RetryPriority + 100
	// RateLimitPriority is inside the retry, since a peer counts attempts, and outside the bulkhead, so that nobody holds a
	// permit who is waiting for a token.
	RateLimitPriority = aspect.RetryPriority - 100
	// BulkheadPriority is inside the retry, so that nobody holds a permit while waiting for the next attempt.
	BulkheadPriority = aspect.RetryPriority - 200
)
