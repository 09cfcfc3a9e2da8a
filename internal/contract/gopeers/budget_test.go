package gopeers_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// paying runs a case in both forms under a budget, with two attempts.
func paying(t *testing.T, s retry.BudgetSettings, f func(t *testing.T, p *form)) {
	t.Helper()
	inBothForms(t,
		func() retry.ErrorChain { return retry.WhenThrows().With(retry.NewBudget(s)).Max(2).WrapExhausted() },
		options(annotation.Budget(s), annotation.MaxAttempts(2), annotation.WrapExhausted(true)), f)
}

// go:G1. Where a budget is a share of what is in flight, its minimum is a number. Ours is a rate: what TTL holds of it is
// there at the start.
func TestTheMinimumOfABudgetIsHonouredWhenNothingElseRuns(t *testing.T) {
	paying(t, retry.BudgetSettings{TTL: time.Second, MinPerSec: 3, Percent: 0.001}, func(t *testing.T, p *form) {
		var retried []*held
		var results []<-chan error
		for range 3 { // three retries at once
			h, calls := hold(), 0
			out := make(chan error, 1)
			go func() {
				out <- p.run(context.Background(), func(ctx context.Context) error {
					if calls++; calls == 1 {
						return errBoom
					}
					return h.run(ctx)
				})
			}()
			retried, results = append(retried, h), append(results, out)
		}
		synctest.Wait()
		fourth := scripted(errBoom)
		exhaustedBy(t, p.run(t.Context(), fourth.run), "budget", 1)
		for i, h := range retried {
			h.finish(nil)
			require.NoError(t, <-results[i])
		}
		time.Sleep(time.Second)
		for range 3 {
			require.NoError(t, p.run(t.Context(), scripted(errBoom, nil).run), "a second earns three more")
		}
	})
}

// go:G2. The case is of a hedge, which we have not; what it says of budgets holds of retries: a refusal ends the session that
// asked, and attempts that are running go on.
func TestAnEmptyBudgetStopsOnlyTheNewAttempt(t *testing.T) {
	paying(t, retry.BudgetSettings{TTL: time.Second, MinPerSec: 1}, func(t *testing.T, p *form) {
		second, third := hold(), hold()
		calls := 0
		retried := make(chan error, 1)
		go func() {
			retried <- p.run(context.Background(), func(ctx context.Context) error {
				if calls++; calls == 1 {
					return errBoom
				}
				return second.run(ctx)
			})
		}()
		first := third.start(p)
		exhaustedBy(t, p.run(t.Context(), scripted(errBoom).run), "budget", 1)
		require.Equal(t, 1, count[retry.BudgetRefused](p.events))
		second.finish(nil)
		require.NoError(t, <-retried, "the retry that was paid for")
		third.finish(nil)
		require.NoError(t, <-first, "a first attempt costs nothing")
		require.Equal(t, 2, calls)
	})
}

// go:G3
func TestTheShareOfABudgetIsMeasuredOverAWindowNotOverWhatIsInFlight(t *testing.T) {
	paying(t, retry.BudgetSettings{TTL: time.Hour, Percent: 0.2}, func(t *testing.T, p *form) {
		var retried []int // the minutes whose call was retried
		for minute := 1; minute <= 180; minute++ {
			if err := p.run(t.Context(), scripted(errBoom, nil).run); err == nil {
				retried = append(retried, minute)
			} else {
				exhaustedBy(t, err, "budget", 1)
			}
			time.Sleep(time.Minute)
		}
		require.Equal(t, []int{5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60}, retried[:12], "never more than one is in flight")
		for from := 1; from+60 <= 180; from++ {
			n := 0
			for _, minute := range retried {
				if minute >= from && minute < from+60 {
					n++
				}
			}
			require.LessOrEqual(t, n, 12, "20 %% of the 60 calls from minute %d on", from)
			require.GreaterOrEqual(t, n, 10, "the window moves by a tenth of it, so it may hold calls back that long")
		}
	})
}

// go:G4. The minimum of the case is a share of what is in flight; here the budget earns one retry in a second. A retry that
// has started was paid for, whatever becomes of it, so the next call has to wait for what time earns; the call itself is
// admitted.
func TestPermitsSurviveAPanic(t *testing.T) {
	budget := retry.BudgetSettings{TTL: time.Second, MinPerSec: 1}
	for _, in := range []struct {
		attempt int
		limit   string // what refuses the next call's retry
	}{{1, "maxAttempts"}, {2, "budget"}} {
		for how, end := range map[string]func(){"panics": func() { panic("lost") }, "exits": runtime.Goexit} {
			t.Run(fmt.Sprint(how, " in attempt ", in.attempt), func(t *testing.T) {
				var full *bulkhead
				inBothForms(t,
					func() retry.ErrorChain {
						full = newBulkhead(1)
						return retry.With(full, retry.NewBudget(budget)).WhenThrows().Max(2).WrapExhausted()
					},
					func() []annotation.Option {
						full = newBulkhead(1)
						return []annotation.Option{annotation.Budget(budget), annotation.MaxAttempts(2), annotation.WrapExhausted(true),
							annotation.AddPolicies(retry.PolicyFrom("bulkhead", func() *bulkhead { return full }))}
					},
					func(t *testing.T, p *form) {
						calls := 0
						left := inGoroutine(func() error {
							return p.run(t.Context(), func(context.Context) error {
								if calls++; calls == in.attempt {
									end()
								}
								return errBoom
							})
						})
						require.True(t, left.exited || left.panics == "lost")
						require.Equal(t, in.attempt, calls)
						require.Zero(t, full.inside.Load())

						err := p.run(t.Context(), scripted(errBoom).run)
						require.NotErrorIs(t, err, errBulkheadFull)
						require.ErrorIs(t, err, errBoom)
						exhausted := new(retry.ExhaustedError)
						require.ErrorAs(t, err, &exhausted)
						require.Equal(t, in.limit, exhausted.Limit)

						time.Sleep(time.Second)
						require.NoError(t, p.run(t.Context(), scripted(errBoom, nil).run))
					})
			})
		}
	}
}

// go:G4, of the bulkhead alone: what a user's gate admits is left again by every call, in whatever order they end.
func TestABulkheadIsLeftByEveryCall(t *testing.T) {
	inBothForms(t,
		func() retry.ErrorChain { return retry.With(newBulkhead(100)).WhenThrows().Max(2) },
		options(annotation.AddPolicies(bulkheadOf100), annotation.MaxAttempts(2)),
		func(t *testing.T, p *form) {
			for range 3 {
				var wg sync.WaitGroup
				errs := make([]error, 101)
				for i := range errs {
					wg.Go(func() {
						errs[i] = p.run(t.Context(), func(context.Context) error { time.Sleep(time.Second); return nil })
					})
				}
				wg.Wait()
				full := 0
				for _, err := range errs {
					if err != nil {
						require.ErrorIs(t, err, errBulkheadFull)
						full++
					}
				}
				require.Equal(t, 1, full)
			}
		})
}

// go:G6. An attempt that times out is told by its context and not abandoned, so its call takes as long as it does: there is
// no goroutine that could be left.
func TestATimeoutLeavesNoGoroutine(t *testing.T) {
	const bound = 20 * time.Millisecond
	inBothForms(t,
		func() retry.ErrorChain { return retry.With(retry.NewAttemptTimeout(bound), retry.NewMaxAttempts(1)) },
		options(annotation.AttemptTimeout(bound), annotation.MaxAttempts(1)),
		func(t *testing.T, p *form) {
			before := goroutines()
			require.Positive(t, before)
			var wg sync.WaitGroup
			errs, took := make([]error, 10), make([]time.Duration, 10)
			for i := range errs {
				wg.Go(func() {
					took[i] = within(func() {
						errs[i] = p.run(t.Context(), func(ctx context.Context) error {
							time.Sleep(60 * time.Millisecond) // it does not heed its context
							return ctx.Err()
						})
					})
				})
			}
			wg.Wait()
			time.Sleep(240 * time.Millisecond)
			synctest.Wait()
			require.Equal(t, before, goroutines())
			for i, err := range errs {
				require.Equal(t, context.DeadlineExceeded, err)
				require.Equal(t, 60*time.Millisecond, took[i])
			}
		})
}
