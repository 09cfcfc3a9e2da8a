package backstayotel_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// afterOneCallEach is what the SDK has after one call of each kind.
func afterOneCallEach(t *testing.T) (all collected) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		reader := sdkmetric.NewManualReader()
		newShop(t, sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))).callOnceEach(t)
		all = collect(t, reader)
	})
	return all
}

// What each instrument says after one call of each kind. Points that are 0 are left out.
var afterEach = map[string][]string{
	"backstay.calls": {
		"class=Depot method=Ask name=north result=exhausted 1",
		"class=Depot method=Ask name=north result=succeeded 1",
		"class=RemotePeer method=Ask result=aborted 1",
		"class=RemotePeer method=Ask result=canceled 2",
		"class=RemotePeer method=Ask result=exhausted 4",
		"class=RemotePeer method=Ask result=failed 1",
		"class=RemotePeer method=Ask result=succeeded 2",
		"class=RemotePeer method=Cover result=exhausted 2",
		"class=RemotePeer method=Guard result=exhausted 2",
		"class=RemotePeer method=Guard result=rejected 1",
		"class=RemotePeer method=Guard result=succeeded 1",
		"class=RemotePeer method=Limited result=exhausted 1",
		"class=RemotePeer method=Outer result=exhausted 1",
		"class=RemotePeer method=Pay result=exhausted 1",
		"class=RemotePeer method=Rewind result=exhausted 1",
		"class=RemotePeer method=Wait result=exhausted 1",
		"name=prices result=exhausted 1",
		"name=prices result=succeeded 1",
	},
	"backstay.calls.first_attempt_success": {
		"class=Depot method=Ask name=north 1",
		"class=RemotePeer method=Ask 1",
		"class=RemotePeer method=Guard 1",
		"name=prices 1",
	},
	"backstay.calls.caller_success": {
		"class=Depot method=Ask name=north 1",
		"class=RemotePeer method=Ask 2",
		"class=RemotePeer method=Cover 1",
		"class=RemotePeer method=Guard 1",
		"name=prices 1",
	},
	"backstay.call.attempts": {
		"class=Depot method=Ask name=north 1 up to 1, 1 up to 2; 3 in all",
		"class=RemotePeer method=Ask 5 up to 1, 2 up to 2, 2 up to 3; 15 in all", // one of ten made none
		"class=RemotePeer method=Cover 2 up to 2; 4 in all",
		"class=RemotePeer method=Guard 3 up to 1; 3 in all",
		"class=RemotePeer method=Limited 1 up to 1; 1 in all",
		"class=RemotePeer method=Outer 1 up to 1; 1 in all",
		"class=RemotePeer method=Pay 1 up to 2; 2 in all",
		"class=RemotePeer method=Rewind 1 up to 1; 1 in all",
		"class=RemotePeer method=Wait 1 up to 2; 2 in all",
		"name=prices 1 up to 1, 1 up to 2; 3 in all",
	},
	"backstay.call.duration": {
		"class=Depot method=Ask name=north result=exhausted 1 up to 0.005; 0 in all",
		"class=Depot method=Ask name=north result=succeeded 1 up to 0.005; 0 in all",
		"class=RemotePeer method=Ask result=aborted 1 up to 0.1; 0.1 in all",
		"class=RemotePeer method=Ask result=canceled 2 up to 0.005; 0 in all",
		"class=RemotePeer method=Ask result=exhausted 2 up to 0.005, 2 up to 0.25; 0.4 in all",
		"class=RemotePeer method=Ask result=failed 1 up to 0.005; 0 in all",
		"class=RemotePeer method=Ask result=succeeded 1 up to 0.1, 1 up to 0.25; 0.35 in all",
		"class=RemotePeer method=Cover result=exhausted 2 up to 0.005; 0 in all",
		"class=RemotePeer method=Guard result=exhausted 2 up to 0.005; 0 in all",
		"class=RemotePeer method=Guard result=succeeded 1 up to 0.005; 0 in all",
		"class=RemotePeer method=Limited result=exhausted 1 up to 0.005; 0 in all",
		"class=RemotePeer method=Outer result=exhausted 1 up to 0.25; 0.2 in all",
		"class=RemotePeer method=Pay result=exhausted 1 up to 0.1; 0.1 in all",
		"class=RemotePeer method=Rewind result=exhausted 1 up to 0.005; 0 in all",
		"class=RemotePeer method=Wait result=exhausted 1 up to 0.75; 0.6 in all",
		"name=prices result=exhausted 1 up to 0.005; 0 in all",
		"name=prices result=succeeded 1 up to 0.005; 0 in all",
	},
	"backstay.retries": {
		"class=Depot method=Ask name=north 1",
		"class=RemotePeer method=Ask 6",
		"class=RemotePeer method=Cover 2",
		"class=RemotePeer method=Pay 1",
		"class=RemotePeer method=Rewind 1", // decided on, and then beforeRetry refused
		"class=RemotePeer method=Wait 1",
		"name=prices 1",
	},
	"backstay.retry.wait": {
		"class=Depot method=Ask name=north 1 up to 0; 0 in all",
		"class=RemotePeer method=Ask 6 up to 0.1; 0.6 in all",
		"class=RemotePeer method=Cover 2 up to 0; 0 in all",
		"class=RemotePeer method=Pay 1 up to 0.1; 0.1 in all",
		"class=RemotePeer method=Rewind 1 up to 0; 0 in all",
		"class=RemotePeer method=Wait 1 up to 1; 0.6 in all",
		"name=prices 1 up to 0; 0 in all",
	},
	"backstay.refusals": {
		"class=Depot limit=maxAttempts method=Ask name=north refused=retry 1",
		"class=RemotePeer limit=beforeRetry method=Rewind refused=retry 1",
		"class=RemotePeer limit=budget method=Pay refused=retry 1",
		"class=RemotePeer limit=circuitBreaker method=Guard refused=call 1",
		"class=RemotePeer limit=circuitBreaker method=Guard refused=retry 2",
		"class=RemotePeer limit=deadline method=Ask refused=retry 1",
		"class=RemotePeer limit=maxAttempts method=Ask refused=retry 2",
		"class=RemotePeer limit=maxAttempts method=Cover refused=retry 2",
		"class=RemotePeer limit=nested method=Outer refused=retry 1",
		"class=RemotePeer limit=once method=Ask refused=retry 1",
		"class=RemotePeer limit=quota method=Limited refused=retry 1",
		"class=RemotePeer limit=timeout method=Wait refused=retry 1",
		"limit=maxAttempts name=prices refused=retry 1",
	},
	"backstay.fallbacks": {
		"class=RemotePeer method=Cover result=failed 1",
		"class=RemotePeer method=Cover result=succeeded 1",
	},
	"backstay.breaker.state": {
		"breaker=Depot#north@Ask breaker.state=open 1",
		"breaker=fuse breaker.state=closed 1",
	},
	"backstay.breaker.state.duration": {
		"breaker=Depot#north@Ask breaker.state=closed 31.55",
		"breaker=fuse breaker.state=closed 5.55", // 1.55 s before it opened, and 4 s in between
		"breaker=fuse breaker.state=force-open 2",
		"breaker=fuse breaker.state=half-open 4",
		"breaker=fuse breaker.state=open 20",
	},
	"backstay.breaker.transitions": {
		"breaker=Depot#north@Ask breaker.from=closed breaker.to=open 1",
		"breaker=fuse breaker.from=closed breaker.to=force-open 1",
		"breaker=fuse breaker.from=closed breaker.to=open 1",
		"breaker=fuse breaker.from=force-open breaker.to=closed 1",
		"breaker=fuse breaker.from=half-open breaker.to=closed 1",
		"breaker=fuse breaker.from=half-open breaker.to=open 1",
		"breaker=fuse breaker.from=open breaker.to=half-open 2",
	},
	"backstay.budget.balance": {
		"budget=RemotePeer@Ask 10",
		"budget=RemotePeer@Cover 10",
		"budget=RemotePeer@Guard 10.2", // its one session in the last 10 s has paid in a fifth of a retry
		"budget=RemotePeer@Limited 10",
		"budget=RemotePeer@Outer 10",
		"budget=RemotePeer@Rewind 10",
		"budget=RemotePeer@Wait 10",
		"budget=purse 1",
	},
	"backstay.budget.refusals": {
		"budget=purse 1",
	},
}

func TestEveryInstrumentSaysExactlyWhatHappened(t *testing.T) {
	all := afterOneCallEach(t)
	require.Len(t, all, len(afterEach))
	for name, points := range afterEach {
		require.Equal(t, points, all.points(name), name)
	}
}

// row is a line of a table in the README: its cells, without the marks of code.
func rows(t *testing.T, heading string) (all [][]string) {
	t.Helper()
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(text), "\n"+heading+"\n")
	require.True(t, found, heading)
	for line := range strings.Lines(section) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "| `"):
			cells := strings.Split(strings.Trim(strings.ReplaceAll(line, "`", ""), "| "), " | ")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			all = append(all, cells)
		case strings.HasPrefix(line, "#"):
			return all
		}
	}
	return all
}

func TestTheTableOfTheREADMEIsWhatIsRegistered(t *testing.T) {
	table := map[string][]string{}
	for _, cells := range rows(t, "### Instruments") {
		table[cells[0]] = cells[1:]
	}
	for _, m := range afterOneCallEach(t) {
		cells := table[m.Name]
		require.Len(t, cells, 4, "no row of the table is for %s", m.Name)
		require.Equal(t, []string{kindOf(t, m), m.Unit}, cells[:2], m.Name)
		require.Equal(t, attributesOf(m), strings.Fields(strings.ReplaceAll(cells[2], ",", " ")), m.Name)
		require.Equal(t, cells[3], m.Description, m.Name)
		delete(table, m.Name)
	}
	require.Empty(t, table, "rows of what is not registered")
}

// kindOf is the kind of instrument that a metric comes from, as the table says it.
func kindOf(t *testing.T, m metricdata.Metrics) string {
	t.Helper()
	switch data := m.Data.(type) {
	case metricdata.Sum[int64]:
		require.True(t, data.IsMonotonic, m.Name)
		require.Equal(t, metricdata.CumulativeTemporality, data.Temporality, m.Name)
		return "counter"
	case metricdata.Sum[float64]:
		require.True(t, data.IsMonotonic, m.Name)
		return "counter"
	case metricdata.Histogram[int64], metricdata.Histogram[float64]:
		return "histogram"
	}
	return "gauge"
}

// attributesOf are the attributes of all points, as the table writes them: "method" stands for those that name one.
func attributesOf(m metricdata.Metrics) (all []string) {
	method := regexp.MustCompile(`^(class|method|name)$`)
	for _, p := range (collected{m}).every(m.Name) {
		for pair := range strings.FieldsSeq(p.attributes) {
			key, _, _ := strings.Cut(pair, "=")
			if method.MatchString(key) {
				key = "method"
			} else {
				key = "backstay." + key
			}
			if !slices.Contains(all, key) {
				all = append(all, key)
			}
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		if (a == "method") != (b == "method") {
			if a == "method" {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return all
}

// Attributes have the values that the README lists for them.
func TestTheValuesOfAttributesAreThoseOfTheREADME(t *testing.T) {
	listed := map[string][]string{}
	for _, cells := range rows(t, "### Attributes") {
		listed[cells[0]] = regexp.MustCompile(`[\w-]+`).FindAllString(cells[1], -1)
	}
	seen := map[string]bool{}
	for _, m := range afterOneCallEach(t) {
		for _, p := range (collected{m}).every(m.Name) {
			for pair := range strings.FieldsSeq(p.attributes) {
				key, value, _ := strings.Cut(pair, "=")
				key = "backstay." + key
				require.NotEmpty(t, listed[key], "no row of the table is for %s", key)
				seen[key] = true
				if closed := slices.Contains([]string{"backstay.result", "backstay.refused", "backstay.breaker.state", "backstay.breaker.from", "backstay.breaker.to"}, key); closed {
					require.Contains(t, listed[key], value, key)
				}
			}
		}
	}
	require.Len(t, seen, len(listed), "attributes that no metric has")
}
