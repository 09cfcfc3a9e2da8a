package retry_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// never is a limit that must not be consulted.
func never(t *testing.T) retry.Policy {
	return limitFunc(func(*retry.Session) error {
		t.Error("a limit was consulted")
		return errOther
	})
}

// noFallback must not run.
func noFallback(t *testing.T) func(context.Context, error) (int, error) {
	return func(context.Context, error) (int, error) {
		t.Error("the fallback ran")
		return 0, nil
	}
}

func TestClassificationComesBeforeLimitsWhateverOrderIsWritten(t *testing.T) {
	isOther := retry.NewClassifier(retry.Is(errOther))
	for name, list := range map[string][]retry.Policy{
		"limit first": {never(t), isOther},
		"limit last":  {isOther, never(t)},
	} {
		t.Run(name, func(t *testing.T) {
			chain := retry.For[int]().With(list...).Fallback(noFallback(t))

			v, err := chain.Call(t.Context(), new(counting).run)
			require.NoError(t, err, "a success")
			require.Equal(t, 1, v)

			_, err = chain.Call(t.Context(), (&counting{errs: []error{errBoom}}).run)
			require.Same(t, errBoom, err, "a failure that is not retriable")
		})
	}
}

func TestASuccessOnTheLastAllowedAttemptIsASuccess(t *testing.T) {
	ctx, report := retry.WithReport(t.Context())
	v, err := retry.For[int]().Max(3).Fallback(noFallback(t)).Call(ctx, (&counting{errs: []error{errBoom, errBoom}}).run)
	require.NoError(t, err)
	require.Equal(t, 3, v)
	require.Equal(t, retry.EndSucceeded, report.Ended)
}

func TestAFailureThatIsNotRetriableOnTheLastAllowedAttemptIsNoExhaustion(t *testing.T) {
	ctx, report := retry.WithReport(t.Context())
	_, err := retry.For[int]().WhenThrows(retry.Is(errBoom)).Max(2).WrapExhausted().Fallback(noFallback(t)).
		Call(ctx, (&counting{errs: []error{errBoom, errOther}}).run)
	require.Same(t, errOther, err)
	require.Equal(t, retry.EndFailed, report.Ended)
}

func TestWithoutAClassifierErrorsAreRetriedAndResultsAreNot(t *testing.T) {
	op := &counting{errs: []error{errBoom, errOther}}
	v, err := retry.For[int]().Max(5).Call(t.Context(), op.run)
	require.NoError(t, err)
	require.Equal(t, 3, v)

	zero := 0
	_, err = retry.For[*int]().Max(5).Call(t.Context(), func(context.Context) (*int, error) { zero++; return nil, nil })
	require.NoError(t, err)
	require.Equal(t, 1, zero, "not even a nil result")
}

func TestAJudgeTakesThePlaceOfTheDefaultClassification(t *testing.T) {
	op := scripted(errBoom)
	silent := judgeFunc(func(*retry.Session) retry.Verdict { return retry.Abstain })
	require.Same(t, errBoom, retry.With(silent).Max(5).Run(t.Context(), op.run))
	require.Equal(t, 1, op.calls)
}

func TestAJudgeIsAskedOfSuccessesToo(t *testing.T) {
	chain := retry.For[int]().Max(5).With(judgeFunc(func(s *retry.Session) retry.Verdict {
		if s.Failure() == nil && s.Result(0).(int) < 3 {
			return retry.Again
		}
		return retry.Abstain
	}))
	v, err := chain.Call(t.Context(), new(counting).run)
	require.NoError(t, err)
	require.Equal(t, 3, v)
}

func TestTheCallerOfAnExhaustedSessionGetsWhatTheLastAttemptReturned(t *testing.T) {
	last := errors.New("last")
	v, err := retry.For[int]().Max(3).Call(t.Context(), (&counting{errs: []error{errBoom, errOther, last}}).run)
	require.Same(t, last, err, "the same error value")
	require.Equal(t, 3, v, "and the result beside it")

	b, err := retry.WhenReturns(false).Max(3).Call(t.Context(), func(context.Context) (bool, error) { return false, nil })
	require.NoError(t, err, "a result that was not good enough is no error")
	require.False(t, b)
}

func TestWrapExhaustedSaysWhatRefused(t *testing.T) {
	v, err := retry.For[int]().Max(2).WrapExhausted().Named("rates").
		Call(t.Context(), (&counting{errs: []error{errBoom, errOther}}).run)
	require.Equal(t, 2, v)
	exhaustedBy(t, err, "maxAttempts", 2)
	require.ErrorIs(t, err, errOther)
	require.NotErrorIs(t, err, errBoom)
	require.Regexp(t, `^rates: exhausted by maxAttempts after 2 attempts in \S+: other$`, err.Error())
	var e *retry.ExhaustedError
	require.ErrorAs(t, err, &e)
	require.Equal(t, "rates", e.Ref.Name)
	require.Same(t, errOther, e.Unwrap())

	_, err = retry.WhenReturns(1).Max(1).WrapExhausted().Call(t.Context(), new(counting).run)
	exhaustedBy(t, err, "maxAttempts", 1)
	require.Regexp(t, `^exhausted by maxAttempts after 1 attempt in \S+$`, err.Error())
	require.NoError(t, errors.Unwrap(err), "its result was the reason")
}

func TestWrapExhaustedChangesNoOtherError(t *testing.T) {
	err := retry.WhenThrows(retry.Is(errBoom)).WrapExhausted().Run(t.Context(), scripted(errOther).run)
	require.Same(t, errOther, err)
}

func TestWhyASessionEndedCanBeTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for _, c := range []struct {
			ctx   context.Context
			chain retry.ErrorChain
			err   error
			ended retry.Ending
			limit string
		}{
			{t.Context(), retry.WhenThrows(), retry.Permanent(errBoom), retry.EndFailed, ""},
			{t.Context(), retry.WhenThrows().Max(2), errBoom, retry.EndExhausted, "maxAttempts"},
			{t.Context(), retry.WhenThrows().Sleep(time.Second).Within(time.Second), errBoom, retry.EndExhausted, "timeout"},
			{ctx, retry.WhenThrows(), errBoom, retry.EndCanceled, ""},
		} {
			ctx, report := retry.WithReport(c.ctx)
			err := c.chain.WrapExhausted().Run(ctx, func(context.Context) error {
				if c.ended == retry.EndCanceled {
					cancel()
				}
				return c.err
			})
			require.ErrorIs(t, err, errBoom, "in each the last error is found")
			require.Equal(t, c.ended, report.Ended)
			require.Equal(t, c.limit, report.Limit)
			if c.limit != "" {
				exhaustedBy(t, err, c.limit, report.Attempts)
			}
			require.Equal(t, c.ended == retry.EndCanceled, errors.Is(err, context.Canceled))
		}
	})
}
