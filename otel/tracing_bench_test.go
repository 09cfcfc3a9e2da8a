package backstayotel_test

import (
	"context"
	"testing"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/aspect"
	backstayotel "github.com/backstay/backstay/otel"
	"github.com/backstay/backstay/retry"
)

// providers are what spans may cost, from nothing up. Metrics are off in all of them.
var providers = []struct {
	name string
	make func() trace.TracerProvider
}{
	{"no spans", func() trace.TracerProvider { return noop.NewTracerProvider() }},
	{"global not set", otel.GetTracerProvider},
	{"sampler off", func() trace.TracerProvider {
		return sdktrace.NewTracerProvider(sdktrace.WithSampler(sdktrace.NeverSample()))
	}},
	{"recorded", func() trace.TracerProvider {
		return sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(dropping{}))
	}},
}

// dropping processes spans by letting them go.
type dropping struct{}

func (dropping) OnStart(context.Context, sdktrace.ReadWriteSpan) {}
func (dropping) OnEnd(sdktrace.ReadOnlySpan)                     {}
func (dropping) Shutdown(context.Context) error                  { return nil }
func (dropping) ForceFlush(context.Context) error                { return nil }

// parents are the caller's contexts: a trace that is going on, sampled as the provider does, or none.
func parents(b *testing.B, p trace.TracerProvider, run func(b *testing.B, ctx context.Context)) {
	b.Run("root", func(b *testing.B) { run(b, context.Background()) })
	b.Run("child", func(b *testing.B) {
		ctx, span := p.Tracer("user").Start(context.Background(), "order")
		defer span.End()
		run(b, ctx)
	})
}

// BenchmarkAspectsOfTracing calls a woven func that succeeds at once, under the default Retry.
func BenchmarkAspectsOfTracing(b *testing.B) {
	load := func(b *testing.B, opts ...aspect.WeaverOption) Load {
		return wrapped[Load](b, aspect.NewWeaver(opts...), func(context.Context, string) (string, error) { return "gold", nil },
			aspect.Annotate[aliases.Retry]("*"))
	}
	run := func(load Load) func(b *testing.B, ctx context.Context) {
		return func(b *testing.B, ctx context.Context) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = load(ctx, "7")
			}
		}
	}
	b.Run("without", func(b *testing.B) { run(load(b))(b, context.Background()) })
	b.Run("aspects that only proceed", func(b *testing.B) {
		proceed := aspect.Func(aspect.JoinPoint.Proceed)
		run(load(b, aspect.WithAspect(aspect.Any(), backstayotel.SessionPriority, proceed),
			aspect.WithAspect(aspect.Any(), backstayotel.AttemptPriority, proceed)))(b, context.Background())
	})
	for _, p := range providers {
		b.Run(p.name, func(b *testing.B) {
			provider := p.make()
			in := instrumentation(b, provider)
			parents(b, provider, run(load(b, aspect.WithAspect(aspect.Any(), backstayotel.SessionPriority, in.SessionAspect()),
				aspect.WithAspect(aspect.Any(), backstayotel.AttemptPriority, in.AttemptAspect()))))
		})
	}
}

// BenchmarkSpansByHand makes the two spans that a success at once has, to tell what the SDK takes of the costs.
func BenchmarkSpansByHand(b *testing.B) {
	tracer := providers[len(providers)-1].make().Tracer("user")
	own := trace.WithAttributes(attribute.String("backstay.class", "Load"), attribute.String("backstay.method", "Call"))
	first := trace.WithAttributes(attribute.Int("backstay.attempt", 1))
	b.ReportAllocs()
	for b.Loop() {
		ctx, session := tracer.Start(context.Background(), "Load@Call", own)
		_, attempt := tracer.Start(ctx, "Load@Call attempt", own, first)
		attempt.End()
		session.SetAttributes(attribute.String("backstay.result", "succeeded"), attribute.Int("backstay.attempts", 1))
		session.End()
	}
}

// BenchmarkCall calls a chain that succeeds at once.
func BenchmarkCall(b *testing.B) {
	f := func(context.Context) (int, error) { return 7, nil }
	b.Run("without", func(b *testing.B) {
		chain := retry.For[int]().Max(3).Named("vault")
		b.ReportAllocs()
		for b.Loop() {
			_, _ = chain.Call(context.Background(), f)
		}
	})
	for _, p := range providers {
		b.Run(p.name, func(b *testing.B) {
			provider := p.make()
			in, err := backstayotel.New(backstayotel.WithTracerProvider(provider), backstayotel.WithMeterProvider(metricnoop.NewMeterProvider()))
			if err != nil {
				b.Fatal(err)
			}
			chain := retry.For[int]().Max(3).Named("vault")
			parents(b, provider, func(b *testing.B, ctx context.Context) {
				b.ReportAllocs()
				for b.Loop() {
					_, _ = backstayotel.Call(ctx, in, chain, f)
				}
			})
		})
	}
}
