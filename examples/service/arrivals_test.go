package main

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/service/internal/shop"
)

func numbered(n int) []shop.Order {
	orders := make([]shop.Order, n)
	for i := range orders {
		orders[i] = shop.Order{Number: fmt.Sprint("BS-", i), Card: "4242424242424242", Total: 100}
	}
	return orders
}

func TestOrdersArriveAtTheirRateHoweverLongTheyTake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var times []time.Duration
		began := time.Now()
		arrive(t.Context(), numbered(5), 4, func(shop.Order) {
			mu.Lock()
			times = append(times, time.Since(began))
			mu.Unlock()
			time.Sleep(time.Minute)
		})
		const q = 250 * time.Millisecond
		require.Equal(t, []time.Duration{0, q, 2 * q, 3 * q, 4 * q}, times)
		require.Equal(t, time.Minute+4*q, time.Since(began), "it waits for the last one")
	})
}

func TestOrdersInTheShopAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		inside, most := 0, 0
		arrive(t.Context(), numbered(2*atOnce+1), 1000, func(shop.Order) {
			mu.Lock()
			inside++
			most = max(most, inside)
			mu.Unlock()
			time.Sleep(time.Hour)
			mu.Lock()
			inside--
			mu.Unlock()
		})
		require.Equal(t, atOnce, most)
	})
}

func TestNoOrderArrivesAfterTheEnd(t *testing.T) {
	for name, place := range map[string]func(shop.Order){
		"between two":       func(shop.Order) {},
		"while it is full":  func(shop.Order) { time.Sleep(time.Hour) },
		"while some are in": func(shop.Order) { time.Sleep(time.Second) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second-1)
				defer cancel()
				var mu sync.Mutex
				begun := 0
				arrive(ctx, numbered(3000), 1000, func(o shop.Order) {
					mu.Lock()
					begun++
					mu.Unlock()
					place(o)
				})
				want := 2000
				if name == "while it is full" {
					want = atOnce
				}
				require.Equal(t, want, begun)
			})
		})
	}
}
