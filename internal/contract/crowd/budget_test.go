package crowd_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// What a budget can pay for is paid, to the last retry, whoever asks at the same time; and every other session is refused
// once.
func TestABudgetPaysForExactlyWhatItHolds(t *testing.T) {
	for _, c := range []struct {
		name     string
		budget   retry.BudgetSettings
		attempts int // allowed
		paid     int
	}{
		{"a share of the sessions", retry.BudgetSettings{TTL: time.Hour, Percent: 0.3}, retry.Unlimited, 300},
		{"a share to the thousandth", retry.BudgetSettings{TTL: time.Hour, Percent: 0.0337}, retry.Unlimited, 34},
		{"the reserve", retry.BudgetSettings{TTL: time.Hour, MinPerSec: 0.01}, retry.Unlimited, 36},
		{"both", retry.BudgetSettings{TTL: time.Hour, Percent: 0.2, MinPerSec: 0.01}, retry.Unlimited, 236},
		{"parts of both", retry.BudgetSettings{TTL: 10 * time.Second, Percent: 0.0015, MinPerSec: 0.05}, retry.Unlimited, 2},
		{"more than asked for", retry.BudgetSettings{TTL: time.Hour, Percent: 10}, 4, 3 * crowd},
		{"the smallest share", retry.BudgetSettings{TTL: time.Hour, Percent: 0.0005}, retry.Unlimited, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				all := newBarrier(crowd) // every session has deposited before the first retry is asked for
				r, l := &Remote{}, &tally{}
				r.do = func(_ context.Context, attempt, _ int) (int, error) {
					if attempt == 1 {
						all.wait()
					}
					return 0, errBoom
				}
				p, _ := peer(t, r, l, container.Annotate[aliases.Retry](Peer.Call, annotation.Budget(c.budget), annotation.MaxAttempts(c.attempts)))
				together(crowd, func(i int) {
					if _, err := p.Call(t.Context(), i); err != errBoom {
						t.Errorf("%v", err)
					}
				})
				refused := crowd
				if c.attempts != retry.Unlimited {
					refused = 0
				}
				require.EqualValues(t, crowd+c.paid, r.calls.Load(), "attempts beyond the first are what was paid for")
				counts := l.take()
				require.Equal(t, c.paid, counts["RetryScheduled"])
				require.Equal(t, refused, counts["BudgetRefused"])
				require.Equal(t, refused, counts["exhausted by budget"])
				require.Equal(t, crowd-refused, counts["exhausted by maxAttempts"])
			})
		})
	}
}

// A retry whose caller goes away in its wait is given back, so that others can make it.
func TestWhatCallersThatGoAwayHavePaidIsThereForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, l := &Remote{do: boom}, &tally{}
		p, _ := peer(t, r, l, container.Annotate[aliases.Retry](Peer.Call, annotation.Base(time.Second),
			annotation.Budget(retry.BudgetSettings{TTL: time.Hour, MinPerSec: 0.05}))) // a reserve of 180
		for range 3 {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(500*time.Millisecond, cancel)
			together(crowd, func(i int) { _, _ = p.Call(ctx, i) })
			counts := l.take()
			require.Equal(t, 180, counts["RetryScheduled"])
			require.Equal(t, 180, counts["Failed"], "ended by their context")
			require.Equal(t, crowd-180, counts["exhausted by budget"])
		}
		require.EqualValues(t, 3*crowd, r.calls.Load(), "no retry has started")
		together(crowd, func(i int) { _, _ = p.Call(t.Context(), i) })
		require.EqualValues(t, 4*crowd+180, r.calls.Load())
	})
}

// Only sessions that end in success deposit where the budget says so; those that are rejected or canceled never do.
func TestDepositsAreCountedOncePerSession(t *testing.T) {
	// worth is how many retries a budget of nothing but sessions pays for after a crowd of the kind has come.
	worth := func(t *testing.T, deposit retry.Deposit, come func(p Peer, b *retry.Breaker, r *Remote, i int)) (paid int) {
		synctest.Test(t, func(t *testing.T) {
			r, l := &Remote{do: fine}, &tally{}
			p, c := peer(t, r, l, container.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(retry.Unlimited),
				annotation.AddPolicies(retry.CircuitBreaker), annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Minute, Consecutive: 1 << 20}),
				annotation.Budget(retry.BudgetSettings{TTL: time.Hour, Percent: 1, Deposit: deposit})))
			b, err := c.Breaker(Peer.Call)
			require.NoError(t, err)
			together(crowd, func(i int) { come(p, b, r, i) })
			b.Reset()
			l.take()
			r.do = boom
			_, _ = p.Call(t.Context(), 0)
			paid = l.take()["RetryScheduled"]
		})
		return paid
	}
	succeed := func(p Peer, _ *retry.Breaker, _ *Remote, i int) { _, _ = p.Call(context.Background(), i) }
	rejected := func(p Peer, b *retry.Breaker, _ *Remote, i int) {
		b.ForceOpen()
		_, _ = p.Call(context.Background(), i)
	}
	canceled := func(p Peer, _ *retry.Breaker, _ *Remote, i int) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, _ = p.Call(ctx, i)
	}
	require.Equal(t, crowd+1, worth(t, retry.DepositCall, succeed), "and the session that asks")
	require.Equal(t, crowd, worth(t, retry.DepositSuccess, succeed))
	for _, d := range []retry.Deposit{retry.DepositCall, retry.DepositSuccess} {
		asks := map[retry.Deposit]int{retry.DepositCall: 1}[d]
		require.Equal(t, asks, worth(t, d, rejected), d)
		require.Equal(t, asks, worth(t, d, canceled), d)
	}
}

// A budget that services share by its name is one budget.
func TestABudgetSharedByNameIsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := newBarrier(crowd)
		var calls atomic.Int64
		do := func(_ context.Context, attempt, _ int) (int, error) {
			calls.Add(1)
			if attempt == 1 {
				all.wait()
			}
			return 0, errBoom
		}
		l := &tally{}
		c := container.New(container.WithListener(l))
		shared := annotation.BudgetName("quota")
		c.Provide(func() *Remote { return &Remote{do: do} }, container.As[Peer](), container.Name("one"),
			container.Annotate[aliases.Retry](Peer.Call, shared, annotation.MaxAttempts(retry.Unlimited), annotation.Budget(retry.BudgetSettings{TTL: time.Hour, Percent: 0.25})),
			container.Annotate[aliases.RetryThrowable](Peer.Other, shared, annotation.MaxAttempts(retry.Unlimited)))
		c.Provide(func() *Spare { return &Spare{Remote{do: do}} }, container.As[Peer](), container.Name("two"),
			container.Annotate[aliases.Retry]("*", shared, annotation.MaxAttempts(retry.Unlimited)))
		together(crowd, func(i int) {
			p, err := container.Get[Peer](c, container.Name([]string{"one", "two"}[i%2]))
			if err != nil {
				t.Error(err)
				all.wait()
				return
			}
			if i%4 < 2 {
				_, _ = p.Call(t.Context(), i)
			} else {
				_, _ = p.Other(t.Context(), i)
			}
		})
		require.EqualValues(t, crowd+250, calls.Load())
		require.Equal(t, crowd, l.take()["BudgetRefused"])
	})
}
