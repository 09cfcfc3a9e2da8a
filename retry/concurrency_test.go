package retry_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

const crowd = 1000

// together runs f in a thousand goroutines and waits for them.
func together(f func(i int)) {
	var wg sync.WaitGroup
	for i := range crowd {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

func TestAThousandSessionsOfOneChainShareNothingButBudgetAndBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var attempts, opened, refused atomic.Int64
		breaker := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: reset, WindowTime: time.Hour, MinCalls: crowd, FailureRatio: 1, Probes: 7})
		budget := retry.NewBudget(retry.BudgetSettings{TTL: time.Hour, MinPerSec: 0.01, Percent: 0.3}) // a reserve of 36
		chain := retry.With(breaker, budget).Named("crowd").Listen(retry.ListenerFunc(func(_ context.Context, e retry.Event) {
			switch e := e.(type) {
			case retry.BreakerChanged:
				if e.To == retry.BreakerOpen {
					opened.Add(1)
				}
			case retry.BudgetRefused:
				refused.Add(1)
			}
		}))

		// All are admitted before the first fails, so that it is known what the budget can pay for.
		admitted := make(chan struct{})
		var waiting atomic.Int64
		together(func(i int) {
			_ = chain.Run(t.Context(), func(ctx context.Context) error {
				attempts.Add(1)
				a, _ := retry.FromContext(ctx)
				if a.Number > 1 {
					return nil // a retry succeeds
				}
				if waiting.Add(1) == crowd {
					close(admitted)
				}
				<-admitted
				return errBoom
			})
		})
		// The last of the thousand failures would open the breaker, were it not for the retries that have succeeded.
		require.Equal(t, int64(crowd+300+36), attempts.Load())
		require.Equal(t, int64(crowd-300-36), refused.Load())
		require.Zero(t, opened.Load())
	})
}

func TestAThousandFailuresOpenABreakerOnceAndProbesAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var opened, closed, calls, rejected atomic.Int64
		policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: reset, Window: crowd, FailureRatio: 1, Probes: 7})
		breaker := retry.BreakerOf(policy)
		chain := retry.With(policy).Max(1).Listen(retry.ListenerFunc(func(_ context.Context, e retry.Event) {
			switch e := e.(type) {
			case retry.BreakerChanged:
				switch e.To {
				case retry.BreakerOpen:
					opened.Add(1)
				case retry.BreakerClosed:
					closed.Add(1)
				}
			case retry.Rejected:
				rejected.Add(1)
			}
		}))
		together(func(int) {
			_ = chain.Run(t.Context(), func(context.Context) error { calls.Add(1); return errBoom })
		})
		require.Equal(t, int64(crowd), calls.Load())
		require.Equal(t, int64(1), opened.Load())
		require.Zero(t, rejected.Load())

		together(func(int) { _ = chain.Run(t.Context(), scripted(nil).run) })
		require.Equal(t, int64(crowd), rejected.Swap(0))

		time.Sleep(reset)
		calls.Store(0)
		probing := make(chan struct{})
		go func() {
			synctest.Wait()
			time.Sleep(time.Second) // every call has come: the probes hold their places, the others were rejected
			close(probing)
		}()
		together(func(int) {
			_ = chain.Run(t.Context(), func(context.Context) error { calls.Add(1); <-probing; return nil })
		})
		require.Equal(t, int64(7), calls.Load())
		require.Equal(t, int64(crowd-7), rejected.Load())
		require.Equal(t, int64(1), closed.Load())
		require.Equal(t, retry.BreakerClosed, breaker.State())
	})
}

func TestAThousandSessionsKeepTheirOwnCountsKeysAndReports(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chain := retry.WhenThrows().Max(3).Sleep(time.Second)
		var keysMu sync.Mutex
		all := map[string]int{}
		together(func(i int) {
			ctx, report := retry.WithReport(t.Context())
			fails := i % 4 // the fourth kind is exhausted
			op := scripted(append(make([]error, 0, 4), []error{errBoom, errBoom, errBoom, nil}[3-fails:]...)...)
			var keys []string
			err := chain.Run(ctx, func(ctx context.Context) error {
				keys = append(keys, keyOf(ctx))
				return op.run(ctx)
			})
			if (err != nil) != (fails == 3) || report.Attempts != min(fails+1, 3) || op.calls != report.Attempts || len(report.Waits) != report.Attempts-1 {
				t.Errorf("session %d: %v, %+v", i, err, report)
			}
			keysMu.Lock()
			defer keysMu.Unlock()
			for _, k := range keys {
				all[k]++
			}
		})
		require.Len(t, all, crowd)
	})
}

func TestOneReportIsClaimedByOneOfManySessions(t *testing.T) {
	ctx, report := retry.WithReport(t.Context())
	chain := retry.WhenThrows().Max(2)
	together(func(int) { _ = chain.Run(ctx, scripted(errBoom).run) })
	require.Equal(t, 2, report.Attempts)
	require.Len(t, report.Errors, 2)
}
