package gopeers_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// bounded runs a case in both forms within a time, with a limit of attempts that is out of sight.
func bounded(t *testing.T, within, wait time.Duration, f func(t *testing.T, p *form)) {
	t.Helper()
	inBothForms(t,
		func() retry.ErrorChain { return retry.WhenThrows().Within(within).Sleep(wait).WrapExhausted() },
		options(annotation.Timeout(within), annotation.Base(wait), annotation.MaxAttempts(retry.Unlimited), annotation.WrapExhausted(true)), f)
}

// go:A8
func TestALongFirstAttemptUsesUpTheTimeOfItsSession(t *testing.T) {
	bounded(t, time.Second, 0, func(t *testing.T, p *form) {
		for _, c := range []struct {
			takes time.Duration
			calls int
		}{{2 * time.Second, 1}, {100 * time.Millisecond, 10}} {
			calls := 0
			err := p.run(t.Context(), func(context.Context) error {
				calls++
				time.Sleep(c.takes)
				return errBoom
			})
			exhaustedBy(t, err, "timeout", c.calls)
			require.NotContains(t, err.Error(), "maxAttempts")
			require.ErrorIs(t, err, errBoom)
			require.Equal(t, c.calls, calls)
		}
	})
}

// go:A10. Policies are no struct literals here; the least that can be written with a bound of time is.
func TestALimitOfTimeAlwaysEndsTheSession(t *testing.T) {
	inBothForms(t,
		func() retry.ErrorChain {
			return retry.With(retry.NewSleep(retry.Backoff, time.Second), retry.NewTimeout(5*time.Second)).WrapExhausted()
		},
		options(annotation.SleepStrategy(retry.Backoff), annotation.Base(time.Second), annotation.MaxDelay(2*time.Second),
			annotation.Timeout(5*time.Second), annotation.WrapExhausted(true)),
		func(t *testing.T, p *form) {
			took := within(func() {
				err := p.run(t.Context(), scripted(errBoom).run)
				exhaustedBy(t, err, "timeout", 3) // after 0 s, 1 to 1.2 s, 3 to 3.6 s; the next would come after 5 s or more
			})
			require.LessOrEqual(t, took, 5*time.Second)
		})
}

// go:A11. In the fluent form a limit of time stands alone. An annotation has all of the table's defaults, MaxAttempts 10
// among them, each limit holds, and the error says which one it was.
func TestALimitOfTimeIsNotCutShortSilently(t *testing.T) {
	t.Run("fluent", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			err := retry.WhenThrows().Sleep(time.Second).Within(time.Minute).WrapExhausted().Run(t.Context(), scripted(errBoom).run)
			exhaustedBy(t, err, "timeout", 60)
		})
	})
	for limit, c := range map[string]struct {
		opts     []annotation.Option
		attempts int
	}{
		"maxAttempts": {nil, 10},
		"timeout":     {option(annotation.MaxAttempts(retry.Unlimited)), 60},
	} {
		t.Run("annotated, "+limit, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := annotatedBy[aliases.Retry](t, append(option(annotation.Base(time.Second), annotation.Timeout(time.Minute),
					annotation.WrapExhausted(true)), c.opts...)...)
				err := p.run(t.Context(), scripted(errBoom).run)
				exhaustedBy(t, err, limit, c.attempts)
				require.ErrorContains(t, err, limit)
			})
		})
	}
}

// go:A12
func TestTheLastFailureIsReturnedWithoutAnotherSleep(t *testing.T) {
	limited(t, 2, func(t *testing.T, p *form) {
		op := scripted(errBoom)
		require.Equal(t, time.Second, within(func() { require.Equal(t, errBoom, p.run(t.Context(), op.run)) }))
		require.Equal(t, 2, op.calls)
	})
}
