package sim

import (
	"context"
	"time"

	"github.com/backstay/backstay/retry"
)

// The settings of budget and breaker are those that Backstay has where nothing is said. The window of the breaker has no such
// default: half of the last 50 attempts of a client open it.
var (
	budget  = retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1, Percent: 0.2}
	breaker = retry.BreakerSettings{ResetTimeout: 10 * time.Second, Window: 50, FailureRatio: 0.5}
)

// Strategies are what a client may do when its call fails, from nothing to all.
func Strategies() []Strategy {
	backoff := func(jitter func(n uint64) uint64) retry.Policy {
		return retry.NewSleep(retry.WithRand(retry.Backoff, jitter), firstWait)
	}
	return []Strategy{
		chain("no retry", func(func(uint64) uint64) []retry.Policy {
			return []retry.Policy{retry.NewMaxAttempts(1)}
		}),
		chain("fixed retries", func(func(uint64) uint64) []retry.Policy {
			return []retry.Policy{retry.NewMaxAttempts(attempts), retry.NewSleep(retry.Flat, firstWait)}
		}),
		chain("backoff and jitter", func(jitter func(uint64) uint64) []retry.Policy {
			return []retry.Policy{retry.NewMaxAttempts(attempts), backoff(jitter)}
		}),
		chain("backoff, budget", func(jitter func(uint64) uint64) []retry.Policy {
			return []retry.Policy{retry.NewBudget(budget), retry.NewMaxAttempts(attempts), backoff(jitter)}
		}),
		chain("backoff, breaker", func(jitter func(uint64) uint64) []retry.Policy {
			return []retry.Policy{retry.NewCircuitBreaker(breaker), retry.NewMaxAttempts(attempts), backoff(jitter)}
		}),
		chain("backoff, budget, breaker", func(jitter func(uint64) uint64) []retry.Policy {
			return []retry.Policy{retry.NewCircuitBreaker(breaker), retry.NewBudget(budget), retry.NewMaxAttempts(attempts), backoff(jitter)}
		}),
	}
}

// chain is the strategy of clients that call the peer through a chain of the policies, each client through one of its own.
func chain(name string, policies func(jitter func(n uint64) uint64) []retry.Policy) Strategy {
	return Strategy{name, func(p *peer, jitter func(n uint64) uint64) (call, error) {
		c := retry.With(policies(jitter)...).With(retry.NewAttemptTimeout(patience))
		if _, err := c.Policy(); err != nil {
			return nil, err
		}
		return func(ctx context.Context) error { return c.Run(ctx, p.request) }, nil
	}}
}
