package backstayotel_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	backstayotel "github.com/backstay/backstay/otel"
	"github.com/backstay/backstay/retry"
)

// What the README says of the meaning of metrics.

// Who looks at rates has to know which series are there before their first event.
func TestWhichSeriesAreThereBeforeTheFirstCall(t *testing.T) {
	provider, reader := meter()
	c := container.New()
	c.Provide(newOutpost, container.As[Store]())
	c.Provide(func() *StreetKiosk { return &StreetKiosk{} }, container.As[Kiosk]())
	_, err := backstayotel.Instrument(c, backstayotel.WithMeterProvider(provider), backstayotel.WithTracerProvider(tracenoop.NewTracerProvider()))
	require.NoError(t, err)
	require.NoError(t, c.Verify())
	there := func() (names []string) {
		for _, m := range collect(t, reader) {
			if len((collected{m}).every(m.Name)) > 0 {
				names = append(names, m.Name)
			}
		}
		slices.Sort(names)
		return names
	}
	before := there()
	require.Equal(t, []string{
		"backstay.breaker.state", "backstay.breaker.state.duration", "backstay.breaker.transitions", "backstay.budget.balance", "backstay.budget.refusals",
		"backstay.calls", "backstay.calls.caller_success", "backstay.calls.first_attempt_success", "backstay.fallbacks", "backstay.retries",
	}, before)

	store, err := container.Get[Store](c)
	require.NoError(t, err)
	fail(t, store)
	want := append(before, "backstay.call.attempts", "backstay.call.duration", "backstay.retry.wait", "backstay.refusals")
	require.ElementsMatch(t, want, there())
}

// A caller that gets a result that is none, and no error, has not got what it called for.
func TestACallThatIsExhaustedForItsResultIsNoSuccess(t *testing.T) {
	provider, reader := meter()
	chain := retry.WhenReturns(0).Max(2).Named("queue").Listen(instrumented(t, provider))
	_, err := chain.Call(t.Context(), func(context.Context) (int, error) { return 0, nil })
	require.NoError(t, err)
	all := collect(t, reader)
	require.Equal(t, []string{"name=queue result=exhausted 1"}, all.points("backstay.calls"))
	require.Len(t, all.every("backstay.calls.caller_success"), 1)
	require.Empty(t, all.points("backstay.calls.caller_success"))
}

func TestTheTypeOfAnErrorIsThatOfTheInnermostBehindWhatOnlyWraps(t *testing.T) {
	for name, err := range map[string]error{
		"itself":            errJam,
		"wrapped twice":     fmt.Errorf("twice: %w", fmt.Errorf("once: %w", errJam)),
		"the first of many": errors.Join(fmt.Errorf("in a room: %w", errJam), errCut),
	} {
		t.Run(name, func(t *testing.T) {
			tr := newTraced(t)
			require.ErrorIs(t, backstayotel.Run(t.Context(), tr.Instrumentation, retry.WhenThrows().Max(1), func(context.Context) error { return err }), err)
			require.Contains(t, tr.tree(), "error.type=*backstayotel_test.JamError ")
		})
	}
}

// Two instrumentations of one provider are not one: what is counted adds up, and what is a state does not.
func TestOfTwoInstrumentationsOfOneProviderGaugesCollide(t *testing.T) {
	provider, reader := meter()
	for range 2 {
		store, _, shared := guarded(t, nil)
		in := instrumented(t, provider)
		in.Observe(shared)
		require.Error(t, retry.With(retry.NewMaxAttempts(1)).Named("mail").Listen(in).Run(t.Context(), down))
		fail(t, store)
	}
	all := collect(t, reader)
	require.Equal(t, []string{"name=mail result=exhausted 2"}, all.points("backstay.calls"))
	require.Equal(t, []string{"breaker=Depot@Ask breaker.state=open 1"}, all.points("backstay.breaker.state"), "of two")
}

// The bound of the alert on retries is one that the default budget lets a method reach.
func TestTheDefaultBudgetKeepsRetriesWithinAFifth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		provider, reader := meter()
		w := aspect.NewWeaver(aspect.WithListener(instrumented(t, provider)))
		store, err := aspect.Wrap[Store](w, &Depot{}, aspect.Annotate[aliases.Retry](Store.Ask))
		require.NoError(t, err)
		const calls = 4_000
		for range calls {
			fail(t, store)
			time.Sleep(5 * time.Millisecond)
		}
		points := collect(t, reader).points("backstay.retries")
		require.Len(t, points, 1)
		var retries float64
		_, err = fmt.Sscanf(points[0], "class=Depot method=Ask %g", &retries)
		require.NoError(t, err)
		require.InDelta(t, 0.2, retries/calls, 0.02)
	})
}

// What is left where a trace is not sampled, besides the event that every listener is told.
func TestAllocationsOfACallThatIsNotSampled(t *testing.T) {
	in := instrumentation(t, sdktrace.NewTracerProvider(sdktrace.WithSampler(sdktrace.NeverSample())))
	woven := func(w *aspect.Weaver) float64 {
		store, err := aspect.Wrap[Store](w, &Depot{}, aspect.Annotate[aliases.Retry](Store.Ask))
		require.NoError(t, err)
		ctx := with(t.Context(), fine)
		return testing.AllocsPerRun(200, func() { _ = store.Ask(ctx) })
	}
	require.EqualValues(t, 6, woven(weaver(in))-woven(aspect.NewWeaver(aspect.WithListener(in))))

	chain, ctx := retry.WhenThrows().Max(3).Named("mail").Listen(in), t.Context()
	require.EqualValues(t, 3, testing.AllocsPerRun(200, func() { _ = backstayotel.Run(ctx, in, chain, fine) })-
		testing.AllocsPerRun(200, func() { _ = chain.Run(ctx, fine) }))
}
