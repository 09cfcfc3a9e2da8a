package retry_test

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// The jitter of a microsecond is small enough to see all of it: 0 to 200 ns, both included, and nothing else.
func TestBackoffsJitterIsUpToATwentyPercentToTheNanosecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		least, most := time.Hour, time.Duration(0)
		for range 5000 {
			w := waits(t, retry.WhenThrows().Max(2).Backoff(time.Microsecond))[0]
			least, most = min(least, w), max(most, w)
		}
		require.Equal(t, 1000*time.Nanosecond, least)
		require.Equal(t, 1200*time.Nanosecond, most)
	})
}

// Where three times the wait before is more than the longest duration, the wait is between the base and that one.
func TestDecorrelatedJitterOfALongBaseStillVaries(t *testing.T) {
	const base = math.MaxInt64/2 + 1
	seen := map[time.Duration]bool{}
	for range 20 {
		w := waitOf(t, retry.DecorrelatedJitter, base, math.MaxInt64, 1)
		require.GreaterOrEqual(t, w, time.Duration(base))
		seen[w] = true
	}
	require.Greater(t, len(seen), 1)
}

// double asks Backoff for twice its wait.
type double struct{}

func (double) Wait(s *retry.Session) time.Duration { return 2 * retry.Backoff.Wait(s) }

// A base of zero doubles to zero, however often, also where a strategy of the user's builds on a built-in one.
func TestBackoffOfABaseOfZeroIsZeroAfterAnyNumberOfAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, strategy := range []retry.SleepStrategy{retry.Backoff, double{}} {
			for _, w := range waits(t, retry.With(retry.NewSleep(strategy, 0)).Max(80)) {
				require.Zero(t, w)
			}
			require.Zero(t, waitOf(t, strategy, 0, time.Minute, 80))
		}
	})
}

// A sleep with a base of zero asks for no wait of its own, also after a wait that another has asked for.
func TestABaseOfZeroStaysZeroAfterAWaitThatAnErrorAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chain := retry.With(retry.NewSleep(retry.DecorrelatedJitter, 0)).Max(4)
		for range 20 {
			ctx, report := retry.WithReport(t.Context())
			_ = chain.Run(ctx, scripted(busy{time.Second}, errBoom).run)
			require.Equal(t, []time.Duration{time.Second, 0, 0}, report.Waits)
		}
	})
}

// A starter may ask what the wait will be, before the first attempt: it is the one after it.
func TestAStrategyAnswersBeforeTheFirstAttempt(t *testing.T) {
	const base = time.Second
	for _, c := range []struct {
		strategy retry.SleepStrategy
		most     time.Duration
	}{
		{retry.Flat, base},
		{retry.Backoff, base + base/5},
		{retry.DecorrelatedJitter, 3 * base},
	} {
		asked := false
		policy := starterFunc(func(s *retry.Session) {
			asked = true
			require.Zero(t, s.Attempt())
			w := c.strategy.Wait(s)
			require.GreaterOrEqual(t, w, base, "%v", c.strategy)
			require.LessOrEqual(t, w, c.most, "%v", c.strategy)
		})
		set := settings(retry.MaxAttempts, late)
		set.Base, set.MaxDelay = base, time.Minute
		h := compiled(t, retry.Definition{Settings: set, Custom: map[retry.PolicyFactory]retry.Policy{late: policy}})
		require.NoError(t, run(t.Context(), h, scripted(nil).run))
		require.True(t, asked)
	}
}
