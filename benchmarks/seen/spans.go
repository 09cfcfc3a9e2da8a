package main

import (
	"context"

	metricnoop "go.opentelemetry.io/otel/metric/noop"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	backstayotel "github.com/backstay/backstay/otel"
)

// What one of the two signals is left out by.
var (
	withoutSpans   = backstayotel.WithTracerProvider(tracenoop.NewTracerProvider())
	withoutMetrics = backstayotel.WithMeterProvider(metricnoop.NewMeterProvider())
)

// spans makes spans as the sampler decides, and gives them to a processor.
func spans(sampler sdktrace.Sampler, processor func(sinks) sdktrace.SpanProcessor) func(sinks) (*watcher, error) {
	return func(s sinks) (*watcher, error) {
		decides := sampler
		if s.decisions != nil {
			s.decisions.Sampler, decides = sampler, s.decisions
		}
		provider := sdktrace.NewTracerProvider(sdktrace.WithSampler(decides), sdktrace.WithSpanProcessor(processor(s)))
		in, err := backstayotel.New(backstayotel.WithTracerProvider(provider), withoutMetrics)
		if err != nil {
			return nil, err
		}
		flush := func() (tally, error) { return tally{}, provider.ForceFlush(context.Background()) }
		if s.spans == nil {
			flush = nil
		}
		return &watcher{listener: in, spans: in, tell: flush, close: func() error { return provider.Shutdown(context.Background()) }}, nil
	}
}

// dropped processes spans by letting go of them.
func dropped(s sinks) sdktrace.SpanProcessor { return dropping{s.spans} }

type dropping struct{ ended *spanCount }

func (dropping) OnStart(context.Context, sdktrace.ReadWriteSpan) {}
func (d dropping) OnEnd(sdktrace.ReadOnlySpan)                   { d.ended.add(1) }
func (dropping) Shutdown(context.Context) error                  { return nil }
func (dropping) ForceFlush(context.Context) error                { return nil }

// batched processes spans as programs do, and exports nothing.
func batched(s sinks) sdktrace.SpanProcessor {
	return sdktrace.NewBatchSpanProcessor(discarding{s.spans})
}

type discarding struct{ exported *spanCount }

func (d discarding) ExportSpans(_ context.Context, batch []sdktrace.ReadOnlySpan) error {
	d.exported.add(len(batch))
	return nil
}
func (discarding) Shutdown(context.Context) error { return nil }
