package declarative_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/retry"
)

// decl:29. What an adaptive breaker is wanted for - little reaches a peer that is down, but never nothing, and all soon
// after it is back - the states give as well, since rejected calls are not among those that are counted.
func TestAPeerThatIsDownIsSparedAndFoundAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		healthy, outage := 5*time.Second, 30*time.Second
		remote := &Remote{do: func(context.Context, int) (string, error) {
			if since := time.Since(begin); since >= healthy && since < healthy+outage {
				return "", errBoom
			}
			return "done", nil
		}}
		s := guarded(t, remote, retry.BreakerSettings{ResetTimeout: time.Second, WindowTime: time.Second, FailureRatio: .5})
		// traffic is two hundred calls a second; it returns how many reach the peer, and the least in any two seconds.
		traffic := func(d time.Duration) (passed, least int) {
			least = 1 << 30
			for i := range int(d / (2 * time.Second)) {
				before := remote.count()
				for range 400 {
					_, _ = s.Call(t.Context())
					time.Sleep(5 * ms)
				}
				if i > 0 {
					least = min(least, remote.count()-before)
				}
				passed += remote.count() - before
			}
			return passed, least
		}
		passed, _ := traffic(4 * time.Second)
		require.Equal(t, 800, passed)
		time.Sleep(healthy - 4*time.Second)

		passed, least := traffic(outage)
		require.LessOrEqual(t, passed, 6000*5/100)
		require.GreaterOrEqual(t, least, 1)

		passed, _ = traffic(20 * time.Second)
		require.GreaterOrEqual(t, passed, 4000*90/100, "of those after the outage")
	})
}
