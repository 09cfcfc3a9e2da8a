package backstayotel_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	backstayotel "github.com/backstay/backstay/otel"
)

// kept are the spans after one call of each kind.
func kept(t *testing.T, opts ...backstayotel.Option) (spans []sdktrace.ReadOnlySpan) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		recorder := tracetest.NewSpanRecorder()
		provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
		s := newShop(t, metricnoop.NewMeterProvider(), append(opts, backstayotel.WithTracerProvider(provider))...)
		s.callOnceEach(t)
		spans = recorder.Ended()
	})
	return spans
}

// names adds the keys of attributes.
func names(to map[string]bool, attributes []attribute.KeyValue) {
	for _, a := range attributes {
		to[string(a.Key)] = true
	}
}

// listed are the names in a cell of a table.
func listed(cell string) []string {
	all := strings.Split(cell, ", ")
	slices.Sort(all)
	return all
}

func TestTheTablesOfTheREADMEAreWhatSpansHave(t *testing.T) {
	attributes := map[bool]map[string]bool{true: {}, false: {}} // of attempts, and of sessions
	events := map[string]map[string]bool{}
	for _, s := range kept(t) {
		names(attributes[strings.HasSuffix(s.Name(), " attempt")], s.Attributes())
		for _, e := range s.Events() {
			if events[e.Name] == nil {
				events[e.Name] = map[string]bool{}
			}
			names(events[e.Name], e.Attributes)
		}
	}
	delete(events, "exception")

	table := map[bool]map[string]bool{true: {}, false: {}}
	for _, cells := range rows(t, "### Attributes of spans") {
		for _, name := range listed(cells[0]) {
			if cells[1] != "session" {
				table[true][name] = true
			}
			if cells[1] != "attempt" {
				table[false][name] = true
			}
		}
	}
	for _, of := range []bool{true, false} {
		delete(table[of], "backstay.name") // the container of this test has no service with a name
	}
	require.Equal(t, table, attributes)

	for _, cells := range rows(t, "### Events of a session's span") {
		if cells[0] == "backstay.attempt.failed" {
			continue // no method here is judged by its result
		}
		require.Equal(t, listed(cells[1]), slices.Sorted(maps.Keys(events[cells[0]])), cells[0])
		delete(events, cells[0])
	}
	require.Empty(t, events, "events without a row")
}

func TestTheTextOfAnErrorIsToldToSpansWhereAskedFor(t *testing.T) {
	texts := func(opts ...backstayotel.Option) (found []string) {
		for _, s := range kept(t, opts...) {
			if text := s.Status().Description; text != "" && !slices.Contains(found, text) {
				found = append(found, text)
			}
		}
		return found
	}
	require.Empty(t, texts())
	require.Contains(t, texts(backstayotel.WithErrorText(nil)), "down")
}
