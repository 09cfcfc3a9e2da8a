package backstayotel_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	backstayotel "github.com/backstay/backstay/otel"
	"github.com/backstay/backstay/retry"
)

// Rates is the interface of a service.
type Rates interface {
	Rate(ctx context.Context, currency string) (float64, error)
}

// BankRates fails the first time.
type BankRates struct {
	_      annotation.On[aliases.Retry] `method:"Rate" maxAttempts:"3"`
	asked  int
	tracer trace.Tracer
}

func (b *BankRates) Rate(ctx context.Context, _ string) (float64, error) {
	_, span := b.tracer.Start(ctx, "GET") // as an instrumented HTTP client does
	defer span.End()
	if b.asked++; b.asked == 1 {
		return 0, errors.New("503 Service Unavailable")
	}
	return 1.25, nil
}

// With a weaver the aspects are given by hand, one outside and one inside of the retry. A container has
// backstayotel.Instrument.
func ExampleInstrumentation_SessionAspect() {
	spans := tracetest.NewSpanRecorder() // your exporter
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))

	in, err := backstayotel.New(backstayotel.WithTracerProvider(provider))
	if err != nil {
		fmt.Println(err)
		return
	}
	w := aspect.NewWeaver(aspect.WithListener(in),
		aspect.WithAspect(aspect.Annotated[annotation.AbstractRetry](), backstayotel.SessionPriority, in.SessionAspect()),
		aspect.WithAspect(aspect.Annotated[annotation.AbstractRetry](), backstayotel.AttemptPriority, in.AttemptAspect()))
	rates, err := aspect.Wrap[Rates](w, &BankRates{tracer: provider.Tracer("bank")})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rates.Rate(context.Background(), "USD"))
	show(spans)
	// Output:
	// 1.25 <nil>
	// BankRates@Rate
	//   BankRates@Rate attempt
	//     GET
	//   BankRates@Rate attempt
	//     GET
}

func ExampleCall() {
	spans := tracetest.NewSpanRecorder() // your exporter
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))

	in, err := backstayotel.New(backstayotel.WithTracerProvider(provider))
	if err != nil {
		fmt.Println(err)
		return
	}
	bank := &BankRates{tracer: provider.Tracer("bank")}
	rates := retry.For[float64]().Max(3).Named("rates").Listen(in) // once, not for each call
	rate, err := backstayotel.Call(context.Background(), in, rates, func(ctx context.Context) (float64, error) {
		return bank.Rate(ctx, "USD")
	})
	fmt.Println(rate, err)
	show(spans)
	// Output:
	// 1.25 <nil>
	// rates
	//   rates attempt
	//     GET
	//   rates attempt
	//     GET
}

// show prints the names of spans, each under its parent.
func show(spans *tracetest.SpanRecorder) {
	begun := spans.Started()
	depths := map[trace.SpanID]int{}
	for _, s := range begun {
		depth := 0
		if i := slices.IndexFunc(begun, func(p sdktrace.ReadWriteSpan) bool { return p.SpanContext().SpanID() == s.Parent().SpanID() }); i >= 0 {
			depth = depths[s.Parent().SpanID()] + 1
		}
		depths[s.SpanContext().SpanID()] = depth
		fmt.Println(strings.Repeat("  ", depth) + s.Name())
	}
}
