package backstayotel_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	backstayotel "github.com/backstay/backstay/otel"
	"github.com/backstay/backstay/retry"
)

// A sum that becomes smaller is taken for that of a program that has started anew, and what it had by then is counted again.
func TestTimeInAStateNeverBecomesLessThoughABreakerChangesWhileItIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		provider, reader := meter()
		in := instrumented(t, provider)
		breaker := retry.BreakerOf(retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Hour}))
		change := breaker.ForceOpen
		in.Observe(backstayotel.SourceFunc(func() retry.Status {
			told := breaker.Status()
			change() // after it was looked at, and before that is counted
			time.Sleep(time.Second)
			return retry.Status{Breakers: []retry.BreakerStatus{told}}
		}))
		spent := func() []string { return collect(t, reader).points("backstay.breaker.state.duration") }
		time.Sleep(3 * time.Second)
		require.Equal(t, []string{"breaker.state=closed 3"}, spent())
		change = func() {}
		require.Equal(t, []string{"breaker.state=closed 3", "breaker.state=force-open 1"}, spent())
		require.Equal(t, []string{"breaker.state=closed 3", "breaker.state=force-open 2"}, spent())
	})
}
