package retry

import (
	"context"
	"time"
)

// ErrorChain protects a func(context.Context) error; else it is as [Chain].
type ErrorChain struct{ chain Chain[struct{}] }

// With starts a chain of policies.
func With(policies ...Policy) ErrorChain { return ErrorChain{}.With(policies...) }

// WhenThrows starts a chain that retries errors that match; without matchers, any error.
func WhenThrows(matchers ...Matcher) ErrorChain { return ErrorChain{}.WhenThrows(matchers...) }

// With adds policies.
func (c ErrorChain) With(policies ...Policy) ErrorChain { return ErrorChain{c.chain.With(policies...)} }

// When adds a condition. It is asked with a nil error too.
func (c ErrorChain) When(f func(error) bool) ErrorChain {
	if f == nil {
		return ErrorChain{c.chain.When(nil)}
	}
	return ErrorChain{c.chain.When(func(_ struct{}, err error) bool { return f(err) })}
}

// WhenThrows adds the condition that an error matches; without matchers, any error.
func (c ErrorChain) WhenThrows(matchers ...Matcher) ErrorChain {
	return ErrorChain{c.chain.WhenThrows(matchers...)}
}

// Max allows n attempts, the first one included; or [Unlimited].
func (c ErrorChain) Max(n int) ErrorChain { return ErrorChain{c.chain.Max(n)} }

// Within bounds the session; see [NewTimeout].
func (c ErrorChain) Within(d time.Duration) ErrorChain { return ErrorChain{c.chain.Within(d)} }

// Sleep waits d before each retry.
func (c ErrorChain) Sleep(d time.Duration) ErrorChain { return ErrorChain{c.chain.Sleep(d)} }

// Backoff waits base, 2·base, 4·base ... plus up to 20 %, at most [DefaultMaxDelay].
func (c ErrorChain) Backoff(base time.Duration) ErrorChain { return ErrorChain{c.chain.Backoff(base)} }

// Fallback gives the result of a session that is exhausted or rejected. Of several, the last holds.
func (c ErrorChain) Fallback(f func(ctx context.Context, cause error) error) ErrorChain {
	if f == nil {
		return ErrorChain{c.chain.Fallback(nil)}
	}
	return ErrorChain{c.chain.Fallback(func(ctx context.Context, cause error) (struct{}, error) {
		return struct{}{}, f(ctx, cause)
	})}
}

// WrapExhausted makes the error of an exhausted session an *ExhaustedError.
func (c ErrorChain) WrapExhausted() ErrorChain { return ErrorChain{c.chain.WrapExhausted()} }

// Listen tells l what happens; see [Chain.Listen].
func (c ErrorChain) Listen(l Listener) ErrorChain { return ErrorChain{c.chain.Listen(l)} }

// Named gives the chain a name for events, reports and errors.
func (c ErrorChain) Named(name string) ErrorChain { return ErrorChain{c.chain.Named(name)} }

// Policy is the chain's one policy, and its definition error if there is one.
func (c ErrorChain) Policy() (*HybridPolicy, error) { return c.chain.Policy() }

// Run runs f under the chain's policies; see [Chain.Call].
func (c ErrorChain) Run(ctx context.Context, f func(context.Context) error) error {
	if f == nil {
		_, err := c.chain.Call(ctx, nil)
		return err
	}
	_, err := c.chain.Call(ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, f(ctx) })
	return err
}
