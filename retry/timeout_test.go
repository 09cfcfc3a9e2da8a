package retry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

func TestTimeout(t *testing.T) {
	const second = time.Second
	for _, c := range []struct {
		name                  string
		timeout, takes, sleep time.Duration
		calls                 int
		elapsed               time.Duration
	}{
		{"ends after a long first attempt", second, 2 * second, 0, 1, 2 * second},
		{"lets a short first attempt be retried", second, 400 * time.Millisecond, 0, 3, 1200 * time.Millisecond},
		{"starts no attempt at the very instant", second, 500 * time.Millisecond, 0, 2, second},
		{"begins no wait that would end after it", second, 0, 400 * time.Millisecond, 3, 800 * time.Millisecond},
		{"begins no wait that would end at its instant", second, 0, 500 * time.Millisecond, 2, 500 * time.Millisecond},
		{"longer than the first wait", second, 0, 2 * second, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start, calls := time.Now(), 0
				err := retry.WhenThrows().Sleep(c.sleep).Within(c.timeout).WrapExhausted().
					Run(t.Context(), func(context.Context) error {
						calls++
						time.Sleep(c.takes)
						return errBoom
					})
				exhaustedBy(t, err, "timeout", c.calls)
				require.ErrorIs(t, err, errBoom)
				require.Equal(t, c.calls, calls)
				require.Equal(t, c.elapsed, time.Since(start))
			})
		})
	}
}

func TestTimeoutDoesNotInterruptAnAttemptNorRefuseItsSuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		err := retry.With(retry.NewTimeout(time.Second)).Run(t.Context(), func(ctx context.Context) error {
			time.Sleep(time.Minute)
			return ctx.Err()
		})
		require.NoError(t, err)
	})
}

func TestTheSmallestOfSeveralTimeoutsHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, chain := range []retry.ErrorChain{
			retry.WhenThrows().Within(2 * time.Second).Within(time.Hour),
			retry.WhenThrows().Within(time.Hour).Within(2 * time.Second),
		} {
			start := time.Now()
			exhaustedBy(t, chain.Sleep(time.Second).WrapExhausted().Run(t.Context(), scripted(errBoom).run), "timeout", 2)
			require.Equal(t, time.Second, time.Since(start))
		}
	})
}

// Whatever comes between the decision to retry and the attempt may take longer than was known.
func TestNoAttemptStartsAfterTheTimeoutWhateverTookThatLong(t *testing.T) {
	slow := func(*retry.Session) error { time.Sleep(time.Minute); return nil }
	for name, d := range map[string]retry.Definition{
		"a hook before the retry": {Hooks: retry.Hooks{BeforeRetry: slow}},
		"a taker":                 {},
		"a listener": {Listener: retry.ListenerFunc(func(_ context.Context, e retry.Event) {
			if _, ok := e.(retry.RetryScheduled); ok {
				time.Sleep(time.Minute)
			}
		})},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				back := 0
				taker := takerFuncs{
					take:     func(s *retry.Session) error { return nil },
					giveBack: func(*retry.Session) error { back++; return nil },
				}
				if name == "a taker" {
					taker.take = slow
				}
				factory := retry.PolicyFrom("taker", func() takerFuncs { return taker })
				d.Settings = settings(retry.Classifier, retry.Timeout, factory)
				d.Settings.Timeout, d.Settings.WrapExhausted = time.Second, true
				d.Custom = map[retry.PolicyFactory]retry.Policy{factory: taker}
				op := scripted(errBoom)
				exhaustedBy(t, run(t.Context(), compiled(t, d), op.run), "timeout", 1)
				require.Equal(t, 1, op.calls)
				require.Equal(t, 1, back, "what was taken is given back")
			})
		})
	}
}

func TestATimeoutOfZeroRejects(t *testing.T) {
	op := scripted(nil)
	err := retry.WhenThrows().Within(0).Named("rates").Run(t.Context(), op.run)
	require.ErrorIs(t, err, retry.ErrTimeout)
	var r *retry.RejectedError
	require.ErrorAs(t, err, &r)
	require.Zero(t, r.RetryAfter())
	require.EqualError(t, err, "rates: rejected: no time left")
	require.Zero(t, op.calls)

	v, err := retry.For[int]().Within(0).Fallback(func(_ context.Context, cause error) (int, error) {
		require.ErrorIs(t, cause, retry.ErrTimeout)
		return 7, nil
	}).Call(t.Context(), new(counting).run)
	require.NoError(t, err)
	require.Equal(t, 7, v)
}

func TestWaitsAndTimeoutsBelowAMicrosecondAreDefinitionErrors(t *testing.T) {
	for name, chain := range map[string]retry.ErrorChain{
		"base is 100":          retry.WhenThrows().Sleep(100),
		"base is 999":          retry.WhenThrows().Backoff(999),
		"timeout is 30":        retry.WhenThrows().Within(30),
		"attemptTimeout is 1":  retry.With(retry.NewAttemptTimeout(1)),
		"base is -1s":          retry.WhenThrows().Sleep(-time.Second),
		"timeout is -1s":       retry.WhenThrows().Within(-time.Second),
		"attemptTimeout is 0;": retry.With(retry.NewAttemptTimeout(0)),
		"attemptTimeout is -1": retry.With(retry.NewAttemptTimeout(-1)),
	} {
		t.Run(name, func(t *testing.T) {
			op := scripted(nil)
			defined(t, chain.Run(t.Context(), op.run), name)
			require.Zero(t, op.calls)
		})
	}
	defined(t, retry.WhenThrows().Sleep(100).Run(t.Context(), scripted(nil).run), "write 100*time.Millisecond")
	require.NoError(t, retry.WhenThrows().Sleep(time.Microsecond).Run(t.Context(), scripted(nil).run))
}
