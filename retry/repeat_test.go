package retry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/retry"
)

// busyError is an error that runs what it is given when it is asked how long to wait.
type busyError func()

func (busyError) Error() string { return "boom" }
func (a busyError) RetryAfter() time.Duration {
	a()
	return 0
}

// between are policies and hooks whose code runs between two attempts: it does what it is given, and lets the retry pass
// without a wait.
func between(do func()) (policies map[string]retry.Policy, hooks map[string]retry.Hooks) {
	noWait := func(*retry.Session) time.Duration { do(); return 0 }
	return map[string]retry.Policy{
			"a limiter":        limitFunc(func(*retry.Session) error { do(); return nil }),
			"a waiter":         waitFunc(noWait),
			"a judge":          judgeFunc(func(*retry.Session) retry.Verdict { do(); return retry.Again }),
			"a taker":          takerFuncs{take: func(*retry.Session) error { do(); return nil }},
			"a sleep strategy": retry.NewSleep(waitFunc(noWait), 0),
		}, map[string]retry.Hooks{
			"OnlyIf":      {OnlyIf: []func(*retry.Session) bool{func(*retry.Session) bool { do(); return true }}},
			"WaitHint":    {WaitHint: noWait},
			"BeforeRetry": {BeforeRetry: func(*retry.Session) error { do(); return nil }},
		}
}

// eachBetween calls try for a policy of each kind that runs do between two attempts, with the policies of list around it.
func eachBetween(t *testing.T, do func(), timeout time.Duration, try func(t *testing.T, h *retry.HybridPolicy, failure error)) {
	list := func(p ...retry.Policy) []retry.Policy {
		if timeout > 0 {
			p = append([]retry.Policy{retry.NewTimeout(timeout)}, p...)
		}
		return append(p, retry.NewClassifier(), retry.NewMaxAttempts(3))
	}
	policies, hooks := between(do)
	for name, p := range policies {
		t.Run(name, func(t *testing.T) { try(t, hybrid(t, list(p)...), errBoom) })
	}
	for name, hook := range hooks {
		t.Run(name, func(t *testing.T) {
			s := settings(retry.Classifier, retry.MaxAttempts)
			if timeout > 0 {
				s.Policies, s.Timeout = append(s.Policies, retry.Timeout), timeout
			}
			h, err := retry.Compile(retry.Definition{Settings: s, Hooks: hook})
			require.NoError(t, err)
			try(t, h, errBoom)
		})
	}
	t.Run("an error that is asked how long to wait", func(t *testing.T) { try(t, hybrid(t, list()...), busyError(do)) })
}

func TestNoAttemptFollowsWhatEndsTheContextBetweenTwo(t *testing.T) {
	var cancel context.CancelFunc
	eachBetween(t, func() { cancel() }, 0, func(t *testing.T, h *retry.HybridPolicy, failure error) {
		var ctx context.Context
		ctx, cancel = context.WithCancel(t.Context())
		attempts := 0
		err := h.Run(ctx, new(retry.Session), &frame{}, func(context.Context) error { attempts++; return failure })
		require.Equal(t, 1, attempts)
		require.ErrorIs(t, err, context.Canceled)
	})
}

func TestNoAttemptFollowsWhatOutlastsTheTimeoutBetweenTwo(t *testing.T) {
	eachBetween(t, func() { time.Sleep(time.Minute) }, time.Second, func(t *testing.T, h *retry.HybridPolicy, failure error) {
		synctest.Test(t, func(t *testing.T) {
			ctx, report := retry.WithReport(t.Context())
			for _, ctx := range []context.Context{t.Context(), ctx} {
				attempts := 0
				_ = h.Run(ctx, new(retry.Session), &frame{}, func(context.Context) error { attempts++; return failure })
				require.Equal(t, 1, attempts)
			}
			require.Equal(t, "timeout", report.Limit)
		})
	})
}
