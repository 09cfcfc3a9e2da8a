package eventlog_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"time"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/eventlog"
	"github.com/backstay/backstay/retry"
)

// logger writes to standard output what is always the same: no times, no numbers of sessions, and whole milliseconds.
func logger(level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		switch a.Key {
		case slog.TimeKey, "elapsed", "session":
			return slog.Attr{}
		}
		if a.Value.Kind() == slog.KindDuration {
			a.Value = slog.DurationValue(a.Value.Duration().Round(time.Millisecond))
		}
		return a
	}}))
}

// PaymentGateway is the interface of a service.
type PaymentGateway interface {
	Charge(ctx context.Context, cents int) error
}

// Stripe is a payment gateway that is down.
type Stripe struct {
	_ annotation.On[aliases.Retry] `method:"Charge" maxAttempts:"2" fallback:"Offline@Charge"`
}

func (*Stripe) Charge(context.Context, int) error { return errors.New("503 Service Unavailable") }

// Offline keeps payments for later.
type Offline struct{}

func (Offline) Charge(context.Context, int) error { return nil }

// One listener hears of all services of a container.
func Example() {
	log := eventlog.New(logger(slog.LevelInfo)) // slog.Default() in a program

	c := container.New(container.WithListener(log))
	c.Provide(func() *Stripe { return &Stripe{} }, container.As[PaymentGateway]())
	c.Supply(Offline{})
	err := c.Invoke(func(payments PaymentGateway) error {
		return payments.Charge(context.Background(), 1999)
	})
	fmt.Println(err)
	// Output:
	// level=WARN msg="call exhausted" class=Stripe method=Charge attempts=2 limit=maxAttempts error="503 Service Unavailable"
	// level=INFO msg="fallback succeeded" class=Stripe method=Charge cause="503 Service Unavailable"
	// <nil>
}

// At the level of debugging, a call tells each of its attempts and waits.
func ExampleNew() {
	log := eventlog.New(logger(slog.LevelDebug))
	load := retry.WhenThrows().Max(3).Sleep(time.Millisecond).Named("load").Listen(log)
	calls := 0
	_ = load.Run(context.Background(), func(context.Context) error {
		if calls++; calls < 2 {
			return errors.New("connection refused")
		}
		return nil
	})
	// Output:
	// level=DEBUG msg="attempt failed" name=load attempt=1 error="connection refused"
	// level=DEBUG msg="retry scheduled" name=load attempt=2 wait=1ms error="connection refused"
	// level=DEBUG msg="call succeeded" name=load attempts=2
}

// A breaker that opens is an error; calls that it refuses are warnings. An operator's hand is seen too.
func ExampleNew_breaker() {
	breaker := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Hour, Consecutive: 1})
	load := retry.With(breaker).Max(1).Named("load").Listen(eventlog.New(logger(slog.LevelInfo)))
	for range 2 {
		_ = load.Run(context.Background(), func(context.Context) error { return errors.New("503") })
	}
	retry.BreakerOf(breaker).ForceClose()
	// Output:
	// level=ERROR msg="breaker changed" name=load breaker=load from=closed to=open retryAfter=1h0m0s
	// level=WARN msg="call exhausted" name=load attempts=1 limit=circuitBreaker error=503
	// level=WARN msg="call rejected" name=load gate=circuitBreaker reason="circuit breaker is open"
	// level=WARN msg="breaker changed" name=load breaker=load from=open to=force-closed
}

// Nothing is said of retries that a nightly job makes; its failures are errors.
func ExampleWithLevel() {
	log := eventlog.New(logger(slog.LevelDebug), eventlog.WithLevel(func(e retry.Event, usual slog.Level) slog.Level {
		if e.Ref().Name != "nightly" {
			return usual
		}
		if _, ok := e.(retry.Exhausted); ok {
			return slog.LevelError
		}
		return eventlog.Silent
	}))
	for _, name := range []string{"nightly", "load"} {
		_ = retry.With().Max(1).Named(name).Listen(log).Run(context.Background(), func(context.Context) error { return errors.New("503") })
	}
	// Output:
	// level=ERROR msg="call exhausted" name=nightly attempts=1 limit=maxAttempts error=503
	// level=DEBUG msg="attempt failed" name=load attempt=1 error=503
	// level=WARN msg="call exhausted" name=load attempts=1 limit=maxAttempts error=503
}

// A thousand failures in an hour are two records; the first one after it says suppressed=998.
func ExampleWithSampling() {
	log := eventlog.New(logger(slog.LevelInfo), eventlog.WithSampling(2, time.Hour))
	load := retry.With().Max(1).Named("load").Listen(log)
	for range 1000 {
		_ = load.Run(context.Background(), func(context.Context) error { return errors.New("503") })
	}
	// Output:
	// level=WARN msg="call exhausted" name=load attempts=1 limit=maxAttempts error=503
	// level=WARN msg="call exhausted" name=load attempts=1 limit=maxAttempts error=503
}

// The errors of net/http tell URLs. What is in their query stays here.
func ExampleWithRedact() {
	log := eventlog.New(logger(slog.LevelInfo), eventlog.WithRedact(func(err error) string {
		var failed *url.Error
		if !errors.As(err, &failed) {
			return fmt.Sprintf("%T", err) // nothing is known of it
		}
		host := "a peer"
		if u, err := url.Parse(failed.URL); err == nil {
			host = u.Host
		}
		return fmt.Sprintf("%s %s failed", failed.Op, host)
	}))
	load := retry.With().Max(1).Named("load").Listen(log)
	_ = load.Run(context.Background(), func(context.Context) error {
		return &url.Error{Op: "Get", URL: "https://peer.example/orders?token=hunter2", Err: errors.New("EOF")}
	})
	// Output:
	// level=WARN msg="call exhausted" name=load attempts=1 limit=maxAttempts error="Get peer.example failed"
}
