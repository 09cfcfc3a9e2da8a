package backstayotel_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	backstayotel "github.com/backstay/backstay/otel"
	"github.com/backstay/backstay/retry"
)

// meterProviders are what counting is tried with.
func meterProviders() map[string]metric.MeterProvider {
	return map[string]metric.MeterProvider{
		"noop": noop.NewMeterProvider(),
		"sdk":  sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewManualReader())),
	}
}

func counting(t testing.TB, p metric.MeterProvider) *backstayotel.Instrumentation {
	t.Helper()
	in, err := backstayotel.New(backstayotel.WithMeterProvider(p), backstayotel.WithTracerProvider(tracenoop.NewTracerProvider()))
	require.NoError(t, err)
	return in
}

var askRef = retry.MethodRef{Class: "RemotePeer", Method: "Ask"}

func TestCountingAllocatesNothing(t *testing.T) {
	breaker := retry.MethodRef{Class: "RemotePeer", Method: "Guard"}
	events := map[string]retry.Event{
		"success":         retry.Succeeded{MethodRef: askRef, Attempts: 1, Elapsed: time.Millisecond},
		"late success":    retry.Succeeded{MethodRef: askRef, Attempts: 3, Elapsed: time.Second},
		"failed attempt":  retry.AttemptFailed{MethodRef: askRef, Attempt: 1, Err: errDown},
		"retry":           retry.RetryScheduled{MethodRef: askRef, Attempt: 2, Wait: time.Second, Err: errDown},
		"failure":         retry.Failed{MethodRef: askRef, Attempts: 1, Err: errDown},
		"exhausted":       retry.Exhausted{MethodRef: askRef, Limit: "maxAttempts", Attempts: 3, Err: errDown},
		"rejected":        retry.Rejected{MethodRef: breaker, Reason: retry.ErrCircuitOpen, Gate: "circuitBreaker"},
		"fallback":        retry.FallbackSucceeded{MethodRef: askRef, Cause: errDown},
		"shared budget":   retry.BudgetRefused{MethodRef: askRef, Budget: "purse"},
		"chain's success": retry.Succeeded{MethodRef: retry.MethodRef{Name: "prices"}, Attempts: 1, Elapsed: time.Millisecond},
	}
	for provider, p := range meterProviders() {
		in := counting(t, p)
		for name, e := range events {
			in.On(t.Context(), e) // makes the series
			require.Zero(t, testing.AllocsPerRun(100, func() { in.On(t.Context(), e) }), "%s, %s", provider, name)
		}
	}
}

func BenchmarkSuccess(b *testing.B) {
	for name, p := range meterProviders() {
		in := counting(b, p)
		var e retry.Event = retry.Succeeded{MethodRef: askRef, Attempts: 1, Elapsed: time.Millisecond}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			ctx := b.Context()
			for b.Loop() {
				in.On(ctx, e)
			}
		})
		b.Run(name+"/parallel", func(b *testing.B) {
			ctx := b.Context()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					in.On(ctx, e)
				}
			})
		})
	}
	b.Run("one counter of the SDK", func(b *testing.B) { // of which there would be three
		c, err := meterProviders()["sdk"].Meter("").Int64Counter("calls")
		require.NoError(b, err)
		method := []metric.AddOption{metric.WithAttributeSet(attribute.NewSet(
			attribute.String("backstay.class", askRef.Class), attribute.String("backstay.method", askRef.Method)))}
		ctx := b.Context()
		for b.Loop() {
			c.Add(ctx, 1, method...)
		}
	})
}
