package hyperf_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// hyperf:7.2 and hyperf:7.3, testCircuitBreaker: the ancestor has it in both tables.
func TestAncestorsCircuitBreaker(t *testing.T) {
	// The ancestor's state is a mock: not open, not open, open.
	worker := &Worker{played{plays: []any{errOK}}}
	work, c := woven(t, worker, container.Annotate[aliases.CircuitBreaker](Work.Process, annotation.SleepStrategy(retry.Flat)))
	breaker, err := c.Breaker(Work.Process)
	require.NoError(t, err)
	worker.then = func(call int) {
		if call == 2 {
			breaker.ForceOpen()
		}
	}
	requireOutcome(t, errOK, work)
	require.Equal(t, 2, worker.calls)
}

// Guarded is a worker under a breaker, with a fallback by name.
type Guarded struct {
	_ annotation.On[aliases.CircuitBreaker] `method:"Process" maxAttempts:"2" fallback:"Foo@FallbackWithThrowable" breaker:"resetTimeout=10s"`

	played
}

func (g *Guarded) Process(context.Context, string) (any, error) { return g.process() }

// hyperf:7.2 and hyperf:7.3, testFallbackForCircuitBreaker; then hyperf:7.3, testFallbackWhenStateOpenFirst.
func TestAncestorsFallbackForCircuitBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		guarded := &Guarded{played: played{plays: []any{errOK}}}
		c := container.New()
		c.Provide(func() *Guarded { return guarded }, container.As[Work]())
		c.Provide(func() *Foo { return &Foo{} })
		work := built[Work](t, c)
		requireOutcome(t, "s:ok", work)
		require.Equal(t, 2, guarded.calls)

		// testFallbackWhenStateOpenFirst
		breaker, err := c.Breaker("Guarded@Process")
		require.NoError(t, err)
		require.Equal(t, retry.BreakerOpen, breaker.State())
		// The ancestor's fallback gets no cause here; ours is told of the rejection.
		requireOutcome(t, "s:Guarded@Process: rejected: circuit breaker is open", work)
		require.Equal(t, 2, guarded.calls)

		// The ancestor's rejected call has opened it anew; ours has not.
		time.Sleep(10 * time.Second)
		guarded.plays = []any{true}
		requireOutcome(t, true, work)
		require.Equal(t, retry.BreakerClosed, breaker.State())
	})
}

// hyperf:7.3 What the ancestor's tables leave out.
func TestWithoutAFallbackARejectedCallIsAnError(t *testing.T) {
	// The ancestor returns null.
	worker := &Worker{played{plays: []any{errOK}}}
	work, _ := woven(t, worker, container.Annotate[aliases.CircuitBreaker](Work.Process))
	requireOutcome(t, errOK, work)
	require.Equal(t, 10, worker.calls)
	_, err := work.Process(t.Context(), "s")
	require.ErrorIs(t, err, retry.ErrCircuitOpen)
	require.Equal(t, 10, worker.calls)
}

// hyperf:7.9 The ancestor's other breaker: ten failures open it, which here are ten in a row, ten successes after the
// reset timeout close it, and a call that takes more than five seconds is a failure whose result is returned.
func TestAncestorsOtherCircuitBreaker(t *testing.T) {
	other := annotation.Breaker(retry.BreakerSettings{ResetTimeout: 10 * time.Second, Consecutive: 10, Probes: 10})
	once := annotation.Policies(retry.Fallback, retry.Classifier, retry.CircuitBreaker)
	start := func(t *testing.T, opts ...annotation.Option) (*Worker, Work, *retry.Breaker) {
		worker := &Worker{played{plays: []any{errRuntime}}}
		work, c := woven(t, worker, container.Annotate[aliases.CircuitBreaker](Work.Process, append([]annotation.Option{once, other, annotation.MaxAttempts(1)}, opts...)...))
		breaker, err := c.Breaker(Work.Process)
		require.NoError(t, err)
		return worker, work, breaker
	}
	t.Run("state transitions", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			worker, work, breaker := start(t)
			for range 10 {
				require.Equal(t, retry.BreakerClosed, breaker.State())
				requireOutcome(t, errRuntime, work) // the ancestor counts none but its own timeouts
			}
			require.Equal(t, retry.BreakerOpen, breaker.State())

			time.Sleep(10 * time.Second)
			worker.plays = []any{"processed"}
			for range 10 {
				// The ancestor's half-open admits by lot, without a bound.
				require.Equal(t, retry.BreakerHalfOpen, breaker.State())
				requireOutcome(t, "processed", work)
			}
			require.Equal(t, retry.BreakerClosed, breaker.State())
		})
	})
	t.Run("a failure while half-open", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			_, work, breaker := start(t)
			for range 10 {
				_, _ = work.Process(t.Context(), "s")
			}
			time.Sleep(10 * time.Second)
			requireOutcome(t, errRuntime, work)
			require.Equal(t, retry.BreakerOpen, breaker.State(), "the ancestor waits for ten")
		})
	})
	t.Run("open, with a fallback and without", func(t *testing.T) {
		for _, opts := range [][]annotation.Option{nil, {annotation.Fallback("Foo@Fallback")}} {
			worker, work, breaker := start(t, opts...)
			breaker.ForceOpen()
			if v, err := work.Process(t.Context(), "s"); opts == nil {
				require.ErrorAs(t, err, new(*retry.RejectedError)) // the ancestor: "The fallback is invalid."
			} else {
				require.NoError(t, err)
				require.Equal(t, 10, v)
			}
			require.Zero(t, worker.calls)
		}
	})
	t.Run("slow calls", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			worker, work, breaker := start(t, annotation.Breaker(retry.BreakerSettings{
				ResetTimeout: 10 * time.Second, WindowTime: 10 * time.Second, MinCalls: 2, SlowCall: time.Second, SlowRatio: 1,
			}))
			worker.plays = []any{"processed"}
			worker.then = func(int) { time.Sleep(2 * time.Second) }
			requireOutcome(t, "processed", work)
			require.Equal(t, retry.BreakerClosed, breaker.State())
			requireOutcome(t, "processed", work)
			require.Equal(t, retry.BreakerOpen, breaker.State())
		})
	})
}
