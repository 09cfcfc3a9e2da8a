package backstayotel

import (
	"context"
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/otel/metric"

	"github.com/backstay/backstay/retry"
)

// metrics are the instruments and what they report. The counters are sums of our own, for which the meter asks when it
// collects: adding to one of its own costs more than most protected calls do. So a series is also reported as 0 before there
// is anything to count, and who looks at rates does not miss the first.
type metrics struct {
	instruments
	registration metric.Registration

	methods, chains *table[retry.MethodRef, *series] // of services, and of the fluent form
	breakers        *breakers
	budgets         *table[string, *cell] // what they refused, by name

	mu      sync.Mutex
	sources []Source
}

// mostMethods is how many methods of services are told apart, and how many breakers. No program has so many, but one that
// weaves services under names made at run time would go on for ever.
const mostMethods = 2000

func newMetrics(p metric.MeterProvider, chains int) (*metrics, error) {
	m := &metrics{breakers: newBreakers(time.Now(), chains)}
	rest := func(key string) func() *series {
		return func() *series { return newSeries(otherValues, named(key, otherValues)) }
	}
	m.methods = newTable(mostMethods, validRef, seriesOf, rest(classKey))
	m.chains = newTable(chains, validRef, seriesOf, rest(nameKey))
	m.budgets = newTable(mostMethods+chains, valid,
		func(name string) *cell { return newCell(named(budgetKey, name)...) },
		func() *cell { return newCell(named(budgetKey, otherValues)...) })
	return m, m.register(p.Meter(scopeName))
}

// of is what is counted of a method.
func (m *metrics) of(ref retry.MethodRef) *series {
	if ref.Class == "" {
		return m.chains.get(ref)
	}
	return m.methods.get(ref)
}

// on counts an event.
func (m *metrics) on(ctx context.Context, e retry.Event) {
	switch e := e.(type) {
	case retry.Succeeded:
		s := m.of(e.MethodRef)
		if e.Attempts == 1 {
			s.first.Add(1)
		} else {
			s.ended[succeeded].Add(1)
		}
		m.took(ctx, s, succeeded, e.Attempts, e.Elapsed)
	case retry.Failed:
		r := failed
		if e.Canceled {
			r = canceled
		}
		m.ended(ctx, e.MethodRef, r, e.Attempts, e.Elapsed)
	case retry.Exhausted:
		m.ended(ctx, e.MethodRef, exhausted, e.Attempts, e.Elapsed).refusals.get(refusal{e.Limit, refusedRetry}).Add(1)
	case retry.Aborted:
		m.ended(ctx, e.MethodRef, aborted, e.Attempts, e.Elapsed)
	case retry.Rejected:
		s := m.of(e.MethodRef)
		s.ended[rejected].Add(1)
		s.refusals.get(refusal{e.Gate, refusedCall}).Add(1)
	case retry.RetryScheduled:
		s := m.of(e.MethodRef)
		s.retries.Add(1)
		m.wait.Record(ctx, e.Wait.Seconds(), s.own.record...)
	case retry.FallbackSucceeded:
		m.of(e.MethodRef).fallbacks[succeeded].Add(1)
	case retry.FallbackFailed:
		m.of(e.MethodRef).fallbacks[failed].Add(1)
	case retry.BudgetRefused:
		m.budget(e).Add(1)
	case retry.BreakerChanged:
		m.breakers.changed(e)
	}
}

// ended counts a session that has ended in anything but a success.
func (m *metrics) ended(ctx context.Context, ref retry.MethodRef, r result, attempts int, elapsed time.Duration) *series {
	s := m.of(ref)
	s.ended[r].Add(1)
	m.took(ctx, s, r, attempts, elapsed)
	return s
}

// took records how many attempts a session made and how long it was.
func (m *metrics) took(ctx context.Context, s *series, r result, attempts int, elapsed time.Duration) {
	if attempts > 0 {
		m.attempts.Record(ctx, int64(attempts), s.own.record...)
	}
	m.duration.Record(ctx, elapsed.Seconds(), s.results[r].record...)
}

// budget is what the budget has refused: one that methods share, or the own one of a method or chain.
func (m *metrics) budget(e retry.BudgetRefused) *cell {
	if e.Budget != "" {
		return m.budgets.get(e.Budget)
	}
	if own := m.of(e.MethodRef).name; own != otherValues {
		return m.budgets.get(own)
	}
	return m.budgets.other()
}

func (m *metrics) observe(src Source) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sources = append(m.sources, src)
}

// observed are the sources so far.
func (m *metrics) observed() []Source {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.sources)
}

func (m *metrics) close() error {
	m.mu.Lock()
	m.sources = nil
	m.mu.Unlock()
	m.breakers.forget()
	return m.registration.Unregister()
}
