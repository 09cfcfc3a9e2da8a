package retry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// However listeners are put together, a breaker tells each of them once.
func TestABreakerTellsAListenerOnceHoweverItWasBrought(t *testing.T) {
	opened := []string{"breaker peer: closed to force-open"}
	t.Run("in lists inside lists, by methods that share it", func(t *testing.T) {
		one, two, three := new(journal), new(journal), new(journal)
		shared := new(retry.Shared)
		for name, l := range map[string]retry.Listener{
			"One": retry.Listeners(retry.Listeners(one, two), nil, three),
			"Two": retry.Listeners(three, retry.Listeners(two, retry.Listeners(one, two))),
		} {
			compiled(t, method(shared, name, func(d *retry.Definition) { d.Settings.BreakerName, d.Listener = "peer", l }))
		}
		b, _ := shared.Breaker("peer")
		b.ForceOpen()
		for _, l := range []*journal{one, two, three} {
			require.Equal(t, opened, l.all())
		}
	})
	t.Run("in a list and alone, by chains that share it", func(t *testing.T) {
		one, two := new(journal), new(journal)
		policy, breaker := circuit(retry.BreakerSettings{})
		for _, chain := range []retry.ErrorChain{
			retry.With(policy).Named("peer").Listen(retry.Listeners(one, two)),
			retry.With(policy).Listen(two),
		} {
			_, err := chain.Policy()
			require.NoError(t, err)
		}
		breaker.ForceOpen()
		require.Equal(t, opened, one.all())
		require.Equal(t, opened, two.all())
	})
}

func TestABreakerOfAMethodTellsAListenerThatCannotBeCompared(t *testing.T) {
	shared, log := new(retry.Shared), new(journal)
	compiled(t, method(shared, "One", func(d *retry.Definition) { d.Listener = retry.ListenerFunc(log.On) }))
	b, _ := shared.Breaker("Gateway@One")
	b.ForceOpen()
	require.Equal(t, []string{"breaker Gateway@One: closed to force-open"}, log.all())
}

func TestABreakerWithWrongSettingsIsOnlyADefinitionError(t *testing.T) {
	for name, s := range map[string]retry.BreakerSettings{
		"probes": {ResetTimeout: reset, Probes: 1 << 62},
		"window": {ResetTimeout: reset, Window: 1 << 62, FailureRatio: 0.5},
	} {
		require.NotPanics(t, func() {
			_, err := retry.With(retry.NewCircuitBreaker(s)).Policy()
			defined(t, err, "breaker "+name)
		})
	}
}

func TestOneOfTwoBreakersMayMeasureAttempts(t *testing.T) {
	for name, first := range map[string]bool{"the first": true, "the second": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				measures, measuring := circuit(retry.BreakerSettings{Window: 1, SlowCall: time.Second, SlowRatio: 1})
				plain, other := circuit(retry.BreakerSettings{})
				policies := []retry.Policy{plain, measures}
				if first {
					policies = []retry.Policy{measures, plain}
				}
				require.NoError(t, retry.With(policies...).Max(1).Run(t.Context(), func(context.Context) error {
					time.Sleep(time.Minute)
					return nil
				}))
				require.Equal(t, retry.BreakerOpen, measuring.State())
				require.Equal(t, retry.BreakerClosed, other.State())
			})
		})
	}
}

func TestAListenerThatIsThereTwiceIsToldOnce(t *testing.T) {
	twice, other := new(told), new(told)
	calls := 0
	fn := retry.ListenerFunc(func(context.Context, retry.Event) { calls++ })
	all := retry.Listeners(twice, fn, retry.Listeners(other, twice), nil, other, fn)
	require.NoError(t, three().Listen(all).Listen(twice).Run(t.Context(), scripted(nil).run))
	require.Len(t, twice.all, 1)
	require.Len(t, other.all, 1)
	require.Equal(t, 2, calls, "funcs cannot be compared")
	require.Same(t, twice, retry.Listeners(twice, twice))
}
