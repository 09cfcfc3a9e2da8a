package declarative_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// reserve is a budget of so many retries, whatever the traffic.
func reserve(n int) annotation.Option {
	return annotation.Budget(retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: float64(n) / 10})
}

// share is a budget that the traffic alone pays for.
func share(percent float64) annotation.Option {
	return annotation.Budget(retry.BudgetSettings{TTL: 10 * time.Second, Percent: percent})
}

// decl:91. Two layers with one budget: elsewhere the lower one does not pay in again for the same request. Here every
// admitted session pays in, also one inside another, so ten calls through both layers are twenty deposits: the budget is
// the sum of what two of their own would be, and a share of the sessions, not of the calls from outside.
func TestEachSessionPaysIntoABudgetThatLayersShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := []annotation.Option{share(1), annotation.BudgetName("payments"), annotation.MaxAttempts(retry.Unlimited)}
		remote := fails(0)
		s := weaveIn(t, remote, func(c *container.Container) {
			c.Provide(newShop, container.As[Shop](), container.Annotate[aliases.Retry](Shop.Buy, shared...))
		}, container.Annotate[aliases.Retry](Peer.Other, shared...), container.Annotate[aliases.Retry](Peer.Call, shared...))
		for range 10 {
			_, err := get[Shop](t, s.c).Buy(t.Context())
			require.NoError(t, err)
		}
		remote.do = down().do
		before := remote.count()
		_, err := s.Other(t.Context())
		require.Equal(t, errBoom, err)
		require.Equal(t, 1+20+1, remote.count()-before, "an attempt, what was paid in, and what this call pays in itself")
	})
}

// decl:93. A budget that is forgotten somewhere is not noticed until there is an outage.
func TestAnOutageCostsNoMoreThanTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := weave(t, down(), container.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(10), reserve(10)))
		const calls = 100
		for range calls {
			_, err := s.Call(t.Context())
			require.Equal(t, errBoom, err)
		}
		require.Equal(t, calls+10, s.remote.count())
		require.Len(t, eventsOf(s.rec, every[retry.BudgetRefused]), calls-1, "the first session has made all of its attempts, and all others are refused")
	})
}

// decl:94, decl:96. An empty budget refuses at once and does not wait: the retry is what is not to happen. The caller can
// read that it was the budget, in the report, in an event and under WrapExhausted, and what the peer has said of when to
// come back in the peer's own error. Elsewhere the refusal is wanted to say when to come back; here it does not, since a
// budget limits retries and not the calls of a caller.
func TestAnEmptyBudgetRefusesAtOnceAndTheCallerCanTell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := weave(t, answers(busy{3 * time.Second}), container.Annotate[aliases.Retry](Peer.Call, reserve(1),
			annotation.Base(time.Second), annotation.WrapExhausted(true)))
		_, err := s.Call(t.Context())
		require.ErrorIs(t, err, busy{3 * time.Second})

		begin := time.Now()
		ctx, report := retry.WithReport(t.Context())
		_, err = s.Call(ctx)
		require.Zero(t, time.Since(begin))
		require.Equal(t, retry.EndExhausted, report.Ended)
		require.Equal(t, "budget", report.Limit)
		var exhausted *retry.ExhaustedError
		require.ErrorAs(t, err, &exhausted)
		require.Equal(t, "budget", exhausted.Limit)
		require.Equal(t, 1, exhausted.Attempts)
		var peer busy
		require.ErrorAs(t, err, &peer)
		require.Equal(t, 3*time.Second, peer.RetryAfter())
		refused := eventsOf(s.rec, every[retry.BudgetRefused])
		require.NotEmpty(t, refused)
		require.Equal(t, "Remote@Call", refused[0].String())
	})
}

// decl:95. One budget for unrelated targets lets one of them starve the others. Each service and method has its own; one is
// shared by those that say its name.
func TestABudgetIsSharedByNameOnly(t *testing.T) {
	for name, test := range map[string]struct {
		opts []annotation.Option
		want int // attempts of those that did not use the budget up
	}{
		"by default": {nil, 3},
		"by name":    {[]annotation.Option{annotation.BudgetName("all")}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				retries := container.Annotate[aliases.Retry]("*", append(test.opts, annotation.MaxAttempts(3), reserve(10))...)
				neighbour := down()
				s := weaveIn(t, down(), func(c *container.Container) {
					c.Provide(func() *Remote { return neighbour }, container.As[Peer](), container.Name("neighbour"), retries)
				}, retries)
				for range 20 {
					_, _ = s.Call(t.Context())
				}
				require.Equal(t, 20+10, s.remote.count(), "it is used up")

				before := s.remote.count()
				_, _ = s.Other(t.Context())
				require.Equal(t, test.want, s.remote.count()-before, "another method")
				_, _ = get[Peer](t, s.c, container.Name("neighbour")).Call(t.Context())
				require.Equal(t, test.want, neighbour.count(), "another service")
			})
		})
	}
}

// decl:98. What good times have saved up must not be spent in one burst: deposits leave with the window.
func TestManySuccessesSaveUpNoMoreThanAWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const perSecond, reserve = 200, 10
		remote := fails(0)
		peer := unheard(t, remote, container.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(retry.Unlimited)))
		for range 100 { // ten windows
			for range perSecond {
				_, _ = peer.Call(t.Context())
			}
			time.Sleep(time.Second)
		}
		remote.do = down().do
		before := remote.count()
		_, err := peer.Call(t.Context())
		require.Equal(t, errBoom, err)
		first := remote.count() - before - 1
		require.Greater(t, first, 9*perSecond/5)
		require.LessOrEqual(t, first, 10*perSecond/5+reserve, "a fifth of the last ten seconds, and the reserve")
		_, _ = peer.Call(t.Context())
		require.LessOrEqual(t, remote.count()-before-2, 10*perSecond/5+reserve, "and it is spent once")

		remote.do = fails(0).do
		for range 10 * perSecond {
			_, _ = peer.Call(t.Context())
		}
		time.Sleep(time.Hour)
		remote.do = down().do
		before = remote.count()
		_, _ = peer.Call(t.Context())
		require.Equal(t, 1+reserve, remote.count()-before, "after an idle hour there is the reserve alone")
	})
}

// decl:100. A limit belongs to what is allowed.
func TestTheLimitsOfABudgetsSettingsAreInclusive(t *testing.T) {
	for _, test := range []struct {
		settings retry.BudgetSettings
		wrong    string
	}{
		{retry.BudgetSettings{TTL: ms, Percent: 10}, ""},
		{retry.BudgetSettings{TTL: time.Second, Percent: .001}, ""},
		{retry.BudgetSettings{TTL: time.Minute, MinPerSec: 1e6, Percent: 10}, ""},
		{retry.BudgetSettings{TTL: time.Hour, MinPerSec: .001}, ""},
		{retry.BudgetSettings{TTL: ms - 1, Percent: 1}, "ttl"},
		{retry.BudgetSettings{TTL: time.Hour + 1, Percent: 1}, "ttl"},
		{retry.BudgetSettings{TTL: time.Second, Percent: 10.001}, "percent"},
		{retry.BudgetSettings{TTL: time.Second, Percent: -.001}, "percent"},
		{retry.BudgetSettings{TTL: time.Second, MinPerSec: 1e6 + 1}, "minPerSec"},
	} {
		c := container.New()
		c.Provide(down, container.As[Peer](), container.Annotate[aliases.Retry](Peer.Call, annotation.Budget(test.settings)))
		all := problems(t, c)
		if test.wrong == "" {
			require.Empty(t, all, test.settings)
			continue
		}
		require.Len(t, all, 1, test.settings)
		require.Contains(t, all[0].Error(), "budget "+test.wrong)
	}
}

// decl:104. The wish for a budget of retries: its share is exact, in any window, and idle time neither freezes nor saves.
func TestThirtyPercentAreThirtyRetriesForAHundredCalls(t *testing.T) {
	for _, test := range []struct {
		percent float64
		want    int
	}{{.2, 20}, {.3, 30}, {.7, 70}, {1, 100}, {2.5, 250}} {
		synctest.Test(t, func(t *testing.T) {
			remote := fails(0)
			s := weave(t, remote, container.Annotate[aliases.Retry](Peer.Call, share(test.percent), annotation.MaxAttempts(retry.Unlimited)))
			for range 99 {
				_, err := s.Call(t.Context())
				require.NoError(t, err)
			}
			remote.do = down().do
			before := remote.count()
			_, _ = s.Call(t.Context()) // the hundredth pays in as well
			require.Equal(t, 1+test.want, remote.count()-before)
		})
	}
}

// decl:105. To look first and take later lets many take the same.
func TestAThousandGoroutinesTakeEachRetryOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		remote := &Remote{}
		begin := make(chan struct{})
		remote.do = func(context.Context, int) (string, error) {
			<-begin
			return "", errBoom
		}
		s := weave(t, remote, container.Annotate[aliases.Retry](Peer.Call, reserve(10)))
		var wg sync.WaitGroup
		for range 1000 {
			wg.Go(func() { _, _ = s.Call(t.Context()) })
		}
		synctest.Wait() // all are in their first attempt
		close(begin)
		wg.Wait()
		require.Equal(t, 1000+10, remote.count())
	})
}
