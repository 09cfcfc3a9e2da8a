package backstayotel_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/aspect"
	backstayotel "github.com/backstay/backstay/otel"
	"github.com/backstay/backstay/retry"
)

// contextKey is under what a test finds its own context again.
type contextKey struct{}

func TestWhereNothingRecordsNothingIsMade(t *testing.T) {
	never := func(t *testing.T) (trace.TracerProvider, *traced) {
		tr := newTraced(t, sdktrace.WithSampler(sdktrace.NeverSample()))
		return tr.provider, tr
	}
	for _, c := range []struct {
		name     string
		provider func(t *testing.T) (trace.TracerProvider, *traced)
	}{
		{"the sampler is off", never},
		{"the provider makes no spans", func(t *testing.T) (trace.TracerProvider, *traced) { return noop.NewTracerProvider(), newTraced(t) }},
		{"nobody has set the global one", func(t *testing.T) (trace.TracerProvider, *traced) { return otel.GetTracerProvider(), newTraced(t) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			provider, user := c.provider(t)
			in := instrumentation(t, provider)
			ctx, span := user.tracer().Start(context.WithValue(t.Context(), contextKey{}, 1), "order")
			defer span.End()
			fail := failing(2, errJam)
			open := func(got context.Context, id string) (string, error) {
				require.Equal(t, 1, got.Value(contextKey{}))
				require.Equal(t, span, trace.SpanFromContext(got), "what the attempt calls hangs under the caller's span")
				return fail(got, id)
			}
			v := wrapped[Vault](t, weaver(in), &SteelVault{open: open}, aspect.Annotate[aliases.Retry](Vault.Open))
			_, err := v.Open(ctx, "7")
			require.NoError(t, err)

			fail = failing(2, errJam)
			_, err = backstayotel.Call(ctx, in, retry.For[string]().Max(3).Listen(in), func(ctx context.Context) (string, error) { return open(ctx, "7") })
			require.NoError(t, err)
			require.Empty(t, user.kept.Ended())
		})
	}
}

// alternating samples every second root, as a ratio of one half may; the first is not sampled.
type alternating struct{ asked int }

func (a *alternating) ShouldSample(p sdktrace.SamplingParameters) sdktrace.SamplingResult {
	a.asked++
	if a.asked%2 == 1 {
		return sdktrace.NeverSample().ShouldSample(p)
	}
	return sdktrace.AlwaysSample().ShouldSample(p)
}
func (*alternating) Description() string { return "alternating" }

// A trace that is left out is left out as a whole: what the attempt calls does not begin one of its own.
func TestATraceThatIsNotSampledIsLeftOutAsAWhole(t *testing.T) {
	for _, c := range []struct {
		name string
		call func(t *testing.T, in *backstayotel.Instrumentation, open func(context.Context, string) (string, error))
	}{
		{"a method", func(t *testing.T, in *backstayotel.Instrumentation, open func(context.Context, string) (string, error)) {
			_, err := wrapped[Vault](t, weaver(in), &SteelVault{open: open}, aspect.Annotate[aliases.Retry](Vault.Open)).Open(t.Context(), "7")
			require.NoError(t, err)
		}},
		{"a chain", func(t *testing.T, in *backstayotel.Instrumentation, open func(context.Context, string) (string, error)) {
			_, err := backstayotel.Call(t.Context(), in, retry.For[string]().Max(3), func(ctx context.Context) (string, error) { return open(ctx, "7") })
			require.NoError(t, err)
		}},
		{"a chain without a result", func(t *testing.T, in *backstayotel.Instrumentation, open func(context.Context, string) (string, error)) {
			require.NoError(t, backstayotel.Run(t.Context(), in, retry.With(retry.NewMaxAttempts(3)), func(ctx context.Context) error {
				_, err := open(ctx, "7")
				return err
			}))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := newTraced(t, sdktrace.WithSampler(sdktrace.ParentBased(&alternating{})))
			fail := failing(2, errJam)
			open := func(ctx context.Context, id string) (string, error) {
				_, span := tr.tracer().Start(ctx, "turn")
				defer span.End()
				return fail(ctx, id)
			}
			c.call(t, tr.Instrumentation, open)
			require.Empty(t, tr.kept.Ended(), "the first one is not sampled")
			c.call(t, tr.Instrumentation, open)
			require.Len(t, tr.kept.Ended(), 3, "the second one is: a session, an attempt, and what that calls")
		})
	}
}

// attemptsOut leaves out the spans of attempts.
type attemptsOut struct{}

func (attemptsOut) ShouldSample(p sdktrace.SamplingParameters) sdktrace.SamplingResult {
	for _, a := range p.Attributes {
		if a.Key == "backstay.attempt" {
			return sdktrace.NeverSample().ShouldSample(p)
		}
	}
	return sdktrace.AlwaysSample().ShouldSample(p)
}
func (attemptsOut) Description() string { return "attempts out" }

func TestASamplerMayLeaveOutAttempts(t *testing.T) {
	tr := newTraced(t, sdktrace.WithSampler(attemptsOut{}))
	v := wrapped[Vault](t, weaver(tr.Instrumentation), &SteelVault{open: failing(1, errJam)}, aspect.Annotate[aliases.Retry](Vault.Open))
	_, err := v.Open(t.Context(), "7")
	require.NoError(t, err)
	require.Len(t, tr.kept.Ended(), 1)
	require.Equal(t, "SteelVault@Open", tr.kept.Ended()[0].Name())
}

// What the aspects allocate where nothing records: nothing, but for what the tracer does to tell that.
func TestAllocationsOfTracingThatIsOff(t *testing.T) {
	measure := func(ctx context.Context, session, attempt aspect.Aspect) float64 {
		w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), backstayotel.SessionPriority, session),
			aspect.WithAspect(aspect.Any(), backstayotel.AttemptPriority, attempt))
		load := wrapped[Load](t, w, func(context.Context, string) (string, error) { return "gold", nil }, aspect.Annotate[aliases.Retry]("*"))
		return testing.AllocsPerRun(200, func() { _, _ = load(ctx, "7") })
	}
	bare := measure(t.Context(), aspect.Func(aspect.JoinPoint.Proceed), aspect.Func(aspect.JoinPoint.Proceed))
	t.Run("the provider makes no spans", func(t *testing.T) {
		in := instrumentation(t, noop.NewTracerProvider())
		require.Equal(t, bare, measure(t.Context(), in.SessionAspect(), in.AttemptAspect()))
	})
	t.Run("the sampler is off", func(t *testing.T) {
		tr := newTraced(t, sdktrace.WithSampler(sdktrace.NeverSample()))
		ctx, span := tr.tracer().Start(t.Context(), "order")
		defer span.End()
		own := []trace.SpanStartOption{trace.WithAttributes(attribute.String("backstay.class", "Load"), attribute.String("backstay.method", "Call"))}
		tracer := tr.tracer()
		start := testing.AllocsPerRun(200, func() { tracer.Start(ctx, "Load@Call", own...) })
		require.LessOrEqual(t, measure(ctx, tr.SessionAspect(), tr.AttemptAspect())-bare, start)
	})
}

// Load is a service that is a func.
type Load func(ctx context.Context, id string) (string, error)
