package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"

	"github.com/prometheus/client_golang/prometheus"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/eventlog"
	backstayotel "github.com/backstay/backstay/otel"
	"github.com/backstay/backstay/retry"
)

// contender is one way to see what calls do, or none.
type contender struct {
	name  string
	about string
	chain bool // measured with chains as well, since that is another way or what the others are compared with

	// watch makes it anew.
	watch func(sinks) (*watcher, error)

	// want is what it must have told of events: its own part of it.
	want func(events) tally
}

// watcher is a contender that is attached to calls.
type watcher struct {
	listener retry.Listener                // nil: nobody listens
	spans    *backstayotel.Instrumentation // makes spans of the calls; nil: there are none
	tell     func() (tally, error)         // what it has told so far, but for what went into the sinks; nil: nothing
	close    func() error                  // nil: there is nothing to close
}

// The contenders that others are compared with.
const (
	noListener = "no listener"
	again      = "no listener, once more"
)

// contenders are all of them, in the order in which they are reported.
func contenders() []contender {
	return []contender{
		{name: noListener, chain: true, about: "what the others are compared with", watch: nobody, want: nothing},
		{name: again, chain: true, about: "the same: what it differs by is how exact the figures are", watch: nobody, want: nothing},
		{name: "a listener that does nothing", chain: true, about: "the events alone", watch: idle, want: nothing},
		{name: "eventlog, no level on", about: "a `slog.JSONHandler` that has not even errors enabled", watch: logs(slog.Level(math.MaxInt)), want: nothing},
		{name: "eventlog, Info", about: "a `slog.JSONHandler` that writes to `io.Discard`; the usual sampling, ten records of a kind in a second", watch: logs(slog.LevelInfo), want: infoRecords},
		{name: "eventlog, Debug", about: "the same, with all levels enabled", watch: logs(slog.LevelDebug), want: debugRecords},
		{name: "eventlog, Debug, every record", about: "the same, without sampling", watch: logs(slog.LevelDebug, eventlog.WithSampling(0, 0)), want: debugRecords},
		{name: "OTel metrics", about: "the SDK with a ManualReader; no spans", watch: manualReader, want: counted},
		{name: "Prometheus", about: "the SDK with the exporter of a registry; no spans", watch: registry, want: counted},
		{name: "OTel spans, never sampled", chain: true, about: "the SDK with NeverSample; metrics go to a provider that does nothing, here and below", watch: spans(sdktrace.NeverSample(), dropped), want: unsampled},
		{name: "OTel spans, sampled, dropped", chain: true, about: "the SDK with AlwaysSample and a processor that lets go of each span", watch: spans(sdktrace.AlwaysSample(), dropped), want: sampled},
		{name: "OTel spans, sampled, batched", chain: true, about: "the same with a BatchSpanProcessor, whose exporter does nothing; it drops what comes faster than it takes", watch: spans(sdktrace.AlwaysSample(), batched), want: sampled},
		{name: "dashboard", about: "no page is open", watch: board, want: onPage},
		{name: "all together", about: "eventlog at Info, OTel metrics and dashboard", watch: together(logs(slog.LevelInfo), manualReader, board), want: all},
	}
}

func nobody(sinks) (*watcher, error) { return new(watcher), nil }

func idle(sinks) (*watcher, error) {
	return &watcher{listener: retry.ListenerFunc(func(context.Context, retry.Event) {})}, nil
}

// logs writes records of a level and above.
func logs(level slog.Level, opts ...eventlog.Option) func(sinks) (*watcher, error) {
	return func(s sinks) (*watcher, error) {
		var out io.Writer = io.Discard
		if s.records != nil {
			out = s.records
		}
		return &watcher{listener: eventlog.New(slog.New(slog.NewJSONHandler(out, &slog.HandlerOptions{Level: level})), opts...)}, nil
	}
}

// manualReader counts for a reader that nobody asks while calls are timed.
func manualReader(sinks) (*watcher, error) {
	reader := sdkmetric.NewManualReader()
	w, err := metered(reader)
	if err == nil {
		w.tell = func() (tally, error) { return readMetrics(reader) }
	}
	return w, err
}

// registry counts for a registry of Prometheus.
func registry(sinks) (*watcher, error) {
	r := prometheus.NewRegistry()
	exporter, err := otelprometheus.New(otelprometheus.WithRegisterer(r))
	if err != nil {
		return nil, err
	}
	w, err := metered(exporter)
	if err == nil {
		w.tell = func() (tally, error) { return readRegistry(r) }
	}
	return w, err
}

func metered(reader sdkmetric.Reader) (*watcher, error) {
	provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))
	in, err := backstayotel.New(backstayotel.WithMeterProvider(provider), withoutSpans)
	return &watcher{listener: in, close: func() error { return provider.Shutdown(context.Background()) }}, err
}

func board(sinks) (*watcher, error) {
	d := dashboard.New()
	return &watcher{listener: d, tell: func() (tally, error) { return readBoard(d) }}, nil
}

// together attaches several at once. All that tell must tell the same.
func together(several ...func(sinks) (*watcher, error)) func(sinks) (*watcher, error) {
	return func(s sinks) (*watcher, error) {
		var listeners []retry.Listener
		var tells []func() (tally, error)
		var closes []func() error
		for _, watch := range several {
			w, err := watch(s)
			if err != nil {
				return nil, err
			}
			listeners = append(listeners, w.listener)
			if w.tell != nil {
				tells = append(tells, w.tell)
			}
			if w.close != nil {
				closes = append(closes, w.close)
			}
		}
		return &watcher{
			listener: retry.Listeners(listeners...),
			tell:     func() (tally, error) { return agreed(tells) },
			close:    func() error { return inTurn(closes) },
		}, nil
	}
}

// agreed is what all tell of calls. Each sees a part of the rest, of which the larger is told.
func agreed(tells []func() (tally, error)) (sum tally, err error) {
	for i, tell := range tells {
		one, err := tell()
		if err != nil {
			return sum, err
		}
		if i > 0 && one.calls != sum.calls {
			return sum, fmt.Errorf("one tells of %d calls, another of %d", sum.calls, one.calls)
		}
		sum.calls, sum.attempts = one.calls, max(sum.attempts, one.attempts)
		sum.retries, sum.fallbacks = max(sum.retries, one.retries), max(sum.fallbacks, one.fallbacks)
	}
	return sum, nil
}
