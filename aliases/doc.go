// Package aliases holds the stock annotations. Each is made as a user would make one: a struct that embeds
// annotation.AbstractRetry or another alias, and a method Defaults that lists what differs from it.
//
// # Choose one
//
//	Retry                  any error, 10 attempts, within a budget of 20 % of the calls, without a wait
//	RetryThrowable         the same; beside RetryFalsy, errors are retried too
//	RetryFalsy             results that are falsy ("not yet"), no errors
//	BackoffRetryThrowable  RetryThrowable with waits of 100 ms, 200 ms, 400 ms ...
//	BackoffRetryFalsy      RetryFalsy with such waits
//	CircuitBreaker         any error, 10 attempts, no budget; one exhausted session stops all calls for 10 s
//
// Each wait of a backoff is up to 20 % longer than that, by chance, so that those who have failed together do not come back
// together. It is never shorter, and never longer than MaxDelay, 60 s.
//
// A peer that is over the network is best called by [BackoffRetryThrowable]; without a wait ten attempts are over before
// the peer has noticed the first.
//
// # Change an attribute
//
// Write it in the tag, or as an option at the registration; it replaces the alias's own:
//
//	type StripeGateway struct {
//		_ annotation.On[aliases.BackoffRetryThrowable] `method:"Charge" maxAttempts:"4" base:"50ms"`
//	}
//
// # Make an alias of your own
//
// Embed one of these and list what it changes. Everything else stays, the list of policies included:
//
//	type PaymentRetry struct{ aliases.BackoffRetryThrowable }
//
//	func (PaymentRetry) Defaults() []annotation.Option {
//		return []annotation.Option{annotation.MaxAttempts(3), annotation.IgnoreErrors(retry.Is(ErrDeclined))}
//	}
package aliases
