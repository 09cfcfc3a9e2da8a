package aspects_test

import (
	"context"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/aspects"
	"github.com/backstay/backstay/retry"
)

// What an aspect adds to a call that goes through. The proxy's own allocations are those under an aspect that only proceeds.
func TestAllocationsOfAspects(t *testing.T) {
	target := Load(func(context.Context, string) (string, error) { return "fine", nil })
	ctx := t.Context()
	measure := func(a aspect.Aspect) float64 {
		load := around(t, a, target)
		_, err := load(ctx, "7")
		require.NoError(t, err)
		return testing.AllocsPerRun(100, func() { _, _ = load(ctx, "7") })
	}
	bare := measure(aspect.Func(aspect.JoinPoint.Proceed))
	for _, c := range []struct {
		name string
		of   aspect.Aspect
		most float64
	}{
		{"timing", aspects.NewTiming(func(context.Context, retry.MethodRef, time.Duration, error) {}), 0},
		{"logging that is off", aspects.NewLogging(slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelError}))), 0},
		{"recover", aspects.NewRecover(), 0},
		{"bulkhead", aspects.NewBulkhead(aspects.DefaultBulkhead(aspects.Bulkhead{MaxConcurrent: 1})), 0},
		{"rate limit", aspects.NewRateLimit(aspects.DefaultRateLimit(aspects.RateLimit{PerSecond: 1e9})), 0},
	} {
		require.LessOrEqual(t, measure(c.of)-bare, c.most, c.name)
	}
}
