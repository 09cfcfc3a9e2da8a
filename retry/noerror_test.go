package retry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// A method without an error result cannot tell of a context or a limit: its caller gets the results of the last attempt,
// or the fallback's.
func TestAMethodWithoutAnErrorResultReturnsItsResultsWhateverEndedIt(t *testing.T) {
	again := predicates(saysAgain)
	for _, c := range []struct {
		name     string
		fallback bool
		change   func(*retry.Settings)
		ctx      func(context.Context) (context.Context, context.CancelFunc)
		result   any
		calls    int
		ended    retry.Ending
		limit    string
	}{
		{"exhausted", false, nil, context.WithCancel, 3, 3, retry.EndExhausted, "maxAttempts"},
		{"exhausted, to be wrapped", false, func(s *retry.Settings) { s.WrapExhausted = true }, context.WithCancel, 3, 3, retry.EndExhausted, "maxAttempts"},
		{"exhausted, with a fallback", true, nil, context.WithCancel, "fallback", 3, retry.EndExhausted, "maxAttempts"},
		{"the deadline is too near", false, func(s *retry.Settings) { s.Base = time.Hour }, inASecond, 1, 1, retry.EndExhausted, "deadline"},
		{"the context ends in the wait", false, func(s *retry.Settings) { s.Base = time.Minute }, canceledInASecond, 1, 1, retry.EndCanceled, ""},
		{"the context ended before", false, nil, canceledAlready, 1, 1, retry.EndCanceled, ""},
		{"the context ended before, with a fallback", true, nil, canceledAlready, 1, 1, retry.EndCanceled, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				set := settings(retry.Fallback, retry.Classifier, retry.MaxAttempts, retry.Sleep)
				if c.change != nil {
					c.change(&set)
				}
				d := retry.Definition{Settings: set, NoError: true, Hooks: retry.Hooks{RetryIfResult: again}}
				if c.fallback {
					d.Hooks.Fallback = func(_ context.Context, s *retry.Session, _ error) error {
						s.Call().(*frame).results = []any{"fallback"}
						return nil
					}
				}
				ctx, cancel := c.ctx(t.Context())
				defer cancel()
				ctx, report := retry.WithReport(ctx)
				call, calls := new(frame), 0
				require.NoError(t, compiled(t, d).Run(ctx, new(retry.Session), call, func(context.Context) error {
					calls++
					call.results = []any{calls}
					return nil
				}))
				require.Equal(t, c.result, call.results[0])
				require.Equal(t, c.calls, calls)
				require.Equal(t, c.ended, report.Ended)
				require.Equal(t, c.limit, report.Limit)
			})
		})
	}
}

func inASecond(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, time.Second)
}

func canceledInASecond(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	time.AfterFunc(time.Second, cancel)
	return ctx, cancel
}

func canceledAlready(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return ctx, cancel
}
