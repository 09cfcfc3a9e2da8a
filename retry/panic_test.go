package retry_test

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// panicky is where panics come from, for stacks to show.
func panicky(v any) func(context.Context) error {
	return func(context.Context) error { panic(v) }
}

func TestAPanicPassesThroughUnchangedWithItsStack(t *testing.T) {
	type value struct{ n int }
	v, calls := &value{1}, 0
	func() {
		defer func() {
			require.Same(t, v, recover())
			require.Contains(t, string(debug.Stack()), ".panicky.")
		}()
		_ = retry.WhenThrows().Max(3).With(retry.NewAttemptTimeout(time.Hour)).
			Run(t.Context(), func(ctx context.Context) error { calls++; return panicky(v)(ctx) })
		t.Error("no panic")
	}()
	require.Equal(t, 1, calls, "a panic is no throwable unless asked for")
}

func TestPanicsAndGoexitFreeWhatIsHeldAndCountAsFailures(t *testing.T) {
	for name, op := range map[string]func(context.Context) error{
		"panic":  panicky("lost"),
		"goexit": func(context.Context) error { runtime.Goexit(); return nil },
	} {
		for _, retryPanics := range []bool{false, true} {
			for _, attemptTimeout := range []time.Duration{0, time.Hour} {
				for kind, breaker := range map[string]retry.BreakerSettings{
					"per session": {ResetTimeout: time.Hour},
					"per attempt": {ResetTimeout: time.Hour, Consecutive: 1},
				} {
					log, shared := new(journal), new(retry.Shared)
					a := &phased{name: "a", log: log, verdict: retry.Again}
					factory := retry.PolicyFrom("a", func() *phased { return a })
					set := settings(retry.AttemptTimeout, retry.CircuitBreaker, retry.MaxAttempts, factory)
					set.Breaker, set.RetryPanics, set.MaxAttempts, set.AttemptTimeout = breaker, retryPanics, 1, attemptTimeout
					if attemptTimeout == 0 {
						set.Policies = set.Policies[1:]
					}
					h := compiled(t, retry.Definition{Settings: set, Shared: shared, Custom: map[retry.PolicyFactory]retry.Policy{factory: a}})

					returned := inGoroutine(func() { _ = run(t.Context(), h, op) })
					require.False(t, returned, name)
					require.Contains(t, log.all(), "a.end", name)
					require.Contains(t, log.all(), "a.leave a session=true", name)
					require.Equal(t, retry.BreakerOpen, shared.Breakers()[0].State(), "%s, %s, RetryPanics %t", name, kind, retryPanics)
				}
			}
		}
	}
}

// inGoroutine reports whether f returned; it may end its goroutine, or panic.
func inGoroutine(f func()) (returned bool) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }()
		f()
		returned = true
	}()
	<-done
	return returned
}

func retryingPanics(t *testing.T, change func(*retry.Settings)) *retry.HybridPolicy {
	t.Helper()
	set := settings(retry.Fallback, retry.Classifier, retry.MaxAttempts)
	set.RetryPanics = true
	if change != nil {
		change(&set)
	}
	return compiled(t, retry.Definition{Settings: set})
}

func TestUnderRetryPanicsAPanicIsAThrowable(t *testing.T) {
	calls := 0
	ctx, report := retry.WithReport(t.Context())
	err := run(ctx, retryingPanics(t, nil), func(ctx context.Context) error {
		switch calls++; calls {
		case 1:
			return panicky("lost")(ctx)
		case 2:
			return panicky(errBoom)(ctx)
		}
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 3, calls)

	var first, second *retry.PanicError
	require.ErrorAs(t, report.Errors[0], &first)
	require.Equal(t, "lost", first.Value)
	require.EqualError(t, first, "panic: lost")
	require.Contains(t, string(first.Stack), ".panicky.")
	require.NoError(t, errors.Unwrap(first))

	require.ErrorAs(t, report.Errors[1], &second)
	require.ErrorIs(t, second, errBoom, "a panic with an error matches it")
}

func TestAPanicIsClassifiedAsAnyThrowable(t *testing.T) {
	h := retryingPanics(t, func(s *retry.Settings) { s.RetryErrors = []retry.Matcher{retry.As[*retry.PanicError]()} })
	calls := 0
	require.Same(t, errBoom, run(t.Context(), h, func(ctx context.Context) error {
		if calls++; calls == 1 {
			return panicky("lost")(ctx)
		}
		return errBoom
	}))
	require.Equal(t, 2, calls)
}

func TestTheLastPanicIsRaisedAgainWhereNothingMadeItGood(t *testing.T) {
	type value struct{ n int }
	for name, c := range map[string]struct {
		change func(*retry.Settings)
		calls  int
	}{
		"exhausted":          {nil, 3},
		"exhausted, to wrap": {func(s *retry.Settings) { s.WrapExhausted = true }, 3},
		"not retriable":      {func(s *retry.Settings) { s.RetryErrors = []retry.Matcher{retry.Is(errBoom)} }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			require.PanicsWithValue(t, value{c.calls}, func() {
				_ = run(t.Context(), retryingPanics(t, c.change), func(ctx context.Context) error {
					calls++
					return panicky(value{calls})(ctx)
				})
			})
			require.Equal(t, c.calls, calls)
		})
	}
}

func TestAPanicThatALaterAttemptMadeGoodIsForgotten(t *testing.T) {
	h := retryingPanics(t, nil)
	calls := 0
	require.Same(t, errBoom, run(t.Context(), h, func(ctx context.Context) error {
		if calls++; calls < 3 {
			return panicky("lost")(ctx)
		}
		return errBoom
	}), "the last attempt failed without a panic, so none is raised")
}

func TestTheFallbackTakesThePlaceOfThePanic(t *testing.T) {
	set := settings(retry.Fallback, retry.Classifier, retry.MaxAttempts)
	set.RetryPanics = true
	h := compiled(t, retry.Definition{Settings: set, Hooks: retry.Hooks{
		Fallback: func(_ context.Context, _ *retry.Session, cause error) error {
			var p *retry.PanicError
			require.ErrorAs(t, cause, &p)
			return nil
		},
	}})
	require.NoError(t, run(t.Context(), h, panicky("lost")))
}

func TestACanceledSessionTellsOfThePanicInsteadOfRaisingIt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	err := run(ctx, retryingPanics(t, nil), func(ctx context.Context) error {
		cancel()
		return panicky(errBoom)(ctx)
	})
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, errBoom)
}

func TestAPanicErrorThatAnAttemptReturnsIsNotRaised(t *testing.T) {
	returned := &retry.PanicError{Value: "of somebody else"}
	require.Same(t, returned, run(t.Context(), retryingPanics(t, nil), scripted(returned).run))
}

func TestANilPanicIsAPanic(t *testing.T) {
	var p *runtime.PanicNilError
	func() {
		defer func() { require.ErrorAs(t, recover().(error), &p) }()
		_ = run(t.Context(), retryingPanics(t, nil), panicky(nil))
	}()
}

func TestAMethodWithoutAnErrorResultRaisesItsPanicUnderADoneContextToo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	set := settings(retry.Classifier, retry.MaxAttempts)
	set.RetryPanics = true
	h := compiled(t, retry.Definition{Settings: set, NoError: true})
	require.PanicsWithValue(t, "lost", func() {
		_ = run(ctx, h, func(ctx context.Context) error { cancel(); return panicky("lost")(ctx) })
	}, "it has no other way to tell")
}
