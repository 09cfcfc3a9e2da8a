package backstayotel_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/backstay/backstay/container"
	backstayotel "github.com/backstay/backstay/otel"
)

// From a slow call in a histogram leads a way to its trace.
func TestExemplarsNameTheSpanOfTheSession(t *testing.T) {
	provider, reader := meter()
	recorder := tracetest.NewSpanRecorder()
	c := container.New()
	c.Provide(newOutpost, container.As[Store]())
	_, err := backstayotel.Instrument(c, backstayotel.WithMeterProvider(provider),
		backstayotel.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))))
	require.NoError(t, err)
	store, err := container.Get[Store](c)
	require.NoError(t, err)
	require.NoError(t, store.Ask(with(t.Context(), fine)))

	spans := recorder.Ended()
	session := spans[len(spans)-1].SpanContext()
	found := 0
	for _, m := range collect(t, reader) {
		if h, ok := m.Data.(metricdata.Histogram[float64]); ok && m.Name == "backstay.call.duration" {
			for _, e := range h.DataPoints[0].Exemplars {
				traceID, spanID := session.TraceID(), session.SpanID()
				require.Equal(t, traceID[:], e.TraceID)
				require.Equal(t, spanID[:], e.SpanID)
				found++
			}
		}
	}
	require.Equal(t, 1, found)
}
