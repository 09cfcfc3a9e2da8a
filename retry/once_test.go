package retry_test

import (
	"context"
	"testing"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

func TestOnceAllowsNoRetry(t *testing.T) {
	op := scripted(errBoom)
	ctx, report := retry.WithReport(retry.Once(t.Context()))
	err := retry.WhenThrows().Max(3).WrapExhausted().Run(ctx, func(ctx context.Context) error {
		a, _ := retry.FromContext(ctx)
		require.Equal(t, 1, a.Limit)
		return op.run(ctx)
	})
	exhaustedBy(t, err, "once", 1)
	require.ErrorIs(t, err, errBoom)
	require.Equal(t, 1, op.calls)
	require.Equal(t, "once", report.Limit)
}

func TestUnderOnceFallbacksAndGatesStay(t *testing.T) {
	ctx := retry.Once(t.Context())
	v, err := retry.For[int]().Max(3).Fallback(func(_ context.Context, cause error) (int, error) {
		require.Same(t, errBoom, cause)
		return 9, nil
	}).Call(ctx, (&counting{errs: []error{errBoom}}).run)
	require.NoError(t, err)
	require.Equal(t, 9, v)

	require.ErrorIs(t, retry.With(closedGate).Run(ctx, scripted(nil).run), errFull)
}

func TestUnderOnceASuccessAndAFailureThatIsNotRetriableAreWhatTheyWere(t *testing.T) {
	ctx := retry.Once(t.Context())
	chain := retry.WhenThrows(retry.Is(errBoom)).WrapExhausted().Fallback(func(context.Context, error) error {
		t.Error("the fallback ran")
		return nil
	})
	require.NoError(t, chain.Run(ctx, scripted(nil).run))
	require.Same(t, errOther, chain.Run(ctx, scripted(errOther).run))
}

func TestOnceHoldsForSessionsInsideSessions(t *testing.T) {
	op := scripted(errBoom)
	require.Error(t, tower(op.run, replaced, three(), three(), three())(retry.Once(t.Context())))
	require.Equal(t, 1, op.calls)

	op = scripted(errBoom)
	require.Error(t, threeNested(t, tower(op.run, verbatim, three()))(retry.Once(t.Context())))
	require.Equal(t, 1, op.calls, "whatever they say")
}

func TestOnceDoesNotReachBeyondItsContext(t *testing.T) {
	op, other := scripted(errBoom), scripted(errOther)
	_ = three().Run(t.Context(), func(ctx context.Context) error {
		_ = three().Run(retry.Once(ctx), other.run)
		return op.run(ctx)
	})
	require.Equal(t, 3, op.calls)
}
