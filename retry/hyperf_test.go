package retry_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// The ancestor's own tests, by their names. Where our outcome is another, a comment says what the ancestor's is and why.

// The ancestor's exceptions; the derived match what they derive from.
var (
	errException = errors.New("exception")
	errRuntime   = fmt.Errorf("runtime %w", errException)
	errLogic     = fmt.Errorf("logic %w", errException)
	errInvalid   = fmt.Errorf("invalid argument %w", errLogic)
	errDomain    = fmt.Errorf("domain %w", errLogic)
)

// ten is what fallbacks give.
func ten(context.Context, error) (int, error) { return 10, nil }

// kiosk has a fallback method.
type kiosk struct{ price int }

func (k *kiosk) fallback(context.Context, error) (int, error) { return k.price, nil }

// hyperf:7.1
func TestAncestorsFluentTable(t *testing.T) {
	always := func(int, error) bool { return true }
	zero := func(context.Context) (int, error) { return 0, nil }
	for _, c := range []struct {
		name  string
		chain retry.Chain[int]
		errs  []error
		op    func(context.Context) (int, error) // the counter unless set
		want  int
		err   error
		calls int // of the counter
	}{
		// The ancestor repeats a success up to the limit and returns 3. Ours decides success first.
		{"testWith", retry.For[int]().With(retry.NewMaxAttempts(3)), nil, nil, 1, nil, 1},
		{"testWhenReturns", retry.For[int]().With(retry.NewMaxAttempts(3)).WhenReturns(1), nil, nil, 2, nil, 2},
		{"testWhenThrows", retry.For[int]().With(retry.NewMaxAttempts(3)).WhenThrows(retry.Is(errRuntime)), []error{errRuntime, errInvalid}, nil, 2, errInvalid, 2},
		{"testWhen", retry.When(func(v int, _ error) bool { return v < 5 }), nil, nil, 5, nil, 5},
		// The ancestor repeats a success until the time is up; where the user says so, ours does, and is exact.
		{"testInSeconds", retry.For[int]().Within(10 * time.Millisecond).Sleep(time.Millisecond), nil, nil, 1, nil, 1},
		{"testInSeconds, always", retry.When(always).Within(10 * time.Millisecond).Sleep(time.Millisecond), nil, nil, 10, nil, 10},
		// The ancestor runs the fallback for a result that nobody classified, and returns 10.
		{"testFallback a", retry.For[int]().Max(2).Fallback(ten), nil, zero, 0, nil, 0},
		{"testFallback a, classified", retry.WhenReturns(0).Max(2).Fallback(ten), nil, zero, 10, nil, 0},
		{"testFallback b", retry.WhenReturns(0).Max(2).Fallback((&kiosk{10}).fallback), nil, zero, 10, nil, 0},
		// testFallback c names a service of a container, which this package does not know; internal/contract/hyperf does.
		{"testFallback d", retry.For[int]().With(retry.NewMaxAttempts(2)).WhenReturns(0).Fallback(ten), nil, zero, 10, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				counter := &counting{errs: c.errs}
				if c.op == nil {
					c.op = counter.run
				}
				v, err := c.chain.Call(t.Context(), c.op)
				require.Equal(t, c.err, err)
				require.Equal(t, c.want, v)
				require.Equal(t, c.calls, counter.calls)
			})
		})
	}
	t.Run("testThrowableInFallback", func(t *testing.T) {
		op := scripted(errRuntime)
		require.NoError(t, retry.WhenThrows().Max(2).Fallback(func(_ context.Context, cause error) error {
			require.Same(t, errRuntime, cause)
			return nil
		}).Run(t.Context(), op.run))
		require.Equal(t, 2, op.calls)
	})
}

// ancestor is a method under the ancestor's Retry: with a budget that always pays, and without waits.
func ancestor(change func(*retry.Definition)) retry.Definition {
	set := settings(retry.Fallback, retry.Classifier, retry.MaxAttempts, retry.Sleep)
	set.MaxAttempts = 10
	d := retry.Definition{Settings: set, Shared: new(retry.Shared)}
	if change != nil {
		change(&d)
	}
	return d
}

// hyperf:7.2, of the loop alone; the annotations themselves are in internal/contract/hyperf.
func TestAncestorsAnnotationTable(t *testing.T) {
	errOK, errNotOK := fmt.Errorf("%w: ok", errRuntime), fmt.Errorf("%w: not ok", errInvalid)
	isOK := func(s *retry.Session) bool { return s.Failure() == errOK }
	one := func(_ context.Context, s *retry.Session, _ error) error {
		s.Call().(*frame).results = []any{1}
		return nil
	}
	for _, c := range []struct {
		name   string
		change func(*retry.Definition)
		plays  []any // an error, or a result
		want   any   // the last error, or the result
		calls  int
	}{
		{"testDefault", nil, []any{errRuntime, errException, true}, true, 3},
		{"testMaximumAttempts", func(d *retry.Definition) { d.Settings.MaxAttempts = 2 }, []any{errException}, errException, 2},
		{"testIgnoreThrowables", func(d *retry.Definition) { d.Settings.IgnoreErrors = []retry.Matcher{retry.Is(errRuntime)} },
			[]any{errException, errRuntime}, errRuntime, 2},
		{"testBackoff", func(d *retry.Definition) { d.Settings.SleepStrategy = retry.Backoff }, []any{errRuntime, errException, true}, true, 3},
		{"testRetryThrowables", func(d *retry.Definition) {
			d.Settings.SleepStrategy, d.Settings.RetryErrors = retry.Backoff, []retry.Matcher{retry.Is(errRuntime)}
		}, []any{errRuntime, errInvalid}, errInvalid, 2},
		{"testRetryOnThrowablePredicate", func(d *retry.Definition) {
			d.Settings.RetryErrors, d.Settings.MaxAttempts, d.Hooks.RetryIfError = nil, 5, predicates(isOK)
		}, []any{errOK, errNotOK}, errNotOK, 2},
		{"testRetryOnResultPredicate", func(d *retry.Definition) {
			d.Settings.RetryErrors, d.Settings.MaxAttempts = nil, 5
			d.Hooks.RetryIfResult = predicates(func(s *retry.Session) bool { return s.Result(0).(int) <= 0 })
		}, []any{-1, 0, 1}, 1, 3},
		{"testTimeout", func(d *retry.Definition) {
			d.Settings.Policies = []retry.PolicyFactory{retry.Timeout, retry.Sleep}
			d.Settings.Timeout, d.Settings.Base = time.Millisecond, 300*time.Microsecond
		}, []any{errOK}, errOK, 4}, // at least 3; the ancestor's test waits for real
		{"testFallback", func(d *retry.Definition) { d.Settings.MaxAttempts, d.Hooks.Fallback = 1, one }, []any{errException}, 1, 1},
		// testPipeline is about aspects, which this package does not know; internal/contract/hyperf does.
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				call, calls := new(frame), 0
				err := compiled(t, ancestor(c.change)).Run(t.Context(), new(retry.Session), call, func(context.Context) error {
					play := c.plays[min(calls, len(c.plays)-1)]
					calls++
					call.results = []any{play}
					err, _ := play.(error)
					return err
				})
				require.Equal(t, c.calls, calls)
				if want, ok := c.want.(error); ok {
					require.Same(t, want, err)
				} else {
					require.NoError(t, err)
					require.Equal(t, c.want, call.results[0])
				}
			})
		})
	}
}

// hyperf:7.2 and hyperf:7.3
func TestAncestorsCircuitBreakerTable(t *testing.T) {
	errOK := errors.New("ok")
	breaking := func(fallback bool) (*retry.HybridPolicy, *retry.Breaker) {
		d := ancestor(func(d *retry.Definition) {
			d.Settings.Policies = []retry.PolicyFactory{retry.Fallback, retry.Classifier, retry.CircuitBreaker, retry.MaxAttempts, retry.Sleep}
			if fallback {
				d.Settings.MaxAttempts = 2
				d.Hooks.Fallback = func(_ context.Context, s *retry.Session, cause error) error {
					s.Call().(*frame).results = []any{fmt.Sprintf("%v:%v", s.Arg(0), cause)}
					return nil
				}
			}
		})
		return compiled(t, d), d.Shared.Breakers()[0]
	}
	t.Run("testCircuitBreaker", func(t *testing.T) {
		h, breaker := breaking(false)
		calls := 0
		require.Same(t, errOK, run(t.Context(), h, func(context.Context) error {
			if calls++; calls == 2 {
				breaker.ForceOpen() // the ancestor's mock: not open, not open, open
			}
			return errOK
		}))
		require.Equal(t, 2, calls)
	})
	t.Run("testFallbackForCircuitBreaker", func(t *testing.T) {
		h, breaker := breaking(true)
		call, op := &frame{args: []any{"s"}}, scripted(errOK)
		require.NoError(t, h.Run(t.Context(), new(retry.Session), call, op.run))
		require.Equal(t, "s:ok", call.results[0])
		require.Equal(t, 2, op.calls)
		require.Equal(t, retry.BreakerOpen, breaker.State())
	})
	t.Run("testFallbackWhenStateOpenFirst", func(t *testing.T) {
		h, breaker := breaking(true)
		breaker.ForceOpen()
		call, op := &frame{args: []any{"s"}}, scripted(nil)
		require.NoError(t, h.Run(t.Context(), new(retry.Session), call, op.run))
		require.Zero(t, op.calls)
		// The ancestor's fallback gets no cause here; ours is told of the rejection.
		require.Equal(t, "s:StripeGateway@Charge: rejected: circuit breaker is open", call.results[0])
	})
}
