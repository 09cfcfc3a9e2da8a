package calls

import (
	"context"

	"github.com/avast/retry-go/v5"
)

// avast/retry-go has the context among the options of a retrier: a retrier that serves several calls has that of none.
const (
	nameAvast     = "avast/retry-go"
	nameAvastBare = "avast/retry-go, without the caller's context"
)

var avastOptions = []retry.Option{
	retry.Attempts(maxAttempts), retry.Delay(0), retry.DelayType(retry.FixedDelay), retry.LastErrorOnly(true),
}

var avastRetry = Contender{Name: nameAvast, Kind: Peer, Timer: true, Wrap: func(target Service) Service {
	return ServiceFunc(func(ctx context.Context, key string) (string, error) {
		return retry.NewWithData[string](retry.Attempts(maxAttempts), retry.Delay(0), retry.DelayType(retry.FixedDelay),
			retry.LastErrorOnly(true), retry.Context(ctx)).Do(func() (string, error) { return target.Get(ctx, key) })
	})
}}

var avastRetryBare = Contender{Name: nameAvastBare, Kind: Peer, Timer: true, Wrap: func(target Service) Service {
	r := retry.NewWithData[string](avastOptions...)
	return ServiceFunc(func(ctx context.Context, key string) (string, error) {
		return r.Do(func() (string, error) { return target.Get(ctx, key) })
	})
}}

var avastComposed = Contender{Name: nameAvastBare + ", gobreaker, fallback by hand", Kind: Peer, Timer: true, Wrap: func(target Service) Service {
	r, b := retry.NewWithData[string](avastOptions...), closedGobreaker()
	return ServiceFunc(func(ctx context.Context, key string) (string, error) {
		value, err := r.Do(func() (string, error) {
			return b.Execute(func() (string, error) { return target.Get(ctx, key) })
		})
		if err != nil {
			return fallbackValue, nil
		}
		return value, nil
	})
}}
