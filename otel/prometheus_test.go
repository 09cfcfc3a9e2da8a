package backstayotel_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/VictoriaMetrics/metricsql"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
)

// exposed is what Prometheus has after one call of each kind: of each metric its labels, and the values of each.
type exposed map[string]map[string]map[string]bool

// scrapeLabels tell whom Prometheus has scraped.
var scrapeLabels = []string{"job", "instance"}

func scrape(t *testing.T) (all exposed) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		registry := prometheus.NewRegistry()
		exporter, err := otelprometheus.New(otelprometheus.WithRegisterer(registry))
		require.NoError(t, err)
		newShop(t, sdkmetric.NewMeterProvider(sdkmetric.WithReader(exporter))).callOnceEach(t)
		families, err := registry.Gather()
		require.NoError(t, err)
		all = exposed{}
		for _, f := range families {
			for _, m := range f.Metric {
				all.add(f, m)
			}
		}
	})
	return all
}

// add adds a series, as what it is queried by.
func (all exposed) add(f *dto.MetricFamily, m *dto.Metric) {
	names := []string{f.GetName()}
	if f.GetType() == dto.MetricType_HISTOGRAM {
		names = []string{f.GetName() + "_sum", f.GetName() + "_count", f.GetName() + "_bucket"}
	}
	for _, name := range names {
		labels := all[name]
		if labels == nil {
			labels = map[string]map[string]bool{}
			all[name] = labels
		}
		for _, l := range scrapeLabels { // which it adds itself
			labels[l] = map[string]bool{}
		}
		for _, l := range m.Label {
			if labels[l.GetName()] == nil {
				labels[l.GetName()] = map[string]bool{}
			}
			labels[l.GetName()][l.GetValue()] = true
		}
		if strings.HasSuffix(name, "_bucket") {
			labels["le"] = map[string]bool{}
		}
	}
}

func TestPrometheusNames(t *testing.T) {
	var names []string
	for name := range scrape(t) {
		if strings.HasPrefix(name, "backstay") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	require.Equal(t, []string{
		"backstay_breaker_state",
		"backstay_breaker_state_duration_seconds_total",
		"backstay_breaker_transitions_total",
		"backstay_budget_balance",
		"backstay_budget_refusals_total",
		"backstay_call_attempts_bucket",
		"backstay_call_attempts_count",
		"backstay_call_attempts_sum",
		"backstay_call_duration_seconds_bucket",
		"backstay_call_duration_seconds_count",
		"backstay_call_duration_seconds_sum",
		"backstay_calls_caller_success_total",
		"backstay_calls_first_attempt_success_total",
		"backstay_calls_total",
		"backstay_fallbacks_total",
		"backstay_refusals_total",
		"backstay_retries_total",
		"backstay_retry_wait_seconds_bucket",
		"backstay_retry_wait_seconds_count",
		"backstay_retry_wait_seconds_sum",
	}, names)
}

// query is a query of the dashboard, and where it stands.
type query struct {
	where, text string
	legend      string
	label       string // whose values a variable has
}

// queries finds the queries in the dashboard, wherever they are.
func queries(where string, v any) (all []query) {
	switch v := v.(type) {
	case []any:
		for i, x := range v {
			all = append(all, queries(fmt.Sprintf("%s[%d]", where, i), x)...)
		}
	case map[string]any:
		if title, ok := v["title"].(string); ok {
			where = title
		}
		if expr, ok := v["expr"].(string); ok {
			legend, _ := v["legendFormat"].(string)
			format, _ := v["textFormat"].(string)
			all = append(all, query{where: where, text: expr, legend: legend + format})
		}
		if v["type"] == "query" {
			for _, text := range []string{v["definition"].(string), v["query"].(map[string]any)["query"].(string)} {
				parts := labelValues.FindStringSubmatch(text) // no PromQL, but a word of Grafana's
				all = append(all, query{where: where, text: parts[1], label: parts[2]})
			}
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			all = append(all, queries(where+"."+key, v[key])...)
		}
	}
	return all
}

var (
	labelValues = regexp.MustCompile(`^label_values\((.+), (\w+)\)$`)
	legendLabel = regexp.MustCompile(`{{\s*(\w+)\s*}}`)
)

// parsed is a query as a tree. A pattern would find the names in the text too, but not those in a query that does not parse,
// nor tell a metric from a function, a label or a word in quotes. The parser is that of MetricsQL, which contains PromQL:
// Prometheus's own brings its server along. What is not PromQL is refused here.
func parsed(t *testing.T, q query) metricsql.Expr {
	t.Helper()
	// Grafana puts these in.
	text := strings.NewReplacer("$__rate_interval", "5m", "$__interval", "1m",
		"$job", ".*", "$instance", ".*", "$class", ".*", "$name", ".*", "$method", ".*").Replace(q.text)
	require.NotContains(t, text, "$", q.where)
	e, err := metricsql.Parse(text)
	require.NoError(t, err, "%s: %s", q.where, q.text)
	require.False(t, metricsql.IsLikelyInvalid(e), "%s: %s", q.where, q.text)
	metricsql.VisitAll(e, func(e metricsql.Expr) {
		switch e := e.(type) {
		case *metricsql.FuncExpr:
			require.Contains(t, []string{"rate", "increase", "histogram_quantile", "clamp_min", "vector"}, e.Name, "%s: %s", q.where, q.text)
			if e.Name == "rate" || e.Name == "increase" {
				require.IsType(t, &metricsql.RollupExpr{}, e.Args[0], "%s: %s has no window", q.where, e.Name)
			}
		case *metricsql.AggrFuncExpr:
			require.Contains(t, []string{"sum", "min", "max"}, e.Name, "%s: %s", q.where, q.text)
		}
	})
	return e
}

// alerts finds the queries in the README.
func alerts(t *testing.T) (all []query) {
	t.Helper()
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	for _, m := range regexp.MustCompile("(?s)```promql\n(.+?)\n```").FindAllStringSubmatch(string(text), -1) {
		all = append(all, query{where: "README", text: m[1]})
	}
	require.Len(t, all, 3)
	return all
}

// decl:90. Elsewhere a panel asked for a series that the code no longer exported, and was empty.
func TestTheDashboardAndTheREADMEAskForWhatThereIs(t *testing.T) {
	all := scrape(t)
	text, err := os.ReadFile("grafana/backstay.json")
	require.NoError(t, err)
	var dashboard map[string]any
	require.NoError(t, json.Unmarshal(text, &dashboard))

	asked := map[string]bool{}
	found := queries("", dashboard)
	require.Greater(t, len(found), 30)
	for _, q := range append(alerts(t), found...) {
		e := parsed(t, q)
		labels := map[string]bool{} // that the metrics of the query have
		metricsql.VisitAll(e, func(e metricsql.Expr) {
			m, ok := e.(*metricsql.MetricExpr)
			if !ok {
				return
			}
			require.Len(t, m.LabelFilterss, 1, q.text)
			filters := m.LabelFilterss[0]
			require.Equal(t, "__name__", filters[0].Label, q.text)
			metric := filters[0].Value
			require.NotEmpty(t, all[metric], "%s: there is no %s", q.where, metric)
			asked[metric] = true
			for label := range all[metric] {
				labels[label] = true
			}
			for _, f := range filters[1:] {
				require.Contains(t, all[metric], f.Label, "%s: %s", q.where, q.text)
				for _, value := range alternatives(f) {
					require.Contains(t, all[metric][f.Label], value, "%s: no %s has %s=%q", q.where, metric, f.Label, value)
				}
			}
		})
		require.NotEmpty(t, labels, q.text)
		metricsql.VisitAll(e, func(e metricsql.Expr) {
			a, ok := e.(*metricsql.AggrFuncExpr)
			if !ok {
				return
			}
			for _, label := range a.Modifier.Args {
				require.True(t, labels[label], "%s: there is no label %s in %s", q.where, label, q.text)
			}
		})
		for _, m := range legendLabel.FindAllStringSubmatch(q.legend, -1) {
			require.Regexp(t, `by \([^)]*\b`+m[1]+`\b`, q.text, "%s: the legend has a label that the query does not keep", q.where)
		}
		if q.label != "" {
			require.Contains(t, labels, q.label, q.where)
		}
	}
	for metric := range all {
		if strings.HasPrefix(metric, "backstay") && metric != "backstay_call_duration_seconds_sum" && !strings.HasSuffix(metric, "_count") {
			require.True(t, asked[metric], "nobody looks at %s", metric)
		}
	}
}

// alternatives are the values that a filter names, apart from those that Grafana puts in.
func alternatives(f metricsql.LabelFilter) []string {
	if f.Value == ".*" {
		return nil
	}
	return strings.Split(f.Value, "|")
}

func TestTheDashboardIsForEverybody(t *testing.T) {
	text, err := os.ReadFile("grafana/backstay.json")
	require.NoError(t, err)
	var dashboard struct {
		SchemaVersion int
		Panels        []struct {
			ID                       int
			Type, Title, Description string
			Datasource               struct{ Type, UID string }
			GridPos                  struct{ X, Y, W, H int }
			Targets                  []struct{ RefID string }
		}
		Templating struct {
			List []struct {
				Name, Type, AllValue string
				IncludeAll, Multi    bool
			}
		}
	}
	require.NoError(t, json.Unmarshal(text, &dashboard))
	require.Equal(t, 42, dashboard.SchemaVersion)

	var variables []string
	for _, v := range dashboard.Templating.List {
		variables = append(variables, v.Name)
		if v.Type == "query" { // ".*" is also for what has no such label: most methods have no name
			require.True(t, v.IncludeAll && v.Multi && v.AllValue == ".*", v.Name)
		}
	}
	require.Equal(t, []string{"datasource", "job", "instance", "class", "name", "method"}, variables)

	ids, taken := map[int]bool{}, map[[2]int]string{}
	for _, p := range dashboard.Panels {
		require.False(t, ids[p.ID], p.Title)
		ids[p.ID] = true
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			require.Less(t, x, 24, p.Title)
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				require.Empty(t, taken[[2]int{x, y}], "%s covers another panel", p.Title)
				taken[[2]int{x, y}] = p.Title
			}
		}
		if p.Type == "row" {
			continue
		}
		require.Greater(t, len(p.Description), 40, p.Title)
		require.Equal(t, "${datasource}", p.Datasource.UID, p.Title)
		require.Equal(t, "prometheus", p.Datasource.Type, p.Title)
		refs := map[string]bool{}
		for _, target := range p.Targets {
			require.False(t, refs[target.RefID], p.Title)
			refs[target.RefID] = true
		}
		require.NotEmpty(t, refs, p.Title)
	}
}

// What is chosen above counts for each panel. Breakers and budgets have names of their own, whatever method they are for.
func TestWhatIsChosenCountsForEachPanel(t *testing.T) {
	text, err := os.ReadFile("grafana/backstay.json")
	require.NoError(t, err)
	var dashboard map[string]any
	require.NoError(t, json.Unmarshal(text, &dashboard))
	for _, q := range queries("", dashboard) {
		if q.label != "" {
			continue // of a variable, which those before it narrow down
		}
		metricsql.VisitAll(parsed(t, q), func(e metricsql.Expr) {
			m, ok := e.(*metricsql.MetricExpr)
			if !ok {
				return
			}
			var chosen []string
			for _, f := range m.LabelFilterss[0] {
				if f.Value == ".*" {
					chosen = append(chosen, f.Label)
				}
			}
			want := slices.Clone(scrapeLabels)
			if !strings.HasPrefix(m.LabelFilterss[0][0].Value, "backstay_b") { // breakers, budgets
				want = append(want, "backstay_class", "backstay_name", "backstay_method")
			}
			require.Equal(t, want, chosen, "%s: %s", q.where, q.text)
		})
	}
	for _, p := range dashboard["panels"].([]any) {
		panel := p.(map[string]any)
		for _, q := range queries("", panel) {
			if strings.Contains(q.text, "backstay_b") {
				require.Contains(t, panel["description"], "Class, name and method above do not filter it.", panel["title"])
			}
		}
	}
}

// Where there is no breaker, none is open.
func TestWithoutBreakersNoneIsOpen(t *testing.T) {
	text, err := os.ReadFile("grafana/backstay.json")
	require.NoError(t, err)
	var dashboard map[string]any
	require.NoError(t, json.Unmarshal(text, &dashboard))
	found := false
	for _, q := range queries("", dashboard) {
		if strings.HasPrefix(q.where, "Breakers open") {
			found = true
			require.True(t, strings.HasSuffix(q.text, " or vector(0)"), q.text)
		}
	}
	require.True(t, found)
}
