// Package backstayotel tells OpenTelemetry what Backstay does: metrics of every protected call, and a span of every session and
// attempt. It is a module of its own, so that users of the core download nothing for it.
//
// # Watch a container
//
// One line, beside the registrations:
//
//	c := container.New()
//	c.Provide(NewStripeGateway, container.As[PaymentGateway]())
//	_, err := backstayotel.Instrument(c)
//
// Metrics and spans go where otel.SetMeterProvider and otel.SetTracerProvider say, or where [WithMeterProvider] and
// [WithTracerProvider] do. Nothing but names, numbers and types of errors is told: no argument, no result, no error's text.
//
// # Watch chains of the fluent form
//
// A chain listens, and has a name by which its series are told apart:
//
//	in, err := backstayotel.New()
//	prices := retry.For[float64]().Max(3).Backoff(100*time.Millisecond).Named("prices").Listen(in)
//
// For spans it is called by [Call], or [Run] if it has no result. In a service of a container that was instrumented, the
// *Instrumentation is there to be injected.
//
// # Watch services of another container
//
// A weaver is given the listener and, for spans, the two aspects; its breakers and budgets are observed:
//
//	in, err := backstayotel.New()
//	retried := aspect.Annotated[annotation.AbstractRetry]()
//	w := aspect.NewWeaver(aspect.WithListener(in),
//		aspect.WithAspect(retried, backstayotel.SessionPriority, in.SessionAspect()),
//		aspect.WithAspect(retried, backstayotel.AttemptPriority, in.AttemptAspect()))
//	in.Observe(w.Shared())
//
// # Show it to Prometheus and Grafana
//
// Any reader and exporter of the SDK will do. For Prometheus it is five lines:
//
//	registry := prometheus.NewRegistry()
//	exporter, err := otelprometheus.New(otelprometheus.WithRegisterer(registry)) // go.opentelemetry.io/otel/exporters/prometheus
//	provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(exporter))
//	_, err = backstayotel.Instrument(c, backstayotel.WithMeterProvider(provider))
//	http.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{EnableOpenMetrics: true})) // with exemplars
//
// A dashboard for Grafana is in grafana/backstay.json.
//
// # Know whether it is failing
//
// Two counters tell users' trouble from peers' trouble: backstay.calls.caller_success counts the calls whose caller saw a
// success, backstay.calls.first_attempt_success those that needed no help. The README has the table of all instruments, their
// attributes and what they mean, the names of spans and their events, and three alerts.
//
// # What it costs
//
// Counting a call that succeeds at once is a look-up, an addition and the record of two histograms, and allocates nothing:
// counters are kept here and given to the meter when it collects. The number of series is bounded: by the methods of the
// program, and for chains by [WithChainNames].
//
// # Watch several containers
//
// Two instrumentations of one meter provider report the same series: counters add up, and gauges collide. So there is one, and
// each container gets it:
//
//	in, err := backstayotel.New()
//	in.Instrument(shop)
//	in.Instrument(warehouse)
package backstayotel
