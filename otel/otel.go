package backstayotel

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/backstay/backstay/retry"
)

// Instrumentation counts what happens in sessions and makes spans of them. It is a retry.Listener: give it to a container, a
// weaver or a chain, or let [Instrument] do all that for a container. One may serve several of them. It is safe for concurrent
// use and starts no goroutine. Make one by [New].
type Instrumentation struct {
	metrics *metrics
	tracing *tracing
}

// Option configures an [Instrumentation].
type Option func(*config)

// config is what options have set.
type config struct {
	meters    metric.MeterProvider
	tracers   trace.TracerProvider
	errorText func(error) string
	chains    int
}

// WithMeterProvider sets where metrics go. Without it, and where p is nil, it is the global one, otel.GetMeterProvider, which
// may be set later.
func WithMeterProvider(p metric.MeterProvider) Option {
	return func(c *config) {
		if p != nil {
			c.meters = p
		}
	}
}

// WithTracerProvider sets where spans go. Without it, and where p is nil, it is the global one, otel.GetTracerProvider, which
// may be set later.
func WithTracerProvider(p trace.TracerProvider) Option {
	return func(c *config) {
		if p != nil {
			c.tracers = p
		}
	}
}

// WithErrorText writes what text tells of an error into the status of spans: where text is nil, what the error says itself, by
// its Error. Without the option there are only types of errors, since a text may hold what is nobody's business. text is called
// in the goroutine of the call, by several at once; where it panics, the status says so and the call goes on. What is no UTF-8
// is replaced, and of a text 500 bytes are kept.
func WithErrorText(text func(err error) string) Option {
	if text == nil {
		text = error.Error
	}
	return func(c *config) { c.errorText = text }
}

// WithChainNames sets how many names of chains of the fluent form are told apart, and as many of their breakers and budgets:
// [DefaultChainNames] without it. A name may be made at run time, and each is a series of its own. Those that come later are
// counted together, under the name "_OTHER".
func WithChainNames(n int) Option { return func(c *config) { c.chains = n } }

// DefaultChainNames is how many names of chains are told apart unless [WithChainNames] says otherwise.
const DefaultChainNames = 200

// New returns an instrumentation. It fails where the meter provider refuses an instrument, and where an option is out of range.
func New(opts ...Option) (*Instrumentation, error) {
	c := config{chains: DefaultChainNames}
	for _, o := range opts {
		if o != nil {
			o(&c)
		}
	}
	if c.chains < 0 {
		return nil, fmt.Errorf("backstayotel: %d names of chains cannot be told apart; give WithChainNames 0 or more", c.chains)
	}
	if c.meters == nil {
		c.meters = otel.GetMeterProvider()
	}
	if c.tracers == nil {
		c.tracers = otel.GetTracerProvider()
	}
	m, err := newMetrics(c.meters, c.chains)
	if err != nil {
		return nil, fmt.Errorf("backstayotel: %w", err)
	}
	in := &Instrumentation{metrics: m, tracing: newTracing(c.tracers)}
	in.tracing.errorText = c.errorText
	return in, nil
}

// On counts the event, and adds it to the span of its session.
func (in *Instrumentation) On(ctx context.Context, e retry.Event) {
	in.metrics.on(ctx, e)
	in.tracing.on(ctx, e)
}

// Listener is in, as what containers, weavers and chains take.
func (in *Instrumentation) Listener() retry.Listener { return in }

// Source tells of breakers and budgets. A *container.Container is one, and so is what Shared of an aspect.Weaver returns.
type Source interface{ Status() retry.Status }

// SourceFunc is a func that is a [Source]: of the budgets and breakers of chains, say.
type SourceFunc func() retry.Status

// Status calls f.
func (f SourceFunc) Status() retry.Status { return f() }

// Observe reports the breakers and budgets of src from now on: it is asked whenever metrics are collected. Several may be
// observed; breakers and budgets of one name are added up. A container freezes its plan when it is asked, so observe it when
// everything is registered; [Instrument] knows when that is.
func (in *Instrumentation) Observe(src Source) {
	if src != nil {
		in.metrics.observe(src)
	}
}

// Close ends the reporting of everything but the histograms, and lets go of what is observed. It is for programs that make
// one instrumentation after the other; a meter provider that is shut down needs none.
func (in *Instrumentation) Close() error { return in.metrics.close() }
