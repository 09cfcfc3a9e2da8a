package backstayotel_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/stretchr/testify/require"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	backstayotel "github.com/backstay/backstay/otel"
	"github.com/backstay/backstay/retry"
)

// oddPolicy refuses every retry, under a kind that is no text.
type oddPolicy struct{}

func (oddPolicy) Kind() string               { return "odd\xff" }
func (oddPolicy) Limit(*retry.Session) error { return errDown }

// One name that is not UTF-8 makes Prometheus's page an error, and an exporter of OTLP refuse all that it is given.
func TestNamesThatAreNoTextDoNotSpoilThePage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		registry := prometheus.NewRegistry()
		exporter, err := otelprometheus.New(otelprometheus.WithRegisterer(registry), otelprometheus.WithoutScopeInfo())
		require.NoError(t, err)
		in := instrumented(t, sdkmetric.NewMeterProvider(sdkmetric.WithReader(exporter)))

		for range 2 { // the first makes the series
			for _, name := range []string{"tenant\xff", "tenant\xfe"} { // of which each is the same text
				chain := retry.With(retry.NewBudget(retry.BudgetSettings{TTL: time.Second})).Named(name).Listen(in)
				require.ErrorIs(t, chain.Run(t.Context(), down), errDown)
			}
		}
		require.ErrorIs(t, retry.With(oddPolicy{}, retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Second})).
			Named("odd\xff").Listen(in).Run(t.Context(), down), errDown)
		w := aspect.NewWeaver(aspect.WithListener(in))
		in.Observe(w.Shared())
		in.Observe(statusOnly(w.Shared()))
		store, err := aspect.Wrap[Store](w, &Depot{}, aspect.WithName("south\xff"), aspect.Annotate[aliases.Retry](Store.Ask, annotation.MaxAttempts(5),
			annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Minute, Consecutive: 1}), annotation.BreakerName("fuse\xff"),
			annotation.Budget(retry.BudgetSettings{TTL: time.Minute, MinPerSec: 1}), annotation.BudgetName("purse\xff")))
		require.NoError(t, err)
		fail(t, store)

		page := httptest.NewRecorder()
		promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		require.Equal(t, http.StatusOK, page.Code, page.Body.String())
		text := page.Body.String()
		for _, line := range []string{
			`backstay_calls_total{backstay_name="tenant�",backstay_result="exhausted"} 4`,
			`backstay_call_attempts_count{backstay_name="tenant�"} 4`,
			`backstay_budget_refusals_total{backstay_budget="tenant�"} 4`,
			`backstay_refusals_total{backstay_limit="odd�",backstay_name="odd�",backstay_refused="retry"} 1`,
			`backstay_breaker_state{backstay_breaker="odd�",backstay_breaker_state="open"} 1`,
			`backstay_calls_total{backstay_class="Depot",backstay_method="Ask",backstay_name="south�",backstay_result="exhausted"} 1`,
			`backstay_breaker_state{backstay_breaker="fuse�",backstay_breaker_state="open"} 1`,
			`backstay_breaker_transitions_total{backstay_breaker="fuse�",backstay_breaker_from="closed",backstay_breaker_to="open"} 1`,
			`backstay_budget_refusals_total{backstay_budget="purse�"} 0`,
		} {
			require.Equal(t, 1, strings.Count(text, "\n"+line+"\n"), "%s in\n%s", line, text)
		}
	})
}

// Beyond so many names all are one, and those that are no text do not take the places of others.
func TestNamesThatAreNoTextAreNotMore(t *testing.T) {
	provider, reader := meter()
	in := instrumented(t, provider, backstayotel.WithChainNames(2))
	for _, name := range []string{"a\xff", "a\xfe", "a\xfd", "b", "c\xff", "a\xfc"} {
		in.On(t.Context(), retry.Succeeded{MethodRef: retry.MethodRef{Name: name}, Attempts: 1})
	}
	require.Equal(t, []string{"name=_OTHER 1", "name=a\uFFFD 4", "name=b 1"}, collect(t, reader).points("backstay.calls.caller_success"))
}

// strange is an error whose type is no text.
type strange struct{}

func (strange) Error() string     { return "strange" }
func (strange) ErrorType() string { return "strange\xff" }

func TestSpansHaveTextOnly(t *testing.T) {
	tr := newTraced(t)
	v := wrapped[Vault](t, weaver(tr.Instrumentation), &SteelVault{open: failing(9, strange{})}, aspect.WithName("north\xff"),
		aspect.Annotate[aliases.Retry](Vault.Open, annotation.AddPolicies(retry.PolicyFrom("odd", func() retry.Policy { return oddPolicy{} })), annotation.Fallback(failing(9, strange{}))))
	_, err := v.Open(t.Context(), "7")
	require.ErrorIs(t, err, strange{})
	chain := retry.With(oddPolicy{}).Named("tenant\xff").Listen(tr)
	require.ErrorIs(t, backstayotel.Run(t.Context(), tr.Instrumentation, chain, down), errDown)
	w := weaver(tr.Instrumentation)
	v = wrapped[Vault](t, w, &SteelVault{open: failing(9, errJam)}, aspect.Annotate[aliases.Retry](Vault.Open,
		annotation.Budget(retry.BudgetSettings{TTL: time.Second}), annotation.BudgetName("purse\xff")))
	_, err = v.Open(t.Context(), "7")
	require.ErrorIs(t, err, errJam)

	require.Empty(t, strings.TrimSpace(strings.Join(invalid(tr), "\n")))
	tree := tr.tree()
	for _, told := range []string{"SteelVault#north�@Open attempt", "tenant� attempt", "error.type=strange�", "limit=odd�", "budget=purse�"} {
		require.Contains(t, tree, told)
	}
}

// invalid are the texts of the spans that have ended that are no UTF-8.
func invalid(tr *traced) (all []string) {
	add := func(text string) {
		if !utf8.ValidString(text) {
			all = append(all, text)
		}
	}
	for _, s := range tr.kept.Ended() {
		add(s.Name())
		add(s.Status().Description)
		for _, a := range s.Attributes() {
			add(a.Value.String())
		}
		for _, e := range s.Events() {
			for _, a := range e.Attributes {
				add(a.Value.String())
			}
		}
	}
	return all
}
