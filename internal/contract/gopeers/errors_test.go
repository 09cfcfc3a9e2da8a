package gopeers_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// go:E1
func TestAPermanentErrorIsFoundInsideAnother(t *testing.T) {
	limited(t, 10, func(t *testing.T, p *form) {
		for name, err := range map[string]error{
			"plain":   retry.Permanent(errBoom),
			"wrapped": fmt.Errorf("w: %w", retry.Permanent(errBoom)),
			"deep":    fmt.Errorf("v: %w", fmt.Errorf("w: %w", retry.Permanent(errBoom))),
			"joined":  errors.Join(errOther, retry.Permanent(errBoom)),
		} {
			op := scripted(err)
			got := p.run(t.Context(), op.run)
			require.ErrorIs(t, got, errBoom, name)
			require.Equal(t, err.Error(), got.Error(), name)
			require.Equal(t, 1, op.calls, name)
		}
	})
}

// go:E3
func TestTheMarkOfAPermanentErrorIsTakenOff(t *testing.T) {
	for _, attempts := range []int{1, 10} {
		t.Run(fmt.Sprint(attempts, " attempts"), func(t *testing.T) {
			limited(t, attempts, func(t *testing.T, p *form) {
				err := p.run(t.Context(), scripted(retry.Permanent(errBoom)).run)
				require.True(t, err == errBoom, "%T", err)
			})
		})
	}
}

// go:E4
func TestASessionThatStopsEarlyReportsTheAttemptsThatItMade(t *testing.T) {
	limited(t, 10, func(t *testing.T, p *form) {
		report, err := reported(t.Context(), p, scripted(retry.Permanent(errBoom)).run)
		require.ErrorIs(t, err, errBoom)
		require.Len(t, report.Errors, 1)
		require.ErrorIs(t, report.Errors[0], errBoom)
		require.Equal(t, 1, report.Attempts)
		require.Empty(t, report.Waits)

		report, err = reported(t.Context(), p, scripted(errOther, errOther, retry.Permanent(errBoom)).run)
		require.ErrorIs(t, err, errBoom)
		require.Len(t, report.Errors, 3)
		require.NotContains(t, report.Errors, nil)
	})
}

// go:E5
func TestAnErrorThatAPredicateRefusesIsTheCallersError(t *testing.T) {
	check := func(t *testing.T, p *form) {
		op := scripted(errBoom)
		report, err := reported(t.Context(), p, op.run)
		require.True(t, err == errBoom)
		require.Equal(t, 1, op.calls)
		require.Equal(t, retry.EndFailed, report.Ended)
		require.Zero(t, count[retry.Exhausted](p.events))
	}
	inBothForms(t,
		func() retry.ErrorChain { return retry.ErrorChain{}.When(func(error) bool { return false }).Max(3) },
		options(annotation.MaxAttempts(3), annotation.RetryIfError(func(error) bool { return false })), check)
	inBothForms(t,
		func() retry.ErrorChain { return retry.WhenThrows(retry.Is(errOther)).Max(3) },
		options(annotation.MaxAttempts(3), annotation.RetryErrors(retry.Is(errOther))), check)
	inBothForms(t,
		func() retry.ErrorChain {
			return retry.WhenThrows().With(judge(func(s *retry.Session) retry.Verdict { return retry.Never })).Max(3)
		},
		options(annotation.MaxAttempts(3), annotation.OnlyIf(func(context.Context, operation) bool { return false })), check)
}

// judge is a user's policy that classifies.
type judge func(*retry.Session) retry.Verdict

func (judge) Kind() string                           { return "judge" }
func (f judge) Judge(s *retry.Session) retry.Verdict { return f(s) }

// stop is one way in which a session stops, always with errBoom as its last error.
type stop struct {
	name  string
	ctx   func() context.Context
	op    func() operation
	ended retry.Ending
	limit string // of the ExhaustedError; empty: none
	is    error  // what else the error matches
}

func stops() []stop {
	background := context.Background
	boom := func() operation { return scripted(errBoom).run }
	return []stop{
		{"permanent", background, func() operation { return scripted(retry.Permanent(errBoom)).run }, retry.EndFailed, "", nil},
		{"exhausted", background, boom, retry.EndExhausted, "maxAttempts", nil},
		{"time limit", background, func() operation {
			return func(context.Context) error { time.Sleep(time.Minute); return errBoom }
		}, retry.EndExhausted, "timeout", nil},
		{"cancelled", func() context.Context { return cancelIn(1500 * time.Millisecond) }, boom, retry.EndCanceled, "", context.Canceled},
		{"deadline", func() context.Context {
			ctx, cancel := context.WithTimeout(context.Background(), 1500*time.Millisecond)
			time.AfterFunc(time.Minute, cancel)
			return ctx
		}, boom, retry.EndExhausted, "deadline", context.DeadlineExceeded},
	}
}

// atStops runs a case in both forms for each way to stop: three attempts, a second between them, a minute in all.
func atStops(t *testing.T, wrap bool, f func(t *testing.T, p *form, s stop)) {
	for _, s := range stops() {
		t.Run(s.name, func(t *testing.T) {
			inBothForms(t,
				func() retry.ErrorChain {
					c := retry.WhenThrows().Max(3).Sleep(time.Second).Within(time.Minute)
					if wrap {
						c = c.WrapExhausted()
					}
					return c
				},
				options(annotation.MaxAttempts(3), annotation.Base(time.Second), annotation.Timeout(time.Minute), annotation.WrapExhausted(wrap)),
				func(t *testing.T, p *form) { f(t, p, s) })
		})
	}
}

// go:E6. One type says which limit it was, in place of a sentinel for each; the report tells all endings apart.
func TestACallerCanTellWhyASessionStopped(t *testing.T) {
	atStops(t, true, func(t *testing.T, p *form, s stop) {
		report, err := reported(s.ctx(), p, s.op())
		require.ErrorIs(t, err, errBoom)
		require.Equal(t, s.ended, report.Ended)
		require.Equal(t, s.limit, report.Limit)
		exhausted, is := errors.AsType[*retry.ExhaustedError](err)
		require.Equal(t, s.limit != "", is)
		if is {
			require.Equal(t, s.limit, exhausted.Limit)
		}
		for _, ctxErr := range []error{context.Canceled, context.DeadlineExceeded} {
			require.Equal(t, s.is == ctxErr, errors.Is(err, ctxErr), "%v", ctxErr)
		}
	})
}

// go:E7
func TestTheLastErrorIsMatchedHoweverTheSessionStopped(t *testing.T) {
	for _, wrap := range []bool{false, true} {
		t.Run(fmt.Sprint("wrapped ", wrap), func(t *testing.T) {
			atStops(t, wrap, func(t *testing.T, p *form, s stop) {
				err := p.run(s.ctx(), s.op())
				require.ErrorIs(t, err, errBoom)
				if !wrap && s.is == nil {
					require.True(t, err == errBoom, "exactly what the last attempt returned, not %T", err)
				}
			})
		})
	}
}
