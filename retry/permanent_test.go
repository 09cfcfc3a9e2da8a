package retry_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

func TestPermanentOfNilIsNil(t *testing.T) {
	require.NoError(t, retry.Permanent(nil))
}

func TestAPermanentErrorEndsTheSessionAtOnceAndTheCallerSeesNoMark(t *testing.T) {
	for _, n := range []int{1, 5} {
		op := scripted(retry.Permanent(errBoom))
		ctx, report := retry.WithReport(t.Context())
		err := retry.WhenThrows().Max(n).WrapExhausted().Fallback(func(context.Context, error) error {
			t.Error("the fallback ran")
			return nil
		}).Run(ctx, op.run)
		require.Equal(t, errBoom, err, "no marker type is left")
		require.Equal(t, 1, op.calls)
		require.Equal(t, retry.EndFailed, report.Ended)
	}
}

func TestAPermanentErrorIsFoundInWhatWrapsAndJoinsIt(t *testing.T) {
	for _, err := range []error{
		fmt.Errorf("w: %w", retry.Permanent(errBoom)),
		errors.Join(errOther, retry.Permanent(errBoom)),
		fmt.Errorf("w: %w and %w", errOther, retry.Permanent(errBoom)),
	} {
		op := scripted(err)
		got := retry.WhenThrows().Max(5).Run(t.Context(), op.run)
		require.ErrorIs(t, got, errBoom)
		require.EqualError(t, got, err.Error(), "the text is what it was")
		require.Equal(t, 1, op.calls)
	}
}

func TestTheMarkWinsOverEveryPolicy(t *testing.T) {
	op := scripted(retry.Permanent(errBoom))
	err := retry.WhenThrows(retry.Is(errBoom)).With(judgeFunc(func(*retry.Session) retry.Verdict { return retry.Again })).
		Max(5).Run(t.Context(), op.run)
	require.Equal(t, errBoom, err)
	require.Equal(t, 1, op.calls)
}

func TestTheMarkChangesNeitherTextNorMatching(t *testing.T) {
	err := retry.Permanent(busy{3})
	require.EqualError(t, err, "busy")
	require.ErrorIs(t, err, busy{3})
	var b busy
	require.ErrorAs(t, err, &b)
	require.Equal(t, err, retry.Permanent(err), "and marking twice is marking once")
	require.Equal(t, busy{3}, errors.Unwrap(err))
}

func TestAPermanentErrorEndsTheSessionsAroundTooAndTheOutermostTakesTheMarkOff(t *testing.T) {
	for name, pass := range map[string]func(error) error{"verbatim": verbatim, "wrapped": wrapped} {
		t.Run(name, func(t *testing.T) {
			op := scripted(retry.Permanent(errBoom))
			ctx, report := retry.WithReport(t.Context())
			var between error
			err := three().Run(ctx, func(ctx context.Context) error {
				between = tower(op.run, pass, three(), three())(ctx)
				return between
			})
			require.ErrorIs(t, err, errBoom)
			require.Equal(t, 1, op.calls)
			require.Equal(t, 1, report.Attempts)
			require.Equal(t, retry.EndFailed, report.Ended)
			if name == "verbatim" {
				require.NotEqual(t, errBoom, between, "inside, it is marked still")
				require.Equal(t, errBoom, err)
			}
		})
	}
}

func TestRetryNestedDoesNotRetryWhatIsPermanent(t *testing.T) {
	op := scripted(retry.Permanent(errBoom))
	require.Equal(t, errBoom, threeNested(t, tower(op.run, verbatim, three()))(t.Context()))
	require.Equal(t, 1, op.calls)
}

func TestNoMarkIsLeftInWhatTheSessionItselfMakes(t *testing.T) {
	permanent := func(context.Context, error) error { return retry.Permanent(errOther) }

	failed := retry.WhenThrows().Max(1).Fallback(permanent).Run(t.Context(), scripted(errBoom).run)
	require.ErrorIs(t, failed, errOther)
	require.ErrorIs(t, failed, errBoom)

	rejected := retry.With(closedGate).Fallback(permanent).Run(t.Context(), scripted(nil).run)
	require.ErrorIs(t, rejected, errOther)
	require.ErrorIs(t, rejected, errFull)

	_, alone := retry.WhenReturns(1).Max(1).Fallback(func(context.Context, error) (int, error) { return 0, retry.Permanent(errOther) }).
		Call(t.Context(), new(counting).run)
	require.Equal(t, errOther, alone)

	ctx, cancel := context.WithCancelCause(t.Context())
	canceled := retry.WhenThrows().Run(ctx, func(ctx context.Context) error {
		cancel(errCause)
		return retry.Permanent(ctx.Err())
	})
	require.ErrorIs(t, canceled, errCause)

	for _, err := range []error{failed, rejected, alone, canceled} {
		op := scripted(err)
		require.Error(t, retry.WhenThrows().Max(2).Run(t.Context(), op.run))
		require.Equal(t, 2, op.calls, "%v says nothing to a session that begins later", err)
	}
}
