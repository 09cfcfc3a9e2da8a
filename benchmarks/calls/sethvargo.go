package calls

import (
	"context"
	"time"

	"github.com/sethvargo/go-retry"
)

const nameSethvargo = "sethvargo/go-retry"

// noWait is the Backoff of no wait. What WithMaxRetries makes of it counts, so each call needs one of its own.
func noWait() (time.Duration, bool) { return 0, false }

// sethvargoDo retries every error; the library retries those that are marked.
func sethvargoDo(ctx context.Context, f func(context.Context) (string, error)) (string, error) {
	b := retry.WithMaxRetries(maxAttempts-1, retry.BackoffFunc(noWait))
	return retry.DoValue(ctx, b, func(ctx context.Context) (string, error) {
		value, err := f(ctx)
		if err != nil {
			return "", retry.RetryableError(err)
		}
		return value, nil
	})
}

var sethvargoRetry = Contender{Name: nameSethvargo, Kind: Peer, Timer: true, Wrap: func(target Service) Service {
	return ServiceFunc(func(ctx context.Context, key string) (string, error) {
		return sethvargoDo(ctx, func(ctx context.Context) (string, error) { return target.Get(ctx, key) })
	})
}}

var sethvargoComposed = Contender{Name: nameSethvargo + ", gobreaker, fallback by hand", Kind: Peer, Timer: true, Wrap: func(target Service) Service {
	b := closedGobreaker()
	return ServiceFunc(func(ctx context.Context, key string) (string, error) {
		value, err := sethvargoDo(ctx, func(ctx context.Context) (string, error) {
			return b.Execute(func() (string, error) { return target.Get(ctx, key) })
		})
		if err != nil {
			return fallbackValue, nil
		}
		return value, nil
	})
}}
