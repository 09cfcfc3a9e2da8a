package crowd_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// Quote is a service that is a func.
type Quote func(ctx context.Context, n int) (int, error)

// A crowd wraps targets of several types by one weaver and calls them at once: named budgets and breakers are one, what
// has no name is each service's own.
func TestACrowdWrapsByOneWeaver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &tally{}
		var around atomic.Int64
		w := aspect.NewWeaver(aspect.WithListener(l), aspect.WithAspect(aspect.Method("Call"), aspect.RetryPriority+1,
			aspect.Func(func(jp aspect.JoinPoint) error { around.Add(1); return jp.Proceed() })))
		var calls atomic.Int64
		all := newBarrier(crowd)
		do := func(_ context.Context, attempt, _ int) (int, error) {
			calls.Add(1)
			if attempt == 1 {
				all.wait()
			}
			return 0, errBoom
		}
		set := []annotation.Option{
			annotation.BudgetName("quota"), annotation.Budget(retry.BudgetSettings{TTL: hour, Percent: 0.5}),
			annotation.MaxAttempts(retry.Unlimited), annotation.AddPolicies(retry.CircuitBreaker), annotation.BreakerName("peer"),
			annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Minute, Consecutive: 1 << 20}),
		}
		together(crowd, func(i int) {
			if i%10 == 0 {
				_ = w.Verify()
				w.Registry()
				w.Shared().Breakers()
			}
			var err error
			switch i % 3 {
			case 0:
				var p Peer
				if p, err = aspect.Wrap[Peer](w, &Remote{do: do}, aspect.Annotate[aliases.Retry]("*", set...)); err == nil {
					_, err = p.Call(t.Context(), i)
				}
			case 1:
				var p Peer
				if p, err = aspect.Wrap[Peer](w, &Spare{Remote{do: do}}, aspect.Annotate[aliases.Retry](Peer.Other, set...)); err == nil {
					_, err = p.Other(t.Context(), i)
				}
			case 2:
				var q Quote
				quote := func(ctx context.Context, n int) (int, error) {
					a, _ := retry.FromContext(ctx)
					return do(ctx, a.Number, n)
				}
				if q, err = aspect.Wrap[Quote](w, quote, aspect.Annotate[aliases.Retry]("Call", set...)); err == nil {
					_, err = q(t.Context(), i)
				}
			}
			if !errors.Is(err, errBoom) {
				t.Error(i, err)
			}
		})
		require.EqualValues(t, crowd+crowd/2, calls.Load(), "one budget for all")
		require.Equal(t, crowd, l.take()["BudgetRefused"])
		require.EqualValues(t, 334+333, around.Load(), "Call of the Remotes and of the funcs")
		require.Len(t, w.Shared().Breakers(), 1)
		require.NoError(t, w.Verify())
	})
}

// What has no name is each service's own, so that a thousand breakers open one by one.
func TestACrowdOfServicesHasACrowdOfBreakers(t *testing.T) {
	l := &tally{}
	w := aspect.NewWeaver(aspect.WithListener(l))
	together(crowd/5, func(i int) {
		p, err := aspect.Wrap[Peer](w, &Remote{do: boom}, aspect.WithName(string(rune(0x4e00+i))),
			aspect.Annotate[aliases.CircuitBreaker](Peer.Call, annotation.MaxAttempts(1)))
		if err != nil {
			t.Error(err)
			return
		}
		if _, err := p.Call(t.Context(), i); !errors.Is(err, errBoom) {
			t.Error(err)
		}
		if _, err := p.Call(t.Context(), i); !errors.Is(err, retry.ErrCircuitOpen) {
			t.Error(err)
		}
	})
	require.Len(t, w.Shared().Breakers(), crowd/5)
	counts := l.take()
	require.Equal(t, []int{crowd / 5, crowd / 5}, []int{counts["to open"], counts["Rejected"]})
}
