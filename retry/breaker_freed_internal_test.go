package retry

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The call that makes a breaker half-open is told of as it is admitted: before anybody has its ticket.
func TestBreakerProbeIsFreedWhenASubscriberStopsItsCall(t *testing.T) {
	for how, stop := range map[string]func(){"panic": func() { panic("listener") }, "Goexit": runtime.Goexit} {
		t.Run(how, func(t *testing.T) {
			b := newBreaker("", BreakerSettings{ResetTimeout: time.Second})
			b.open(0)
			stopped := false
			b.subscribe(func(_, to BreakerState) {
				if to == BreakerHalfOpen && !stopped {
					stopped = true
					stop()
				}
			})
			done := make(chan struct{})
			go func() {
				defer close(done)
				defer func() { _ = recover() }()
				b.enter(breakerReset)
				t.Error("the call goes on")
			}()
			<-done
			require.True(t, stopped)
			b.record(admit(t, b, breakerReset), success, 0, breakerReset)
			require.Equal(t, BreakerClosed, b.stateAt(breakerReset))
		})
	}
}
