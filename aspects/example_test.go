package aspects_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/aspects"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// RateTable is the interface of a service.
type RateTable interface {
	Rate(ctx context.Context, currency string) (float64, error)
}

// BankRates asks a bank, which is slow and counts its callers.
type BankRates struct {
	_ annotation.On[aliases.Retry]     `method:"Rate" maxAttempts:"3"`
	_ annotation.On[aspects.Cacheable] `method:"Rate" ttl:"10m" maxEntries:"200"`
	_ annotation.On[aspects.RateLimit] `method:"Rate" perSecond:"5" wait:"1s"`
	_ annotation.On[aspects.Bulkhead]  `method:"Rate" maxConcurrent:"4" maxQueue:"20" maxWait:"500ms"`
}

func (*BankRates) Rate(_ context.Context, currency string) (float64, error) {
	fmt.Println("asking the bank for", currency)
	return 1.25, nil
}

// All settings are beside the service. The container is told which aspects there are, and in which order.
func Example() {
	c := container.New()
	c.Provide(func() *BankRates { return &BankRates{} }, container.As[RateTable]())
	c.Supply(aspects.NewCache(), container.AsAspect(aspect.Annotated[aspects.Cacheable](), aspects.CachePriority))
	c.Supply(aspects.NewRateLimit(), container.AsAspect(aspect.Annotated[aspects.RateLimit](), aspects.RateLimitPriority))
	c.Supply(aspects.NewBulkhead(), container.AsAspect(aspect.Annotated[aspects.Bulkhead](), aspects.BulkheadPriority))
	err := c.Invoke(func(rates RateTable) {
		for range 2 {
			rate, err := rates.Rate(context.Background(), "USD")
			fmt.Println(rate, err)
		}
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// asking the bank for USD
	// 1.25 <nil>
	// 1.25 <nil>
}

// Mailer is the interface of a service.
type Mailer interface {
	Send(ctx context.Context, to string) error
}

// SMTP is a service without annotations of its own.
type SMTP struct{ send func(to string) error }

func (s *SMTP) Send(_ context.Context, to string) error { return s.send(to) }

// weave puts an aspect around a Mailer; a container does the same by AsAspect.
func weave(a aspect.Aspect, send func(to string) error, opts ...aspect.WrapOption) Mailer {
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Class("SMTP"), aspect.RetryPriority+1, a))
	mailer, err := aspect.Wrap[Mailer](w, &SMTP{send}, opts...)
	if err != nil {
		panic(err)
	}
	return mailer
}

func ExampleNewLogging() {
	// Times are left out, so that the output is always the same.
	handler := slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == "duration" {
			return slog.Attr{}
		}
		return a
	}})
	logging := aspects.NewLogging(slog.New(handler),
		aspects.LogLevel(func(err error) slog.Level {
			if err != nil {
				return slog.LevelWarn
			}
			return slog.LevelInfo
		}),
		aspects.LogAttrs(func(jp aspect.JoinPoint) []slog.Attr {
			return []slog.Attr{slog.String("to", aspect.Arg[string](jp, 1))} // this argument may be told
		}))
	mailer := weave(logging, func(to string) error {
		if to == "" {
			return errors.New("no recipient")
		}
		return nil
	})
	_ = mailer.Send(context.Background(), "ann@example.com")
	_ = mailer.Send(context.Background(), "")
	// Output:
	// level=INFO msg=call class=SMTP method=Send outcome=succeeded to=ann@example.com
	// level=WARN msg=call class=SMTP method=Send outcome=failed error="no recipient" to=""
}

func ExampleNewTiming() {
	calls := map[string]int{} // a metrics library's histogram, with the outcome as a label
	timing := aspects.NewTiming(func(_ context.Context, ref retry.MethodRef, took time.Duration, err error) {
		calls[fmt.Sprintf("%v ok=%t", ref, err == nil)]++
	})
	mailer := weave(timing, func(to string) error { return nil })
	_ = mailer.Send(context.Background(), "ann@example.com")
	fmt.Println(calls)
	// Output: map[SMTP@Send ok=true:1]
}

func ExampleNewRecover() {
	mailer := weave(aspects.NewRecover(), func(to string) error {
		var inbox []string
		inbox[0] = to
		return nil
	})
	err := mailer.Send(context.Background(), "ann@example.com")
	fmt.Println(err)
	p := new(aspects.PanicError)
	fmt.Println(errors.As(err, &p), len(p.Stack) > 0)
	// Output:
	// panic: runtime error: index out of range [0] with length 0
	// true true
}

func ExampleNewCache() {
	cache := aspects.NewCache()
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Annotated[aspects.Cacheable](), aspects.CachePriority, cache))
	rates, err := aspect.Wrap[RateTable](w, &BankRates{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		_, _ = rates.Rate(context.Background(), "USD")
	}
	cache.Invalidate("BankRates@Rate", "USD")
	_, _ = rates.Rate(context.Background(), "USD")
	// Output:
	// asking the bank for USD
	// asking the bank for USD
}

// Invoices has a method whose arguments cannot be compared.
type Invoices interface {
	Find(ctx context.Context, filter map[string]string) ([]string, error)
}

// SQLInvoices counts its queries.
type SQLInvoices struct{ queries int }

func (s *SQLInvoices) Find(context.Context, map[string]string) ([]string, error) {
	s.queries++
	return []string{"invoice 1"}, nil
}

func ExampleCacheable() {
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Annotated[aspects.Cacheable](), aspects.CachePriority, aspects.NewCache()))
	target := &SQLInvoices{}
	invoices, err := aspect.Wrap[Invoices](w, target, aspect.Annotate[aspects.Cacheable](Invoices.Find,
		annotation.Set(func(c *aspects.Cacheable) {
			c.TTL = time.Minute
			c.Key = func(jp aspect.JoinPoint) any {
				return aspect.Arg[map[string]string](jp, 1)["customer"]
			}
		})))
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 3 {
		_, _ = invoices.Find(context.Background(), map[string]string{"customer": "ann"})
	}
	fmt.Println(target.queries, "query")
	// Output: 1 query
}

func ExampleNewBulkhead() {
	bulkhead := aspects.NewBulkhead(aspects.DefaultBulkhead(aspects.Bulkhead{MaxConcurrent: 1}))
	var mailer Mailer
	mailer = weave(bulkhead, func(to string) error {
		if to == "ann@example.com" { // while this mail is being sent, comes another
			fmt.Println("bob:", mailer.Send(context.Background(), "bob@example.com"))
		}
		return nil
	})
	fmt.Println("ann:", mailer.Send(context.Background(), "ann@example.com"))
	// Output:
	// bob: SMTP@Send: rejected: bulkhead is full: it has maxConcurrent 1, maxQueue 0
	// ann: <nil>
}

func ExampleNewRateLimit() {
	mailer := weave(aspects.NewRateLimit(), func(string) error { return nil },
		aspect.Annotate[aspects.RateLimit](Mailer.Send,
			annotation.Set(func(r *aspects.RateLimit) { r.PerSecond = 0.01 })))
	for range 2 {
		err := mailer.Send(context.Background(), "ann@example.com")
		rejected := new(retry.RejectedError)
		if errors.As(err, &rejected) {
			fmt.Println("come back in", rejected.RetryAfter().Round(time.Second))
		}
	}
	// Output: come back in 1m40s
}
