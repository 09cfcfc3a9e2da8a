package retry

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A call that saw the breaker half-open may find it closed again once it has the lock. It is admitted then as any call of
// a closed breaker, no probe: its result counts as theirs.
func TestBreakerThatHasClosedMeanwhileCountsTheCallThatSawItHalfOpen(t *testing.T) {
	b := newBreaker("", BreakerSettings{ResetTimeout: time.Second, Consecutive: 2})
	for range 2 {
		b.record(admit(t, b, 0), failure, 0, 0)
	}
	require.Equal(t, BreakerHalfOpen, b.stateAt(breakerReset))
	b.Reset() // between the look without the lock and the one under it
	for range 2 {
		require.Equal(t, BreakerClosed, b.stateAt(breakerReset))
		k, admitted := b.enterHalfOpen(breakerReset)
		require.True(t, admitted)
		b.record(k, failure, 0, breakerReset)
	}
	require.Equal(t, BreakerOpen, b.stateAt(breakerReset))
}
