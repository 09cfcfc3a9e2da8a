package backstayotel_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/stretchr/testify/require"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/backstay/backstay/container"
	backstayotel "github.com/backstay/backstay/otel"
	"github.com/backstay/backstay/retry"
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

// Prometheus gets exemplars by OpenMetrics, which its handler speaks only if it is told to.
func TestExemplarsAreScrapedByOpenMetricsAlone(t *testing.T) {
	registry := prometheus.NewRegistry()
	exporter, err := otelprometheus.New(otelprometheus.WithRegisterer(registry))
	require.NoError(t, err)
	in, err := backstayotel.New(backstayotel.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(exporter))),
		backstayotel.WithTracerProvider(sdktrace.NewTracerProvider()))
	require.NoError(t, err)
	require.NoError(t, backstayotel.Run(t.Context(), in, retry.WhenThrows().Named("mail").Listen(in), fine))
	for _, open := range []bool{true, false} {
		page, asks := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/metrics", nil)
		asks.Header.Set("Accept", "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5")
		promhttp.HandlerFor(registry, promhttp.HandlerOpts{EnableOpenMetrics: open}).ServeHTTP(page, asks)
		require.Equal(t, http.StatusOK, page.Code)
		require.Contains(t, page.Body.String(), "backstay_call_duration_seconds_bucket")
		if open {
			require.Regexp(t, `backstay_call_duration_seconds_bucket{.*} 1 # {.*trace_id="\w+"`, page.Body.String())
		} else {
			require.NotContains(t, page.Body.String(), "trace_id")
		}
	}
}
