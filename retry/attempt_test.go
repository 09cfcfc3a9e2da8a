package retry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

func TestOutsideOfAnAttemptThereIsNone(t *testing.T) {
	for _, ctx := range []context.Context{
		t.Context(),
		retry.WithKey(t.Context(), "k"),
		retry.Once(t.Context()),
	} {
		a, ok := retry.FromContext(ctx)
		require.False(t, ok)
		require.Zero(t, a)
	}
}

func TestFromContextTellsOfTheAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []retry.Attempt
		op := scripted(errBoom, errOther, nil)
		require.NoError(t, retry.WhenThrows().Max(5).Sleep(time.Second).Run(retry.WithKey(t.Context(), "k"), func(ctx context.Context) error {
			a, ok := retry.FromContext(ctx)
			require.True(t, ok)
			seen = append(seen, a)
			return op.run(ctx)
		}))
		require.Equal(t, []retry.Attempt{
			{Number: 1, Limit: 5, Elapsed: 0, Failure: nil, Key: "k"},
			{Number: 2, Limit: 5, Elapsed: time.Second, Failure: errBoom, Key: "k"},
			{Number: 3, Limit: 5, Elapsed: 2 * time.Second, Failure: errOther, Key: "k"},
		}, seen)
	})
}

func TestFromContextFindsTheAttemptThroughContextsMadeFromIts(t *testing.T) {
	require.NoError(t, retry.With(retry.NewAttemptTimeout(time.Hour)).Run(t.Context(), func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(context.WithValue(ctx, contextKey{}, 1), time.Hour)
		defer cancel()
		a, ok := retry.FromContext(ctx)
		require.True(t, ok)
		require.Equal(t, 1, a.Number)
		return nil
	}))
}

func TestTheLimitIsThatOfThePolicyOrUnlimited(t *testing.T) {
	for want, chain := range map[int]retry.ErrorChain{
		7:                        retry.WhenThrows().Max(7),
		retry.DefaultMaxAttempts: retry.WhenThrows(),
		retry.Unlimited:          retry.WhenThrows().Within(time.Hour),
	} {
		require.NoError(t, chain.Run(t.Context(), func(ctx context.Context) error {
			a, _ := retry.FromContext(ctx)
			require.Equal(t, want, a.Limit)
			return nil
		}))
	}
}

func TestInsideNestedSessionsTheAttemptIsTheInnermostOnes(t *testing.T) {
	inner := scripted(errBoom, nil)
	require.NoError(t, retry.WhenThrows().Max(7).Run(t.Context(), func(ctx context.Context) error {
		err := retry.WhenThrows().Max(2).Run(ctx, func(ctx context.Context) error {
			a, _ := retry.FromContext(ctx)
			require.Equal(t, retry.Attempt{Number: inner.calls + 1, Limit: 2, Elapsed: a.Elapsed, Failure: a.Failure, Key: a.Key}, a)
			return inner.run(ctx)
		})
		a, _ := retry.FromContext(ctx)
		require.Equal(t, 1, a.Number)
		require.Equal(t, 7, a.Limit)
		return err
	}))
}

func TestASessionTellsPoliciesWhatItKnows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := new(journal)
		look := func(where string, s *retry.Session) {
			log.add("%s: attempt %d, %v elapsed, waited %v, %v, result %v", where, s.Attempt(), s.Elapsed(), s.LastWait(), s.Failure(), s.Result(0))
		}
		op := &counting{errs: []error{errBoom}}
		_, err := retry.For[int]().With(
			starterFunc(func(s *retry.Session) {
				look("start", s)
				require.Equal(t, retry.MethodRef{Name: "rates"}, s.Ref())
				require.Nil(t, s.Arg(0))
				require.Nil(t, s.Result(1))
				require.Equal(t, 4, s.Settings().MaxAttempts)
				require.Equal(t, retry.DefaultMaxDelay, s.Settings().MaxDelay)
			}),
			limitFunc(func(s *retry.Session) error { look("limit", s); return nil }),
			enderFunc(func(s *retry.Session) { look("end", s) }),
		).Max(4).Sleep(2*time.Second).Named("rates").Call(t.Context(), op.run)
		require.NoError(t, err)
		require.Equal(t, []string{
			"start: attempt 0, 0s elapsed, waited 0s, <nil>, result 0",
			"limit: attempt 1, 0s elapsed, waited 0s, boom, result 1",
			"end: attempt 2, 2s elapsed, waited 2s, <nil>, result 2",
		}, log.all())
	})
}

func TestASessionIsSmall(t *testing.T) {
	require.LessOrEqual(t, unsafe.Sizeof(retry.Session{}), uintptr(80), "and so a chain without a result is one object of 80 bytes")
}

func TestAContextThatOutlivesItsCallStillTellsOfItsOwn(t *testing.T) {
	chain := retry.WhenThrows().Max(3)
	var first context.Context
	require.NoError(t, chain.Run(retry.WithKey(t.Context(), "first"), func(ctx context.Context) error { first = ctx; return nil }))
	for range 100 {
		op := scripted(errBoom, nil)
		require.NoError(t, chain.Run(t.Context(), op.run))
	}
	a, ok := retry.FromContext(first)
	require.True(t, ok)
	require.Equal(t, 1, a.Number)
	require.Equal(t, "first", a.Key)
	require.NoError(t, a.Failure)
}
