package calls

import (
	"context"
	"time"

	"github.com/sony/gobreaker/v2"
)

// NameGobreaker is the breaker alone.
const NameGobreaker = "gobreaker"

// closedGobreaker counts and never opens.
func closedGobreaker() *gobreaker.CircuitBreaker[string] {
	return gobreaker.NewCircuitBreaker[string](gobreaker.Settings{ReadyToTrip: func(gobreaker.Counts) bool { return false }})
}

var gobreakerOpen = Contender{Name: NameGobreaker, Kind: Peer, Wrap: func(target Service) Service {
	b := gobreaker.NewCircuitBreaker[string](gobreaker.Settings{
		Timeout:     time.Hour,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= 1 },
	})
	return ServiceFunc(func(ctx context.Context, key string) (string, error) {
		return b.Execute(func() (string, error) { return target.Get(ctx, key) })
	})
}}
