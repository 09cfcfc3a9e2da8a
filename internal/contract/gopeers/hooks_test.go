package gopeers_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// go:H1
func TestTheRetryHookRunsOnlyBeforeARetry(t *testing.T) {
	limited(t, 3, func(t *testing.T, p *form) {
		var told []string
		p.events.then = func(_ context.Context, e retry.Event) { told = append(told, fmt.Sprintf("%T", e)) }
		require.Equal(t, errBoom, p.run(t.Context(), scripted(errBoom).run))
		require.Equal(t, []string{
			"retry.AttemptFailed", "retry.RetryScheduled",
			"retry.AttemptFailed", "retry.RetryScheduled",
			"retry.AttemptFailed", "retry.Exhausted",
		}, told)
	})
	t.Run("BeforeRetry", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var after []int
			p := annotated(t, annotation.MaxAttempts(3), annotation.BeforeRetry(func(s *retry.Session) error {
				after = append(after, s.Attempt())
				return nil
			}))
			require.Equal(t, errBoom, p.run(t.Context(), scripted(errBoom).run))
			require.Equal(t, []int{1, 2}, after)
		})
	})
}

// go:H2
func TestUnlimitedAttemptsCallTheRetryHookToo(t *testing.T) {
	op := func() operation { return scripted(append(slices.Repeat([]error{errBoom}, 20), nil)...).run }
	limited(t, retry.Unlimited, func(t *testing.T, p *form) {
		require.NoError(t, p.run(t.Context(), op()))
		require.Equal(t, 20, count[retry.RetryScheduled](p.events))
		require.Zero(t, count[retry.Exhausted](p.events))
	})
	t.Run("BeforeRetry", func(t *testing.T) {
		calls := 0
		p := annotated(t, annotation.MaxAttempts(retry.Unlimited), annotation.BeforeRetry(func(context.Context, operation) { calls++ }))
		require.NoError(t, p.run(t.Context(), op()))
		require.Equal(t, 20, calls)
	})
}
