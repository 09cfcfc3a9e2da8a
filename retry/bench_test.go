package retry_test

import (
	"context"
	"testing"
	"time"

	"github.com/backstay/backstay/retry"
)

// The chains that are measured. The sessions of benchmarks are more than a budget's words can count, so its reserve pays.
var (
	simple = retry.With(retry.NewMaxAttempts(3), retry.NewClassifier())
	five   = func() retry.ErrorChain {
		return retry.With(retry.NewClassifier(), retry.NewMaxAttempts(3), retry.NewSleep(retry.Flat, 0),
			retry.NewBudget(retry.BudgetSettings{TTL: time.Second, MinPerSec: 1e6, Percent: 0.2}),
			retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Minute, Window: 100, FailureRatio: 1, MinCalls: 100}))
	}
	open = func() retry.ErrorChain {
		policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Hour})
		retry.BreakerOf(policy).ForceOpen()
		return simple.With(policy)
	}
)

func succeed(context.Context) error { return nil }
func fail(context.Context) error    { return errBoom }

// failTwice fails twice of three times.
func failTwice() func(context.Context) error {
	n := 0
	return func(context.Context) error {
		if n++; n%3 != 0 {
			return errBoom
		}
		return nil
	}
}

func bench(b *testing.B, chain retry.ErrorChain, op func(context.Context) error) {
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	b.ReportAllocs()
	for b.Loop() {
		_ = chain.Run(ctx, op)
	}
}

func BenchmarkSuccessAtOnce(b *testing.B)             { bench(b, simple, succeed) }
func BenchmarkSuccessAtOnceFivePolicies(b *testing.B) { bench(b, five(), succeed) }
func BenchmarkTwoFailuresThenSuccess(b *testing.B)    { bench(b, simple, failTwice()) }
func BenchmarkTwoFailuresThenSuccessFivePolicies(b *testing.B) {
	bench(b, five(), failTwice())
}
func BenchmarkTenFailures(b *testing.B)       { bench(b, retry.WhenThrows().Max(10), fail) }
func BenchmarkRejectedByBreaker(b *testing.B) { bench(b, open(), succeed) }

func BenchmarkSuccessWithAttemptTimeout(b *testing.B) {
	bench(b, simple.With(retry.NewAttemptTimeout(time.Minute)), succeed)
}

func BenchmarkSuccessAtOnceParallel(b *testing.B) {
	chain := five()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		ctx := context.Background()
		for pb.Next() {
			_ = chain.Run(ctx, succeed)
		}
	})
}

// BenchmarkChildContext tells what a child made from an attempt's context costs beside one of the caller's own.
func BenchmarkChildContext(b *testing.B) {
	parent, cancel := context.WithCancel(b.Context())
	defer cancel()
	child := func(b *testing.B, ctx context.Context) {
		b.ReportAllocs()
		for b.Loop() {
			_, cancel := context.WithCancel(ctx)
			cancel()
		}
	}
	b.Run("caller", func(b *testing.B) { child(b, parent) })
	b.Run("attempt", func(b *testing.B) {
		_ = simple.Run(parent, func(ctx context.Context) error { child(b, ctx); return nil })
	})
}
