package aliases_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// Stock is what a shop asks before it sells.
type Stock interface {
	Reserve(ctx context.Context, item string) (bool, error)
}

// remote is a Stock behind a bad network: it gives one answer after the other, then the last one again and again.
type remote struct {
	answers []answer
	calls   int
}

type answer struct {
	ok  bool
	err error
}

var errTimeout = errors.New("timeout")

func (r *remote) Reserve(context.Context, string) (bool, error) {
	a := r.answers[min(r.calls, len(r.answers)-1)]
	r.calls++
	return a.ok, a.err
}

// wrap puts annotations around target.
func wrap(target Stock, annotations ...aspect.WrapOption) Stock {
	stock, err := aspect.Wrap(aspect.NewWeaver(), target, annotations...)
	if err != nil {
		panic(err)
	}
	return stock
}

// Two timeouts cost two retries, and the caller does not notice.
func ExampleRetry() {
	peer := &remote{answers: []answer{{err: errTimeout}, {err: errTimeout}, {ok: true}}}
	stock := wrap(peer, aspect.Annotate[aliases.Retry](Stock.Reserve))

	ok, err := stock.Reserve(context.Background(), "lamp")
	fmt.Println(ok, err, peer.calls)
	// Output: true <nil> 3
}

// Beside RetryFalsy it says that errors are retried as well; Retry would leave that to RetryFalsy.
func ExampleRetryThrowable() {
	peer := &remote{answers: []answer{{err: errTimeout}, {ok: false}, {ok: true}}}
	stock := wrap(peer,
		aspect.Annotate[aliases.RetryThrowable](Stock.Reserve),
		aspect.Annotate[aliases.RetryFalsy](Stock.Reserve))

	ok, err := stock.Reserve(context.Background(), "lamp")
	fmt.Println(ok, err, peer.calls)
	// Output: true <nil> 3
}

// "Not yet" is asked again; an error is an answer.
func ExampleRetryFalsy() {
	peer := &remote{answers: []answer{{ok: false}, {ok: false}, {ok: true}, {err: errTimeout}}}
	stock := wrap(peer, aspect.Annotate[aliases.RetryFalsy](Stock.Reserve))

	ok, err := stock.Reserve(context.Background(), "lamp")
	fmt.Println(ok, err, peer.calls)
	ok, err = stock.Reserve(context.Background(), "chair")
	fmt.Println(ok, err, peer.calls)
	// Output:
	// true <nil> 3
	// false timeout 4
}

// The waits begin at Base and double; 100 ms is the default.
func ExampleBackoffRetryThrowable() {
	peer := &remote{answers: []answer{{err: errTimeout}, {err: errTimeout}, {ok: true}}}
	stock := wrap(peer, aspect.Annotate[aliases.BackoffRetryThrowable](Stock.Reserve, annotation.Base(time.Millisecond)))

	ctx, report := retry.WithReport(context.Background())
	ok, err := stock.Reserve(ctx, "lamp")
	fmt.Println(ok, err, peer.calls)
	fmt.Println(report.Waits[0] >= time.Millisecond, report.Waits[1] >= 2*time.Millisecond)
	// Output:
	// true <nil> 3
	// true true
}

// A peer that is not ready is asked again, later each time, and then somebody else decides.
func ExampleBackoffRetryFalsy() {
	peer := &remote{answers: []answer{{ok: false}}}
	stock := wrap(peer, aspect.Annotate[aliases.BackoffRetryFalsy](Stock.Reserve,
		annotation.Base(time.Millisecond),
		annotation.MaxAttempts(3),
		annotation.Fallback(func(context.Context, string) (bool, error) { return true, nil })))

	ok, err := stock.Reserve(context.Background(), "lamp")
	fmt.Println(ok, err, peer.calls)
	// Output: true <nil> 3
}

// Once a session is exhausted, the peer is left alone: the next call is rejected at once.
func ExampleCircuitBreaker() {
	peer := &remote{answers: []answer{{err: errTimeout}}}
	stock := wrap(peer, aspect.Annotate[aliases.CircuitBreaker](Stock.Reserve, annotation.MaxAttempts(2)))

	_, err := stock.Reserve(context.Background(), "lamp")
	fmt.Println(err, peer.calls)
	_, err = stock.Reserve(context.Background(), "chair")
	fmt.Println(errors.Is(err, retry.ErrCircuitOpen), peer.calls)
	// Output:
	// timeout 2
	// true 2
}
