package main

import (
	"context"
	"sync"
	"time"

	"github.com/backstay/backstay/examples/service/internal/shop"
)

// atOnce bounds the orders that are in the shop at a time.
const atOnce = 1000

// arrive lets orders into the shop at a steady rate, each in a goroutine of its own: the n-th comes when it comes, however
// long those before it take, as customers do. It returns when the last one has left; when ctx is done, no more come.
func arrive(ctx context.Context, orders []shop.Order, rate int, place func(shop.Order)) {
	var inside sync.WaitGroup
	defer inside.Wait()
	places := make(chan struct{}, atOnce)
	next := time.NewTimer(0)
	defer next.Stop()
	opened := time.Now()
	for n, o := range orders {
		next.Reset(time.Until(opened.Add(time.Duration(n) * time.Second / time.Duration(rate))))
		select {
		case <-next.C:
		case <-ctx.Done():
			return
		}
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			return
		}
		inside.Go(func() {
			place(o)
			<-places
		})
	}
}
