package retry_test

import (
	"context"
	"sync"
	"testing"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

func keyOf(ctx context.Context) string {
	a, _ := retry.FromContext(ctx)
	return a.Key
}

// keys collects the key of each attempt; the operation fails twice.
func keys(ctx context.Context, chain retry.ErrorChain) (list []string) {
	op := scripted(errBoom, errBoom, nil)
	_ = chain.Run(ctx, func(ctx context.Context) error {
		list = append(list, keyOf(ctx))
		return op.run(ctx)
	})
	return list
}

func TestTheKeyIsTheSameInAllAttempts(t *testing.T) {
	require.Equal(t, []string{"order-7", "order-7", "order-7"}, keys(retry.WithKey(t.Context(), "order-7"), three()))

	made := keys(t.Context(), three())
	require.Len(t, made, 3)
	require.NotEmpty(t, made[0])
	require.Equal(t, made[0], made[1])
	require.Equal(t, made[0], made[2])
}

func TestWithoutAKeyEachSessionMakesItsOwn(t *testing.T) {
	chain := three()
	require.NotEqual(t, keys(t.Context(), chain)[0], keys(t.Context(), chain)[0])
}

func TestAKeyHoldsForAllSessionsUnderItsContext(t *testing.T) {
	var inner []string
	outer := keys(retry.WithKey(t.Context(), "k"), three())
	_ = three().Run(retry.WithKey(t.Context(), "k"), func(ctx context.Context) error {
		inner = keys(ctx, three())
		return nil
	})
	require.Equal(t, outer, inner)
}

func TestAMadeKeyIsNotThatOfTheSessionsInside(t *testing.T) {
	_ = three().Run(t.Context(), func(ctx context.Context) error {
		own := keyOf(ctx)
		inside := keys(ctx, three())[0]
		require.NotEmpty(t, inside)
		require.NotEqual(t, own, inside)
		require.Equal(t, own, keyOf(ctx))
		return nil
	})
}

func TestTheNearestKeyHolds(t *testing.T) {
	require.Equal(t, "near", keys(retry.WithKey(retry.WithKey(t.Context(), "far"), "near"), three())[0])

	_ = three().Run(retry.WithKey(t.Context(), "far"), func(ctx context.Context) error {
		require.Equal(t, "near", keys(retry.WithKey(ctx, "near"), three())[0])
		require.Equal(t, "far", keyOf(ctx))
		return nil
	})
}

func TestWhatAContextSaysAddsUp(t *testing.T) {
	ctx, report := retry.WithReport(retry.Once(retry.WithKey(t.Context(), "k")))
	require.Equal(t, []string{"k"}, keys(ctx, three()))
	require.Equal(t, "once", report.Limit)
}

func TestGoroutinesOfOneAttemptSeeOneKey(t *testing.T) {
	_ = three().Run(t.Context(), func(ctx context.Context) error {
		seen := make([]string, 16)
		var wg sync.WaitGroup
		for i := range seen {
			wg.Go(func() { seen[i] = keyOf(ctx) })
		}
		wg.Wait()
		for _, k := range seen {
			require.Equal(t, seen[0], k)
		}
		return nil
	})
}
