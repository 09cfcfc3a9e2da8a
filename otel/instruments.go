package backstayotel

import (
	"errors"

	"go.opentelemetry.io/otel/metric"
)

// instruments are those of the README's table.
type instruments struct {
	calls, firstAttemptSuccess, callerSuccess metric.Int64ObservableCounter
	attempts                                  metric.Int64Histogram
	duration, wait                            metric.Float64Histogram
	retries, refusals, fallbacks              metric.Int64ObservableCounter
	breakerState                              metric.Int64ObservableGauge
	breakerStateDuration                      metric.Float64ObservableCounter
	breakerTransitions                        metric.Int64ObservableCounter
	budgetBalance                             metric.Float64ObservableGauge
	budgetRefusals                            metric.Int64ObservableCounter
}

// The upper bounds of the buckets of the histograms.
var (
	// What most methods are given, one by one, and then coarser.
	attemptBounds = []float64{1, 2, 3, 4, 5, 6, 8, 10, 15, 20}
	// In seconds: those that the conventions have for requests, and more for sessions, which wait in between.
	durationBounds = []float64{.005, .01, .025, .05, .075, .1, .25, .5, .75, 1, 2.5, 5, 7.5, 10, 30, 60}
	// In seconds, up to the longest wait of the defaults. Retries that do not wait are told apart.
	waitBounds = []float64{0, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}
)

// register makes the instruments, and has the meter ask for what they report.
func (m *metrics) register(meter metric.Meter) (err error) {
	var errs []error
	counter := func(name, unit, description string) metric.Int64ObservableCounter {
		c, err := meter.Int64ObservableCounter(name, metric.WithUnit(unit), metric.WithDescription(description))
		errs = append(errs, err)
		return c
	}
	histogram := func(name, description string, bounds []float64) metric.Float64Histogram {
		h, err := meter.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(description),
			metric.WithExplicitBucketBoundaries(bounds...))
		errs = append(errs, err)
		return h
	}

	m.calls = counter("backstay.calls", "{call}", "Calls of protected methods that have ended, by how.")
	m.firstAttemptSuccess = counter("backstay.calls.first_attempt_success", "{call}", "Calls that succeeded at the first attempt.")
	m.callerSuccess = counter("backstay.calls.caller_success", "{call}", "Calls whose caller saw a success, a fallback's included.")
	m.attempts, err = meter.Int64Histogram("backstay.call.attempts", metric.WithUnit("{attempt}"),
		metric.WithDescription("Attempts that a call made, if it made any."), metric.WithExplicitBucketBoundaries(attemptBounds...))
	errs = append(errs, err)
	m.duration = histogram("backstay.call.duration", "Time from a call's admission to the end of its last attempt, waits included.", durationBounds)
	m.retries = counter("backstay.retries", "{retry}", "Retries that were decided on, counted when the wait before them begins.")
	m.wait = histogram("backstay.retry.wait", "Wait before a retry.", waitBounds)
	m.refusals = counter("backstay.refusals", "{refusal}", "Retries, and whole calls, that a limit refused.")
	m.fallbacks = counter("backstay.fallbacks", "{fallback}", "Fallbacks that ran, by how they ended.")

	m.breakerState, err = meter.Int64ObservableGauge("backstay.breaker.state", metric.WithUnit("{breaker}"),
		metric.WithDescription("Breakers that are in the state: 1 for the one that a breaker is in, 0 for the others."))
	errs = append(errs, err)
	m.breakerStateDuration, err = meter.Float64ObservableCounter("backstay.breaker.state.duration", metric.WithUnit("s"),
		metric.WithDescription("Time that a breaker has spent in the state."))
	errs = append(errs, err)
	m.breakerTransitions = counter("backstay.breaker.transitions", "{transition}", "Changes of a breaker's state.")
	m.budgetBalance, err = meter.Float64ObservableGauge("backstay.budget.balance", metric.WithUnit("{retry}"),
		metric.WithDescription("Retries that a budget would pay for at the moment."))
	errs = append(errs, err)
	m.budgetRefusals = counter("backstay.budget.refusals", "{retry}", "Retries that a budget did not pay for.")
	if err := errors.Join(errs...); err != nil {
		return err
	}

	m.registration, err = meter.RegisterCallback(m.collect,
		m.calls, m.firstAttemptSuccess, m.callerSuccess, m.retries, m.refusals, m.fallbacks,
		m.breakerState, m.breakerStateDuration, m.breakerTransitions, m.budgetBalance, m.budgetRefusals)
	return err
}
