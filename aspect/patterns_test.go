package aspect_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// What users write aspects for, each as they would write it: without knowing what it is around.

// hedging calls once, and once more when the first call takes longer than after. The results of the one that returns first
// without an error are those of the call; the other one's context is cancelled, and its goroutine ends when it returns.
func hedging(after time.Duration) aspect.Func {
	return func(jp aspect.JoinPoint) error {
		type outcome struct {
			call aspect.JoinPoint
			err  error
		}
		ctx, cancel := context.WithCancel(jp.Context())
		defer cancel()
		outcomes := make(chan outcome, 2)
		start := func() {
			c := jp.Clone()
			c.SetContext(ctx)
			go func() { outcomes <- outcome{c, c.Proceed()} }()
		}
		hedge := time.NewTimer(after)
		defer hedge.Stop()
		start()
		running, started := 1, 1
		for {
			select {
			case <-hedge.C:
				start()
				running, started = running+1, started+1
			case o := <-outcomes:
				running--
				if o.err != nil && (running > 0 || started < 2) {
					if running == 0 {
						start()
						running, started = 1, 2
					}
					continue
				}
				for i, v := range o.call.Results() {
					aspect.SetResult(jp, i, v)
				}
				return o.err
			}
		}
	}
}

// slow is a Gateway whose n-th charge takes a time and has an outcome of its own. It ends early when its context does.
type slow struct {
	Stripe
	charges []charge
	begun   atomic.Int32
	ended   sync.WaitGroup
	cut     atomic.Int32 // how many were cancelled
}

type charge struct {
	takes time.Duration
	err   error
}

func (s *slow) Charge(ctx context.Context, order string, _ int) (string, error) {
	s.ended.Add(1)
	defer s.ended.Done()
	n := s.begun.Add(1)
	c := s.charges[n-1]
	select {
	case <-ctx.Done():
		s.cut.Add(1)
		return "", ctx.Err()
	case <-time.After(c.takes):
		return fmt.Sprintf("paid %s by %d", order, n), c.err
	}
}

func TestAHedgingAspectTakesTheFirstSuccess(t *testing.T) {
	for _, c := range []struct {
		name    string
		charges []charge
		receipt string
		err     error
		took    time.Duration
		begun   int32
		cut     int32
	}{
		{"quick: nothing is hedged", []charge{{time.Second, nil}}, "paid 7 by 1", nil, time.Second, 1, 0},
		{"the hedge wins", []charge{{time.Minute, nil}, {time.Second, nil}}, "paid 7 by 2", nil, 3 * time.Second, 2, 1},
		{"the first wins after all", []charge{{4 * time.Second, nil}, {time.Minute, nil}}, "paid 7 by 1", nil, 4 * time.Second, 2, 1},
		{"the first fails: the hedge is waited for", []charge{{3 * time.Second, errDown}, {time.Minute, nil}}, "paid 7 by 2", nil, 62 * time.Second, 2, 0},
		{"the first fails at once", []charge{{0, errDown}, {time.Second, nil}}, "paid 7 by 2", nil, time.Second, 2, 0},
		{"both fail", []charge{{3 * time.Second, errDown}, {time.Minute, errFull}}, "paid 7 by 2", errFull, 62 * time.Second, 2, 0},
	} {
		for _, priority := range []int{aspect.RetryPriority + 1, aspect.RetryPriority - 1} {
			t.Run(fmt.Sprintf("%s, at %d", c.name, priority), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					w := aspect.NewWeaver(aspect.WithAspect(aspect.Method("Charge"), priority, hedging(2*time.Second)))
					s := &slow{charges: c.charges}
					g := wrapped[Gateway](t, w, s, aspect.Annotate[Quick]("Charge", annotation.MaxAttempts(1)))
					begin := time.Now()
					receipt, err := g.Charge(t.Context(), "7", 5)
					require.Equal(t, c.err, err)
					require.Equal(t, c.receipt, receipt)
					require.Equal(t, c.took, time.Since(begin))
					s.ended.Wait() // the bubble ends only if no goroutine is left
					require.Equal(t, c.begun, s.begun.Load())
					require.Equal(t, c.cut, s.cut.Load())
				})
			})
		}
	}
}

func TestAHedgingAspectEndsWithItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := aspect.NewWeaver(aspect.WithAspect(aspect.Method("Charge"), 0, hedging(time.Second)))
		s := &slow{charges: []charge{{time.Hour, nil}, {time.Hour, nil}}}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		_, err := wrapped[Gateway](t, w, s).Charge(ctx, "7", 5)
		require.Equal(t, context.DeadlineExceeded, err)
		s.ended.Wait()
		require.EqualValues(t, 2, s.cut.Load())
	})
}

// caching remembers results by method and arguments, the context not counted, and does not proceed when it has them.
type caching struct {
	mu    sync.Mutex
	known map[string][]any
}

func (c *caching) Process(jp aspect.JoinPoint) error {
	key := jp.Ref().String()
	for _, a := range jp.Args() {
		if _, is := a.(context.Context); !is {
			key += fmt.Sprintf(" %#v", a)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if results, ok := c.known[key]; ok {
		for i, v := range results {
			aspect.SetResult(jp, i, v)
		}
		return nil
	}
	err := jp.Proceed()
	if err == nil {
		if c.known == nil {
			c.known = map[string][]any{}
		}
		c.known[key] = jp.Results()
	}
	return err
}

func TestACachingAspectDoesNotProceedWhenItKnows(t *testing.T) {
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), aspect.RetryPriority+1, &caching{}))
	s := down(1)
	g := wrapped[Gateway](t, w, s, aspect.Annotate[Quick]("Charge", annotation.MaxAttempts(1)))
	for i, c := range []struct {
		order   string
		cents   int
		receipt string
		err     error
		calls   int
	}{
		{"7", 5, "", errDown, 1}, // a failure is not kept
		{"7", 5, "paid 7", nil, 2},
		{"7", 5, "paid 7", nil, 2},
		{"8", 5, "paid 8", nil, 3},
		{"7", 6, "paid 7", nil, 4},
		{"8", 5, "paid 8", nil, 4},
	} {
		receipt, err := g.Charge(t.Context(), c.order, c.cents)
		require.Equal(t, c.err, err, i)
		require.Equal(t, c.receipt, receipt, i)
		require.Equal(t, c.calls, s.calls, i)
	}
	require.Equal(t, []string{"a"}, g.Tags("a"))
	require.Equal(t, []string{"a"}, g.Tags("a"))
	require.Equal(t, "stripe", g.Name())
	require.Equal(t, "stripe", g.Name())
	require.Equal(t, 6, s.calls)
	require.Equal(t, []string{"b"}, g.Tags("b"))
	require.Nil(t, g.Tags())
	require.Nil(t, g.Tags(), "a nil slice is a result like another")
	require.Equal(t, 8, s.calls)
}

func TestACachingAspectKeepsNilResultsOfEveryKind(t *testing.T) {
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, &caching{}))
	b := wrapped[Box](t, w, box{})
	for range 2 {
		r, v, more, err := b.Put(1, nil, nil, nil)
		require.NoError(t, err)
		require.Nil(t, r)
		require.Nil(t, v)
		require.Nil(t, more)
	}
}
