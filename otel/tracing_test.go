package backstayotel_test

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// spansOf draws what one call of Open leaves.
func spansOf(t *testing.T, target *SteelVault, call func(t *testing.T, v Vault), opts ...aspect.WrapOption) (tree string) {
	synctest.Test(t, func(t *testing.T) {
		tr := newTraced(t)
		call(t, wrapped[Vault](t, weaver(tr.Instrumentation), target, opts...))
		tree = tr.tree()
		require.Len(t, tr.kept.Started(), len(tr.kept.Ended()), "every span has ended")
	})
	return tree
}

func TestTheSpansOfASession(t *testing.T) {
	slowly := func(d time.Duration, then func(context.Context, string) (string, error)) func(context.Context, string) (string, error) {
		return func(ctx context.Context, id string) (string, error) {
			time.Sleep(d)
			return then(ctx, id)
		}
	}
	for _, c := range []struct {
		name string
		open func(context.Context, string) (string, error)
		opts []annotation.Option
		want error
		tree string
	}{
		{"a success at once", slowly(time.Second, failing(0, nil)), nil, nil, `
SteelVault@Open 0s-1s attempts=1 result=succeeded
  SteelVault@Open attempt 0s-1s attempt=1
`},
		{"a success after two failures", slowly(time.Second, failing(2, errJam)),
			[]annotation.Option{annotation.Base(100 * time.Millisecond), annotation.SleepStrategy(retry.Flat)}, nil, `
SteelVault@Open 0s-3.2s attempts=3 result=succeeded
  · backstay.wait 1s attempt=2 wait.duration=0.1
  · backstay.wait 2.1s attempt=3 wait.duration=0.1
  SteelVault@Open attempt 0s-1s attempt=1 error.type=*backstayotel_test.JamError Error
  SteelVault@Open attempt 1.1s-2.1s attempt=2 error.type=*backstayotel_test.JamError Error
  SteelVault@Open attempt 2.2s-3.2s attempt=3
`},
		{"a retry without a wait", slowly(time.Second, failing(1, errJam)), nil, nil, `
SteelVault@Open 0s-2s attempts=2 result=succeeded
  SteelVault@Open attempt 0s-1s attempt=1 error.type=*backstayotel_test.JamError Error
  SteelVault@Open attempt 1s-2s attempt=2
`},
		{"a failure that is not retried", slowly(time.Second, failing(9, errJam)),
			[]annotation.Option{annotation.IgnoreErrors(retry.As[*JamError]())}, errJam, `
SteelVault@Open 0s-1s attempts=1 error.type=*backstayotel_test.JamError result=failed Error
  SteelVault@Open attempt 0s-1s attempt=1 error.type=*backstayotel_test.JamError Error
`},
		{"exhausted", slowly(time.Second, failing(9, errJam)), []annotation.Option{annotation.MaxAttempts(2)}, errJam, `
SteelVault@Open 0s-2s attempts=2 error.type=*backstayotel_test.JamError limit=maxAttempts result=exhausted Error
  · backstay.refused 2s limit=maxAttempts refused=retry
  SteelVault@Open attempt 0s-1s attempt=1 error.type=*backstayotel_test.JamError Error
  SteelVault@Open attempt 1s-2s attempt=2 error.type=*backstayotel_test.JamError Error
`},
		{"exhausted, and made good by the fallback", slowly(time.Second, failing(9, errJam)),
			[]annotation.Option{annotation.MaxAttempts(1), annotation.Fallback(slowly(time.Second, failing(0, nil)))}, nil, `
SteelVault@Open 0s-2s attempts=1 limit=maxAttempts result=exhausted
  · backstay.refused 1s limit=maxAttempts refused=retry
  · backstay.fallback 2s result=succeeded
  SteelVault@Open attempt 0s-1s attempt=1 error.type=*backstayotel_test.JamError Error
`},
		{"exhausted, and the fallback fails", slowly(time.Second, failing(9, errJam)),
			[]annotation.Option{annotation.MaxAttempts(1), annotation.Fallback(slowly(time.Second, failing(9, errCut)))}, errCut, `
SteelVault@Open 0s-2s attempts=1 error.type=*errors.errorString limit=maxAttempts result=exhausted Error
  · backstay.refused 1s limit=maxAttempts refused=retry
  · backstay.fallback 2s error.type=*errors.errorString result=failed
  SteelVault@Open attempt 0s-1s attempt=1 error.type=*backstayotel_test.JamError Error
`},
		{"wrapped when exhausted", slowly(time.Second, failing(9, errJam)),
			[]annotation.Option{annotation.MaxAttempts(1), annotation.WrapExhausted(true)}, errJam, `
SteelVault@Open 0s-1s attempts=1 error.type=*backstayotel_test.JamError limit=maxAttempts result=exhausted Error
  · backstay.refused 1s limit=maxAttempts refused=retry
  SteelVault@Open attempt 0s-1s attempt=1 error.type=*backstayotel_test.JamError Error
`},
		{"refused by a shared budget", slowly(time.Second, failing(9, errJam)),
			[]annotation.Option{annotation.BudgetName("vaults"), annotation.Budget(retry.BudgetSettings{TTL: 10 * time.Second})}, errJam, `
SteelVault@Open 0s-1s attempts=1 budget=vaults error.type=*backstayotel_test.JamError limit=budget result=exhausted Error
  · backstay.refused 1s limit=budget refused=retry
  SteelVault@Open attempt 0s-1s attempt=1 error.type=*backstayotel_test.JamError Error
`},
		{"a result that nobody wants", slowly(time.Second, failing(0, nil)),
			[]annotation.Option{annotation.MaxAttempts(2), annotation.RetryIfResult(func(v string) bool { return v == "gold" })}, nil, `
SteelVault@Open 0s-2s attempts=2 limit=maxAttempts result=exhausted
  · backstay.attempt.failed 1s attempt=1
  · backstay.attempt.failed 2s attempt=2
  · backstay.refused 2s limit=maxAttempts refused=retry
  SteelVault@Open attempt 0s-1s attempt=1
  SteelVault@Open attempt 1s-2s attempt=2
`},
		{"an attempt that takes too long", func(ctx context.Context, id string) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}, []annotation.Option{annotation.MaxAttempts(2), annotation.AttemptTimeout(time.Second)}, context.DeadlineExceeded, `
SteelVault@Open 0s-2s attempts=2 error.type=context.DeadlineExceeded limit=maxAttempts result=exhausted Error
  · backstay.refused 2s limit=maxAttempts refused=retry
  SteelVault@Open attempt 0s-1s attempt=1 error.type=context.DeadlineExceeded Error
  SteelVault@Open attempt 1s-2s attempt=2 error.type=context.DeadlineExceeded Error
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := spansOf(t, &SteelVault{open: c.open}, func(t *testing.T, v Vault) {
				_, err := v.Open(t.Context(), "7")
				require.ErrorIs(t, err, c.want)
			}, aspect.Annotate[aliases.Retry](Vault.Open, c.opts...))
			require.Equal(t, c.tree, tree)
		})
	}
}

func TestACanceledSessionSaysSo(t *testing.T) {
	target := &SteelVault{open: failing(9, errJam)}
	tree := spansOf(t, target, func(t *testing.T, v Vault) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, err := v.Open(ctx, "7")
		require.ErrorIs(t, err, context.Canceled)
	}, aspect.Annotate[aliases.Retry](Vault.Open, annotation.Base(time.Minute)))
	require.Equal(t, `
SteelVault@Open 0s-1s attempts=1 error.type=context.Canceled result=canceled Error
  · backstay.wait 0s attempt=2 wait.duration=60
  SteelVault@Open attempt 0s-0s attempt=1 error.type=*backstayotel_test.JamError Error
`, tree)
}

func TestARejectedCallHasASpanAndNoAttempt(t *testing.T) {
	target := &SteelVault{open: failing(9, errJam)}
	tree := spansOf(t, target, func(t *testing.T, v Vault) {
		_, err := v.Open(t.Context(), "7")
		require.ErrorIs(t, err, errJam)
		time.Sleep(time.Second)
		_, err = v.Open(t.Context(), "7")
		require.ErrorIs(t, err, retry.ErrCircuitOpen)
	}, aspect.Annotate[aliases.CircuitBreaker](Vault.Open, annotation.MaxAttempts(1)))
	require.Equal(t, `
SteelVault@Open 0s-0s attempts=1 error.type=*backstayotel_test.JamError limit=maxAttempts result=exhausted Error
  · backstay.refused 0s limit=maxAttempts refused=retry
  SteelVault@Open attempt 0s-0s attempt=1 error.type=*backstayotel_test.JamError Error
SteelVault@Open 1s-1s attempts=0 error.type=*retry.RejectedError limit=circuitBreaker result=rejected Error
  · backstay.refused 1s limit=circuitBreaker refused=call
`, tree)
}

// jammed is what a stack is looked through for.
func jammed() { panic(errJam) }

func TestPanicsAndGoexitEndTheSpansAndPassThrough(t *testing.T) {
	for _, c := range []struct {
		name string
		stop func()
		with any
	}{
		{"a panic", jammed, errJam},
		{"runtime.Goexit", runtime.Goexit, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := &SteelVault{open: func(context.Context, string) (string, error) {
				time.Sleep(time.Second)
				c.stop()
				return "", nil
			}}
			tree := spansOf(t, target, func(t *testing.T, v Vault) {
				var stack string
				panicked, returned := endOf(func() {
					defer func() { stack = string(debug.Stack()) }() // beneath it is what has panicked
					_, _ = v.Open(t.Context(), "7")
				})
				require.False(t, returned)
				require.Equal(t, c.with, panicked)
				if c.with != nil {
					require.Contains(t, stack, "otel_test.jammed")
				}
			}, aspect.Annotate[aliases.Retry](Vault.Open))
			require.Equal(t, `
SteelVault@Open 0s-1s attempts=1 error.type=aborted result=aborted Error
  SteelVault@Open attempt 0s-1s attempt=1 error.type=aborted Error
`, tree)
		})
	}
}

func TestAPanicThatIsRetriedFailsItsAttempt(t *testing.T) {
	first := true
	target := &SteelVault{open: func(context.Context, string) (string, error) {
		if first {
			first = false
			jammed()
		}
		return "gold", nil
	}}
	tree := spansOf(t, target, func(t *testing.T, v Vault) {
		_, err := v.Open(t.Context(), "7")
		require.NoError(t, err)
	}, aspect.Annotate[aliases.Retry](Vault.Open, annotation.RetryPanics(true)))
	require.Equal(t, `
SteelVault@Open 0s-0s attempts=2 result=succeeded
  SteelVault@Open attempt 0s-0s attempt=1 error.type=aborted Error
  SteelVault@Open attempt 0s-0s attempt=2
`, tree)
}

func TestSpansSayWhoseTheyAre(t *testing.T) {
	tr := newTraced(t)
	v := wrapped[Vault](t, weaver(tr.Instrumentation), &SteelVault{open: failing(0, nil)},
		aspect.WithName("north"), aspect.Annotate[aliases.Retry](Vault.Open))
	_, err := v.Open(t.Context(), "7")
	require.NoError(t, err)
	ended := tr.kept.Ended()
	require.Len(t, ended, 2)
	for _, s := range ended {
		require.Subset(t, s.Attributes(), []attribute.KeyValue{
			attribute.String("backstay.class", "SteelVault"), attribute.String("backstay.name", "north"), attribute.String("backstay.method", "Open"),
		})
		require.Equal(t, "github.com/backstay/backstay/otel", s.InstrumentationScope().Name)
	}
	require.Equal(t, "SteelVault#north@Open attempt", ended[0].Name())
	require.Equal(t, "SteelVault#north@Open", ended[1].Name())
}

func TestAMethodThatIsNotRetriedHasTheSpanOfItsCall(t *testing.T) {
	tree := spansOf(t, &SteelVault{open: failing(9, errJam)}, func(t *testing.T, v Vault) {
		_, err := v.Open(t.Context(), "7")
		require.Equal(t, errJam, err)
	})
	require.Equal(t, `
SteelVault@Open 0s-0s error.type=*backstayotel_test.JamError Error
`, tree)
}

func TestErrorTextsAreNotToldUnasked(t *testing.T) {
	tree := spansOf(t, &SteelVault{open: failing(99, errors.Join(errJam, errCut))}, func(t *testing.T, v Vault) {
		_, err := v.Open(t.Context(), "7")
		require.ErrorIs(t, err, errJam)
	}, aspect.Annotate[aliases.Retry](Vault.Open, annotation.Fallback(failing(99, errCut))))
	require.NotContains(t, tree, "4711")
	require.NotContains(t, tree, "cut")
}
