package backstayotel_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/metric"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	backstayotel "github.com/backstay/backstay/otel"
	"github.com/backstay/backstay/retry"
)

func instrumented(t testing.TB, p metric.MeterProvider, opts ...backstayotel.Option) *backstayotel.Instrumentation {
	t.Helper()
	in, err := backstayotel.New(append(opts, backstayotel.WithMeterProvider(p), backstayotel.WithTracerProvider(tracenoop.NewTracerProvider()))...)
	require.NoError(t, err)
	return in
}

// guarded weaves a Store whose breaker opens by one failure, for 10 s.
func guarded(t testing.TB, listener retry.Listener) (Store, *retry.Breaker, *retry.Shared) {
	t.Helper()
	w := aspect.NewWeaver(aspect.WithListener(listener))
	store, err := aspect.Wrap[Store](w, &Depot{}, aspect.Annotate[aliases.CircuitBreaker](Store.Ask,
		annotation.Breaker(retry.BreakerSettings{ResetTimeout: 10 * time.Second, Consecutive: 1})))
	require.NoError(t, err)
	b, ok := w.Shared().Breaker("Depot@Ask")
	require.True(t, ok)
	return store, b, w.Shared()
}

// statusOnly is a source that gives no handles.
func statusOnly(sh *retry.Shared) backstayotel.Source { return backstayotel.SourceFunc(sh.Status) }

func fail(t testing.TB, s Store)    { t.Helper(); require.Error(t, s.Ask(with(t.Context(), down))) }
func succeed(t testing.TB, s Store) { t.Helper(); require.NoError(t, s.Ask(with(t.Context(), fine))) }

// Who looks between two changes sees the time up to that moment, and who looks more often sees the same in the end.
func TestTimeInEachStateIsExact(t *testing.T) {
	play := []struct {
		do   func(t *testing.T, s Store, b *retry.Breaker)
		wait time.Duration
		want []string // then
	}{
		{nil, 3 * time.Second, []string{"closed 3"}},
		{func(t *testing.T, s Store, _ *retry.Breaker) { fail(t, s) }, 4 * time.Second, []string{"closed 3", "open 4"}},
		{nil, 6 * time.Second, []string{"closed 3", "open 10"}},
		{nil, 5 * time.Second, []string{"closed 3", "half-open 5", "open 10"}}, // though no call has come
		{func(t *testing.T, s Store, _ *retry.Breaker) { fail(t, s) }, time.Second, []string{"closed 3", "half-open 5", "open 11"}},
		{nil, 19 * time.Second, []string{"closed 3", "half-open 15", "open 20"}},
		{func(t *testing.T, s Store, _ *retry.Breaker) { succeed(t, s) }, time.Second, []string{"closed 4", "half-open 15", "open 20"}},
		{func(_ *testing.T, _ Store, b *retry.Breaker) { b.ForceClose() }, time.Second, []string{"closed 4", "force-closed 1", "half-open 15", "open 20"}},
		{func(_ *testing.T, _ Store, b *retry.Breaker) { b.MetricsOnly() }, time.Second, []string{"closed 4", "force-closed 1", "half-open 15", "metrics-only 1", "open 20"}},
		{func(t *testing.T, s Store, b *retry.Breaker) { b.Reset(); fail(t, s) }, time.Second, []string{"closed 4", "force-closed 1", "half-open 15", "metrics-only 1", "open 21"}},
		{nil, 11 * time.Second, []string{"closed 4", "force-closed 1", "half-open 17", "metrics-only 1", "open 30"}},
		{func(_ *testing.T, _ Store, b *retry.Breaker) { b.ForceOpen() }, time.Second, []string{"closed 4", "force-closed 1", "force-open 1", "half-open 17", "metrics-only 1", "open 30"}},
	}
	sources := map[string]func(*retry.Shared) backstayotel.Source{
		"with handles":    func(sh *retry.Shared) backstayotel.Source { return sh },
		"without handles": statusOnly,
	}
	for name, source := range sources {
		for _, listens := range []bool{true, false} {
			for _, every := range []int{1, 2, len(play)} { // looks after so many steps
				if !listens && every > 1 {
					continue // who is not told of changes has to look after each
				}
				t.Run(fmt.Sprintf("%s, listening %v, looking after %d", name, listens, every), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						provider, reader := meter()
						in := instrumented(t, provider)
						var listener retry.Listener
						if listens {
							listener = in
						}
						store, b, shared := guarded(t, listener)
						in.Observe(source(shared))
						for i, step := range play {
							if step.do != nil {
								step.do(t, store, b)
							}
							time.Sleep(step.wait)
							if (i+1)%every != 0 {
								continue
							}
							var want []string
							for _, state := range step.want {
								want = append(want, "breaker=Depot@Ask breaker.state="+state)
							}
							require.Equal(t, want, collect(t, reader).points("backstay.breaker.state.duration"), "step %d", i)
						}
					})
				})
			}
		}
	}
}

func TestABreakerIsInOneState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		provider, reader := meter()
		in := instrumented(t, provider)
		store, b, shared := guarded(t, in)
		in.Observe(shared)
		state := func() []string {
			all := collect(t, reader)
			require.Len(t, all.every("backstay.breaker.state"), 6)
			return all.points("backstay.breaker.state")
		}
		require.Equal(t, []string{"breaker=Depot@Ask breaker.state=closed 1"}, state())
		fail(t, store)
		require.Equal(t, []string{"breaker=Depot@Ask breaker.state=open 1"}, state())
		time.Sleep(10 * time.Second)
		require.Equal(t, []string{"breaker=Depot@Ask breaker.state=half-open 1"}, state())
		b.ForceOpen()
		require.Equal(t, []string{"breaker=Depot@Ask breaker.state=force-open 1"}, state())
		b.Reset()
		require.Equal(t, []string{"breaker=Depot@Ask breaker.state=closed 1"}, state())
	})
}

// What was before there was anybody to count is not counted.
func TestTimeBeforeTheInstrumentationIsNotCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, _, shared := guarded(t, nil)
		time.Sleep(time.Hour)
		fail(t, store)
		time.Sleep(time.Second)
		provider, reader := meter()
		instrumented(t, provider).Observe(shared)
		time.Sleep(2 * time.Second)
		require.Equal(t, []string{"breaker=Depot@Ask breaker.state=open 2"}, collect(t, reader).points("backstay.breaker.state.duration"))
	})
}

// The breaker of a chain is known from its first change on, or from the beginning where a source tells of it.
func TestBreakersAndBudgetsOfChains(t *testing.T) {
	for _, observed := range []bool{false, true} {
		t.Run(fmt.Sprintf("observed %v", observed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				provider, reader := meter()
				in := instrumented(t, provider)
				budget := retry.NewBudget(retry.BudgetSettings{TTL: time.Second, MinPerSec: 1})
				chain := retry.With(retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: 10 * time.Second}), budget).Max(5).Named("mail").Listen(in)
				if observed {
					in.Observe(backstayotel.SourceFunc(func() retry.Status {
						b, _ := retry.BudgetStatusOf(budget)
						b.Name = "mail"
						return retry.Status{Budgets: []retry.BudgetStatus{b}}
					}))
				}
				time.Sleep(2 * time.Second)
				require.ErrorIs(t, chain.Run(t.Context(), down), errDown)
				time.Sleep(3 * time.Second)
				all := collect(t, reader)
				require.Equal(t, []string{"breaker=mail breaker.state=open 1"}, all.points("backstay.breaker.state"))
				require.Equal(t, []string{"breaker=mail breaker.state=closed 2", "breaker=mail breaker.state=open 3"}, all.points("backstay.breaker.state.duration"))
				require.Equal(t, []string{"budget=mail 1"}, all.points("backstay.budget.refusals"))
				var balance []string
				if observed {
					balance = []string{"budget=mail 1"}
				}
				require.Equal(t, balance, all.points("backstay.budget.balance"))
				require.Equal(t, []string{"limit=budget name=mail refused=retry 1"}, all.points("backstay.refusals"))

				time.Sleep(8 * time.Second)
				require.Equal(t, []string{"breaker=mail breaker.state=half-open 1"}, collect(t, reader).points("backstay.breaker.state"))
			})
		})
	}
}

func TestAChainWithoutAName(t *testing.T) {
	provider, reader := meter()
	in := instrumented(t, provider)
	chain := retry.With(retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Second}), retry.NewBudget(retry.BudgetSettings{TTL: time.Second})).Listen(in)
	require.ErrorIs(t, chain.Run(t.Context(), func(context.Context) error { return errDown }), errDown)
	all := collect(t, reader)
	require.Equal(t, []string{"result=exhausted 1"}, all.points("backstay.calls"))
	require.Equal(t, []string{"breaker.state=open 1"}, all.points("backstay.breaker.state"))
	require.Equal(t, []string{"1"}, all.points("backstay.budget.refusals"))
}
