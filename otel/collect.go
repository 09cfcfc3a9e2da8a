package backstayotel

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/metric"

	"github.com/backstay/backstay/retry"
)

// collect reports all sums and states. It is called by the meter. Times in states are those up to the moment before anything is
// asked: a change that comes while it asks must not make a sum smaller the next time.
func (m *metrics) collect(_ context.Context, o metric.Observer) error {
	at := time.Now()
	for s := range m.methods.values() {
		m.report(o, s)
	}
	for s := range m.chains.values() {
		m.report(o, s)
	}

	balances := map[*cell]float64{}
	var held []*retry.Breaker
	var told []retry.BreakerStatus
	for _, src := range m.observed() {
		status := src.Status()
		for _, b := range status.Budgets {
			balances[m.budgets.get(b.Name)] += b.Balance
		}
		if handles, ok := src.(interface{ Breakers() []*retry.Breaker }); ok {
			held = append(held, handles.Breakers()...)
		} else {
			told = append(told, status.Breakers...)
		}
	}
	for c, balance := range balances {
		o.ObserveFloat64(m.budgetBalance, balance, c.observe...)
	}
	for c := range m.budgets.values() {
		o.ObserveInt64(m.budgetRefusals, c.Load(), c.observe...)
	}
	m.breakers.report(o, &m.instruments, at, held, told)
	return nil
}

// report reports what is counted of one method. Successes are read before calls, so that there are never more of them.
func (m *metrics) report(o metric.Observer, s *series) {
	first, fallbacks := s.first.Load(), s.fallbacks[succeeded].Load()
	o.ObserveInt64(m.firstAttemptSuccess, first, s.own.observe...)
	o.ObserveInt64(m.callerSuccess, first+s.ended[succeeded].Load()+fallbacks, s.own.observe...)
	for r := range numResults {
		o.ObserveInt64(m.calls, s.calls(r), s.results[r].observe...)
	}
	o.ObserveInt64(m.retries, s.retries.Load(), s.own.observe...)
	o.ObserveInt64(m.fallbacks, fallbacks, s.results[succeeded].observe...)
	o.ObserveInt64(m.fallbacks, s.fallbacks[failed].Load(), s.results[failed].observe...)
	for c := range s.refusals.values() {
		o.ObserveInt64(m.refusals, c.Load(), c.observe...)
	}
}
