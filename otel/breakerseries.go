package backstayotel

import (
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/backstay/backstay/retry"
)

// breakerSeries is what is reported under the name of a breaker. Two of one name, in two containers say, are added up.
type breakerSeries struct {
	name        string
	states      [6]labels
	transitions map[transition]*cell

	// What they come to at this moment.
	breakers int
	in       [6]int64
	spent    [6]time.Duration
}

// transition is a change of state.
type transition struct{ from, to retry.BreakerState }

// usualTransitions are reported before they happen for the first time, so that a query for changes does not miss it.
var usualTransitions = []transition{
	{retry.BreakerClosed, retry.BreakerOpen},
	{retry.BreakerOpen, retry.BreakerHalfOpen},
	{retry.BreakerHalfOpen, retry.BreakerOpen},
	{retry.BreakerHalfOpen, retry.BreakerClosed},
}

func newBreakerSeries(name string) *breakerSeries {
	s := &breakerSeries{name: name, transitions: map[transition]*cell{}}
	for i, state := range breakerStates {
		s.states[i] = newLabels(append(named(breakerKey, name), attribute.String(stateKey, string(state)))...)
	}
	for _, t := range usualTransitions {
		s.transition(t.from, t.to)
	}
	return s
}

// transition is the number of changes from one state to another.
func (s *breakerSeries) transition(from, to retry.BreakerState) *cell {
	t := transition{from, to}
	c := s.transitions[t]
	if c == nil {
		c = newCell(append(named(breakerKey, s.name), attribute.String(fromKey, string(from)), attribute.String(toKey, string(to)))...)
		s.transitions[t] = c
	}
	return c
}

// add adds a breaker at time t to the moment. The first one begins it.
func (s *breakerSeries) add(l *timeline, t time.Time) {
	if s.breakers == 0 {
		s.in, s.spent = [6]int64{}, [6]time.Duration{}
	}
	s.breakers++
	if i := slices.Index(breakerStates, l.state); i >= 0 {
		s.in[i]++
	}
	for i, d := range l.until(t) {
		s.spent[i] += d
	}
}

// report reports the moment. Where no breaker is followed there are only changes.
func (s *breakerSeries) report(o metric.Observer, i *instruments) {
	for _, c := range s.transitions {
		o.ObserveInt64(i.breakerTransitions, c.Load(), c.observe...)
	}
	if s.breakers == 0 {
		return
	}
	for n, state := range s.states {
		o.ObserveInt64(i.breakerState, s.in[n], state.observe...)
		o.ObserveFloat64(i.breakerStateDuration, s.spent[n].Seconds(), state.observe...)
	}
}
