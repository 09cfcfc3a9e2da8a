package aspects_test

import (
	"context"
	"errors"
	"runtime"
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

// gate is a Load whose calls stay until they are let out, and remembers in which order they came in.
type gate struct {
	mu   sync.Mutex
	came []string
	out  map[string]chan func() (string, error)
}

func newGate() *gate { return &gate{out: map[string]chan func() (string, error){}} }

func (g *gate) load(_ context.Context, id string) (string, error) {
	g.mu.Lock()
	g.came = append(g.came, id)
	out := make(chan func() (string, error))
	g.out[id] = out
	g.mu.Unlock()
	return (<-out)()
}

// let lets the call out, which ends as f does.
func (g *gate) let(id string, f func() (string, error)) {
	g.mu.Lock()
	out := g.out[id]
	g.mu.Unlock()
	out <- f
	synctest.Wait()
}

func fine() (string, error) { return "fine", nil }

// calls are calls under way.
type calls struct {
	load Load
	wg   sync.WaitGroup
	mu   sync.Mutex
	end  map[string]ended
}

func newCalls(load Load) *calls { return &calls{load: load, end: map[string]ended{}} }

// begin begins a call, and returns when it runs, waits or has ended.
func (c *calls) begin(ctx context.Context, id string) {
	c.wg.Go(func() {
		e := endOf(func() (string, error) { return c.load(ctx, id) })
		c.mu.Lock()
		defer c.mu.Unlock()
		c.end[id] = e
	})
	synctest.Wait()
}

// ended is how a call has ended; nil: it has not.
func (c *calls) ended(id string) *ended {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.end[id]; ok {
		return &e
	}
	return nil
}

func bulkhead(concurrent, queue int, wait time.Duration) aspect.WrapOption {
	return annotated(func(b *aspects.Bulkhead) { b.MaxConcurrent, b.MaxQueue, b.MaxWait = concurrent, queue, wait })
}

func TestBulkheadRefusesWhoFindsItFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		c := newCalls(around(t, aspects.NewBulkhead(), Load(g.load), bulkhead(1, 1, 0)))
		for _, id := range []string{"runs", "waits", "refused"} {
			c.begin(t.Context(), id)
		}
		require.Equal(t, []string{"runs"}, g.came)
		require.Nil(t, c.ended("waits"))
		refused := c.ended("refused")
		require.NotNil(t, refused)
		require.EqualError(t, refused.err, "Load@Call: rejected: bulkhead is full: it has maxConcurrent 1, maxQueue 1")
		require.ErrorIs(t, refused.err, aspects.ErrBulkheadFull)
		rejected := new(retry.RejectedError)
		require.ErrorAs(t, refused.err, &rejected)
		require.Equal(t, "Load@Call", rejected.Ref.String())
		require.Zero(t, rejected.RetryAfter())

		g.let("runs", fine)
		require.Equal(t, []string{"runs", "waits"}, g.came)
		g.let("waits", fine)
		c.wg.Wait()
		require.Equal(t, &ended{result: "fine", returned: true}, c.ended("waits"))
	})
}

func TestBulkheadServesThoseWhoWaitInTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		c := newCalls(around(t, aspects.NewBulkhead(), Load(g.load), bulkhead(2, 3, 0)))
		for _, id := range []string{"a", "b", "c", "d", "e"} {
			c.begin(t.Context(), id)
		}
		require.Equal(t, []string{"a", "b"}, g.came)
		for _, id := range []string{"b", "a", "c", "d", "e"} {
			g.let(id, fine)
		}
		c.wg.Wait()
		require.Equal(t, []string{"a", "b", "c", "d", "e"}, g.came)
	})
}

func TestAPermitComesBackWhateverWayOutACallTakes(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func() (string, error)
		want ended
	}{
		{"a return", fine, ended{result: "fine", returned: true}},
		{"an error", func() (string, error) { return "", errDown }, ended{err: errDown, returned: true}},
		{"a panic", func() (string, error) { panic("no") }, ended{panicked: "no"}},
		{"runtime.Goexit", func() (string, error) { runtime.Goexit(); return "", nil }, ended{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGate()
				all := newCalls(around(t, aspects.NewBulkhead(), Load(g.load), bulkhead(1, 1, 0)))
				all.begin(t.Context(), "ends")
				all.begin(t.Context(), "waits")
				g.let("ends", c.end)
				require.Equal(t, &c.want, all.ended("ends"))
				require.Equal(t, []string{"ends", "waits"}, g.came)
				g.let("waits", c.end)
				all.begin(t.Context(), "comes later")
				require.Equal(t, []string{"ends", "waits", "comes later"}, g.came)
				g.let("comes later", fine)
				all.wg.Wait()
			})
		})
	}
}

func TestAWaitForAPermitEnds(t *testing.T) {
	for _, c := range []struct {
		name    string
		maxWait time.Duration
		context func(context.Context) (context.Context, context.CancelFunc)
		after   time.Duration
		want    string
		is      []error
	}{
		{"when it has lasted as long as it may", 2 * time.Second, context.WithCancel, 2 * time.Second,
			"Load@Call: rejected: bulkhead is full: there was no permit within maxWait 2s", []error{aspects.ErrBulkheadFull}},
		{"with its context's deadline", 0,
			func(ctx context.Context) (context.Context, context.CancelFunc) {
				return context.WithTimeout(ctx, time.Second)
			}, time.Second,
			"Load@Call: waiting for a permit: context deadline exceeded", []error{context.DeadlineExceeded}},
		{"when its context is cancelled", 2 * time.Second,
			func(ctx context.Context) (context.Context, context.CancelFunc) {
				ctx, cancel := context.WithCancelCause(ctx)
				stop := time.AfterFunc(time.Second, func() { cancel(errDown) })
				return ctx, func() { stop.Stop(); cancel(nil) }
			}, time.Second,
			"Load@Call: waiting for a permit: context canceled (down)", []error{context.Canceled, errDown}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGate()
				all := newCalls(around(t, aspects.NewBulkhead(), Load(g.load), bulkhead(1, 1, c.maxWait)))
				all.begin(t.Context(), "runs")
				ctx, cancel := c.context(t.Context())
				defer cancel()
				all.begin(ctx, "waits")
				time.Sleep(c.after - time.Nanosecond)
				synctest.Wait()
				require.Nil(t, all.ended("waits"))
				time.Sleep(time.Nanosecond)
				synctest.Wait()
				got := all.ended("waits")
				require.NotNil(t, got)
				require.EqualError(t, got.err, c.want)
				for _, is := range c.is {
					require.ErrorIs(t, got.err, is)
				}
				all.begin(t.Context(), "takes its place")
				require.Nil(t, all.ended("takes its place"))
				g.let("runs", fine)
				g.let("takes its place", fine)
				all.wg.Wait()
				require.Equal(t, []string{"runs", "takes its place"}, g.came)
			})
		})
	}
}

// A permit may be handed to a call that has just been told to give up. It is not lost: the next one gets it.
func TestAPermitThatComesTooLateIsPassedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		load := around(t, aspects.NewBulkhead(), Load(g.load), bulkhead(1, 2, 0))
		for range 100 {
			c := newCalls(load)
			ctx, cancel := context.WithCancel(t.Context())
			c.begin(t.Context(), "runs")
			c.begin(ctx, "gives up")
			c.begin(t.Context(), "is next")
			g.let("runs", func() (string, error) {
				cancel() // and then the permit is released at once, mostly before the other has woken up
				return "fine", nil
			})
			require.ErrorIs(t, c.ended("gives up").err, context.Canceled)
			g.let("is next", fine)
			c.wg.Wait()
		}
	})
}

func TestBulkheadsAreSharedByName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1, aspects.NewBulkhead()))
		named := func(name string) aspect.WrapOption {
			return annotated(func(b *aspects.Bulkhead) { b.MaxConcurrent, b.Name = 1, name })
		}
		all := newCalls(nil)
		for _, s := range []struct {
			service, name string
			full          bool
		}{{"a", "pg", false}, {"b", "pg", true}, {"c", "smtp", false}, {"d", "", false}, {"e", "", false}} {
			all.load = wrapped(t, w, Load(g.load), aspect.WithName(s.service), named(s.name))
			all.begin(t.Context(), s.service)
			e := all.ended(s.service)
			require.Equal(t, s.full, e != nil && errors.Is(e.err, aspects.ErrBulkheadFull), s.service)
		}
		for _, id := range []string{"a", "c", "d", "e"} {
			g.let(id, fine)
		}
		all.wg.Wait()
	})
}

func TestInstancesOfOneServiceShareItsBulkhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1, aspects.NewBulkhead(aspects.DefaultBulkhead(aspects.Bulkhead{MaxConcurrent: 1}))))
		all := newCalls(wrapped(t, w, Load(g.load)))
		all.begin(t.Context(), "a")
		all.load = wrapped(t, w, Load(g.load))
		all.begin(t.Context(), "b")
		require.ErrorIs(t, all.ended("b").err, aspects.ErrBulkheadFull)
		g.let("a", fine)
		all.wg.Wait()
	})
}

func TestAFullBulkheadIsNotRetried(t *testing.T) {
	for _, c := range []struct {
		name     string
		opts     []annotation.Option
		attempts int
	}{
		{"unless somebody says so", nil, 1},
		{"even where any error is", []annotation.Option{annotation.RetryErrors(retry.AnyError)}, 1},
		{"but where it is named", []annotation.Option{annotation.RetryErrors(retry.AnyError, retry.Is(aspects.ErrBulkheadFull))}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGate()
				w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), aspects.BulkheadPriority, aspects.NewBulkhead()))
				all := newCalls(wrapped(t, w, Load(g.load), bulkhead(1, 0, 0),
					aspect.Annotate[aliases.Retry]("Call", append(c.opts, annotation.MaxAttempts(3))...)))
				all.begin(t.Context(), "runs")
				ctx, report := retry.WithReport(t.Context())
				all.begin(ctx, "refused")
				require.ErrorIs(t, all.ended("refused").err, aspects.ErrBulkheadFull)
				require.Equal(t, []string{"runs"}, g.came)
				require.Equal(t, c.attempts, report.Attempts)
				g.let("runs", fine)
				all.wg.Wait()
			})
		})
	}
}

func TestABreakerDoesNotCountAFullBulkhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), aspects.BulkheadPriority, aspects.NewBulkhead()))
		all := newCalls(wrapped(t, w, Load(g.load), bulkhead(1, 0, 0),
			aspect.Annotate[aliases.CircuitBreaker]("Call", annotation.MaxAttempts(1))))
		all.begin(t.Context(), "runs")
		for _, id := range []string{"refused", "refused again"} {
			all.begin(t.Context(), id)
			require.ErrorIs(t, all.ended(id).err, aspects.ErrBulkheadFull)
		}
		g.let("runs", fine)
		all.wg.Wait()
	})
}

func TestNobodyHoldsAPermitBetweenAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), aspects.BulkheadPriority, aspects.NewBulkhead()))
		failed := map[string]bool{}
		load := wrapped[Load](t, w, func(_ context.Context, id string) (string, error) {
			if !failed[id] {
				failed[id] = true
				return "", errDown
			}
			return "fine", nil
		}, bulkhead(1, 0, 0), aspect.Annotate[aliases.Retry]("Call", annotation.MaxAttempts(2), annotation.Base(time.Minute)))
		all := newCalls(load)
		all.begin(t.Context(), "a")
		time.Sleep(time.Second)
		all.begin(t.Context(), "b")
		all.wg.Wait()
		require.Equal(t, &ended{result: "fine", returned: true}, all.ended("a"))
		require.Equal(t, &ended{result: "fine", returned: true}, all.ended("b"))
	})
}
