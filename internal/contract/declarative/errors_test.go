package declarative_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// Twice says it as those do who count retries; OncePerCall as we do.
type (
	Twice struct {
		_ annotation.On[aliases.Retry] `method:"Call" maxRetries:"1"`
		*Remote
	}
	OncePerCall struct {
		_ annotation.On[aliases.Retry] `method:"Call" maxAttempts:"1"`
		*Remote
	}
)

// decl:38. "Max attempts" or "max retries"? There is one attribute, it counts attempts, and the other word is refused.
func TestMaxAttemptsCountsAttemptsAndThereIsNoMaxRetries(t *testing.T) {
	for n := 1; n <= 3; n++ {
		s := weave(t, down(), container.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(n)))
		_, err := s.Call(t.Context())
		require.Equal(t, errBoom, err)
		require.Equal(t, n, s.remote.count())
	}
	once := &OncePerCall{Remote: down()}
	c := container.New()
	c.Provide(func() *OncePerCall { return once }, container.As[Peer]())
	_, err := get[Peer](t, c).Call(t.Context())
	require.Equal(t, errBoom, err)
	require.Equal(t, 1, once.count())

	require.Contains(t, onlyProblem(t, func(c *container.Container) {
		c.Provide(func() *Twice { panic("never built") }, container.As[Peer]())
	}), `there is no attribute or field maxRetries`)
	require.Contains(t, onlyProblem(t, func(c *container.Container) {
		c.Provide(down, container.As[Peer](), container.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(0)))
	}), "MaxAttempts(0): attempts are counted from 1, the first call included")
}

// decl:41. A cancel is the caller's word and no failure of the peer; a deadline of the callee's own is one.
func TestTheCallersCancelIsNotRetriedAndADeadlineOfTheCalleesOwnIs(t *testing.T) {
	t.Run("the caller's", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		remote := &Remote{do: func(ctx context.Context, _ int) (string, error) {
			cancel()
			return "", fmt.Errorf("model: %w", ctx.Err())
		}}
		s := weave(t, remote, container.Annotate[aliases.Retry](Peer.Call))
		ctx, report := retry.WithReport(ctx)
		_, err := s.Call(ctx)
		require.EqualError(t, err, "model: context canceled")
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, 1, remote.count())
		require.Equal(t, retry.EndCanceled, report.Ended)
	})
	t.Run("the callee's", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			remote := &Remote{do: func(ctx context.Context, n int) (string, error) {
				if n == 3 {
					return "done", nil
				}
				inner, cancel := context.WithTimeout(ctx, 10*ms)
				defer cancel()
				<-inner.Done()
				return "", fmt.Errorf("model: %w", inner.Err())
			}}
			s := weave(t, remote, container.Annotate[aliases.Retry](Peer.Call))
			got, err := s.Call(t.Context())
			require.NoError(t, err)
			require.Equal(t, "done", got)
			require.Equal(t, 3, remote.count())
		})
	})
}

// Errors of a family: each is also the one that it wraps.
var (
	errE0    = errors.New("e0")
	errE1    = fmt.Errorf("e1: %w", errE0)
	errE2    = fmt.Errorf("e2: %w", errE1)
	errOther = errors.New("other")
)

func special(err error) error { return fmt.Errorf("special: %w", err) }

// decl:42. An error that is in the list to retry and in the list to ignore is ignored, no matter which is more special.
func TestTheIgnoreListWinsOverTheRetryList(t *testing.T) {
	for name, test := range map[string]struct {
		retried, ignored []retry.Matcher
		retries          []error
		not              []error
	}{
		"A: on e0 and e2, skip e1": {
			[]retry.Matcher{retry.Is(errE0), retry.Is(errE2)}, []retry.Matcher{retry.Is(errE1)},
			[]error{errE0, special(errE0)}, []error{errOther, errE1, special(errE1), errE2, special(errE2)},
		},
		"B: on any and e1, skip e0 and e2": {
			[]retry.Matcher{retry.AnyError, retry.Is(errE1)}, []retry.Matcher{retry.Is(errE0), retry.Is(errE2)},
			[]error{errOther, special(errOther)}, []error{errE0, errE1, errE2, special(errE0), special(errE1), special(errE2)},
		},
		"C: on e1 and e2, skip e0": {
			[]retry.Matcher{retry.Is(errE1), retry.Is(errE2)}, []retry.Matcher{retry.Is(errE0)},
			nil, []error{errOther, errE0, errE1, errE2, special(errE0), special(errE1), special(errE2)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			calls := func(err error) int {
				s := weave(t, answers(err), container.Annotate[aliases.Retry](Peer.Call,
					annotation.MaxAttempts(2), annotation.RetryErrors(test.retried...), annotation.IgnoreErrors(test.ignored...)))
				_, got := s.Call(t.Context())
				require.Equal(t, err, got)
				return s.remote.count()
			}
			for _, err := range test.retries {
				require.Equal(t, 2, calls(err), err)
			}
			for _, err := range test.not {
				require.Equal(t, 1, calls(err), err)
			}
		})
	}
}

// decl:43. An error that was never worth a retry is not dressed up as exhaustion.
func TestAnErrorThatIsNotWorthARetryIsReturnedAsItIs(t *testing.T) {
	s := weave(t, answers(errDeclined), container.Annotate[aliases.Retry](Peer.Call,
		annotation.WrapExhausted(true), annotation.RetryErrors(retry.Is(errBoom)),
		annotation.Fallback(func() (string, error) { return "fallback", nil })))
	_, err := s.Call(t.Context())
	require.True(t, err == errDeclined, err)
	require.Equal(t, 1, s.remote.count())
	require.Empty(t, eventsOf(s.rec, every[retry.Exhausted]))
	require.Len(t, eventsOf(s.rec, every[retry.Failed]), 1)
}

// decl:44. Who needs to know that attempts were exhausted asks for it; by default the caller gets what the method said.
func TestExhaustionCanBeTold(t *testing.T) {
	attempts := annotation.MaxAttempts(3)
	plain := weave(t, down(), container.Annotate[aliases.Retry](Peer.Call, attempts))
	ctx, report := retry.WithReport(t.Context())
	_, err := plain.Call(ctx)
	require.True(t, err == errBoom, err)
	require.Equal(t, retry.EndExhausted, report.Ended, "and the report tells it")
	require.Equal(t, "maxAttempts", report.Limit)
	require.Equal(t, 3, report.Attempts)

	wrapping := weave(t, down(), container.Annotate[aliases.Retry](Peer.Call, attempts, annotation.WrapExhausted(true)))
	_, err = wrapping.Call(t.Context())
	var exhausted *retry.ExhaustedError
	require.ErrorAs(t, err, &exhausted)
	require.Equal(t, 3, exhausted.Attempts)
	require.Equal(t, "maxAttempts", exhausted.Limit)
	require.Equal(t, "Remote@Call", exhausted.Ref.String())
	require.ErrorIs(t, err, errBoom)
}

// decl:45. The method knows which attempt it is and whether it is the last. A fallback is no attempt, runs under the
// caller's context and has the cause; how many attempts there were is in the report.
func TestTheMethodKnowsItsAttemptAndTheFallbackTheCause(t *testing.T) {
	var seen []retry.Attempt
	remote := &Remote{do: func(ctx context.Context, _ int) (string, error) {
		a, ok := retry.FromContext(ctx)
		require.True(t, ok)
		seen = append(seen, a)
		return "", errBoom
	}}
	fellBack := 0
	s := weave(t, remote, container.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(3),
		annotation.Fallback(func(ctx context.Context, cause error) (string, error) {
			fellBack++
			_, ok := retry.FromContext(ctx)
			require.False(t, ok)
			require.Equal(t, errBoom, cause)
			return "fallback", nil
		})))
	ctx, report := retry.WithReport(t.Context())
	_, err := s.Call(ctx)
	require.NoError(t, err)
	require.Equal(t, 1, fellBack)
	require.Len(t, seen, 3)
	for i, a := range seen {
		require.Equal(t, i+1, a.Number)
		require.Equal(t, i == 2, a.Number == a.Limit, "the last one")
		require.Equal(t, i > 0, errors.Is(a.Failure, errBoom), "the attempt before")
	}
	require.Equal(t, 3, report.Attempts)
	require.True(t, report.Fallback)
}

// decl:46. A retry for the sake of a result is told like one for an error.
func TestRetriesForResultsAreTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		remote := &Remote{do: func(_ context.Context, n int) (string, error) {
			if n <= 2 {
				return "", nil
			}
			return "done", nil
		}}
		s := weave(t, remote, container.Annotate[aliases.RetryFalsy](Peer.Call, annotation.Base(100*ms)))
		ctx, report := retry.WithReport(t.Context())
		got, err := s.Call(ctx)
		require.NoError(t, err)
		require.Equal(t, "done", got)
		ref, told := retry.MethodRef{Class: "Remote", Method: "Call"}, s.rec.Events()
		session := told[0].(retry.AttemptFailed).Session
		require.Equal(t, []retry.Event{
			retry.AttemptFailed{MethodRef: ref, Attempt: 1, Session: session},
			retry.RetryScheduled{MethodRef: ref, Attempt: 2, Wait: 100 * ms, Session: session},
			retry.AttemptFailed{MethodRef: ref, Attempt: 2, Session: session},
			retry.RetryScheduled{MethodRef: ref, Attempt: 3, Wait: 100 * ms, Session: session},
			retry.Succeeded{MethodRef: ref, Attempts: 3, Elapsed: 200 * ms, Session: session},
		}, told)
		require.Equal(t, []error{nil, nil}, report.Errors)
	})
}

// decl:50. What is written as an expression elsewhere, and was evaluated once, is a predicate here, and is asked before
// each retry. The attributes themselves are definitions and hold as long as the container.
func TestAPredicateIsAskedAnewBeforeEachRetry(t *testing.T) {
	var on atomic.Bool
	remote := &Remote{do: func(_ context.Context, n int) (string, error) {
		if n == 5 { // in the third call: the switch is thrown while it is under way
			on.Store(false)
		}
		return "", errBoom
	}}
	s := weave(t, remote, container.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(3),
		annotation.OnlyIf(func(context.Context) bool { return on.Load() })))
	for _, test := range []struct {
		on   bool
		want int
	}{{false, 1}, {true, 3}, {true, 1}} {
		before := remote.count()
		on.Store(test.on)
		_, err := s.Call(t.Context())
		require.Equal(t, errBoom, err)
		require.Equal(t, test.want, remote.count()-before)
	}
}
