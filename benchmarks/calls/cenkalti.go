package calls

import (
	"context"

	"github.com/cenkalti/backoff/v7"
)

// A BackOff of cenkalti/backoff is stateful and belongs to one call at a time; that of no wait has no state and is
// shared.
var cenkaltiOptions = []backoff.RetryOption{backoff.WithBackOff(&backoff.ZeroBackOff{}), backoff.WithMaxTries(maxAttempts)}

// NameCenkalti is retry alone.
const NameCenkalti = "cenkalti/backoff"

var cenkaltiRetry = Contender{Name: NameCenkalti, Kind: Peer, Timer: true, Wrap: func(target Service) Service {
	return ServiceFunc(func(ctx context.Context, key string) (string, error) {
		return backoff.Retry(ctx, func() (string, error) { return target.Get(ctx, key) }, cenkaltiOptions...)
	})
}}

var cenkaltiComposed = Contender{Name: NameCenkalti + ", gobreaker, fallback by hand", Kind: Peer, Timer: true, Wrap: func(target Service) Service {
	b := closedGobreaker()
	return ServiceFunc(func(ctx context.Context, key string) (string, error) {
		value, err := backoff.Retry(ctx, func() (string, error) {
			return b.Execute(func() (string, error) { return target.Get(ctx, key) })
		}, cenkaltiOptions...)
		if err != nil {
			return fallbackValue, nil
		}
		return value, nil
	})
}}
