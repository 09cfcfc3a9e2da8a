package crowd_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// An aspect around the retry proceeds by a thousand clones at once: each has its own arguments, results and session.
func TestAJoinPointFansOutIntoClones(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sum atomic.Int64
		fanOut := aspect.Func(func(jp aspect.JoinPoint) error {
			var wg sync.WaitGroup
			for i := range crowd {
				wg.Go(func() {
					c := jp.Clone()
					aspect.SetArg(c, 1, i)
					if err := c.Proceed(); err != nil {
						t.Error(err)
					}
					if n := aspect.Result[int](c, 0); n != 2*i {
						t.Errorf("%d instead of %d", n, 2*i)
					}
					sum.Add(int64(aspect.Result[int](c, 0)))
				})
			}
			wg.Wait()
			require.Equal(t, 7, aspect.Arg[int](jp, 1), "clones change nothing of what they were made from")
			aspect.SetResult(jp, 0, int(sum.Load()))
			return nil
		})
		all := newBarrier(crowd)
		r := &Remote{do: func(_ context.Context, attempt, n int) (int, error) {
			if attempt == 1 {
				all.wait() // all clones are under way
				return 0, errBoom
			}
			return 2 * n, nil
		}}
		l := &tally{}
		w := aspect.NewWeaver(aspect.WithListener(l), aspect.WithAspect(aspect.Method("Call"), aspect.RetryPriority+1, fanOut))
		p, err := aspect.Wrap[Peer](w, r, aspect.Annotate[aliases.Retry](Peer.Call,
			annotation.Budget(retry.BudgetSettings{TTL: hour, Percent: 1})))
		require.NoError(t, err)
		n, err := p.Call(t.Context(), 7)
		require.NoError(t, err)
		require.Equal(t, crowd*(crowd-1), n)
		require.EqualValues(t, 2*crowd, r.calls.Load())
		require.Equal(t, crowd, l.take()["RetryScheduled"])
	})
}

// An aspect inside the retry fans each attempt out: the clones are of one session, and share its number and key.
func TestClonesInsideARetryAreOfOneSession(t *testing.T) {
	var mu sync.Mutex
	seen := map[retry.Attempt]int{}
	r := &Remote{}
	r.do = func(ctx context.Context, _, n int) (int, error) {
		a, _ := retry.FromContext(ctx)
		mu.Lock()
		defer mu.Unlock()
		seen[retry.Attempt{Number: a.Number, Limit: a.Limit, Key: a.Key}]++
		return n, errBoom
	}
	inside := aspect.Func(func(jp aspect.JoinPoint) error {
		errs := make([]error, crowd)
		var wg sync.WaitGroup
		for i := range errs {
			wg.Go(func() { errs[i] = jp.Clone().Proceed() })
		}
		wg.Wait()
		return errs[0]
	})
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Method("Call"), aspect.RetryPriority-1, inside))
	p, err := aspect.Wrap[Peer](w, r, aspect.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(3)))
	require.NoError(t, err)
	ctx, report := retry.WithReport(t.Context())
	_, err = p.Call(ctx, 1)
	require.ErrorIs(t, err, errBoom)
	require.Equal(t, 3, report.Attempts)
	require.Len(t, seen, 3)
	for a, n := range seen {
		require.Equal(t, crowd, n, a.Number)
	}
}
