package crowd_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// A listener is called by all at once: nothing is held while it is told, whatever the event.
func TestListenersAreCalledByACrowdAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// Each kind of event waits in the listener until every session has told it.
		waits := map[string]*barrier{}
		for _, kind := range []string{"AttemptFailed", "RetryScheduled", "BudgetRefused", "Exhausted", "FallbackFailed"} {
			waits[kind] = newBarrier(crowd)
		}
		counts := &tally{}
		l := retry.ListenerFunc(func(ctx context.Context, e retry.Event) {
			counts.On(ctx, e)
			kind := fmt.Sprintf("%T", e)[len("retry."):]
			if a, ok := e.(retry.AttemptFailed); ok && a.Attempt > 1 {
				return
			}
			if b := waits[kind]; b != nil {
				b.wait()
			}
		})
		r := &Remote{do: boom}
		p, _ := peer(t, r, l, container.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(retry.Unlimited),
			annotation.Budget(retry.BudgetSettings{TTL: hour, Percent: 1}),
			annotation.Fallback(func(cause error) (int, error) { return 0, cause })))
		together(crowd, func(i int) { _, _ = p.Call(t.Context(), i) })
		require.Equal(t, map[string]int{
			"AttemptFailed": 2 * crowd, "RetryScheduled": crowd, "BudgetRefused": crowd, "exhausted by budget": crowd, "FallbackFailed": crowd,
		}, counts.take())
	})
}

// fans is how many calls a Front makes at once, in each attempt.
const fans = 300

// Front calls a peer many times at once.
type Front struct {
	peer Peer
	pass func(errs []error) error
}

// Fan is what a Front is provided as.
type Fan interface {
	Out(ctx context.Context) error
}

func (f *Front) Out(ctx context.Context) error {
	errs := make([]error, fans)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { _, errs[i] = f.peer.Call(ctx, i) })
	}
	wg.Wait()
	return f.pass(errs)
}

// fan is a Front, retried, before a Remote, retried.
func fan(t *testing.T, r *Remote, l retry.Listener, pass func([]error) error) Fan {
	c := container.New(container.WithListener(l))
	plenty := annotation.Budget(retry.BudgetSettings{TTL: hour, Percent: 10})
	c.Provide(func() *Remote { return r }, container.As[Peer](), container.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(3), plenty))
	c.Provide(func(p Peer) *Front { return &Front{p, pass} }, container.As[Fan](),
		container.Annotate[aliases.Retry](Fan.Out, annotation.MaxAttempts(2), plenty))
	f, err := container.Get[Fan](c)
	require.NoError(t, err)
	return f
}

// The report of a call has a child for each session that ran inside, also when they ran at the same time.
func TestAReportHasItsParallelChildren(t *testing.T) {
	r, l := &Remote{}, &tally{}
	r.do = func(_ context.Context, attempt, n int) (int, error) {
		if attempt <= n%3 { // none, one or two retries
			return 0, errBoom
		}
		return n, nil
	}
	f := fan(t, r, l, func(errs []error) error {
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		return nil
	})
	ctx, report := retry.WithReport(t.Context())
	require.NoError(t, f.Out(ctx))
	require.Equal(t, 1, report.Attempts)
	require.Len(t, report.Children, fans)
	attempts := map[int]int{}
	for _, c := range report.Children {
		attempts[c.Attempts]++
		require.Equal(t, retry.EndSucceeded, c.Ended)
		require.Len(t, c.Waits, c.Attempts-1)
		require.Len(t, c.Errors, c.Attempts-1)
	}
	require.Equal(t, map[int]int{1: 100, 2: 100, 3: 100}, attempts)
	require.Equal(t, 100+2*100, l.take()["RetryScheduled"])
}

// When sessions that ran at the same time have all given up, the one around them must not begin again if it fails with
// the error of any of them; and if the errors were replaced, its next attempt gives each of them one attempt.
func TestACrowdOfNestedSessionsGivesUpOnce(t *testing.T) {
	own := func(n int) error { return fmt.Errorf("number %d: %w", n, errBoom) }
	r := &Remote{do: func(_ context.Context, _, n int) (int, error) { return 0, own(n) }}
	for _, c := range []struct {
		name  string
		pass  func([]error) error
		calls int
		limit string
	}{
		{"the last one's error", func(errs []error) error { return errs[fans-1] }, 3 * fans, "nested"},
		{"one of them, wrapped", func(errs []error) error { return fmt.Errorf("fan: %w", errs[fans/2]) }, 3 * fans, "nested"},
		{"replaced", func([]error) error { return errBoom }, 3*fans + fans, "maxAttempts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r.calls.Store(0)
			l := &tally{}
			f := fan(t, r, l, c.pass)
			ctx, report := retry.WithReport(t.Context())
			require.ErrorIs(t, f.Out(ctx), errBoom)
			require.EqualValues(t, c.calls, r.calls.Load())
			require.Equal(t, c.limit, report.Limit)
			require.Len(t, report.Children, fans*report.Attempts)
			counts := l.take()
			require.Equal(t, fans, counts["exhausted by maxAttempts"]-map[string]int{"maxAttempts": 1}[c.limit])
			require.Equal(t, c.calls-3*fans, counts["exhausted by nested"]-map[string]int{"nested": 1}[c.limit])
		})
	}
}

// Of a crowd that runs under one context, one session claims the report; each has its own key and counts.
func TestOneOfACrowdClaimsAReport(t *testing.T) {
	var mu sync.Mutex
	keys := map[string]int{}
	r := &Remote{do: func(ctx context.Context, _, _ int) (int, error) {
		a, _ := retry.FromContext(ctx)
		mu.Lock()
		defer mu.Unlock()
		keys[a.Key]++
		return 0, errBoom
	}}
	p, _ := peer(t, r, &tally{}, container.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(3),
		annotation.Budget(retry.BudgetSettings{TTL: hour, Percent: 10})))
	ctx, report := retry.WithReport(t.Context())
	together(crowd, func(i int) { _, _ = p.Call(ctx, i) })
	require.Equal(t, 3, report.Attempts)
	require.Empty(t, report.Children)
	require.Len(t, keys, crowd)
	for key, n := range keys {
		require.Equal(t, 3, n, key)
	}
}
