package backstayotel

import (
	"slices"
	"sync/atomic"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/backstay/backstay/retry"
)

// series is what is counted of one method, with the attribute sets under which it is reported: they are made once. Counting
// is an addition; the meter asks for the sums when it collects.
type series struct {
	name string // of the method, as messages write it

	first     atomic.Int64             // succeeded at the first attempt
	ended     [numResults]atomic.Int64 // the others, by result: succeeded are those that took more than one
	retries   atomic.Int64
	fallbacks [2]atomic.Int64 // succeeded, failed
	refusals  *table[refusal, *cell]

	own     labels             // of the method alone
	results [numResults]labels // with the result
}

// labels is one set of attributes, as the two kinds of instruments take it.
type labels struct {
	observe []metric.ObserveOption
	record  []metric.RecordOption
}

func newLabels(attributes ...attribute.KeyValue) labels {
	option := metric.WithAttributeSet(attribute.NewSet(attributes...))
	return labels{[]metric.ObserveOption{option}, []metric.RecordOption{option}}
}

// cell is one sum that is known by more than the method.
type cell struct {
	atomic.Int64
	labels
}

func newCell(attributes ...attribute.KeyValue) *cell { return &cell{labels: newLabels(attributes...)} }

// refusal is what refused, and whether it was a call or a retry.
type refusal struct {
	limit string
	what  string
}

// validRefusal is r by a name that is [valid].
func validRefusal(r refusal) refusal { return refusal{valid(r.limit), r.what} }

// The values of the attribute [refusedKey].
const (
	refusedCall  = "call"
	refusedRetry = "retry"
)

// mostLimits is how many kinds of limits are told apart for one method: more than a list of policies can have.
const mostLimits = 200

// seriesOf is the series of a method.
func seriesOf(ref retry.MethodRef) *series {
	return newSeries(ref.String(), slices.Concat(named(classKey, ref.Class), named(nameKey, ref.Name), named(methodKey, ref.Method)))
}

func newSeries(name string, method []attribute.KeyValue) *series {
	with := func(more ...attribute.KeyValue) []attribute.KeyValue {
		return append(method[:len(method):len(method)], more...)
	}
	refused := func(r refusal) *cell {
		return newCell(with(attribute.String(limitKey, r.limit), attribute.String(refusedKey, r.what))...)
	}
	s := &series{name: name, own: newLabels(method...)}
	for r := range numResults {
		s.results[r] = newLabels(with(attribute.String(resultKey, r.String()))...)
	}
	s.refusals = newTable(mostLimits, validRefusal, refused, func() *cell { return refused(refusal{otherValues, otherValues}) })
	return s
}

// named is the attribute of a name, if there is one: what has none has no attribute.
func named(key, name string) []attribute.KeyValue {
	if name == "" {
		return nil
	}
	return []attribute.KeyValue{attribute.String(key, name)}
}

// calls is the number of calls with a result.
func (s *series) calls(r result) int64 {
	n := s.ended[r].Load()
	if r == succeeded {
		n += s.first.Load()
	}
	return n
}
