package crowd_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// Desk takes what the container weaves, and itself.
type Desk struct {
	peer Peer
	self container.Lazy[Counter]
}

// Counter is what a Desk is provided as.
type Counter interface {
	Serve(ctx context.Context, n int) (int, error)
	Twice(ctx context.Context, n int) (int, error)
}

func (d *Desk) Serve(ctx context.Context, n int) (int, error) { return d.peer.Call(ctx, n) }

func (d *Desk) Twice(ctx context.Context, n int) (int, error) {
	self, err := d.self.Get()
	if err != nil {
		return 0, err
	}
	n, err = self.Serve(ctx, n)
	return 2 * n, err
}

// Whatever is used for the first time, by whomever and beside whatever else: each service is built once, woven once, and
// has one breaker.
func TestTheFirstUseOfEverythingByACrowdAtOnce(t *testing.T) {
	for range 3 {
		var built [4]atomic.Int64
		l := &tally{}
		c := container.New(container.WithListener(l))
		c.Provide(func() *Remote {
			built[0].Add(1)
			return &Remote{do: func(_ context.Context, attempt, n int) (int, error) {
				if attempt == 1 {
					return 0, errBoom
				}
				return n, nil
			}}
		}, container.As[Peer](), container.Annotate[aliases.Retry](Peer.Call, annotation.BudgetName("shared"),
			annotation.Budget(retry.BudgetSettings{TTL: hour, Percent: 10})),
			container.Annotate[aliases.CircuitBreaker](Peer.Other, annotation.BreakerName("other")))
		c.Provide(func(p Peer, self container.Lazy[Counter]) *Desk { built[1].Add(1); return &Desk{p, self} }, container.As[Counter](),
			container.Annotate[aliases.Retry]("*", annotation.BudgetName("shared")),
			container.Annotate[aliases.CircuitBreaker](Counter.Twice, annotation.MaxAttempts(1)))
		c.Provide(func() retry.Listener { built[2].Add(1); return &tally{} })
		c.Provide(func() aspect.Aspect {
			built[3].Add(1)
			return aspect.Func(func(jp aspect.JoinPoint) error { return jp.Proceed() })
		}, container.AsAspect(aspect.Class("Desk"), aspect.RetryPriority+1))

		var mu sync.Mutex
		seen := map[any]bool{}
		saw := func(v any, err error) {
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			seen[v] = true
		}
		var answered atomic.Int64
		together(crowd, func(i int) {
			switch i % 10 {
			case 0:
				p, err := container.Get[Peer](c)
				saw(p, err)
			case 1:
				d, err := container.Get[Counter](c)
				saw(d, err)
			case 2:
				saw(nil, c.Verify())
			case 3:
				b, err := c.Breaker(Counter.Twice)
				saw(b, err)
			case 4:
				b, err := c.Breaker("other")
				saw(b, err)
			case 5:
				if n := len(c.Breakers()); n != 2 {
					t.Errorf("%d breakers", n)
				}
			case 6:
				saw(nil, c.Invoke(func(d Counter, p Peer) error {
					n, err := d.Twice(t.Context(), i)
					answered.Add(int64(n - 2*i + 1))
					return err
				}))
			case 7:
				saw(nil, c.Invoke(func(l container.Lazy[Counter]) error {
					d, err := l.Get()
					if err != nil {
						return err
					}
					n, err := d.Serve(t.Context(), i)
					answered.Add(int64(n - i + 1))
					return err
				}))
			case 8:
				p, err := c.Lookup("Remote")
				saw(p, err)
			case 9:
				c.Notes()
				c.Registry()
			}
		})
		for i := range built {
			require.EqualValues(t, 1, built[i].Load(), "service %d", i)
		}
		require.Len(t, seen, 5, "nil, one Peer, one Counter, two breakers")
		require.EqualValues(t, crowd/5, answered.Load(), "every call has got its own answer")
		require.Len(t, c.Breakers(), 2)
		counts := l.take()
		require.Equal(t, crowd/5, counts["RetryScheduled"], "each call needed one retry, at the layer below")
	}
}

// The first call of each method of one woven service.
func TestTheFirstCallOfEachMethodByACrowdAtOnce(t *testing.T) {
	l := &tally{}
	r := &Remote{do: func(_ context.Context, attempt, n int) (int, error) {
		if attempt < 3 {
			return 0, errBoom
		}
		return n, nil
	}}
	p, _ := peer(t, r, l, container.Annotate[aliases.Retry]("*", annotation.MaxAttempts(3),
		annotation.Budget(retry.BudgetSettings{TTL: hour, Percent: 10})))
	together(crowd, func(i int) {
		call := p.Call
		if i%2 == 0 {
			call = p.Other
		}
		if n, err := call(t.Context(), i); n != i || err != nil {
			t.Error(i, n, err)
		}
	})
	require.EqualValues(t, 3*crowd, r.calls.Load())
	require.Equal(t, map[string]int{"AttemptFailed": 2 * crowd, "RetryScheduled": 2 * crowd, "Succeeded": crowd}, l.take())
}
