package backstayotel_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	backstayotel "github.com/backstay/backstay/otel"
	"github.com/backstay/backstay/retry"
)

// Names of chains may be made at run time. Beyond so many they are one series, and nothing of what they did is lost.
func TestNamesOfChainsAreBounded(t *testing.T) {
	provider, reader := meter()
	in := instrumented(t, provider, backstayotel.WithChainNames(3))
	guarded(t, in)
	for i := range 5 {
		chain := retry.With(retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Second}), retry.NewBudget(retry.BudgetSettings{TTL: time.Second})).
			Named(fmt.Sprint("tenant ", i)).Listen(in)
		for range 2 {
			_ = chain.Run(t.Context(), down)
		}
	}
	all := collect(t, reader)
	require.Equal(t, []string{
		"name=_OTHER result=exhausted 2", "name=_OTHER result=rejected 2",
		"name=tenant 0 result=exhausted 1", "name=tenant 0 result=rejected 1",
		"name=tenant 1 result=exhausted 1", "name=tenant 1 result=rejected 1",
		"name=tenant 2 result=exhausted 1", "name=tenant 2 result=rejected 1",
	}, all.points("backstay.calls"))
	require.Equal(t, []string{"budget=_OTHER 2", "budget=tenant 0 1", "budget=tenant 1 1", "budget=tenant 2 1"}, all.points("backstay.budget.refusals"))
	require.Equal(t, []string{
		"breaker=_OTHER breaker.from=closed breaker.to=open 2",
		"breaker=tenant 0 breaker.from=closed breaker.to=open 1",
		"breaker=tenant 1 breaker.from=closed breaker.to=open 1",
		"breaker=tenant 2 breaker.from=closed breaker.to=open 1",
	}, all.points("backstay.breaker.transitions"))
	require.Equal(t, []string{
		"breaker=tenant 0 breaker.state=open 1", "breaker=tenant 1 breaker.state=open 1", "breaker=tenant 2 breaker.state=open 1",
	}, all.points("backstay.breaker.state"), "the state of many is not told as that of one")
}

func TestWithoutNamesOfChainsAllAreOne(t *testing.T) {
	provider, reader := meter()
	in := instrumented(t, provider, backstayotel.WithChainNames(0))
	for i := range 2 {
		require.NoError(t, retry.WhenThrows().Named(fmt.Sprint(i)).Listen(in).Run(t.Context(), fine))
	}
	require.Equal(t, []string{"name=_OTHER result=succeeded 2"}, collect(t, reader).points("backstay.calls"))
}

// A program has so many methods; one that weaves services under names of its tenants might have any number.
func TestMethodsAreBounded(t *testing.T) {
	reader := sdkmetric.NewManualReader()
	in := instrumented(t, sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader), sdkmetric.WithCardinalityLimit(0)))
	const methods = 2000
	for i := range methods + 10 {
		ref := retry.MethodRef{Class: "Depot", Name: fmt.Sprint(i), Method: "Ask"}
		in.On(t.Context(), retry.Succeeded{MethodRef: ref, Attempts: 1})
		in.On(t.Context(), retry.Exhausted{MethodRef: ref, Attempts: 1, Limit: fmt.Sprint("limit ", i)})
		in.On(t.Context(), retry.BudgetRefused{MethodRef: ref})
	}
	all := collect(t, reader)
	require.Len(t, all.every("backstay.calls.caller_success"), methods+1)
	require.Contains(t, all.points("backstay.calls.caller_success"), "class=_OTHER 10")
	require.Contains(t, all.points("backstay.budget.refusals"), "budget=_OTHER 10")
}

// Kinds of policies are few, unless somebody makes them up.
func TestLimitsOfAMethodAreBounded(t *testing.T) {
	provider, reader := meter()
	in := instrumented(t, provider)
	for i := range 205 {
		in.On(t.Context(), retry.Exhausted{MethodRef: askRef, Attempts: 1, Limit: fmt.Sprint("limit ", i)})
	}
	all := collect(t, reader)
	require.Len(t, all.every("backstay.refusals"), 201)
	require.Contains(t, all.points("backstay.refusals"), "class=RemotePeer limit=_OTHER method=Ask refused=_OTHER 5")
}

// Events of an unknown type, and nil sources, are nothing to count.
func TestWhatIsNotKnownIsLeftAlone(t *testing.T) {
	provider, reader := meter()
	in := instrumented(t, provider)
	in.Observe(nil)
	in.Listener().On(t.Context(), retry.AttemptFailed{MethodRef: askRef})
	in.Observe(backstayotel.SourceFunc(func() retry.Status {
		return retry.Status{Breakers: []retry.BreakerStatus{{Name: "new", State: "dreaming", Since: time.Now()}}}
	}))
	all := collect(t, reader)
	require.Empty(t, all.every("backstay.calls"))
	require.Len(t, all.every("backstay.breaker.state"), 6)
	require.Empty(t, all.points("backstay.breaker.state"))
}

// Calls, changes of breakers and collections go on at the same time.
func TestEverythingAtTheSameTime(t *testing.T) {
	provider, reader := meter()
	in := instrumented(t, provider)
	store, b, shared := guarded(t, in)
	in.Observe(shared)
	in.Observe(statusOnly(shared))
	chain := retry.WhenThrows().Max(2).Named("mail").Listen(in)
	const workers, calls = 8, 200
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range calls {
				switch i % 4 {
				case 0:
					_ = store.Ask(with(context.Background(), down, fine))
				case 1:
					b.Reset()
				case 2:
					b.ForceOpen()
				case 3:
					collect(t, reader)
				}
				_ = chain.Run(context.Background(), fine)
			}
		})
	}
	wg.Wait()
	all := collect(t, reader)
	require.Equal(t, []string{fmt.Sprint("name=mail ", workers*calls)}, all.points("backstay.calls.first_attempt_success"))
	total := 0
	for _, p := range all.every("backstay.calls") {
		var n int
		_, err := fmt.Sscan(p.value, &n)
		require.NoError(t, err)
		total += n
	}
	require.Equal(t, workers*calls+workers*calls/4, total)
}
