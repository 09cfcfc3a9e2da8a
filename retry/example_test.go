package retry_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/backstay/backstay/retry"
)

var errUnavailable = errors.New("peer is unavailable")

// flaky is a peer that is unavailable for the first calls.
type flaky struct{ failures int }

func (f *flaky) Rate(context.Context) (float64, error) {
	if f.failures--; f.failures >= 0 {
		return 0, errUnavailable
	}
	return 1.09, nil
}

func (f *flaky) Ping(ctx context.Context) error {
	_, err := f.Rate(ctx)
	return err
}

// A chain says when to retry and what bounds that. It is kept in a variable and shared.
func Example() {
	ping := retry.WhenThrows(retry.Is(errUnavailable)).Max(4).Backoff(time.Millisecond).Within(2 * time.Second)

	peer := &flaky{failures: 2}
	err := ping.Run(context.Background(), peer.Ping)
	fmt.Println(err)
	// Output: <nil>
}

// A chain with a result names its type once. The fallback gives the result when no retry is left.
func ExampleChain() {
	rate := retry.For[float64]().Max(3).
		Fallback(func(_ context.Context, cause error) (float64, error) {
			fmt.Println("the last known rate, since", cause)
			return 1.07, nil
		})

	fmt.Println(rate.Call(context.Background(), (&flaky{failures: 1}).Rate))
	fmt.Println(rate.Call(context.Background(), (&flaky{failures: 9}).Rate))
	// Output:
	// 1.09 <nil>
	// the last known rate, since peer is unavailable
	// 1.07 <nil>
}

// Results can be worth a retry, too. Conditions are OR-ed.
func ExampleWhenReturns() {
	polls := 0
	done, err := retry.WhenReturns(false).WhenThrows(retry.Is(errUnavailable)).Max(5).
		Call(context.Background(), func(context.Context) (bool, error) {
			polls++
			return polls == 3, nil
		})
	fmt.Println(done, err, polls)
	// Output: true <nil> 3
}

// A report is the account of one call.
func ExampleWithReport() {
	ctx, report := retry.WithReport(context.Background())
	_ = retry.WhenThrows().Max(3).Named("rates").Run(ctx, (&flaky{failures: 9}).Ping)

	fmt.Println(report.Ref, report.Ended, "by", report.Limit, "after", report.Attempts, "attempts:", report.Errors[2])
	// Output: rates exhausted by maxAttempts after 3 attempts: peer is unavailable
}

// The key is the same in all attempts, so that the peer charges once.
func ExampleWithKey() {
	ctx := retry.WithKey(context.Background(), "order-7")
	peer := &flaky{failures: 1}
	_ = retry.WhenThrows().Max(2).Run(ctx, func(ctx context.Context) error {
		attempt, _ := retry.FromContext(ctx)
		fmt.Println("attempt", attempt.Number, "of", attempt.Limit, "with key", attempt.Key)
		return peer.Ping(ctx)
	})
	// Output:
	// attempt 1 of 2 with key order-7
	// attempt 2 of 2 with key order-7
}

// Once switches retries off for everything below; fallbacks stay.
func ExampleOnce() {
	ping := retry.WhenThrows().Max(5).WrapExhausted()
	err := ping.Run(retry.Once(context.Background()), (&flaky{failures: 1}).Ping)

	var exhausted *retry.ExhaustedError
	if errors.As(err, &exhausted) {
		fmt.Println(exhausted.Limit, exhausted.Attempts, exhausted.Err)
	}
	// Output: once 1 peer is unavailable
}

// A budget bounds what all sessions together may add to the traffic: here one retry for two sessions.
func ExampleNewBudget() {
	budget := retry.NewBudget(retry.BudgetSettings{TTL: 10 * time.Second, Percent: 0.5})
	ping := retry.With(budget).Max(3)

	for range 4 {
		attempts := 0
		_ = ping.Run(context.Background(), func(context.Context) error {
			attempts++
			return errUnavailable
		})
		fmt.Print(attempts, " ")
	}
	// Output: 1 2 1 2
}

// A circuit breaker stops calling a peer that fails. Chains that hold the same value share it.
func ExampleNewCircuitBreaker() {
	breaker := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Minute, Consecutive: 3})
	ping := retry.With(breaker).Max(5).Named("rates")

	attempts := 0
	err := ping.Run(context.Background(), func(context.Context) error {
		attempts++
		return errUnavailable
	})
	fmt.Println(attempts, err, retry.BreakerOf(breaker).State())

	err = ping.Run(context.Background(), (&flaky{}).Ping)
	fmt.Println(err, errors.Is(err, retry.ErrCircuitOpen))
	// Output:
	// 3 peer is unavailable open
	// rates: rejected: circuit breaker is open true
}

// Permanent marks an error as never worth a retry. The caller does not see the mark.
func ExamplePermanent() {
	errNotFound := errors.New("no such order")
	attempts := 0
	err := retry.WhenThrows().Max(5).Run(context.Background(), func(context.Context) error {
		attempts++
		return retry.Permanent(errNotFound)
	})
	fmt.Println(attempts, err == errNotFound)
	// Output: 1 true
}

// Matchers choose errors, through wrapped and joined ones.
func ExampleAsWhere() {
	fivehundreds := retry.AsWhere(func(e status) bool { return e.code >= 500 })
	fmt.Println(fivehundreds, fivehundreds.Match(fmt.Errorf("call: %w", status{503})), fivehundreds.Match(status{404}))
	// Output: as(retry_test.status) where true false
}

// A listener is told what happens.
func ExampleChain_Listen() {
	log := retry.ListenerFunc(func(_ context.Context, e retry.Event) {
		switch e := e.(type) {
		case retry.RetryScheduled:
			fmt.Println(e.Ref(), "attempt", e.Attempt, "follows, since", e.Err)
		case retry.Succeeded:
			fmt.Println(e.Ref(), "succeeded after", e.Attempts)
		}
	})
	_, _ = retry.For[float64]().Max(3).Named("rates").Listen(log).Call(context.Background(), (&flaky{failures: 1}).Rate)
	// Output:
	// rates attempt 2 follows, since peer is unavailable
	// rates succeeded after 2
}
