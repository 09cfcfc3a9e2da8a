package declarative_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// waitsOf are the waits of a call that never succeeds.
func waitsOf(t *testing.T, attempts int, opts ...annotation.Option) []time.Duration {
	t.Helper()
	peer := unheard(t, down(), container.Annotate[aliases.Retry](Peer.Call,
		append(opts, unbudgeted, annotation.MaxAttempts(attempts))...))
	ctx, report := retry.WithReport(t.Context())
	_, err := peer.Call(ctx)
	require.ErrorIs(t, err, errBoom)
	require.Len(t, report.Waits, attempts-1)
	return report.Waits
}

// proposed asks another strategy, notes what it proposes, and does not wait.
type proposed struct {
	retry.SleepStrategy
	waits []time.Duration
}

func (p *proposed) Wait(s *retry.Session) time.Duration {
	p.waits = append(p.waits, p.SleepStrategy.Wait(s))
	return 0
}

// decl:30. An exponent that overflows makes a wait negative, and the retries a hot loop.
func TestWaitsOfThousandsOfAttemptsStayBetweenBaseAndMaxDelay(t *testing.T) {
	for name, strategy := range map[string]retry.SleepStrategy{"backoff": retry.Backoff, "decorrelatedJitter": retry.DecorrelatedJitter} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				waits := waitsOf(t, 5000, annotation.SleepStrategy(strategy), annotation.Base(2*time.Second), annotation.MaxDelay(30*time.Second))
				for _, w := range waits {
					require.True(t, w >= 2*time.Second && w <= 30*time.Second, w)
				}
			})
		})
	}
	for _, test := range []struct{ base, maxDelay time.Duration }{
		{time.Microsecond, math.MaxInt64},
		{2 * time.Second, math.MaxInt64},
		{time.Hour, math.MaxInt64 - 1},
		{math.MaxInt64 / 2, math.MaxInt64},
		{math.MaxInt64, math.MaxInt64},
	} {
		p := &proposed{SleepStrategy: retry.Backoff}
		waitsOf(t, 5000, annotation.SleepStrategy(p), annotation.Base(test.base), annotation.MaxDelay(test.maxDelay))
		require.Len(t, p.waits, 4999)
		for _, w := range p.waits {
			require.GreaterOrEqual(t, w, test.base)
		}
		require.GreaterOrEqual(t, p.waits[4998], test.maxDelay, "capped, not wrapped around")
	}
}

// decl:32. Jitter that is larger than the delay makes a wait negative. The jitter of the built-in strategies only adds, and
// what a strategy of the user's says below zero is no wait.
func TestNoWaitIsNegative(t *testing.T) {
	for _, strategy := range []retry.SleepStrategy{retry.Flat, retry.Backoff, retry.DecorrelatedJitter} {
		synctest.Test(t, func(t *testing.T) {
			for _, w := range waitsOf(t, 5001, annotation.SleepStrategy(strategy), annotation.Base(time.Microsecond)) {
				require.GreaterOrEqual(t, w, time.Microsecond)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		for _, w := range waitsOf(t, 10, annotation.SleepStrategy(always(-time.Hour))) {
			require.Zero(t, w)
		}
		require.Zero(t, time.Since(begin))
	})
}

// always is a strategy that waits so long.
type always time.Duration

func (a always) Wait(*retry.Session) time.Duration { return time.Duration(a) }

// decl:34. A cap that nobody has written and no documentation tells of. Ours is 60 s, told in the table of attributes, and
// can be lifted.
func TestWaitsAreCappedAtTheDocumentedMaxDelayUnlessItIsSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backoff := []annotation.Option{annotation.SleepStrategy(retry.Backoff), annotation.Base(time.Second)}
		capped := waitsOf(t, 11, backoff...)
		require.Equal(t, retry.DefaultMaxDelay, capped[9])
		require.Equal(t, time.Minute, retry.DefaultMaxDelay)
		lifted := waitsOf(t, 11, append(backoff, annotation.MaxDelay(time.Hour))...)
		require.GreaterOrEqual(t, lifted[9], 512*time.Second)
		require.LessOrEqual(t, lifted[9], 512*time.Second*6/5)
	})
}

// decl:35. A limit on time that adds up the waits alone forgets the work.
func TestTheTimeoutCountsWorkAndWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal()
		s := weave(t, j.failing(400*ms), container.Annotate[aliases.Retry](Peer.Call,
			annotation.Timeout(time.Second), annotation.Base(100*ms)))
		ctx, report := retry.WithReport(t.Context())
		_, err := s.Call(ctx)
		require.Equal(t, errBoom, err)
		require.Equal(t, []time.Duration{0, 500 * ms}, j.times, "at 1 s no time is left")
		require.Equal(t, "timeout", report.Limit)
	})
}

// decl:37. Jitter in whole milliseconds is no jitter for short waits.
func TestJitterIsFinerThanAMillisecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 20 {
			w := waitsOf(t, 2, annotation.SleepStrategy(retry.Backoff), annotation.Base(500*time.Microsecond))[0]
			require.True(t, w >= 500*time.Microsecond && w <= 600*time.Microsecond, w)
		}
		seen := map[time.Duration]bool{}
		for range 100 {
			seen[waitsOf(t, 2, annotation.SleepStrategy(retry.Backoff), annotation.Base(500*time.Microsecond))[0]] = true
		}
		require.Greater(t, len(seen), 1)
	})
}

// decl:39. A cancel that the wait swallows lets the rest of the retries run without waits.
func TestACancelDuringAWaitEndsTheCallAndTellsBothErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := weave(t, down(), container.Annotate[aliases.Retry](Peer.Call,
			annotation.Base(time.Second), annotation.Fallback(func() (string, error) { return "fallback", nil })))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*ms, cancel)
		begin := time.Now()
		_, err := s.Call(ctx)
		require.Equal(t, 50*ms, time.Since(begin))
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, errBoom)
		require.Equal(t, 1, s.remote.count())
	})
}

// busy is an error that says when to come back, as a peer's Retry-After does.
type busy struct{ after time.Duration }

func (busy) Error() string               { return "busy" }
func (b busy) RetryAfter() time.Duration { return b.after }

// decl:48. What the peer says of when to come back is heeded within MaxDelay, and is not waited for beyond a deadline.
func TestTheWaitThatThePeerAsksForIsHeeded(t *testing.T) {
	for name, test := range map[string]struct {
		opts     []annotation.Option
		deadline time.Duration
		waits    []time.Duration
		limit    string
	}{
		"longer than the backoff":    {nil, time.Hour, []time.Duration{3 * time.Second}, "maxAttempts"},
		"longer than maxDelay":       {[]annotation.Option{annotation.MaxDelay(2 * time.Second)}, time.Hour, []time.Duration{2 * time.Second}, "maxAttempts"},
		"shorter than the backoff":   {[]annotation.Option{annotation.Base(4 * time.Second)}, time.Hour, []time.Duration{4 * time.Second}, "maxAttempts"},
		"beyond the timeout":         {[]annotation.Option{annotation.Timeout(time.Second)}, time.Hour, nil, "timeout"},
		"beyond the caller's limits": {nil, time.Second, nil, "deadline"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := weave(t, answers(busy{3 * time.Second}), container.Annotate[aliases.Retry](Peer.Call,
					append([]annotation.Option{annotation.Base(100 * ms)}, append(test.opts, annotation.MaxAttempts(2))...)...))
				ctx, cancel := context.WithTimeout(t.Context(), test.deadline)
				defer cancel()
				ctx, report := retry.WithReport(ctx)
				begin := time.Now()
				_, err := s.Call(ctx)
				require.ErrorIs(t, err, busy{3 * time.Second})
				require.Equal(t, test.waits, report.Waits)
				require.Equal(t, test.limit, report.Limit)
				if test.waits == nil {
					require.Zero(t, time.Since(begin), "at once")
				}
			})
		})
	}
}
