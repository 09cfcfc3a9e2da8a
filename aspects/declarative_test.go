package aspects_test

import (
	"context"
	"errors"
	"fmt"
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

// Bug reports of bulkheads and rate limiters elsewhere; docs/tables.md says what the tokens mean.

// decl:62. A fallback that is too busy says so, beside what it ran for. Its limit is a bulkhead of its own.
func TestAFallbackMayHaveABulkhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var rejected []retry.FallbackFailed
		listener := retry.ListenerFunc(func(_ context.Context, e retry.Event) {
			if failed, ok := e.(retry.FallbackFailed); ok {
				rejected = append(rejected, failed)
			}
		})
		w := aspect.NewWeaver(aspect.WithListener(listener),
			aspect.WithAspect(aspect.Annotated[aspects.Bulkhead](), aspects.BulkheadPriority, aspects.NewBulkhead()))
		g := newGate()
		wrapped(t, w, Load(g.load), aspect.WithName("fallback"), bulkhead(2, 0, 0))
		all := newCalls(wrapped(t, w, Load(func(context.Context, string) (string, error) { return "", errDown }), aspect.WithName("peer"),
			aspect.Annotate[aliases.Retry]("Call", annotation.MaxAttempts(1), annotation.Fallback("Load#fallback@Call"))))
		for _, id := range []string{"a", "b", "c"} {
			all.begin(t.Context(), id)
		}
		require.Equal(t, []string{"a", "b"}, g.came)
		third := all.ended("c")
		require.NotNil(t, third)
		require.ErrorIs(t, third.err, errDown)
		require.ErrorIs(t, third.err, aspects.ErrBulkheadFull)
		require.Len(t, rejected, 1)
		require.Equal(t, errDown, rejected[0].Cause)
		require.ErrorIs(t, rejected[0].Err, aspects.ErrBulkheadFull)
		for _, id := range []string{"a", "b"} {
			g.let(id, fine)
			require.Equal(t, &ended{result: "fine", returned: true}, all.ended(id))
		}
		all.wg.Wait()
	})
}

// decl:72. A permit that somebody gives back is not handed to who has waited too long and is gone.
func TestWhoHasWaitedTooLongGetsNoPermit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		all := newCalls(around(t, aspects.NewBulkhead(), Load(g.load), bulkhead(8, 8, time.Second)))
		for round := range 2 {
			id := func(who string, i int) string { return fmt.Sprint(who, " ", round, i) }
			for i := range 8 {
				all.begin(t.Context(), id("runs", i))
			}
			require.Len(t, g.came, 8*(round+1), "all permits are there")
			for i := range 8 {
				all.begin(t.Context(), id("waits", i))
			}
			time.Sleep(time.Second)
			synctest.Wait()
			for i := range 8 {
				require.ErrorIs(t, all.ended(id("waits", i)).err, aspects.ErrBulkheadFull)
				g.let(id("runs", i), fine)
			}
		}
		all.wg.Wait()
	})
}

// decl:73. Whatever way out a call takes, there are as many permits as before: no fewer, and no more.
func TestPermitsAreNeitherLostNorMade(t *testing.T) {
	const bomb = "bomb"
	for _, c := range []struct {
		name string
		call func(t *testing.T, g *gate, all *calls)
	}{
		{"a panic of the method", func(t *testing.T, g *gate, all *calls) {
			all.begin(t.Context(), "ends")
			g.let("ends", func() (string, error) { panic("no") })
			require.Equal(t, &ended{panicked: "no"}, all.ended("ends"))
		}},
		{"a panic of an aspect further in", func(t *testing.T, _ *gate, all *calls) {
			all.begin(t.Context(), bomb)
			require.Equal(t, &ended{panicked: bomb}, all.ended(bomb))
		}},
		{"a context that is cancelled in the queue", func(t *testing.T, g *gate, all *calls) {
			ctx, cancel := context.WithCancel(t.Context())
			for _, id := range []string{"runs", "runs too"} {
				all.begin(t.Context(), id)
			}
			all.begin(ctx, "waits")
			cancel()
			synctest.Wait()
			require.ErrorIs(t, all.ended("waits").err, context.Canceled)
			for _, id := range []string{"runs", "runs too"} {
				g.let(id, fine)
			}
		}},
		{"a refusal", func(t *testing.T, g *gate, all *calls) {
			ids := []string{"runs", "runs too", "waits"}
			for _, id := range ids {
				all.begin(t.Context(), id)
			}
			all.begin(t.Context(), "refused")
			require.ErrorIs(t, all.ended("refused").err, aspects.ErrBulkheadFull)
			for _, id := range ids {
				g.let(id, fine)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGate()
				explode := aspect.Func(func(jp aspect.JoinPoint) error {
					if aspect.Arg[string](jp, 1) == bomb {
						panic(bomb)
					}
					return jp.Proceed()
				})
				all := newCalls(wrapped(t, aspect.NewWeaver(
					aspect.WithAspect(aspect.Any(), 2, aspects.NewBulkhead()), aspect.WithAspect(aspect.Any(), 1, explode),
				), Load(g.load), bulkhead(2, 1, 0)))
				c.call(t, g, all)
				g.came = nil
				for _, id := range []string{"first", "second", "third", "fourth"} {
					all.begin(t.Context(), id)
				}
				require.Equal(t, []string{"first", "second"}, g.came, "the third waits")
				require.ErrorIs(t, all.ended("fourth").err, aspects.ErrBulkheadFull)
				for _, id := range []string{"first", "second", "third"} {
					g.let(id, fine)
				}
				all.wg.Wait()
			})
		})
	}
}

// queues are those in which a call may wait: there is a place for one call at a time, and the second has to wait.
var queues = []struct {
	name   string
	waits  func() aspect.Aspect
	refuse func() aspect.Aspect
	full   error
}{
	{"a bulkhead",
		func() aspect.Aspect {
			return aspects.NewBulkhead(aspects.DefaultBulkhead(aspects.Bulkhead{MaxConcurrent: 1, MaxQueue: 9}))
		},
		func() aspect.Aspect {
			return aspects.NewBulkhead(aspects.DefaultBulkhead(aspects.Bulkhead{MaxConcurrent: 1}))
		}, aspects.ErrBulkheadFull},
	{"a rate limit",
		func() aspect.Aspect {
			return aspects.NewRateLimit(aspects.DefaultRateLimit(aspects.RateLimit{PerSecond: 1, Wait: time.Minute}))
		},
		func() aspect.Aspect {
			return aspects.NewRateLimit(aspects.DefaultRateLimit(aspects.RateLimit{PerSecond: 1}))
		}, aspects.ErrRateLimited},
}

// decl:74. Who is cancelled while it waits is told that, and not that there was no place.
func TestACancelledWaitIsNoRefusal(t *testing.T) {
	for _, q := range queues {
		t.Run(q.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGate()
				all := newCalls(around(t, q.waits(), Load(g.load)))
				all.begin(t.Context(), "runs")
				ctx, cancel := context.WithCancel(t.Context())
				all.begin(ctx, "waits")
				require.Nil(t, all.ended("waits"))
				cancel()
				synctest.Wait()
				err := all.ended("waits").err
				require.ErrorIs(t, err, context.Canceled)
				require.NotErrorIs(t, err, q.full)
				rejected := new(retry.RejectedError)
				require.False(t, errors.As(err, &rejected), "whoever counts refusals counts none")
				g.let("runs", fine)
				all.wg.Wait()
			})
		})
	}
}

// decl:75. Of a crowd those get in who can be served in time. The others are told at once, and when to come again.
func TestWhoCannotBeServedInTimeIsToldAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newTimed()
		load := around(t, aspects.NewRateLimit(), Load(l.load), limit(10, 1, 100*time.Millisecond))
		var mu sync.Mutex
		refused := 0
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				_, err := load(t.Context(), "7")
				rejected := new(retry.RejectedError)
				if !errors.As(err, &rejected) {
					return
				}
				mu.Lock()
				defer mu.Unlock()
				refused++
				if time.Since(l.began) != 0 || rejected.RetryAfter() != 200*time.Millisecond {
					t.Error("after", time.Since(l.began), err)
				}
			})
		}
		wg.Wait()
		require.Equal(t, []time.Duration{0, 100 * time.Millisecond}, l.at)
		require.Equal(t, 98, refused)
		_, err := load(t.Context(), "7")
		require.NoError(t, err)
		require.Equal(t, 200*time.Millisecond, l.at[2], "the refused have taken nothing from those who come later")
	})
}

// decl:76. Who does not want to wait is refused at once; for who is gone nothing is done any more.
func TestNothingIsDoneForWhoIsGone(t *testing.T) {
	for _, q := range queues {
		t.Run(q.name+" that refuses", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGate()
				all := newCalls(around(t, q.refuse(), Load(g.load)))
				all.begin(t.Context(), "runs")
				all.begin(t.Context(), "refused")
				require.ErrorIs(t, all.ended("refused").err, q.full)
				g.let("runs", fine)
				all.wg.Wait()
				require.Equal(t, []string{"runs"}, g.came)
			})
		})
		t.Run(q.name+" that lets wait", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGate()
				all := newCalls(around(t, q.waits(), Load(g.load)))
				all.begin(t.Context(), "runs")
				gone, cancel := context.WithCancel(t.Context())
				for _, id := range []string{"gone", "gone too"} {
					all.begin(gone, id)
				}
				all.begin(t.Context(), "waits")
				cancel()
				all.begin(gone, "comes when it is gone")
				g.let("runs", fine)
				time.Sleep(time.Minute)
				synctest.Wait()
				require.Equal(t, []string{"runs", "waits"}, g.came)
				for _, id := range []string{"gone", "gone too", "comes when it is gone"} {
					require.ErrorIs(t, all.ended(id).err, context.Canceled)
				}
				g.let("waits", fine)
				all.wg.Wait()
			})
		})
	}
}

// decl:77. There is a bound for those who wait.
func TestAQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		all := newCalls(around(t, aspects.NewBulkhead(), Load(g.load), bulkhead(1, 2, 0)))
		ids := []string{"first", "second", "third"}
		for _, id := range ids {
			all.begin(t.Context(), id)
			require.Nil(t, all.ended(id))
		}
		all.begin(t.Context(), "fourth")
		require.ErrorIs(t, all.ended("fourth").err, aspects.ErrBulkheadFull)
		for _, id := range ids {
			g.let(id, fine)
		}
		all.wg.Wait()
		require.Equal(t, ids, g.came)
	})
}
