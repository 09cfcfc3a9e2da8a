package faults_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// waits is who proposes a wait: as a policy, as a sleep strategy, as an error.
type waits time.Duration

func (waits) Kind() string                        { return "waits" }
func (w waits) Wait(*retry.Session) time.Duration { return time.Duration(w) }
func (waits) Error() string                       { return "waits" }
func (w waits) RetryAfter() time.Duration         { return time.Duration(w) }

func TestWaitsOutOfAllReason(t *testing.T) {
	for _, c := range []struct {
		proposed, waited time.Duration
	}{
		{math.MinInt64, 0}, {-time.Hour, 0}, {-1, 0}, {0, 0}, {1, 1},
		{retry.DefaultMaxDelay, retry.DefaultMaxDelay}, {math.MaxInt64, retry.DefaultMaxDelay}, {math.MaxInt64 - 1, retry.DefaultMaxDelay},
	} {
		for who, p := range map[string]retry.Policy{
			"a policy":   waits(c.proposed),
			"a strategy": retry.NewSleep(waits(c.proposed), 0),
			"an error":   retry.NewClassifier(),
			"two":        retry.NewSleep(waits(c.proposed), 0),
		} {
			synctest.Test(t, func(t *testing.T) {
				chain := retry.With(p).Max(2)
				if who == "two" {
					chain = chain.With(waits(math.MinInt64))
				}
				err := error(errFull)
				if who == "an error" {
					err = waits(c.proposed)
				}
				ctx, report := retry.WithReport(t.Context())
				start := time.Now()
				require.Error(t, chain.Run(ctx, func(context.Context) error { return err }))
				require.Equal(t, c.waited, time.Since(start), "%s proposes %v", who, c.proposed)
				require.Equal(t, []time.Duration{c.waited}, report.Waits)

				// It is no reason to wait beyond a timeout, nor to overflow over one.
				ctx, report = retry.WithReport(t.Context())
				require.Error(t, chain.Within(time.Second).Run(ctx, func(context.Context) error { return err }))
				if c.waited < time.Second {
					require.Equal(t, "maxAttempts", report.Limit)
				} else {
					require.Equal(t, "timeout", report.Limit)
				}
			})
		}
	}
}

// judging says what it is, of everything.
type judging retry.Verdict

func (judging) Kind() string                         { return "judging" }
func (j judging) Judge(*retry.Session) retry.Verdict { return retry.Verdict(j) }

func TestVerdictsThatThereAreNot(t *testing.T) {
	for _, c := range []struct {
		verdict  retry.Verdict
		attempts int // of three
	}{
		{-1, 3}, {math.MinInt, 3}, {retry.Abstain, 3}, {retry.Again, 3}, {retry.Never, 1}, {retry.Never + 1, 1}, {math.MaxInt, 1},
	} {
		attempts := 0
		breaker := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Hour})
		err := retry.WhenThrows().With(judging(c.verdict), breaker).Max(3).Run(t.Context(), func(context.Context) error {
			attempts++
			return errFull
		})
		require.Same(t, errFull, err)
		require.Equal(t, c.attempts, attempts, "%d: below is no opinion, above is never", c.verdict)
		require.Equal(t, c.attempts == 1, retry.BreakerOf(breaker).State() == retry.BreakerClosed, "never is neutral")

		attempts = 0
		require.NoError(t, retry.With(judging(c.verdict)).Max(3).Run(t.Context(), func(context.Context) error { attempts++; return nil }))
		require.Equal(t, c.verdict == retry.Again, attempts == 3, "of a success")
		require.NotEmpty(t, c.verdict.String())
	}
}

// A nil pointer is an error where the type says error, and none where a narrower type says that it is a pointer.
func TestNilPointersAsErrors(t *testing.T) {
	type pinging interface{ Ping(context.Context) error }
	for name, c := range map[string]struct {
		option annotation.Option
		calls  int
	}{
		"beforeRetry, an error":  {annotation.BeforeRetry(func(context.Context) error { return (*unset)(nil) }), 1},
		"beforeRetry, a pointer": {annotation.BeforeRetry(func(context.Context) *unset { return nil }), 3},
		"fallback, a pointer":    {annotation.Fallback(func(context.Context) *unset { return nil }), 3},
		"fallback, an error":     {annotation.Fallback(func(context.Context) error { return (*unset)(nil) }), 3},
	} {
		t.Run(name, func(t *testing.T) {
			x := &pinger{}
			g, err := aspect.Wrap[pinging](aspect.NewWeaver(), x, aspect.Annotate[aliases.Retry]("Ping", annotation.MaxAttempts(3), c.option))
			require.NoError(t, err)
			err = g.Ping(t.Context())
			require.Equal(t, c.calls, x.calls)
			switch name {
			case "fallback, a pointer":
				require.NoError(t, err)
			case "fallback, an error":
				require.ErrorContains(t, err, "fallback: unset")
			default:
				require.Same(t, errFull, err)
			}
		})
	}
}

// asking is a result of which the type has a method Falsy.
type asking interface{ Falsy() bool }

type yes struct{}

func (yes) Falsy() bool { return true }

type no struct{ n int }

func (no) Falsy() bool { return false } // of a value: a nil pointer cannot be asked

func TestFalsyOfNilsThatCannotBeAsked(t *testing.T) {
	for name, c := range map[string]struct {
		results func() (asking, error)
		falsy   bool
	}{
		"nil":                 {func() (asking, error) { return nil, nil }, true},
		"a nil pointer":       {func() (asking, error) { return (*no)(nil), nil }, true},
		"a pointer":           {func() (asking, error) { return &no{}, nil }, false},
		"a value":             {func() (asking, error) { return no{}, nil }, false},
		"one that says it is": {func() (asking, error) { return yes{}, nil }, true},
		"a pointer to that":   {func() (asking, error) { return &yes{}, nil }, true},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			ask, err := aspect.Wrap(aspect.NewWeaver(), func(context.Context) (asking, error) { calls++; return c.results() },
				aspect.Annotate[aliases.RetryFalsy]("Call", annotation.MaxAttempts(2)))
			require.NoError(t, err)
			_, err = ask(t.Context())
			require.NoError(t, err)
			require.Equal(t, c.falsy, calls == 2)
		})
	}
}

// Settings that are no numbers, or not of this world, are definition errors; nothing runs.
func TestSettingsThatAreNoNumbers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	hour := retry.BreakerSettings{ResetTimeout: time.Hour, Window: 10}
	with := func(change func(*retry.BreakerSettings)) retry.Policy {
		s := hour
		change(&s)
		return retry.NewCircuitBreaker(s)
	}
	for name, p := range map[string]retry.Policy{
		"percent NaN":           retry.NewBudget(retry.BudgetSettings{TTL: time.Second, MinPerSec: 1, Percent: nan}),
		"percent infinite":      retry.NewBudget(retry.BudgetSettings{TTL: time.Second, MinPerSec: 1, Percent: inf}),
		"percent negative":      retry.NewBudget(retry.BudgetSettings{TTL: time.Second, MinPerSec: 1, Percent: -0.1}),
		"minPerSec NaN":         retry.NewBudget(retry.BudgetSettings{TTL: time.Second, MinPerSec: nan}),
		"minPerSec infinite":    retry.NewBudget(retry.BudgetSettings{TTL: time.Second, MinPerSec: inf}),
		"ttl negative":          retry.NewBudget(retry.BudgetSettings{TTL: math.MinInt64, MinPerSec: 1}),
		"ttl for ever":          retry.NewBudget(retry.BudgetSettings{TTL: math.MaxInt64, MinPerSec: 1}),
		"failureRatio NaN":      with(func(s *retry.BreakerSettings) { s.FailureRatio = nan }),
		"failureRatio infinite": with(func(s *retry.BreakerSettings) { s.FailureRatio = inf }),
		"slowRatio NaN":         with(func(s *retry.BreakerSettings) { s.SlowRatio, s.SlowCall = nan, time.Second }),
		"window negative":       with(func(s *retry.BreakerSettings) { s.Window, s.FailureRatio = math.MinInt, 0.5 }),
		"window huge":           with(func(s *retry.BreakerSettings) { s.Window, s.FailureRatio = math.MaxInt, 0.5 }),
		"probes negative":       with(func(s *retry.BreakerSettings) { s.Probes = -1 }),
		"probes huge":           with(func(s *retry.BreakerSettings) { s.Probes = math.MaxInt }),
		"minCalls negative":     with(func(s *retry.BreakerSettings) { s.MinCalls = math.MinInt }),
		"resetTimeout negative": with(func(s *retry.BreakerSettings) { s.ResetTimeout = math.MinInt64 }),
		"attempts below one":    retry.NewMaxAttempts(math.MinInt),
		"timeout negative":      retry.NewTimeout(math.MinInt64),
		"attempt timeout":       retry.NewAttemptTimeout(math.MinInt64),
		"base negative":         retry.NewSleep(retry.Backoff, math.MinInt64),
		"no strategy":           retry.NewSleep(nil, time.Second),
		"a nil matcher":         retry.NewClassifier(nil),
		"a nil policy":          nil,
		"a typed nil policy":    (*nilPolicy)(nil),
	} {
		t.Run(name, func(t *testing.T) {
			err := retry.With(p).Run(t.Context(), func(context.Context) error { t.Error("called"); return nil })
			require.ErrorAs(t, err, new(*retry.DefinitionError))
		})
	}
}

type nilPolicy struct{}

func (*nilPolicy) Kind() string               { return "nil" }
func (*nilPolicy) Limit(*retry.Session) error { return nil }
