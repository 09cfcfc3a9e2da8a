package retry_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// allocated is what one call of f allocates: how often, and how many bytes.
func allocated(f func()) (times, bytes float64) {
	const runs = 2000
	f() // what is made once
	runtime.GC()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // nobody else allocates meanwhile
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		f()
	}
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / runs, float64(after.TotalAlloc-before.TotalAlloc) / runs
}

func TestAllocations(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	rejecting := retry.With(closedGate)
	ints := retry.WhenReturns(1 << 40).Max(3)
	texts := retry.For[string]().Max(3)
	child := func(inner context.Context) error { _, c := context.WithCancel(inner); c(); return nil }
	ofChild, _ := allocated(func() { _ = child(ctx) })
	fivePolicies, opened := five(), open()
	for _, c := range []struct {
		name  string
		call  func()
		times float64
		bytes float64 // 0: not asked
	}{
		{"success at once", func() { _ = simple.Run(ctx, succeed) }, 1, 112},
		{"success at once, with a result", func() { _, _ = texts.Call(ctx, func(context.Context) (string, error) { return "x", nil }) }, 1, 112},
		{"success at once, with five policies", func() { _ = fivePolicies.Run(ctx, succeed) }, 1, 112},
		{"a condition on results boxes nothing", func() { _, _ = ints.Call(ctx, func(context.Context) (int, error) { return 1 << 41, nil }) }, 1, 112},
		{"a failure that is not retriable", func() { _ = simple.Run(ctx, func(context.Context) error { return permanentBoom }) }, 1, 112},
		{"two failures, then success", func() { _ = simple.Run(ctx, failTwice3()) }, 1, 112},
		{"two failures, then success, with five policies", func() { _ = fivePolicies.Run(ctx, failTwice3()) }, 1, 112},
		{"ten failures", func() { _ = retryTen.Run(ctx, fail) }, 1, 112},
		{"rejected by an open breaker", func() { _ = opened.Run(ctx, succeed) }, 0, 0},
		{"rejected by a user's gate", func() { _ = rejecting.Run(ctx, succeed) }, 0, 0},
		{"a context made in the attempt", func() { _ = simple.Run(ctx, child) }, 1 + ofChild, 0},
	} {
		times, bytes := allocated(c.call)
		require.InDelta(t, c.times, times, 0.05, c.name)
		if c.bytes > 0 {
			require.LessOrEqual(t, bytes, c.bytes+1, c.name)
		}
	}
}

var (
	retryTen      = retry.WhenThrows().Max(10)
	permanentBoom = retry.Permanent(errBoom)
	failures      int
)

// failTwice3 is one func that fails twice, then succeeds, and allocates nothing.
func failTwice3() func(context.Context) error {
	failures = 0
	return func(context.Context) error {
		if failures++; failures < 3 {
			return errBoom
		}
		return nil
	}
}
