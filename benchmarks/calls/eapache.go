package calls

import (
	"context"
	"time"

	"github.com/eapache/go-resiliency/breaker"
	"github.com/eapache/go-resiliency/retrier"
)

const nameEapache = "eapache/go-resiliency"

func eapacheRetrier() *retrier.Retrier {
	return retrier.New(retrier.ConstantBackoff(maxAttempts-1, 0), nil)
}

var eapacheRetry = Contender{Name: nameEapache, Kind: Peer, Timer: true, Wrap: func(target Service) Service {
	r := eapacheRetrier()
	return ServiceFunc(func(ctx context.Context, key string) (value string, err error) {
		err = r.RunCtx(ctx, func(ctx context.Context) (err error) {
			value, err = target.Get(ctx, key)
			return err
		})
		return value, err
	})
}}

var eapacheComposed = Contender{Name: nameEapache + ", fallback by hand", Kind: Peer, Timer: true, Wrap: func(target Service) Service {
	r, b := eapacheRetrier(), breaker.New(never, 1, time.Hour)
	return ServiceFunc(func(ctx context.Context, key string) (value string, err error) {
		err = r.RunCtx(ctx, func(ctx context.Context) error {
			return b.Run(func() (err error) {
				value, err = target.Get(ctx, key)
				return err
			})
		})
		if err != nil {
			return fallbackValue, nil
		}
		return value, nil
	})
}}

// eapacheOpen leaves a goroutine behind that sleeps until the breaker is to be half-open.
var eapacheOpen = Contender{Name: nameEapache, Kind: Peer, Wrap: func(target Service) Service {
	b := breaker.New(1, 1, time.Hour)
	return ServiceFunc(func(ctx context.Context, key string) (value string, err error) {
		err = b.Run(func() (err error) {
			value, err = target.Get(ctx, key)
			return err
		})
		return value, err
	})
}}
