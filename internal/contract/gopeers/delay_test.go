package gopeers_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// drawn are the waits of one session of so many attempts that all fail, which really are waited for.
func drawn(t *testing.T, p *form, attempts int) []time.Duration {
	t.Helper()
	var report *retry.Report
	took := within(func() {
		var err error
		report, err = reported(t.Context(), p, scripted(errBoom).run)
		require.Equal(t, errBoom, err)
	})
	require.Len(t, report.Waits, attempts-1)
	var sum time.Duration
	for _, w := range report.Waits {
		sum += w
	}
	require.Equal(t, sum, took)
	return report.Waits
}

// sleeping runs a case in both forms with a strategy and so many attempts. The fluent form has no other cap than the
// default, 60 s.
func sleeping(t *testing.T, s retry.SleepStrategy, base time.Duration, attempts int, f func(t *testing.T, p *form)) {
	t.Helper()
	inBothForms(t,
		func() retry.ErrorChain { return retry.With(retry.NewSleep(s, base), retry.NewMaxAttempts(attempts)) },
		options(annotation.SleepStrategy(s), annotation.Base(base), annotation.MaxAttempts(attempts)), f)
}

// doubling is a user's strategy: Backoff without its jitter.
type doubling struct{}

func (doubling) Wait(s *retry.Session) time.Duration { return s.Settings().Base << (s.Attempt() - 1) }

// go:D1. Backoff spreads each wait upwards by up to 20 %, and never goes below the schedule; the cap comes last. The exact
// schedule is a user's strategy.
func TestBackoffGrowsFromItsBaseToTheCap(t *testing.T) {
	schedule := []time.Duration{1, 2, 4, 8, 10, 10}
	synctest.Test(t, func(t *testing.T) {
		capped := option(annotation.Base(time.Second), annotation.MaxDelay(10*time.Second), annotation.MaxAttempts(7))
		exact := drawn(t, annotated(t, append(capped, annotation.SleepStrategy(doubling{}))...), 7)
		for range 50 {
			for i, w := range drawn(t, annotated(t, append(capped, annotation.SleepStrategy(retry.Backoff))...), 7) {
				require.Equal(t, schedule[i]*time.Second, exact[i])
				require.GreaterOrEqual(t, w, exact[i])
				require.LessOrEqual(t, w, min(exact[i]*12/10, 10*time.Second))
			}
		}
	})
	sleeping(t, retry.Backoff, time.Second, 9, func(t *testing.T, p *form) {
		for i, w := range drawn(t, p, 9) {
			least := min(time.Second<<i, time.Minute)
			require.GreaterOrEqual(t, w, least)
			require.LessOrEqual(t, w, min(least*12/10, time.Minute))
		}
	})
}

// unslept is a strategy that notes what another proposes and waits for nothing, since some of it would outlast everybody.
type unslept struct {
	retry.SleepStrategy
	mu    sync.Mutex
	waits []time.Duration
}

func (u *unslept) Wait(s *retry.Session) time.Duration {
	w := u.SleepStrategy.Wait(s)
	u.mu.Lock()
	defer u.mu.Unlock()
	u.waits = append(u.waits, w)
	return 0
}

// go:D2
func TestBackoffDoesNotOverflow(t *testing.T) {
	for _, attempts := range []int{34, 35, 64, 1000} {
		t.Run(fmt.Sprint(attempts, " attempts"), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				u := &unslept{SleepStrategy: retry.Backoff}
				p := annotated(t, annotation.SleepStrategy(u), annotation.Base(time.Second), annotation.MaxDelay(math.MaxInt64), annotation.MaxAttempts(attempts))
				require.Equal(t, errBoom, p.run(t.Context(), scripted(errBoom).run))
				require.Len(t, u.waits, attempts-1)
				require.Positive(t, u.waits[0])
				require.True(t, slices.IsSorted(u.waits), "%v", u.waits)
				if attempts > 64 {
					require.Equal(t, time.Duration(math.MaxInt64), u.waits[attempts-2], "it saturates")
				}
			})
			sleeping(t, retry.Backoff, time.Second, attempts, func(t *testing.T, p *form) {
				all := drawn(t, p, attempts)
				require.True(t, slices.IsSorted(all), "%v", all)
				require.Equal(t, time.Minute, all[len(all)-1])
			})
		})
	}
}

// go:D3. There is no setting of jitter that could be negative.
func TestJitterNeverPanics(t *testing.T) {
	for name, s := range map[string]retry.SleepStrategy{"flat": retry.Flat, "backoff": retry.Backoff, "decorrelated": retry.DecorrelatedJitter} {
		for _, base := range []time.Duration{0, time.Microsecond, time.Second, math.MaxInt64} {
			t.Run(fmt.Sprint(name, " from ", base), func(t *testing.T) {
				u := &unslept{SleepStrategy: s}
				p := annotated(t, annotation.SleepStrategy(u), annotation.Base(base), annotation.MaxDelay(math.MaxInt64), annotation.MaxAttempts(100))
				require.Equal(t, errBoom, p.run(t.Context(), scripted(errBoom).run))
				for _, w := range u.waits {
					require.GreaterOrEqual(t, w, base)
				}
			})
		}
		t.Run(name+" of nothing", func(t *testing.T) {
			sleeping(t, s, 0, 34, func(t *testing.T, p *form) {
				require.Equal(t, make([]time.Duration, 33), drawn(t, p, 34))
			})
		})
	}
}

// go:D4. Ours is never spread downwards; a user's strategy may be, and what it proposes below zero is no wait.
func TestJitterThatIsLargerThanTheDelayNeverWaitsLessThanNothing(t *testing.T) {
	const delay, jitter = 100 * time.Millisecond, 200 * time.Millisecond
	var least, most time.Duration // of what was proposed
	around := strategy(func(*retry.Session) time.Duration {
		w := delay - jitter + rand.N(2*jitter+1)
		least, most = min(least, w), max(most, w)
		return w
	})
	sleeping(t, around, 0, 501, func(t *testing.T, p *form) {
		for _, w := range drawn(t, p, 501) {
			require.GreaterOrEqual(t, w, time.Duration(0))
			require.LessOrEqual(t, w, delay+jitter)
		}
		require.Negative(t, least)
		require.Greater(t, most, delay)
	})
	sleeping(t, retry.DecorrelatedJitter, delay, 501, func(t *testing.T, p *form) {
		for _, w := range drawn(t, p, 501) {
			require.GreaterOrEqual(t, w, delay)
		}
	})
}

// go:D5
func TestTheCapIsACap(t *testing.T) {
	for name, s := range map[string]retry.SleepStrategy{"backoff": retry.Backoff, "decorrelated": retry.DecorrelatedJitter, "a user's": doubling{}} {
		t.Run(name, func(t *testing.T) {
			sleeping(t, s, 50*time.Second, 501, func(t *testing.T, p *form) {
				all := drawn(t, p, 501)
				require.Equal(t, time.Minute, slices.Max(all))
			})
		})
	}
}

// go:D7. We have no full jitter, which retries at once as likely as not; the bounds of what we have are as exact. A user's
// own has the ceiling of the case.
func TestTheFirstWaitStaysWithinTheBoundsOfItsStrategy(t *testing.T) {
	full := strategy(func(s *retry.Session) time.Duration { return rand.N(s.Settings().Base << (s.Attempt() - 1)) })
	for _, c := range []struct {
		name        string
		s           retry.SleepStrategy
		least, most time.Duration
	}{
		{"backoff", retry.Backoff, time.Second, 1200 * time.Millisecond},
		{"decorrelated", retry.DecorrelatedJitter, time.Second, 3 * time.Second},
		{"a user's full jitter", full, 0, time.Second - 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			sleeping(t, c.s, time.Second, 2, func(t *testing.T, p *form) {
				var all []time.Duration
				for range 2000 {
					all = append(all, drawn(t, p, 2)...)
				}
				require.GreaterOrEqual(t, slices.Min(all), c.least)
				require.LessOrEqual(t, slices.Max(all), c.most)
				require.Greater(t, slices.Max(all)-slices.Min(all), (c.most-c.least)/2, "they are spread")
			})
		})
	}
}

// busy is an error of the peer's that says when to come again.
type busy struct {
	error
	after time.Duration
}

func (b busy) Unwrap() error             { return b.error }
func (b busy) RetryAfter() time.Duration { return b.after }

// go:D8
func TestTheWaitThatAnErrorAsksForIsWaited(t *testing.T) {
	inBothForms(t,
		func() retry.ErrorChain { return retry.WhenThrows().Max(2).WrapExhausted() },
		options(annotation.MaxAttempts(2), annotation.WrapExhausted(true)),
		func(t *testing.T, p *form) {
			for _, err := range []error{busy{errBoom, 3 * time.Second}, fmt.Errorf("charge: %w", busy{errBoom, 3 * time.Second})} {
				require.Equal(t, 3*time.Second, within(func() {
					err := p.run(t.Context(), scripted(err).run)
					exhaustedBy(t, err, "maxAttempts", 2)
					require.ErrorIs(t, err, errBoom)
				}))
			}
		})
}

// go:D9
func TestAWaitBelowZeroIsNoneAndLengthensNothing(t *testing.T) {
	bounded(t, time.Second, 0, func(t *testing.T, p *form) {
		calls := 0
		require.Equal(t, 1200*time.Millisecond, within(func() {
			err := p.run(t.Context(), func(context.Context) error {
				calls++
				time.Sleep(400 * time.Millisecond)
				return busy{errBoom, -5 * time.Second}
			})
			exhaustedBy(t, err, "timeout", 3)
		}))
		require.Equal(t, 3, calls)
	})
}

// go:D11
func TestAWaitThatThePeerAsksForIsNotUndercutByJitter(t *testing.T) {
	for name, s := range map[string]retry.SleepStrategy{"backoff": retry.Backoff, "decorrelated": retry.DecorrelatedJitter,
		"a user's": strategy(func(*retry.Session) time.Duration { return rand.N(900 * time.Millisecond) })} {
		t.Run(name, func(t *testing.T) {
			sleeping(t, s, 100*time.Millisecond, 2, func(t *testing.T, p *form) {
				for range 20 {
					report, err := reported(t.Context(), p, scripted(busy{errBoom, time.Second}).run)
					require.ErrorIs(t, err, errBoom)
					require.Equal(t, []time.Duration{time.Second}, report.Waits)
				}
			})
		})
	}
}
