package backstayotel_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"

	backstayotel "github.com/backstay/backstay/otel"
	"github.com/backstay/backstay/retry"
)

// chained draws what calls of chains leave.
func chained(t *testing.T, call func(t *testing.T, tr *traced)) (tree string) {
	synctest.Test(t, func(t *testing.T) {
		tr := newTraced(t)
		call(t, tr)
		tree = tr.tree()
		require.Len(t, tr.kept.Started(), len(tr.kept.Ended()), "every span has ended")
	})
	return tree
}

func TestTheSpansOfAChain(t *testing.T) {
	for _, c := range []struct {
		name  string
		chain retry.Chain[string]
		open  func(context.Context, string) (string, error)
		want  error
		tree  string
	}{
		{"a success at once", retry.For[string]().Max(3).Named("vault"), failing(0, nil), nil, `
vault 0s-0s attempts=1 result=succeeded
  vault attempt 0s-0s attempt=1
`},
		{"without a name", retry.For[string]().Max(3), failing(0, nil), nil, `
backstay.call 0s-0s attempts=1 result=succeeded
  backstay.call attempt 0s-0s attempt=1
`},
		{"a success after two failures", retry.For[string]().Max(3).Sleep(time.Second).Named("vault"), failing(2, errJam), nil, `
vault 0s-2s attempts=3 result=succeeded
  · backstay.wait 0s attempt=2 wait.duration=1
  · backstay.wait 1s attempt=3 wait.duration=1
  vault attempt 0s-0s attempt=1 error.type=*backstayotel_test.JamError Error
  vault attempt 1s-1s attempt=2 error.type=*backstayotel_test.JamError Error
  vault attempt 2s-2s attempt=3
`},
		{"more attempts than are foreseen", retry.For[string]().Max(5).Named("vault"), failing(4, errJam), nil, `
vault 0s-0s attempts=5 result=succeeded
  vault attempt 0s-0s attempt=1 error.type=*backstayotel_test.JamError Error
  vault attempt 0s-0s attempt=2 error.type=*backstayotel_test.JamError Error
  vault attempt 0s-0s attempt=3 error.type=*backstayotel_test.JamError Error
  vault attempt 0s-0s attempt=4 error.type=*backstayotel_test.JamError Error
  vault attempt 0s-0s attempt=5
`},
		{"exhausted", retry.For[string]().Max(1).Named("vault"), failing(2, errJam), errJam, `
vault 0s-0s attempts=1 error.type=*backstayotel_test.JamError limit=maxAttempts result=exhausted Error
  · backstay.refused 0s limit=maxAttempts refused=retry
  vault attempt 0s-0s attempt=1 error.type=*backstayotel_test.JamError Error
`},
		{"with bounded attempts", retry.For[string]().With(retry.NewMaxAttempts(2), retry.NewAttemptTimeout(time.Second)).Named("vault"),
			func(ctx context.Context, _ string) (string, error) {
				<-ctx.Done()
				return "", ctx.Err()
			}, context.DeadlineExceeded, `
vault 0s-2s attempts=2 error.type=context.DeadlineExceeded limit=maxAttempts result=exhausted Error
  · backstay.refused 2s limit=maxAttempts refused=retry
  vault attempt 0s-1s attempt=1 error.type=context.DeadlineExceeded Error
  vault attempt 1s-2s attempt=2 error.type=context.DeadlineExceeded Error
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := chained(t, func(t *testing.T, tr *traced) {
				_, err := backstayotel.Call(t.Context(), tr.Instrumentation, c.chain.Listen(tr),
					func(ctx context.Context) (string, error) { return c.open(ctx, "7") })
				require.Equal(t, c.want, err)
			})
			require.Equal(t, c.tree, tree)
		})
	}
}

func TestCallReturnsWhatTheChainDoes(t *testing.T) {
	tr := newTraced(t)
	v, err := backstayotel.Call(t.Context(), tr.Instrumentation, retry.For[int]().Max(1), func(context.Context) (int, error) { return 7, errJam })
	require.Equal(t, 7, v)
	require.Equal(t, errJam, err)
	//nolint:staticcheck // what a careless caller does
	v, err = backstayotel.Call(nil, tr.Instrumentation, retry.For[int]().Max(1), func(context.Context) (int, error) { return 8, nil })
	require.Equal(t, 8, v)
	require.NoError(t, err)
	//nolint:staticcheck // what a careless caller does
	require.NoError(t, backstayotel.Run(nil, tr.Instrumentation, retry.With(retry.NewMaxAttempts(1)), func(context.Context) error { return nil }))
	require.Len(t, tr.kept.Ended(), 6)
}

func TestRunMakesTheSameSpans(t *testing.T) {
	tree := chained(t, func(t *testing.T, tr *traced) {
		left := 1
		chain := retry.With(retry.NewMaxAttempts(2), retry.NewSleep(retry.Flat, time.Second)).Named("seal").Listen(tr)
		err := backstayotel.Run(t.Context(), tr.Instrumentation, chain, func(ctx context.Context) error {
			_, span := tr.tracer().Start(ctx, "press")
			defer span.End()
			if left--; left >= 0 {
				return errJam
			}
			return nil
		})
		require.NoError(t, err)
	})
	require.Equal(t, `
seal 0s-1s attempts=2 result=succeeded
  · backstay.wait 0s attempt=2 wait.duration=1
  seal attempt 0s-0s attempt=1 error.type=*backstayotel_test.JamError Error
    press 0s-0s
  seal attempt 1s-1s attempt=2
    press 1s-1s
`, tree)
}

func TestPanicsEndTheSpansOfAChain(t *testing.T) {
	for _, c := range []struct {
		name string
		call func(ctx context.Context, in *backstayotel.Instrumentation)
	}{
		{"Call", func(ctx context.Context, in *backstayotel.Instrumentation) {
			_, _ = backstayotel.Call(ctx, in, retry.For[string]().Max(2).Listen(in), func(context.Context) (string, error) { panic(errJam) })
		}},
		{"Run", func(ctx context.Context, in *backstayotel.Instrumentation) {
			_ = backstayotel.Run(ctx, in, retry.With(retry.NewMaxAttempts(2)).Listen(in), func(context.Context) error { panic(errJam) })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := chained(t, func(t *testing.T, tr *traced) {
				require.PanicsWithValue(t, errJam, func() { c.call(t.Context(), tr.Instrumentation) })
			})
			require.Equal(t, `
backstay.call 0s-0s attempts=1 error.type=aborted result=aborted Error
  backstay.call attempt 0s-0s attempt=1 error.type=aborted Error
`, tree)
		})
	}
}

func TestAChainThatDoesNotListenHasSpansWithoutItsAccount(t *testing.T) {
	tree := chained(t, func(t *testing.T, tr *traced) {
		left := 1
		_, err := backstayotel.Call(t.Context(), tr.Instrumentation, retry.For[string]().Max(2).Sleep(time.Second).Named("vault"),
			func(context.Context) (string, error) {
				if left--; left >= 0 {
					return "", errJam
				}
				return "gold", nil
			})
		require.NoError(t, err)
	})
	require.Equal(t, `
vault 0s-1s
  vault attempt 0s-0s attempt=1 error.type=*backstayotel_test.JamError Error
  vault attempt 1s-1s attempt=2
`, tree)
}

// Chains without a name look alike. What a fallback calls is under the session's context and told to the same listener.
func TestASessionInAFallbackIsNotToldToTheSpanAround(t *testing.T) {
	tree := chained(t, func(t *testing.T, tr *traced) {
		fail := func(context.Context) (string, error) { return "", errJam }
		broken := retry.For[string]().With(retry.NewMaxAttempts(1), retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Minute})).Listen(tr)
		_, err := broken.Call(t.Context(), fail) // opens it
		require.Equal(t, errJam, err)
		other := retry.For[string]().Max(2).Sleep(time.Second).Listen(tr)
		chain := retry.For[string]().Max(1).Listen(tr).Fallback(func(ctx context.Context, _ error) (string, error) {
			_, err := broken.Call(ctx, fail)
			require.ErrorIs(t, err, retry.ErrCircuitOpen)
			_, err = other.Call(ctx, fail)
			require.Equal(t, errJam, err)
			return "silver", nil
		})
		_, err = backstayotel.Call(t.Context(), tr.Instrumentation, chain, fail)
		require.NoError(t, err)
	})
	require.Equal(t, `
backstay.call 0s-1s attempts=1 limit=maxAttempts result=exhausted
  · backstay.refused 0s limit=maxAttempts refused=retry
  · backstay.fallback 1s result=succeeded
  backstay.call attempt 0s-0s attempt=1 error.type=*backstayotel_test.JamError Error
`, tree)
}

func TestASessionInAnAttemptIsNotToldToTheSpanAround(t *testing.T) {
	tree := chained(t, func(t *testing.T, tr *traced) {
		inner := retry.For[string]().Max(2).Sleep(time.Second).Listen(tr)
		chain := retry.For[string]().Max(2).Listen(tr)
		_, err := backstayotel.Call(t.Context(), tr.Instrumentation, chain, func(ctx context.Context) (string, error) {
			_, err := inner.Call(ctx, func(context.Context) (string, error) { return "", errJam })
			require.Equal(t, errJam, err)
			return "gold", nil
		})
		require.NoError(t, err)
	})
	require.Equal(t, `
backstay.call 0s-1s attempts=1 result=succeeded
  backstay.call attempt 0s-1s attempt=1
`, tree)
}

func TestARejectedCallOfAChain(t *testing.T) {
	tree := chained(t, func(t *testing.T, tr *traced) {
		fail := func(context.Context) error { return errJam }
		chain := retry.With(retry.NewMaxAttempts(1), retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Minute})).Named("seal").Listen(tr)
		require.Equal(t, errJam, chain.Run(t.Context(), fail)) // opens it
		require.ErrorIs(t, backstayotel.Run(t.Context(), tr.Instrumentation, chain, fail), retry.ErrCircuitOpen)
	})
	require.Equal(t, `
seal 0s-0s attempts=0 error.type=*retry.RejectedError limit=circuitBreaker result=rejected Error
  · backstay.refused 0s limit=circuitBreaker refused=call
`, tree)
}

func TestACallThatIsWronglyWrittenHasNoSpan(t *testing.T) {
	tr := newTraced(t)
	for _, c := range []struct {
		name string
		call func(ctx context.Context) error
		want string
	}{
		{"a chain without a policy", func(ctx context.Context) error {
			_, err := backstayotel.Call(ctx, tr.Instrumentation, retry.For[int](), func(context.Context) (int, error) { return 0, nil })
			return err
		}, "the chain has no policy"},
		{"one without a result", func(ctx context.Context) error {
			return backstayotel.Run(ctx, tr.Instrumentation, retry.ErrorChain{}, func(context.Context) error { return nil })
		}, "the chain has no policy"},
		{"nothing to call", func(ctx context.Context) error {
			_, err := backstayotel.Call(ctx, tr.Instrumentation, retry.For[int]().Max(1), nil)
			return err
		}, "the func to call is nil"},
		{"nothing to run", func(ctx context.Context) error {
			return backstayotel.Run(ctx, tr.Instrumentation, retry.With(retry.NewMaxAttempts(1)), nil)
		}, "the func to call is nil"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.ErrorContains(t, c.call(t.Context()), c.want)
		})
	}
	require.Empty(t, tr.kept.Started())
}

// More names than are kept are told all the same.
func TestChainsWhoseNamesAreMadeAtRunTime(t *testing.T) {
	tr := newTraced(t)
	for i := range 1100 {
		name := fmt.Sprint("vault ", i)
		require.NoError(t, backstayotel.Run(t.Context(), tr.Instrumentation, retry.With(retry.NewMaxAttempts(1)).Named(name),
			func(context.Context) error { return nil }))
		ended := tr.kept.Ended()
		last := ended[len(ended)-1]
		require.Equal(t, name, last.Name())
		require.Equal(t, []attribute.KeyValue{attribute.String("backstay.name", name)}, last.Attributes())
		tr.kept.Reset()
	}
}

// quotaError says its own type, as the semantic conventions have it.
type quotaError struct{ of string }

func (e quotaError) Error() string     { return "over quota: " + e.of }
func (e quotaError) ErrorType() string { return e.of }

func TestTheTypeOfAnError(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"its own", errJam, "*backstayotel_test.JamError"},
		{"of errors.New", errCut, "*errors.errorString"},
		{"wrapped by fmt.Errorf", fmt.Errorf("open: %w", fmt.Errorf("again: %w", errJam)), "*backstayotel_test.JamError"},
		{"several wrapped by fmt.Errorf", fmt.Errorf("open: %w, %w", errJam, errCut), "*backstayotel_test.JamError"},
		{"joined", errors.Join(nil, errJam, errCut), "*backstayotel_test.JamError"},
		{"permanent", retry.Permanent(errJam), "*backstayotel_test.JamError"},
		{"canceled", fmt.Errorf("open: %w", context.Canceled), "context.Canceled"},
		{"too late", context.DeadlineExceeded, "context.DeadlineExceeded"},
		{"rejected", &retry.RejectedError{Reason: errJam}, "*retry.RejectedError"},
		{"a panic", &retry.PanicError{Value: errJam}, "*retry.PanicError"},
		{"exhausted by a result", &retry.ExhaustedError{}, "*retry.ExhaustedError"},
		{"as it says itself", fmt.Errorf("open: %w", quotaError{"daily"}), "daily"},
		{"saying nothing", quotaError{}, "backstayotel_test.quotaError"},
		{"wrapping nothing, by a type of its own", &emptyError{}, "*backstayotel_test.emptyError"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := newTraced(t)
			_ = backstayotel.Run(t.Context(), tr.Instrumentation, retry.With(retry.NewMaxAttempts(1)), func(context.Context) error { return c.err })
			require.Contains(t, tr.kept.Ended()[0].Attributes(), attribute.String("error.type", c.want))
		})
	}
}

// emptyError wraps nothing.
type emptyError struct{}

func (e *emptyError) Error() string { return "empty" }
func (e *emptyError) Unwrap() error { return nil }
