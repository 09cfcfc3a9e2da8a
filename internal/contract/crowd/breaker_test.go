package crowd_test

import (
	"context"
	"errors"
	"runtime"
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

// guarded is a service whose Call a breaker guards; it makes one attempt.
func guarded(t *testing.T, r *Remote, l retry.Listener, s retry.BreakerSettings) (Peer, *retry.Breaker) {
	p, c := peer(t, r, l, container.Annotate[aliases.CircuitBreaker](Peer.Call, annotation.MaxAttempts(1), annotation.Breaker(s)))
	b, err := c.Breaker(Peer.Call)
	require.NoError(t, err)
	return p, b
}

// outcomes counts what a crowd gets.
func outcomes(ctx context.Context, p Peer) (succeeded, failed, rejected int) {
	var counts [3]atomic.Int64
	together(crowd, func(i int) {
		switch _, err := p.Call(ctx, i); {
		case err == nil:
			counts[0].Add(1)
		case errors.Is(err, retry.ErrCircuitOpen):
			counts[2].Add(1)
		default:
			counts[1].Add(1)
		}
	})
	return int(counts[0].Load()), int(counts[1].Load()), int(counts[2].Load())
}

// Each change of a breaker happens once, and is told once, however many calls bring it about; half-open it admits as many
// probes as it says, whatever the way in which they end.
func TestABreakerChangesOnceAndAdmitsItsProbes(t *testing.T) {
	for _, c := range []struct {
		name    string
		breaker retry.BreakerSettings
	}{
		{"one exhausted session", retry.BreakerSettings{}},
		{"a window of calls", retry.BreakerSettings{Window: crowd, FailureRatio: 1}},
		{"a window of time", retry.BreakerSettings{WindowTime: time.Hour, MinCalls: crowd, FailureRatio: 1}},
		{"consecutive", retry.BreakerSettings{Consecutive: crowd}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := c.breaker
				s.ResetTimeout, s.Probes = reset, 7
				r, l := &Remote{}, &tally{}
				p, b := guarded(t, r, l, s)

				all := newBarrier(crowd)
				r.do = func(context.Context, int, int) (int, error) { all.wait(); return 0, errBoom }
				_, failed, rejected := outcomes(t.Context(), p)
				require.Equal(t, []int{crowd, 0}, []int{failed, rejected}, "all were admitted")
				require.Equal(t, 1, l.take()["to open"])

				_, _, rejected = outcomes(t.Context(), p)
				require.Equal(t, crowd, rejected)
				require.Equal(t, map[string]int{"Rejected": crowd}, l.take())

				time.Sleep(reset)
				require.Equal(t, retry.BreakerHalfOpen, b.State())
				slow := func(err error) func(context.Context, int, int) (int, error) {
					return func(context.Context, int, int) (int, error) { time.Sleep(time.Second); return 0, err }
				}
				r.do = slow(errBoom)
				_, failed, rejected = outcomes(t.Context(), p)
				require.Equal(t, []int{7, crowd - 7}, []int{failed, rejected})
				counts := l.take()
				require.Equal(t, []int{1, 1, 0}, []int{counts["to half-open"], counts["to open"], counts["to closed"]}, "seven failed probes open it once")

				time.Sleep(reset)
				r.do = slow(nil)
				succeeded, _, rejected := outcomes(t.Context(), p)
				require.Equal(t, []int{7, crowd - 7}, []int{succeeded, rejected})
				counts = l.take()
				require.Equal(t, []int{1, 0, 1}, []int{counts["to half-open"], counts["to open"], counts["to closed"]})
				require.Equal(t, retry.BreakerClosed, b.State())
			})
		})
	}
}

// Probes that panic, exit, are canceled or never come back cannot wedge a breaker.
func TestNoEndOfAProbeWedgesABreaker(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(ctx context.Context) error
		then retry.BreakerState
	}{
		{"panic", func(context.Context) error { panic("probe") }, retry.BreakerOpen},
		{"Goexit", func(context.Context) error { runtime.Goexit(); return nil }, retry.BreakerOpen},
		{"cancel", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, retry.BreakerHalfOpen},
		{"classified out", func(context.Context) error { return context.Canceled }, retry.BreakerHalfOpen},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := &Remote{do: boom}
				p, co := peer(t, r, &tally{}, container.Annotate[aliases.CircuitBreaker](Peer.Call, annotation.MaxAttempts(1),
					annotation.IgnoreErrors(retry.Is(context.Canceled)), annotation.Breaker(retry.BreakerSettings{ResetTimeout: reset, Probes: 3})))
				b, err := co.Breaker(Peer.Call)
				require.NoError(t, err)
				_, _ = p.Call(t.Context(), 0)
				time.Sleep(reset)

				r.calls.Store(0)
				r.do = func(ctx context.Context, _, _ int) (int, error) { time.Sleep(time.Second); return 0, c.end(ctx) }
				ctx, cancel := context.WithTimeoutCause(t.Context(), 2*time.Second, nil)
				defer cancel()
				if c.name == "cancel" {
					ctx, cancel = context.WithCancel(t.Context())
					time.AfterFunc(2*time.Second, cancel)
				}
				together(crowd, func(i int) {
					defer func() { _ = recover() }()
					_, _ = p.Call(ctx, i)
				})
				require.EqualValues(t, 3, r.calls.Load(), "probes")
				require.Equal(t, c.then, b.State())

				time.Sleep(reset)
				r.do = func(context.Context, int, int) (int, error) { time.Sleep(time.Second); return 0, nil }
				succeeded, _, _ := outcomes(t.Context(), p)
				require.Equal(t, 3, succeeded)
				require.Equal(t, retry.BreakerClosed, b.State())
			})
		})
	}
}

// A probe that never returns loses its place when the reset timeout has passed; its late result counts nowhere.
func TestProbesThatHangLoseTheirPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, l := &Remote{do: boom}, &tally{}
		p, b := guarded(t, r, l, retry.BreakerSettings{ResetTimeout: reset, Probes: 5})
		_, _ = p.Call(t.Context(), 0)
		time.Sleep(reset)
		r.do = func(context.Context, int, int) (int, error) { time.Sleep(time.Hour); return 0, errBoom }
		hung := make(chan struct{})
		go func() {
			defer close(hung)
			_, failed, rejected := outcomes(t.Context(), p)
			if failed != 5 || rejected != crowd-5 {
				t.Error(failed, rejected)
			}
		}()
		synctest.Wait()
		time.Sleep(reset)
		r.do = func(context.Context, int, int) (int, error) { time.Sleep(time.Second); return 0, nil }
		succeeded, _, rejected := outcomes(t.Context(), p)
		require.Equal(t, []int{5, crowd - 5}, []int{succeeded, rejected})
		require.Equal(t, retry.BreakerClosed, b.State())
		l.take()
		<-hung
		require.Equal(t, retry.BreakerClosed, b.State())
		require.Zero(t, l.take()["to open"])
	})
}

// Operators change a breaker while a crowd uses it: nothing is lost, and every change that is told follows the one before.
func TestOperatorsAndACrowdAtOnce(t *testing.T) {
	var told []retry.BreakerChanged // a breaker's changes are told one after the other
	r := &Remote{do: func(_ context.Context, _, n int) (int, error) {
		if n%3 == 0 {
			return 0, errBoom
		}
		return n, nil
	}}
	p, b := guarded(t, r, retry.ListenerFunc(func(_ context.Context, e retry.Event) {
		if e, ok := e.(retry.BreakerChanged); ok {
			told = append(told, e)
			_ = e.Breaker.State()
		}
	}), retry.BreakerSettings{ResetTimeout: time.Microsecond, Window: 10, FailureRatio: 0.3, Probes: 2})
	operations := []func(){b.ForceOpen, b.Reset, b.ForceClose, b.MetricsOnly, b.Reset, func() { b.State(); b.RetryAfter() }}
	together(crowd, func(i int) {
		if i%10 == 0 {
			operations[i/10%len(operations)]()
		}
		_, _ = p.Call(t.Context(), i)
	})
	b.Reset()
	require.Equal(t, retry.BreakerClosed, b.State())
	require.NotEmpty(t, told)
	last := retry.BreakerClosed
	for i, e := range told {
		require.Equal(t, last, e.From, "change %d", i)
		require.NotEqual(t, e.From, e.To)
		last = e.To
	}
	require.Equal(t, retry.BreakerClosed, last)
}

// A breaker that services share by its name is one breaker.
func TestABreakerSharedByNameIsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &tally{}
		c := container.New(container.WithListener(l))
		name := annotation.BreakerName("peer")
		all := newBarrier(crowd)
		do := func(context.Context, int, int) (int, error) { all.wait(); return 0, errBoom }
		c.Provide(func() *Remote { return &Remote{do: do} }, container.As[Peer](), container.Name("one"),
			container.Annotate[aliases.CircuitBreaker]("*", name, annotation.MaxAttempts(1),
				annotation.Breaker(retry.BreakerSettings{ResetTimeout: reset, Window: crowd, FailureRatio: 1})))
		c.Provide(func() *Spare { return &Spare{Remote{do: do}} }, container.As[Peer](), container.Name("two"),
			container.Annotate[aliases.CircuitBreaker]("*", name, annotation.MaxAttempts(1)))
		call := func(i int) error {
			p, err := container.Get[Peer](c, container.Name([]string{"one", "two"}[i%2]))
			if err == nil && i%4 < 2 {
				_, err = p.Call(t.Context(), i)
			} else if err == nil {
				_, err = p.Other(t.Context(), i)
			}
			return err
		}
		together(crowd, func(i int) {
			if err := call(i); !errors.Is(err, errBoom) {
				t.Error(err)
			}
		})
		require.Equal(t, 1, l.take()["to open"])
		together(crowd, func(i int) {
			if err := call(i); !errors.Is(err, retry.ErrCircuitOpen) {
				t.Error(err)
			}
		})
		require.Len(t, c.Breakers(), 1)
	})
}
