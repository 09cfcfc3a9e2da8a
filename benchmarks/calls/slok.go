package calls

import (
	"context"
	"time"

	"github.com/slok/goresilience"
	"github.com/slok/goresilience/circuitbreaker"
	"github.com/slok/goresilience/retry"
)

// goresilience takes a wait of zero for its default of 20 ms; the shortest there is is 1 ns. It sleeps after the last
// attempt too.
const nameSlok = "slok/goresilience, a wait of 1 ns"

func slokRetryMiddleware() goresilience.Middleware {
	return retry.NewMiddleware(retry.Config{Times: maxAttempts - 1, WaitBase: 1, DisableBackoff: true})
}

var slokRetry = Contender{Name: nameSlok, Kind: Peer, Timer: true, Wrap: func(target Service) Service {
	r := goresilience.RunnerChain(slokRetryMiddleware())
	return ServiceFunc(func(ctx context.Context, key string) (value string, err error) {
		err = r.Run(ctx, func(ctx context.Context) (err error) {
			value, err = target.Get(ctx, key)
			return err
		})
		return value, err
	})
}}

var slokComposed = Contender{Name: nameSlok + ", fallback by hand", Kind: Peer, Timer: true, Wrap: func(target Service) Service {
	r := goresilience.RunnerChain(slokRetryMiddleware(), circuitbreaker.NewMiddleware(circuitbreaker.Config{MinimumRequestToOpen: never}))
	return ServiceFunc(func(ctx context.Context, key string) (value string, err error) {
		err = r.Run(ctx, func(ctx context.Context) (err error) {
			value, err = target.Get(ctx, key)
			return err
		})
		if err != nil {
			return fallbackValue, nil
		}
		return value, nil
	})
}}

var slokOpen = Contender{Name: "slok/goresilience", Kind: Peer, Wrap: func(target Service) Service {
	r := goresilience.RunnerChain(circuitbreaker.NewMiddleware(circuitbreaker.Config{
		MinimumRequestToOpen:    1,
		WaitDurationInOpenState: time.Hour,
	}))
	return ServiceFunc(func(ctx context.Context, key string) (value string, err error) {
		err = r.Run(ctx, func(ctx context.Context) (err error) {
			value, err = target.Get(ctx, key)
			return err
		})
		return value, err
	})
}}
