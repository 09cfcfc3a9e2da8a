package aspects_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/aspects"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// FlakyUsers fails every other attempt and panics for the user "bomb".
type FlakyUsers struct {
	_        annotation.On[aliases.Retry]     `method:"Get" maxAttempts:"3"`
	_        annotation.On[aspects.Cacheable] `method:"Get" ttl:"1m"`
	_        annotation.On[aspects.RateLimit] `method:"Get" perSecond:"1" burst:"1" wait:"10s"`
	_        annotation.On[aspects.Bulkhead]  `method:"Get" maxConcurrent:"1"`
	attempts int
}

func (u *FlakyUsers) Get(_ context.Context, id string) (string, error) {
	u.attempts++
	switch {
	case id == "bomb":
		panic("bomb")
	case u.attempts%2 == 1:
		return "", errors.New("connection reset")
	}
	return "user " + id, nil
}

// Directory is what FlakyUsers is provided as.
type Directory interface {
	Get(ctx context.Context, id string) (string, error)
}

func TestTheSuggestedOrderFitsTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		var times []string
		logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}}))
		c := container.New()
		c.Provide(func() *FlakyUsers { return &FlakyUsers{} }, container.As[Directory]())
		everywhere := aspect.Class("FlakyUsers")
		c.Supply(aspects.NewLogging(logger), container.AsAspect(everywhere, aspects.LoggingPriority))
		c.Supply(aspects.NewTiming(func(_ context.Context, ref retry.MethodRef, took time.Duration, err error) {
			times = append(times, fmt.Sprint(ref, " ", took, " ", err))
		}), container.AsAspect(everywhere, aspects.TimingPriority))
		c.Supply(aspects.NewRecover(), container.AsAspect(everywhere, aspects.RecoverPriority))
		c.Supply(aspects.NewCache(), container.AsAspect(aspect.Annotated[aspects.Cacheable](), aspects.CachePriority))
		c.Supply(aspects.NewRateLimit(), container.AsAspect(aspect.Annotated[aspects.RateLimit](), aspects.RateLimitPriority))
		c.Supply(aspects.NewBulkhead(), container.AsAspect(aspect.Annotated[aspects.Bulkhead](), aspects.BulkheadPriority))
		require.NoError(t, c.Verify())
		require.NoError(t, c.Invoke(func(users Directory, cache *aspects.CacheAspect) {
			for _, id := range []string{"7", "7", "bomb"} {
				_, _ = users.Get(t.Context(), id)
			}
			require.Equal(t, 3, aspect.Unwrap(users).(*FlakyUsers).attempts, "a hit makes no attempt, and a panic is not retried")
			require.True(t, cache.Invalidate("FlakyUsers@Get"))
			_, err := users.Get(t.Context(), "7")
			require.NoError(t, err)
		}))
		// Each attempt waited for a token; only the first found one.
		require.Equal(t, []string{
			"FlakyUsers@Get 1s <nil>",
			"FlakyUsers@Get 0s <nil>",
			"FlakyUsers@Get 1s panic: bomb",
			"FlakyUsers@Get 1s <nil>",
		}, times)
		require.Equal(t, `level=INFO msg=call class=FlakyUsers method=Get duration=1s outcome=succeeded
level=INFO msg=call class=FlakyUsers method=Get duration=0s outcome=succeeded
level=ERROR msg=call class=FlakyUsers method=Get duration=1s outcome=failed error="panic: bomb"
level=INFO msg=call class=FlakyUsers method=Get duration=1s outcome=succeeded
`, out.String())
	})
}

func TestPrioritiesAreInTheOrderOfTheirDocumentation(t *testing.T) {
	order := []int{aspects.LoggingPriority, aspects.TimingPriority, aspects.RecoverPriority, aspects.CachePriority,
		aspect.RetryPriority, aspects.RateLimitPriority, aspects.BulkheadPriority}
	for i := 1; i < len(order); i++ {
		require.Greater(t, order[i-1], order[i])
	}
}

func TestFirstCallsOfManyGoroutinesShareWhatTheyMake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := aspect.NewWeaver(
			aspect.WithAspect(aspect.Any(), 3, aspects.NewCache(aspects.DefaultCacheable(aspects.Cacheable{TTL: time.Hour}))),
			aspect.WithAspect(aspect.Any(), 2, aspects.NewRateLimit(aspects.DefaultRateLimit(aspects.RateLimit{PerSecond: 20, Wait: time.Hour}))),
			aspect.WithAspect(aspect.Any(), 1, aspects.NewBulkhead(aspects.DefaultBulkhead(aspects.Bulkhead{MaxConcurrent: 2, MaxQueue: 1000}))))
		var mu sync.Mutex
		running, most := 0, 0
		count := func(by int) {
			mu.Lock()
			defer mu.Unlock()
			running += by
			most = max(most, running)
		}
		var wg sync.WaitGroup
		for service := range 4 {
			load := wrapped[Load](t, w, func(context.Context, string) (string, error) {
				count(1)
				defer count(-1)
				time.Sleep(time.Second)
				return "fine", nil
			}, aspect.WithName(fmt.Sprint(service)))
			for i := range 40 {
				wg.Go(func() {
					if _, err := load(t.Context(), fmt.Sprint(i%20)); err != nil {
						t.Error(err)
					}
				})
			}
		}
		wg.Wait()
		require.Equal(t, 8, most, "two for each of four methods")
	})
}
