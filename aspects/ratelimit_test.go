package aspects_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/aspects"
	"github.com/backstay/backstay/retry"
)

// timed is a Load that remembers when it was called, since began.
type timed struct {
	mu    sync.Mutex
	began time.Time
	at    []time.Duration
}

func newTimed() *timed { return &timed{began: time.Now()} }

func (l *timed) load(context.Context, string) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at = append(l.at, time.Since(l.began))
	return "fine", nil
}

func limit(perSecond float64, burst int, wait time.Duration) aspect.WrapOption {
	return annotated(func(r *aspects.RateLimit) { r.PerSecond, r.Burst, r.Wait = perSecond, burst, wait })
}

func TestRateLimitRefusesCallsThatComeTooOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newTimed()
		load := around(t, aspects.NewRateLimit(), Load(l.load), limit(10, 2, 0))
		for _, step := range []struct {
			after, retryAfter time.Duration
		}{
			{0, 0},
			{0, 0}, // the burst
			{0, 100 * time.Millisecond},
			{0, 100 * time.Millisecond}, // a refusal takes no token
			{60 * time.Millisecond, 40 * time.Millisecond},
			{40 * time.Millisecond, 0},
			{0, 100 * time.Millisecond},
			{time.Hour, 0},
			{0, 0},
			{0, 100 * time.Millisecond}, // no more than the burst is kept
		} {
			time.Sleep(step.after)
			_, err := load(t.Context(), "7")
			if step.retryAfter == 0 {
				require.NoError(t, err)
				continue
			}
			rejected := new(retry.RejectedError)
			require.ErrorAs(t, err, &rejected)
			require.Equal(t, step.retryAfter, rejected.RetryAfter())
			require.ErrorIs(t, err, aspects.ErrRateLimited)
			require.EqualError(t, err, fmt.Sprintf("Load@Call: rejected: rate limit is reached; there is a token in %v", step.retryAfter))
		}
	})
}

func TestABurstIsASecondsWorthByDefault(t *testing.T) {
	for perSecond, want := range map[float64]int{0.5: 1, 1: 1, 2.5: 3, 20: 20} {
		t.Run(fmt.Sprint(perSecond), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newTimed()
				load := around(t, aspects.NewRateLimit(), Load(l.load), limit(perSecond, 0, 0))
				for range 25 {
					_, _ = load(t.Context(), "7")
				}
				require.Len(t, l.at, want)
			})
		})
	}
}

func TestRateLimitLetsCallsWaitForTheirTokensInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newTimed()
		all := newCalls(around(t, aspects.NewRateLimit(), Load(l.load), limit(10, 1, 200*time.Millisecond)))
		for i := range 5 {
			all.begin(t.Context(), fmt.Sprint(i))
		}
		for i := 3; i < 5; i++ {
			e := all.ended(fmt.Sprint(i))
			require.NotNil(t, e, "who would have to wait too long is told at once")
			require.ErrorIs(t, e.err, aspects.ErrRateLimited)
		}
		all.wg.Wait()
		require.Equal(t, []time.Duration{0, 100 * time.Millisecond, 200 * time.Millisecond}, l.at)
	})
}

func TestAContextEndsTheWaitForAToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newTimed()
		all := newCalls(around(t, aspects.NewRateLimit(), Load(l.load), limit(1, 1, time.Minute)))
		all.begin(t.Context(), "first")

		soon, cancel := context.WithTimeout(t.Context(), 999*time.Millisecond)
		defer cancel()
		_, err := all.load(soon, "7")
		require.ErrorIs(t, err, aspects.ErrRateLimited, "its deadline is before its token: it does not wait in vain")
		require.Zero(t, time.Since(l.began))

		ctx, cancelCause := context.WithCancelCause(t.Context())
		all.begin(ctx, "waits")
		time.Sleep(time.Millisecond)
		require.Nil(t, all.ended("waits"))
		cancelCause(errDown)
		synctest.Wait()
		require.EqualError(t, all.ended("waits").err, "Load@Call: waiting for a token: context canceled (down)")
		require.ErrorIs(t, all.ended("waits").err, context.Canceled)
		require.ErrorIs(t, all.ended("waits").err, errDown)

		_, err = all.load(ctx, "7")
		require.ErrorIs(t, err, errDown, "nobody waits whose context is done")

		_, err = all.load(t.Context(), "7")
		require.NoError(t, err)
		require.Equal(t, []time.Duration{0, time.Second}, l.at, "the token of who gave up was there for the next")
		all.wg.Wait()
	})
}

func TestACrowdOfRefusedCallsTakesNoTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newTimed()
		load := around(t, aspects.NewRateLimit(), Load(l.load), limit(1, 1, time.Microsecond))
		var wg sync.WaitGroup
		for range 2 {
			for range 50 {
				wg.Go(func() { _, _ = load(t.Context(), "7") })
			}
			wg.Wait()
			time.Sleep(time.Second)
		}
		require.Equal(t, []time.Duration{0, time.Second}, l.at)
	})
}

func TestRateLimitsAreSharedByName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newTimed()
		w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1, aspects.NewRateLimit()))
		for _, s := range []struct {
			service, name string
			refused       bool
		}{{"a", "pg", false}, {"b", "pg", true}, {"c", "smtp", false}, {"d", "", false}, {"e", "", false}} {
			load := wrapped(t, w, Load(l.load), aspect.WithName(s.service),
				annotated(func(r *aspects.RateLimit) { r.PerSecond, r.Name = 1, s.name }))
			_, err := load(t.Context(), "7")
			require.Equal(t, s.refused, err != nil, s.service)
		}
	})
}

func TestARetryWaitsForTheToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newTimed()
		w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), aspects.RateLimitPriority,
			aspects.NewRateLimit(aspects.DefaultRateLimit(aspects.RateLimit{PerSecond: 0.5}))))
		load := wrapped(t, w, Load(l.load), aspect.Annotate[aliases.Retry]("Call", annotation.MaxAttempts(2)))
		for range 2 {
			_, err := load(t.Context(), "7")
			require.NoError(t, err)
		}
		require.Equal(t, []time.Duration{0, 2 * time.Second}, l.at)
	})
}
