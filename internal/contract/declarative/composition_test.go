package declarative_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// decl:1. A fallback that is attached to the breaker hides the failure from the retry around it. Here there is one
// fallback, outside of everything, wherever the list has it.
func TestTheFallbackIsOutsideOfBreakerAndRetryWhateverOrderIsWritten(t *testing.T) {
	for name, list := range map[string][]retry.PolicyFactory{
		"canonical":                    {retry.Fallback, retry.Classifier, retry.CircuitBreaker, retry.MaxAttempts},
		"at the breaker, retry around": {retry.MaxAttempts, retry.Classifier, retry.Fallback, retry.CircuitBreaker},
		"breaker outermost":            {retry.CircuitBreaker, retry.Fallback, retry.Classifier, retry.MaxAttempts},
		"innermost":                    {retry.CircuitBreaker, retry.MaxAttempts, retry.Classifier, retry.Fallback},
	} {
		t.Run(name, func(t *testing.T) {
			remote := down()
			var after []int // calls made when the fallback ran
			s := weave(t, remote, container.Annotate[aliases.CircuitBreaker](Peer.Call,
				annotation.Policies(list...), annotation.MaxAttempts(3),
				annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Second, Window: 4, FailureRatio: 1}),
				annotation.Fallback(func(context.Context) (string, error) {
					after = append(after, remote.count())
					return "fallback", nil
				})))
			got, err := s.Call(t.Context())
			require.NoError(t, err)
			require.Equal(t, "fallback", got)
			require.Equal(t, []int{3}, after, "once, after the last attempt")
			require.Equal(t, retry.BreakerClosed, s.breaker(t).State())

			_, err = s.Call(t.Context())
			require.NoError(t, err)
			require.Equal(t, retry.BreakerOpen, s.breaker(t).State(), "three failures were counted, and this is the fourth")
			require.Equal(t, []int{3, 4}, after)
		})
	}
}

// decl:2. Elsewhere a method says in which order its layers stand, and so whether its breaker counts attempts or calls.
// Here the order is canonical and what the breaker counts is said by its settings: attempts with a window, sessions
// without.
func TestWhatABreakerCountsIsSaidByItsSettingsAndNotByTheOrderOfTheList(t *testing.T) {
	for _, list := range [][]retry.PolicyFactory{
		{retry.Classifier, retry.CircuitBreaker, retry.MaxAttempts},
		{retry.MaxAttempts, retry.CircuitBreaker, retry.Classifier},
	} {
		for _, test := range []struct {
			what     string
			settings retry.BreakerSettings
			fails    int
			want     retry.BreakerState
		}{
			{"two of three attempts failed", retry.BreakerSettings{ResetTimeout: time.Second, Window: 3, FailureRatio: .5}, 2, retry.BreakerOpen},
			{"the session was a success", retry.BreakerSettings{ResetTimeout: time.Second}, 2, retry.BreakerClosed},
			{"the session was exhausted", retry.BreakerSettings{ResetTimeout: time.Second}, 3, retry.BreakerOpen},
		} {
			t.Run(fmt.Sprint(test.what, list), func(t *testing.T) {
				s := weave(t, fails(test.fails), container.Annotate[aliases.CircuitBreaker](Peer.Call,
					annotation.Policies(list...), annotation.MaxAttempts(3), annotation.Breaker(test.settings)))
				_, _ = s.Call(t.Context())
				require.Equal(t, 3, s.remote.count())
				require.Equal(t, test.want, s.breaker(t).State())
			})
		}
	}
}

// decl:2. Two layers of one order number are refused elsewhere. Here a tie is not left to luck either: the aspect that
// was registered first is further out.
func TestAspectsOfOnePriorityStandInTheOrderOfRegistration(t *testing.T) {
	const aspects = "abcdefgh"
	for range 20 {
		order := ""
		s := weaveIn(t, fails(0), func(c *container.Container) {
			for _, letter := range aspects {
				c.Supply(aspect.Func(func(jp aspect.JoinPoint) error {
					order += string(letter)
					return jp.Proceed()
				}), container.AsAspect(aspect.Method(Peer.Call), 7))
			}
		})
		_, err := s.Call(t.Context())
		require.NoError(t, err)
		require.Equal(t, aspects, order)
	}
}

// transaction is an aspect that counts.
type transaction struct{ open, nested, begun, rolledBack, committed int }

func (tx *transaction) Process(jp aspect.JoinPoint) error {
	if tx.open > 0 {
		tx.nested++
	}
	tx.begun++
	tx.open++
	defer func() { tx.open-- }()
	if err := jp.Proceed(); err != nil {
		tx.rolledBack++
		return err
	}
	tx.committed++
	return nil
}

// decl:3, decl:4. The priority of an aspect is always written, and says on which side of the retry it is: there is no
// default to be surprised by. A warning for a transaction around the retry is asked for elsewhere; here an aspect does not
// say that it is a transaction, and an audit log belongs outside, so there is none.
func TestATransactionIsOnTheSideOfTheRetryThatItsPrioritySays(t *testing.T) {
	for name, test := range map[string]struct {
		priority int
		want     transaction
	}{
		"inside: one for each attempt":    {aspect.RetryPriority - 1, transaction{begun: 3, rolledBack: 2, committed: 1}},
		"outside: one for all of a call":  {aspect.RetryPriority + 1, transaction{begun: 1, committed: 1}},
		"a tie: the retry is first there": {aspect.RetryPriority, transaction{begun: 3, rolledBack: 2, committed: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			tx := &transaction{}
			s := weaveIn(t, fails(2), func(c *container.Container) {
				c.Supply(tx, container.AsAspect(aspect.Method(Peer.Call), test.priority))
			}, container.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(3)))
			_, err := s.Call(t.Context())
			require.NoError(t, err)
			require.Equal(t, test.want, *tx, "and none within another")
			require.Empty(t, s.c.Notes())
		})
	}
}

// decl:5. A retry that waits as long as a breaker stays open meets it just when it turns half-open, and the outcome flips.
// Here a session ends when its breaker opens, so the two never meet, and nothing has to be reported; and half-open begins
// at the very instant.
func TestAWaitAsLongAsTheBreakersIsNoRace(t *testing.T) {
	for range 100 {
		synctest.Test(t, func(t *testing.T) {
			s := weave(t, down(), container.Annotate[aliases.CircuitBreaker](Peer.Call,
				annotation.MaxAttempts(5), annotation.Base(5*time.Second),
				annotation.Breaker(retry.BreakerSettings{ResetTimeout: 5 * time.Second, Window: 2, FailureRatio: .5})))
			ctx, report := retry.WithReport(t.Context())
			_, err := s.Call(ctx)
			require.ErrorIs(t, err, errBoom)
			require.Equal(t, 2, s.remote.count())
			require.Equal(t, "circuitBreaker", report.Limit)

			time.Sleep(5*time.Second - 1)
			_, err = s.Call(t.Context())
			require.ErrorIs(t, err, retry.ErrCircuitOpen)
			time.Sleep(1)
			require.Equal(t, retry.BreakerHalfOpen, s.breaker(t).State())
			_, err = s.Call(t.Context())
			require.ErrorIs(t, err, errBoom)
			require.Equal(t, 3, s.remote.count())
			require.Empty(t, s.c.Notes())
		})
	}
}

// decl:5. The other way to meet: one session waits while another opens the breaker. It goes on as a probe, at the very
// instant too.
func TestASessionThatWaitsAsLongAsTheBreakerIsOpenGoesOnAsAProbe(t *testing.T) {
	for range 100 {
		synctest.Test(t, func(t *testing.T) {
			s := weave(t, fails(2), container.Annotate[aliases.CircuitBreaker](Peer.Call,
				annotation.MaxAttempts(5), annotation.Base(5*time.Second),
				annotation.Breaker(retry.BreakerSettings{ResetTimeout: 5 * time.Second, Consecutive: 2})))
			done := make(chan error)
			go func() {
				_, err := s.Call(t.Context())
				done <- err
			}()
			synctest.Wait()
			_, err := s.Call(t.Context())
			require.ErrorIs(t, err, errBoom)
			require.Equal(t, retry.BreakerOpen, s.breaker(t).State())
			require.NoError(t, <-done)
			require.Equal(t, 3, s.remote.count())
			require.Equal(t, retry.BreakerClosed, s.breaker(t).State())
		})
	}
}

// decl:8. Inside the retry a breaker counts attempts; around it, which takes a layer of its own, it counts calls, however
// many attempts they make.
func TestABreakerOfTheSameMethodIsInsideTheRetryAndOneOfALayerAboveIsOutside(t *testing.T) {
	opensAt3 := annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Second, Consecutive: 3})

	inside := weave(t, down(), container.Annotate[aliases.CircuitBreaker](Peer.Call, annotation.MaxAttempts(3), opensAt3))
	_, err := inside.Call(t.Context())
	require.ErrorIs(t, err, errBoom)
	require.Equal(t, retry.BreakerOpen, inside.breaker(t).State())
	require.Equal(t, 3, inside.remote.count(), "three attempts open it")

	outside := weaveIn(t, down(), func(c *container.Container) {
		c.Provide(newShop, container.As[Shop](),
			container.Annotate[aliases.CircuitBreaker](Shop.Buy, annotation.MaxAttempts(1), opensAt3))
	}, container.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(3)))
	buy := get[Shop](t, outside.c).Buy
	breaker, err := outside.c.Breaker(Shop.Buy)
	require.NoError(t, err)
	for range 3 {
		require.Equal(t, retry.BreakerClosed, breaker.State())
		_, err := buy(t.Context())
		require.ErrorIs(t, err, errBoom)
	}
	require.Equal(t, retry.BreakerOpen, breaker.State())
	require.Equal(t, 9, outside.remote.count(), "three calls open it")
	_, err = buy(t.Context())
	require.ErrorIs(t, err, retry.ErrCircuitOpen)
	require.Equal(t, 9, outside.remote.count())
}

// decl:11. Retries of two layers multiply. Here what one layer has given up is not repeated by the next, unless it says so.
func TestRetriesOfTwoServicesAddUpToThoseOfOne(t *testing.T) {
	for name, test := range map[string]struct {
		opts []annotation.Option
		want int
	}{
		"by default":       {nil, 3},
		"with RetryNested": {[]annotation.Option{annotation.RetryNested(true)}, 9},
	} {
		t.Run(name, func(t *testing.T) {
			s := weaveIn(t, down(), func(c *container.Container) {
				c.Provide(newShop, container.As[Shop](),
					container.Annotate[aliases.Retry](Shop.Buy, append(test.opts, annotation.MaxAttempts(3))...))
			}, container.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(3)))
			_, err := get[Shop](t, s.c).Buy(t.Context())
			require.ErrorIs(t, err, errBoom)
			require.Equal(t, test.want, s.remote.count())
		})
	}
}
