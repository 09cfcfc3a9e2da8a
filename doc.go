// Package backstay is a dependency-injection container with aspect-oriented programming, for services whose calls cross
// a network that fails. What a method may do when its call fails is declared beside the wiring of its service, and
// enforced through the service's own interface: neither the caller nor the callee contains a line of resilience code.
//
// This package holds no code. Start with one of these:
//
//   - [github.com/backstay/backstay/container] builds services with their dependencies, weaves their annotations around
//     them, and verifies it all before the first constructor runs.
//   - [github.com/backstay/backstay/aliases] holds the stock annotations: Retry, RetryThrowable, RetryFalsy,
//     BackoffRetryThrowable, BackoffRetryFalsy, CircuitBreaker.
//   - [github.com/backstay/backstay/annotation] holds marks on a struct, options at registration, and what your own
//     annotations are made of.
//   - [github.com/backstay/backstay/aspect] holds join points, pointcuts, and a weaver for users of another container.
//   - [github.com/backstay/backstay/explain] is what a container tells of its wiring, as data, a tree, and pictures.
//   - [github.com/backstay/backstay/container/containertest] helps tests of wiring, of what is declared, and of retries.
//   - [github.com/backstay/backstay/eventlog] writes what happens to log/slog, and [github.com/backstay/backstay/dashboard]
//     shows it on a page that a service mounts. [github.com/backstay/backstay/otel], a module of its own, makes metrics and
//     traces of it.
//   - [github.com/backstay/backstay/aspects] is a module of its own, with aspects that many programs need.
//   - [github.com/backstay/backstay/retry] holds the policies, the session loop, budget, breaker and the fluent form. It
//     stands on its own.
//
// # Declare, provide, call
//
//	type StripeGateway struct {
//		_ annotation.On[aliases.BackoffRetryThrowable] `method:"Charge" maxAttempts:"4" fallback:"OfflineGateway@Charge"`
//		client *http.Client
//	}
//
//	c := container.New()
//	c.Provide(NewStripeGateway, container.As[PaymentGateway]())
//	c.Provide(NewOfflineGateway)
//	c.Provide(NewCheckout) // takes a PaymentGateway: gets the woven one
//	err := c.Invoke(func(shop *Checkout) error { return shop.Run(ctx) })
//
// # What bounds retries
//
// Retries multiply load exactly when a peer is weakest, and repeat what may not be repeated. By default a method retries
// within a budget of a fifth of its traffic; a breaker stops calling a peer that fails; retries happen at one layer of
// nested calls; and an idempotency key, the same in all attempts, is there for the peer. See package retry.
package backstay
