package backstayotel_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// collected is what a reader gets from the SDK.
type collected []metricdata.Metrics

func collect(t testing.TB, reader sdkmetric.Reader) (all collected) {
	t.Helper()
	var rm metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(t.Context(), &rm))
	for _, scope := range rm.ScopeMetrics {
		all = append(all, scope.Metrics...)
	}
	return all
}

// points are the data points of a metric, each as its attributes and its value: those that are not zero, sorted.
func (all collected) points(name string) (lines []string) {
	for _, p := range all.every(name) {
		if p.value != "0" {
			lines = append(lines, strings.TrimSpace(p.attributes+" "+p.value))
		}
	}
	return lines
}

// point is a data point as text.
type point struct{ attributes, value string }

// every is each data point of a metric, sorted.
func (all collected) every(name string) (points []point) {
	add := func(set attribute.Set, value string) { points = append(points, point{attributesText(set), value}) }
	for _, m := range all {
		if m.Name != name {
			continue
		}
		switch data := m.Data.(type) {
		case metricdata.Sum[int64]:
			for _, p := range data.DataPoints {
				add(p.Attributes, fmt.Sprint(p.Value))
			}
		case metricdata.Sum[float64]:
			for _, p := range data.DataPoints {
				add(p.Attributes, number(p.Value))
			}
		case metricdata.Gauge[int64]:
			for _, p := range data.DataPoints {
				add(p.Attributes, fmt.Sprint(p.Value))
			}
		case metricdata.Gauge[float64]:
			for _, p := range data.DataPoints {
				add(p.Attributes, number(p.Value))
			}
		case metricdata.Histogram[int64]:
			for _, p := range data.DataPoints {
				add(p.Attributes, histogram(p.Bounds, p.BucketCounts, float64(p.Sum)))
			}
		case metricdata.Histogram[float64]:
			for _, p := range data.DataPoints {
				add(p.Attributes, histogram(p.Bounds, p.BucketCounts, p.Sum))
			}
		}
	}
	slices.SortFunc(points, func(a, b point) int { return strings.Compare(a.attributes, b.attributes) })
	return points
}

// histogram is such as "2 up to 0.1, 1 above; 0.7 in all".
func histogram(bounds []float64, counts []uint64, sum float64) string {
	var parts []string
	for i, n := range counts {
		switch {
		case n == 0:
		case i == len(bounds):
			parts = append(parts, fmt.Sprintf("%d above", n))
		default:
			parts = append(parts, fmt.Sprintf("%d up to %v", n, bounds[i]))
		}
	}
	return fmt.Sprintf("%s; %s in all", strings.Join(parts, ", "), number(sum))
}

// number is v to a nanosecond, so that a sum in another order is the same.
func number(v float64) string { return fmt.Sprint(math.Round(v*1e9) / 1e9) }

// attributesText is the values without their keys' common beginning: "class=RemotePeer method=Ask".
func attributesText(set attribute.Set) string {
	var parts []string
	for _, a := range set.ToSlice() {
		parts = append(parts, strings.TrimPrefix(string(a.Key), "backstay.")+"="+a.Value.String())
	}
	return strings.Join(parts, " ")
}
