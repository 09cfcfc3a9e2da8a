package retry_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// waits are the waits of a session that always fails.
func waits(t *testing.T, chain retry.ErrorChain) []time.Duration {
	t.Helper()
	ctx, report := retry.WithReport(t.Context())
	start, sum := time.Now(), time.Duration(0)
	require.Error(t, chain.Run(ctx, scripted(errBoom).run))
	for _, w := range report.Waits {
		sum += w
	}
	require.Equal(t, sum, time.Since(start), "what is reported is what was waited")
	return report.Waits
}

func TestFlatWaitsTheBaseEveryTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		require.Equal(t, []time.Duration{time.Second, time.Second, time.Second}, waits(t, retry.WhenThrows().Max(4).Sleep(time.Second)))
		require.Equal(t, []time.Duration{time.Minute}, waits(t, retry.WhenThrows().Max(2).Sleep(time.Hour)), "at most the default MaxDelay")
	})
}

func TestBackoffDoublesWithUpToATwentyPercentMoreAndNeverLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		schedule := []time.Duration{1, 2, 4, 8, 16, 32, 60, 60, 60}
		varied := false
		for range 200 {
			for i, w := range waits(t, retry.WhenThrows().Max(10).Backoff(time.Second)) {
				least := schedule[i] * time.Second
				require.GreaterOrEqual(t, w, least)
				require.LessOrEqual(t, w, min(least+least/5, time.Minute), "the cap is a cap, after jitter")
				varied = varied || w > least
			}
		}
		require.True(t, varied)
	})
}

func TestBackoffsJitterReachesBothEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		least, most := time.Hour, time.Duration(0)
		for range 2000 {
			w := waits(t, retry.WhenThrows().Max(2).Backoff(time.Second))[0]
			least, most = min(least, w), max(most, w)
		}
		require.Less(t, least, 1010*time.Millisecond)
		require.Greater(t, most, 1190*time.Millisecond)
	})
}

func TestDecorrelatedJitterWaitsBetweenTheBaseAndThreeTimesTheWaitBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chain := retry.With(retry.NewSleep(retry.DecorrelatedJitter, time.Second)).Max(30)
		varied, capped := false, false
		for range 50 {
			last := time.Second
			for _, w := range waits(t, chain) {
				require.GreaterOrEqual(t, w, time.Second)
				require.LessOrEqual(t, w, min(3*last, time.Minute))
				varied = varied || w != last
				capped = capped || w == time.Minute
				last = w
			}
		}
		require.True(t, varied)
		require.True(t, capped)
	})
}

// waitOf is what a strategy proposes after so many attempts, in a method with the settings.
func waitOf(t *testing.T, strategy retry.SleepStrategy, base, most time.Duration, attempt int) (wait time.Duration) {
	t.Helper()
	set := settings(retry.MaxAttempts)
	set.Base, set.MaxDelay, set.MaxAttempts, set.SleepStrategy = base, most, attempt, strategy
	set.Policies = append(set.Policies, asking)
	h := compiled(t, retry.Definition{Settings: set, Custom: map[retry.PolicyFactory]retry.Policy{
		asking: enderFunc(func(s *retry.Session) { wait = strategy.Wait(s) }),
	}})
	_ = run(t.Context(), h, scripted(errBoom).run)
	return wait
}

var asking = retry.PolicyFrom("asking", func() enderFunc { return nil })

func TestNoStrategyOverflowsOrGoesBelowZero(t *testing.T) {
	longest := time.Duration(math.MaxInt64)
	for _, strategy := range []retry.SleepStrategy{retry.Flat, retry.Backoff, retry.DecorrelatedJitter} {
		for _, attempt := range []int{1, 2, 34, 35, 63, 64, 65, 1000} {
			for _, base := range []time.Duration{0, 1, time.Second, time.Hour, longest / 3, longest/2 + 1, longest} {
				for _, most := range []time.Duration{0, 1, time.Minute, longest} {
					w := waitOf(t, strategy, base, most, attempt)
					require.GreaterOrEqual(t, w, min(base, most), "%v of %v after %d", strategy, base, attempt)
					require.LessOrEqual(t, w, most)
				}
			}
		}
	}
}

func TestBackoffNeverDecreasesBelowTheScheduleHoweverLong(t *testing.T) {
	last := time.Duration(0)
	for attempt := 1; attempt <= 80; attempt++ {
		w := waitOf(t, retry.Backoff, time.Second, math.MaxInt64, attempt)
		require.Greater(t, w, time.Duration(0))
		require.GreaterOrEqual(t, w, last/6*5, "by more than the jitter")
		last = w
	}
}

func TestABaseOfZeroWaitsNotAtAllAndNeverForItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, strategy := range []retry.SleepStrategy{retry.Flat, retry.Backoff, retry.DecorrelatedJitter} {
			require.Equal(t, []time.Duration{0, 0}, waits(t, retry.With(retry.NewSleep(strategy, 0)).Max(3)))
		}
	})
}

// fibonacci is a user's own strategy.
type fibonacci struct{}

func (fibonacci) Wait(s *retry.Session) time.Duration {
	a, b := time.Duration(0), s.Settings().Base
	for range s.Attempt() - 1 {
		a, b = b, a+b
	}
	return b
}

func TestAStrategyOfTheUsersReadsTheSessionsSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		want := []time.Duration{time.Second, time.Second, 2 * time.Second, 3 * time.Second, 5 * time.Second}
		require.Equal(t, want, waits(t, retry.With(retry.NewSleep(fibonacci{}, time.Second)).Max(6)))

		set := settings(retry.MaxAttempts, retry.Sleep)
		set.Base, set.SleepStrategy, set.MaxAttempts = time.Second, fibonacci{}, 6
		ctx, report := retry.WithReport(t.Context())
		_ = run(ctx, compiled(t, retry.Definition{Settings: set}), scripted(errBoom).run)
		require.Equal(t, want, report.Waits)
	})
}

func TestOfSeveralSleepsEachHasItsOwnBase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, chain := range []retry.ErrorChain{
			retry.WhenThrows().Max(4).Sleep(3 * time.Second).With(retry.NewSleep(fibonacci{}, time.Second)),
			retry.WhenThrows().Max(4).With(retry.NewSleep(fibonacci{}, time.Second)).Sleep(3 * time.Second),
		} {
			require.Equal(t, []time.Duration{3 * time.Second, 3 * time.Second, 3 * time.Second}, waits(t, chain), "the largest holds, and one wait is waited")
		}
	})
}

func TestAnErrorMayAskForAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			err  error
			want time.Duration
		}{
			{busy{3 * time.Second}, 3 * time.Second},
			{fmt.Errorf("w: %w", busy{3 * time.Second}), 3 * time.Second},
			{busy{time.Millisecond}, time.Second},
			{busy{-5 * time.Second}, time.Second},
		} {
			start, op := time.Now(), scripted(c.err)
			err := retry.WhenThrows().Max(2).Sleep(time.Second).Run(t.Context(), op.run)
			require.Equal(t, c.err, err)
			require.Equal(t, c.want, time.Since(start))
		}
		for range 20 {
			start := time.Now()
			_ = retry.WhenThrows().Max(2).Backoff(900*time.Millisecond).Run(t.Context(), scripted(busy{time.Second}).run)
			require.GreaterOrEqual(t, time.Since(start), time.Second, "jitter does not undercut it")
		}
	})
}

func TestAnErrorsWaitDoesNotLengthenTheTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		err := retry.WhenThrows().Within(2*time.Second).WrapExhausted().Run(t.Context(), func(context.Context) error {
			time.Sleep(time.Second)
			return busy{-time.Hour}
		})
		exhaustedBy(t, err, "timeout", 2)
		require.Equal(t, 2*time.Second, time.Since(start))
	})
}

func TestStrategiesPrintThemselves(t *testing.T) {
	require.Equal(t, "flat backoff decorrelatedJitter", fmt.Sprint(retry.Flat, " ", retry.Backoff, " ", retry.DecorrelatedJitter))
}

func TestANilStrategyIsADefinitionError(t *testing.T) {
	defined(t, retry.With(retry.NewSleep(nil, time.Second)).Run(t.Context(), scripted(nil).run), "strategy is nil", "retry.Backoff")
}

func TestBuiltinStrategiesCanBeCompared(t *testing.T) {
	names := map[retry.SleepStrategy]string{retry.Flat: "flat", retry.Backoff: "backoff", retry.DecorrelatedJitter: "decorrelatedJitter"}
	require.Len(t, names, 3)
	for s, name := range names {
		require.Equal(t, name, fmt.Sprint(s))
		require.Equal(t, name == "backoff", s == retry.Backoff)
	}
}

func TestWithRandDrawsFromTheSourceThatItIsGiven(t *testing.T) {
	most := func(n uint64) uint64 { return n - 1 }
	least := func(uint64) uint64 { return 0 }
	for name, test := range map[string]struct {
		strategy retry.SleepStrategy
		want     []time.Duration
	}{
		"backoff, all that chance adds":     {retry.WithRand(retry.Backoff, most), []time.Duration{1200 * time.Millisecond, 2400 * time.Millisecond, 4800 * time.Millisecond}},
		"backoff, nothing added":            {retry.WithRand(retry.Backoff, least), []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}},
		"decorrelated jitter, all of it":    {retry.WithRand(retry.DecorrelatedJitter, most), []time.Duration{3 * time.Second, 9 * time.Second, 27 * time.Second}},
		"decorrelated jitter, none":         {retry.WithRand(retry.DecorrelatedJitter, least), []time.Duration{time.Second, time.Second, time.Second}},
		"flat has nothing to do with it":    {retry.WithRand(retry.Flat, most), []time.Duration{time.Second, time.Second, time.Second}},
		"the last one given is what counts": {retry.WithRand(retry.WithRand(retry.Backoff, most), least), []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, report := retry.WithReport(t.Context())
				_ = retry.With(retry.NewSleep(test.strategy, time.Second)).WhenThrows().Max(4).Run(ctx, scripted(errBoom).run)
				require.Equal(t, test.want, report.Waits)
			})
		})
	}
	own := retry.SleepStrategy(ownStrategy{})
	require.Equal(t, own, retry.WithRand(own, most), "a user's strategy is left alone")
	require.Equal(t, retry.Backoff, retry.WithRand(retry.Backoff, nil))
	require.Equal(t, "backoff", fmt.Sprint(retry.WithRand(retry.Backoff, most)))
}

type ownStrategy struct{}

func (ownStrategy) Wait(*retry.Session) time.Duration { return 0 }
