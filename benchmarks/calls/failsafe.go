package calls

import (
	"context"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/fallback"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
)

// NameFailsafe gives the context of a call to an executor made for that call by WithContext. NameFailsafeBare has one
// executor for all calls, and callers cannot cancel it.
const (
	NameFailsafe     = "failsafe-go"
	NameFailsafeBare = "failsafe-go, without the caller's context"
)

func failsafeRetryPolicy() retrypolicy.RetryPolicy[string] {
	return retrypolicy.NewBuilder[string]().WithMaxAttempts(maxAttempts).AbortOnErrors(circuitbreaker.ErrOpen).Build()
}

var failsafeRetry = Contender{Name: NameFailsafe, Kind: Peer, Timer: true, Wrap: func(target Service) Service {
	return failsafeService(target, failsafe.With[string](failsafeRetryPolicy()))
}}

var failsafeRetryBare = Contender{Name: NameFailsafeBare, Kind: Peer, Timer: true, Wrap: func(target Service) Service {
	return failsafeServiceBare(target, failsafe.With[string](failsafeRetryPolicy()))
}}

var failsafeComposed = Contender{Name: NameFailsafe, Kind: Peer, Timer: true, Wrap: func(target Service) Service {
	return failsafeService(target, failsafeExecutor())
}}

var failsafeComposedBare = Contender{Name: NameFailsafeBare, Kind: Peer, Timer: true, Wrap: func(target Service) Service {
	return failsafeServiceBare(target, failsafeExecutor())
}}

// failsafeExecutor is a fallback around a retry around a breaker that counts and never opens.
func failsafeExecutor() failsafe.Executor[string] {
	breaker := circuitbreaker.NewBuilder[string]().WithFailureThresholdRatio(never, 100).Build()
	return failsafe.With[string](fallback.NewWithResult(fallbackValue), failsafeRetryPolicy(), breaker)
}

func failsafeService(target Service, executor failsafe.Executor[string]) Service {
	return ServiceFunc(func(ctx context.Context, key string) (string, error) {
		return executor.WithContext(ctx).GetWithExecution(func(e failsafe.Execution[string]) (string, error) {
			return target.Get(e.Context(), key)
		})
	})
}

func failsafeServiceBare(target Service, executor failsafe.Executor[string]) Service {
	return ServiceFunc(func(ctx context.Context, key string) (string, error) {
		return executor.Get(func() (string, error) { return target.Get(ctx, key) })
	})
}

func failsafeBreaker() circuitbreaker.CircuitBreaker[string] {
	return circuitbreaker.NewBuilder[string]().WithDelay(time.Hour).Build() // opens after one failure
}

var failsafeOpen = Contender{Name: NameFailsafeBare, Kind: Peer, Wrap: func(target Service) Service {
	return failsafeServiceBare(target, failsafe.With[string](failsafeBreaker()))
}}

// failsafeOpenByHand asks the breaker for a permit, without an executor.
var failsafeOpenByHand = Contender{Name: "failsafe-go, the breaker asked by hand", Kind: Peer, Wrap: func(target Service) Service {
	breaker := failsafeBreaker()
	return ServiceFunc(func(ctx context.Context, key string) (string, error) {
		if !breaker.TryAcquirePermit() {
			return "", circuitbreaker.ErrOpen
		}
		value, err := target.Get(ctx, key)
		if err != nil {
			breaker.RecordError(err)
		} else {
			breaker.RecordResult(value)
		}
		return value, err
	})
}}
