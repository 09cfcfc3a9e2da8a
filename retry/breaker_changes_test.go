package retry_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// onChange is a listener of changes of state alone.
type onChange func(retry.BreakerChanged)

func (f onChange) On(_ context.Context, e retry.Event) {
	if c, ok := e.(retry.BreakerChanged); ok {
		f(c)
	}
}

// guardedBy is a chain of the breaker that the listeners listen to.
func guardedBy(t *testing.T, listeners ...retry.Listener) *retry.Breaker {
	t.Helper()
	policy, breaker := circuit(retry.BreakerSettings{})
	chain := retry.With(policy)
	for _, l := range listeners {
		chain = chain.Listen(l)
	}
	require.NoError(t, chain.Run(t.Context(), scripted(nil).run))
	return breaker
}

// A listener may change the state that it is told of. The change holds at once; but all listeners are told of the first
// change before any is told of the second.
func TestAChangeMadeByAListenerIsToldAfterTheOneThatItWasToldOf(t *testing.T) {
	var told []string
	note := func(who string, c retry.BreakerChanged) {
		told = append(told, fmt.Sprintf("%s: %s to %s", who, c.From, c.To))
	}
	breaker := guardedBy(t,
		onChange(func(c retry.BreakerChanged) {
			note("first", c)
			if c.To == retry.BreakerForceOpen {
				c.Breaker.ForceClose()
				require.Equal(t, retry.BreakerForceClosed, c.Breaker.State())
				c.Breaker.Reset()
				note("first is done", c)
			}
		}),
		onChange(func(c retry.BreakerChanged) { note("second", c) }),
	)
	breaker.ForceOpen()
	require.Equal(t, []string{
		"first: closed to force-open",
		"first is done: closed to force-open",
		"second: closed to force-open",
		"first: force-open to force-closed",
		"second: force-open to force-closed",
		"first: force-closed to closed",
		"second: force-closed to closed",
	}, told)
}

// While a listener takes its time, whoever changes the state again does not wait for it, and does not tell either.
func TestAChangeIsToldByWhoeverIsTellingAlready(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := new(journal)
		breaker := guardedBy(t, onChange(func(c retry.BreakerChanged) {
			time.Sleep(time.Second)
			told.add("%s", c.To)
		}))
		go breaker.ForceOpen()
		synctest.Wait() // it is telling

		start := time.Now()
		breaker.ForceClose()
		breaker.Reset()
		require.Zero(t, time.Since(start))
		require.Empty(t, told.all())
		time.Sleep(time.Minute)
		require.Equal(t, []string{"force-open", "force-closed", "closed"}, told.all())
	})
}

// A listener that panics spoils nothing: what it has left untold is told at the next change, by whoever makes that.
func TestAfterAListenerHasPanickedTheNextChangeTellsTheRest(t *testing.T) {
	var told []retry.BreakerState
	breaker := guardedBy(t, onChange(func(c retry.BreakerChanged) {
		told = append(told, c.To)
		if c.To == retry.BreakerForceOpen {
			c.Breaker.MetricsOnly()
			panic("listener")
		}
	}))
	for range 2 {
		told = nil
		require.PanicsWithValue(t, "listener", breaker.ForceOpen)
		require.Equal(t, []retry.BreakerState{retry.BreakerForceOpen}, told)
		require.Equal(t, retry.BreakerMetricsOnly, breaker.State())
		breaker.Reset()
		require.Equal(t, []retry.BreakerState{retry.BreakerForceOpen, retry.BreakerMetricsOnly, retry.BreakerClosed}, told)
	}
}

func TestAListenerIsToldOfAChangeAtWhichOneBeforeItHasPanicked(t *testing.T) {
	var told []retry.BreakerState
	breaker := guardedBy(t, panicsOn(retry.BreakerChanged{}), onChange(func(c retry.BreakerChanged) { told = append(told, c.To) }))
	require.PanicsWithValue(t, "listener", breaker.ForceOpen)
	require.Equal(t, []retry.BreakerState{retry.BreakerForceOpen}, told)
}
