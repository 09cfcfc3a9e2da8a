package backstayotel_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	backstayotel "github.com/backstay/backstay/otel"
)

// Ledger is the interface of a service.
type Ledger interface {
	Book(ctx context.Context, amount int) error
}

// RemoteLedger fails the first time.
type RemoteLedger struct {
	_     annotation.On[aliases.Retry] `method:"Book" maxAttempts:"3"`
	asked int
}

func (l *RemoteLedger) Book(context.Context, int) error {
	if l.asked++; l.asked == 1 {
		return errors.New("503 Service Unavailable")
	}
	return nil
}

// Prometheus scrapes what the exporter of OpenTelemetry has registered; with EnableOpenMetrics it gets exemplars too, if it asks.
func ExampleInstrument() {
	c := container.New()
	c.Provide(func() *RemoteLedger { return &RemoteLedger{} }, container.As[Ledger]())

	registry := prometheus.NewRegistry()
	exporter, err := otelprometheus.New(otelprometheus.WithRegisterer(registry), otelprometheus.WithoutScopeInfo())
	if err != nil {
		fmt.Println(err)
		return
	}
	provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(exporter))
	if _, err := backstayotel.Instrument(c, backstayotel.WithMeterProvider(provider)); err != nil {
		fmt.Println(err)
		return
	}
	metrics := promhttp.HandlerFor(registry, promhttp.HandlerOpts{EnableOpenMetrics: true}) // http.Handle("/metrics", metrics)

	err = c.Invoke(func(l Ledger) {
		for range 3 {
			fmt.Println(l.Book(context.Background(), 100))
		}
	})
	if err != nil {
		fmt.Println(err)
	}
	scraped := httptest.NewRecorder()
	metrics.ServeHTTP(scraped, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for line := range strings.Lines(scraped.Body.String()) {
		if strings.HasPrefix(line, "backstay_calls") || strings.HasPrefix(line, "backstay_retries") {
			fmt.Print(line)
		}
	}
	// Output:
	// <nil>
	// <nil>
	// <nil>
	// backstay_calls_caller_success_total{backstay_class="RemoteLedger",backstay_method="Book"} 3
	// backstay_calls_first_attempt_success_total{backstay_class="RemoteLedger",backstay_method="Book"} 2
	// backstay_calls_total{backstay_class="RemoteLedger",backstay_method="Book",backstay_result="aborted"} 0
	// backstay_calls_total{backstay_class="RemoteLedger",backstay_method="Book",backstay_result="canceled"} 0
	// backstay_calls_total{backstay_class="RemoteLedger",backstay_method="Book",backstay_result="exhausted"} 0
	// backstay_calls_total{backstay_class="RemoteLedger",backstay_method="Book",backstay_result="failed"} 0
	// backstay_calls_total{backstay_class="RemoteLedger",backstay_method="Book",backstay_result="rejected"} 0
	// backstay_calls_total{backstay_class="RemoteLedger",backstay_method="Book",backstay_result="succeeded"} 3
	// backstay_retries_total{backstay_class="RemoteLedger",backstay_method="Book"} 1
}
