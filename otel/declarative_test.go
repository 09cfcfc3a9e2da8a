package backstayotel_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	backstayotel "github.com/backstay/backstay/otel"
	"github.com/backstay/backstay/retry"
)

// Bug reports of metrics elsewhere; docs/tables.md says what the tokens mean.

// exporting is a meter provider whose exporter has started, and what is scraped of breakers and budgets: of each series its
// value. A series that is there twice, or that is no number, is a failure.
func exporting(t *testing.T) (metric.MeterProvider, func() map[string]float64) {
	t.Helper()
	registry := prometheus.NewRegistry()
	exporter, err := otelprometheus.New(otelprometheus.WithRegisterer(registry), otelprometheus.WithoutScopeInfo())
	require.NoError(t, err)
	return sdkmetric.NewMeterProvider(sdkmetric.WithReader(exporter)), func() map[string]float64 {
		t.Helper()
		families, err := registry.Gather()
		require.NoError(t, err)
		all := map[string]float64{}
		for _, f := range families {
			name, ours := strings.CutPrefix(f.GetName(), "backstay_b") // breakers, budgets
			for _, m := range f.Metric {
				series := fmt.Sprint("b", name, labelsText(m))
				value := m.GetGauge().GetValue() + m.GetCounter().GetValue()
				require.NotContains(t, all, series)
				require.False(t, math.IsNaN(value), series)
				if ours {
					all[series] = value
				}
			}
		}
		return all
	}
}

// labelsText is the labels without the beginning that all have: "{breaker=fuse}".
func labelsText(m *dto.Metric) string {
	var parts []string
	for _, l := range m.Label {
		parts = append(parts, strings.TrimPrefix(l.GetName(), "backstay_")+"="+l.GetValue())
	}
	return "{" + strings.Join(parts, " ") + "}"
}

// notZero are the series that are not 0.
func notZero(all map[string]float64) map[string]float64 {
	some := map[string]float64{}
	for series, value := range all {
		if value != 0 {
			some[series] = value
		}
	}
	return some
}

// mailOnce makes a chain with a breaker and a budget, calls it in vain, and lets go of it.
func mailOnce(t *testing.T, in *backstayotel.Instrumentation) {
	t.Helper()
	chain := retry.With(retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Minute}), retry.NewBudget(retry.BudgetSettings{TTL: time.Second})).
		Named("mail").Listen(in)
	require.ErrorIs(t, chain.Run(t.Context(), down), errDown)
}

// decl:86. Elsewhere what is made after the exporter has started is not exported, and what the exporter holds weakly becomes no
// number when it is collected.
func TestWhatIsMadeAfterTheExporterHasStartedIsExportedAndStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		provider, scrape := exporting(t)
		require.Empty(t, scrape())
		in := instrumented(t, provider)
		require.Empty(t, scrape())

		mailOnce(t, in)
		want := map[string]float64{
			"breaker_state{breaker=mail breaker_state=open}":                              1,
			"breaker_transitions_total{breaker=mail breaker_from=closed breaker_to=open}": 1,
			"budget_refusals_total{budget=mail}":                                          1,
		}
		require.Equal(t, want, notZero(scrape()))

		w := aspect.NewWeaver(aspect.WithListener(in))
		in.Observe(w.Shared())
		require.Equal(t, want, notZero(scrape()))
		store, err := aspect.Wrap[Store](w, &Depot{}, aspect.Annotate[aliases.Retry](Store.Ask, annotation.MaxAttempts(1),
			annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Minute, Consecutive: 1}),
			annotation.Budget(retry.BudgetSettings{TTL: time.Minute, MinPerSec: 1})))
		require.NoError(t, err)
		want["breaker_state{breaker=Depot@Ask breaker_state=closed}"] = 1
		want["budget_balance{budget=Depot@Ask}"] = 60
		require.Equal(t, want, notZero(scrape()), "it is there before its first call")
		fail(t, store)
		delete(want, "breaker_state{breaker=Depot@Ask breaker_state=closed}")
		want["breaker_state{breaker=Depot@Ask breaker_state=open}"] = 1
		want["breaker_transitions_total{breaker=Depot@Ask breaker_from=closed breaker_to=open}"] = 1
		require.Equal(t, want, notZero(scrape()))

		before := scrape()
		for range 100 {
			runtime.GC()
		}
		require.Equal(t, before, scrape())
		time.Sleep(time.Second)
		after := scrape()
		require.Len(t, after, len(before))
		require.EqualValues(t, 1, after["breaker_state_duration_seconds_total{breaker=mail breaker_state=open}"], "its chain is gone, and its time goes on")
	})
}

// decl:86. Two series of one breaker, or of one budget, are refused by Prometheus, or added up by who looks. There is one,
// whoever tells of it.
func TestABreakerAndABudgetAreOneSeriesWhoeverTellsOfThem(t *testing.T) {
	const (
		fuse  = "breaker_state{breaker=fuse breaker_state=open}"
		purse = "budget_balance{budget=purse}"
		spent = "budget_refusals_total{budget=purse}"
	)
	shared := container.Annotate[aliases.Retry](Store.Ask, annotation.MaxAttempts(2),
		annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Minute, Consecutive: 2}), annotation.BreakerName("fuse"),
		annotation.Budget(retry.BudgetSettings{TTL: time.Second, MinPerSec: 1}), annotation.BudgetName("purse"))
	// fuses counts the series of each metric of what is shared: 6 states, 4 changes.
	fuses := func(t *testing.T, all map[string]float64) {
		t.Helper()
		n := map[string]int{}
		for series := range all {
			for _, name := range []string{"{breaker=fuse ", "{budget=purse}"} {
				if metric, _, found := strings.Cut(series, name); found {
					n[metric]++
				}
			}
		}
		require.Equal(t, map[string]int{
			"breaker_state": 6, "breaker_state_duration_seconds_total": 6, "breaker_transitions_total": 4, "budget_balance": 1, "budget_refusals_total": 1,
		}, n)
	}
	call := func(t *testing.T, c *container.Container) {
		t.Helper()
		for _, name := range []string{"north", "south"} {
			store, err := container.Get[Store](c, container.Name(name))
			require.NoError(t, err)
			fail(t, store)
		}
	}
	newStores := func() *container.Container {
		c := container.New()
		for _, name := range []string{"north", "south"} {
			c.Provide(func() *Depot { return &Depot{} }, container.As[Store](), container.Name(name), shared)
		}
		return c
	}

	t.Run("services that share them, events and a source", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			provider, scrape := exporting(t)
			in := instrumented(t, provider)
			c := newStores()
			in.Instrument(c)
			call(t, c)
			all := scrape()
			fuses(t, all)
			require.Equal(t, []float64{1, 0, 0}, []float64{all[fuse], all[purse], all[spent]})
		})
	})
	t.Run("a breaker of which a source tells that has handles and one that has none", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			provider, scrape := exporting(t)
			in := instrumented(t, provider)
			c := newStores()
			in.Instrument(c)
			in.Observe(backstayotel.SourceFunc(func() retry.Status { return retry.Status{Breakers: c.Status().Breakers} }))
			call(t, c)
			all := scrape()
			fuses(t, all)
			require.EqualValues(t, 1, all[fuse])
		})
	})
	// There settings can be read again while the program runs. Here another container takes the place of the first.
	t.Run("a container after the other", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			provider, scrape := exporting(t)
			for range 3 {
				in := instrumented(t, provider)
				c := newStores()
				in.Instrument(c)
				require.NoError(t, c.Verify())
				all := scrape()
				fuses(t, all)
				require.Equal(t, []float64{0, 1}, []float64{all[fuse], all[purse]}, "those of the new one")
				call(t, c)
				require.EqualValues(t, 1, scrape()[fuse])
				require.NoError(t, in.Close())
				require.Empty(t, scrape())
			}
		})
	})
}

// Kiosk is another service with a method Ask.
type Kiosk interface {
	Ask(ctx context.Context) error
}

// StreetKiosk has a breaker and a budget.
type StreetKiosk struct {
	_ annotation.On[aliases.Retry] `method:"Ask" breaker:"consecutive=1,resetTimeout=10s"`
}

func (*StreetKiosk) Ask(ctx context.Context) error { return play(ctx) }

// sizes are how many series each metric has.
func sizes(all collected) map[string]int {
	n := map[string]int{}
	for _, m := range all {
		n[m.Name] = len(all.every(m.Name))
	}
	return n
}

// decl:87. Elsewhere each instance of a service had series of its own, and methods of one name were one. Here a series is that
// of a service and a method, however many instances there are.
func TestInstancesShareTheSeriesOfTheirServicesMethods(t *testing.T) {
	const instances = 10_000
	provider, reader := meter()
	c := container.New()
	c.Provide(newOutpost, container.As[Store](), container.Transient())
	c.Provide(func() *StreetKiosk { return &StreetKiosk{} }, container.As[Kiosk](), container.Scoped())
	_, err := backstayotel.Instrument(c, backstayotel.WithMeterProvider(provider), backstayotel.WithTracerProvider(tracenoop.NewTracerProvider()))
	require.NoError(t, err)
	use := func() {
		store, err := container.Get[Store](c)
		require.NoError(t, err)
		require.NoError(t, store.Ask(with(t.Context(), down, fine)))
		scope := c.Scope()
		kiosk, err := container.Get[Kiosk](scope)
		require.NoError(t, err)
		require.NoError(t, kiosk.Ask(with(t.Context(), fine)))
		require.NoError(t, scope.Close(t.Context()))
	}
	use()
	one := sizes(collect(t, reader))
	for range instances - 1 {
		use()
	}
	all := collect(t, reader)
	require.Equal(t, one, sizes(all))
	outpost, kiosk := fmt.Sprint("class=Outpost method=Ask ", instances), fmt.Sprint("class=StreetKiosk method=Ask ", instances)
	require.Equal(t, []string{
		fmt.Sprint("class=Outpost method=Ask result=succeeded ", instances),
		fmt.Sprint("class=StreetKiosk method=Ask result=succeeded ", instances),
	}, all.points("backstay.calls"))
	require.Equal(t, []string{outpost}, all.points("backstay.retries"))
	require.Equal(t, []string{kiosk}, all.points("backstay.calls.first_attempt_success"))
	require.Equal(t, []string{"breaker=Outpost@Ask breaker.state=closed 1", "breaker=StreetKiosk@Ask breaker.state=closed 1"}, all.points("backstay.breaker.state"))
	require.Len(t, all.every("backstay.budget.balance"), 1)
}

// Buffer has the name of a class of another package.
type Buffer struct{ bytes.Buffer }

// decl:87. Nor are methods one whose classes have one name too, in two packages.
func TestMethodsOfClassesOfOneNameDoNotCollide(t *testing.T) {
	provider, reader := meter()
	w := aspect.NewWeaver(aspect.WithListener(instrumented(t, provider)))
	for i, target := range []io.Writer{&bytes.Buffer{}, &Buffer{}} {
		writer, err := aspect.Wrap[io.Writer](w, target, aspect.Annotate[aliases.Retry](io.Writer.Write))
		require.NoError(t, err)
		for range i + 1 {
			_, err = writer.Write(nil)
			require.NoError(t, err)
		}
	}
	require.Equal(t, []string{
		"class=Buffer method=Write result=succeeded 1",
		"class=backstayotel_test.Buffer method=Write result=succeeded 2",
	}, collect(t, reader).points("backstay.calls"))
}
