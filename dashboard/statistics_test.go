package dashboard_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

var err503 = errors.New("503 Service Unavailable")

// The events of a call of CardGateway@Charge, whose session has the number 64.
func ok(elapsed time.Duration) retry.Event {
	return retry.Succeeded{MethodRef: charge, Attempts: 1, Elapsed: elapsed, Session: 64}
}

func attemptFails(attempt int) retry.Event {
	return retry.AttemptFailed{MethodRef: charge, Attempt: attempt, Err: err503, Session: 64}
}

func retries(attempt int) retry.Event {
	return retry.RetryScheduled{MethodRef: charge, Attempt: attempt, Err: err503, Session: 64}
}

func okAfter(attempts int) retry.Event {
	return retry.Succeeded{MethodRef: charge, Attempts: attempts, Session: 64}
}

func fails(attempts int) retry.Event {
	return retry.Failed{MethodRef: charge, Attempts: attempts, Err: err503, Session: 64}
}

func isCanceled(attempts int) retry.Event {
	return retry.Failed{MethodRef: charge, Attempts: attempts, Canceled: true, Session: 64}
}

func isExhausted(attempts int, limit string) retry.Event {
	return retry.Exhausted{MethodRef: charge, Limit: limit, Attempts: attempts, Err: err503, Session: 64}
}

func isRejected(gate string, fallback bool) retry.Event {
	e := retry.Rejected{MethodRef: charge, Gate: gate, Reason: retry.ErrCircuitOpen}
	if fallback {
		e.Session = 64
	}
	return e
}

func isAborted(attempts int) retry.Event {
	return retry.Aborted{MethodRef: charge, Attempts: attempts, Session: 64}
}

func fallsBack() retry.Event {
	return retry.FallbackSucceeded{MethodRef: charge, Cause: err503, Session: 64}
}

func fallbackFails() retry.Event {
	return retry.FallbackFailed{MethodRef: charge, Cause: err503, Err: errors.New("no paper"), Session: 64}
}

// play tells a dashboard what happens.
func play(ctx context.Context, board *dashboard.Dashboard, events ...retry.Event) {
	for _, e := range events {
		board.On(ctx, e)
	}
}

// Each row is what happens in the first second of a dashboard.
func TestWhatIsCountedOfCalls(t *testing.T) {
	none := map[string]float64{}
	for _, c := range []struct {
		name   string
		events []retry.Event
		want   summary
	}{
		{"succeeds at once", []retry.Event{ok(0), ok(0)},
			summary{Calls: 2, Rate: 2, AttemptRate: 2, Refused: none}},
		{"succeeds after a retry", []retry.Event{attemptFails(1), retries(2), okAfter(2)},
			summary{Calls: 1, Rate: 1, AttemptRate: 2, RetryRate: 1, AttemptFailureShare: 0.5, Refused: none}},
		{"has no end yet", []retry.Event{attemptFails(1), retries(2), attemptFails(2), retries(3)},
			summary{AttemptRate: 2, RetryRate: 1, AttemptFailureShare: 1, Refused: none}},
		{"is not worth a retry", []retry.Event{attemptFails(1), fails(1), ok(0), ok(0)},
			summary{Calls: 3, Rate: 3, AttemptRate: 3, ErrorShare: 0.3333, AttemptFailureShare: 0.3333, Refused: none}},
		{"is exhausted", []retry.Event{attemptFails(1), retries(2), attemptFails(2), isExhausted(2, "maxAttempts")},
			summary{Calls: 1, Rate: 1, AttemptRate: 2, RetryRate: 1, ErrorShare: 1, AttemptFailureShare: 1, Refused: map[string]float64{"maxAttempts": 1}}},
		{"is exhausted by a budget, which is told twice", []retry.Event{attemptFails(1), retry.BudgetRefused{MethodRef: charge, Session: 64}, isExhausted(1, "budget")},
			summary{Calls: 1, Rate: 1, AttemptRate: 1, ErrorShare: 1, AttemptFailureShare: 1, Refused: map[string]float64{"budget": 1}}},
		{"falls back", []retry.Event{attemptFails(1), isExhausted(1, "budget"), fallsBack()},
			summary{Calls: 1, Rate: 1, AttemptRate: 1, FallbackRate: 1, AttemptFailureShare: 1, Refused: map[string]float64{"budget": 1}}},
		{"falls back and fails", []retry.Event{attemptFails(1), isExhausted(1, "budget"), fallbackFails()},
			summary{Calls: 1, Rate: 1, AttemptRate: 1, ErrorShare: 1, AttemptFailureShare: 1, Refused: map[string]float64{"budget": 1}}},
		{"is rejected", []retry.Event{isRejected("circuitBreaker", false), isRejected("quota", false), ok(0), ok(0)},
			summary{Calls: 4, Rate: 4, AttemptRate: 2, ErrorShare: 0.5, Refused: map[string]float64{"circuitBreaker": 1, "quota": 1}}},
		{"is rejected and falls back", []retry.Event{isRejected("circuitBreaker", true), fallsBack()},
			summary{Calls: 1, Rate: 1, FallbackRate: 1, Refused: map[string]float64{"circuitBreaker": 1}}},
		{"is cancelled before its first attempt", []retry.Event{isCanceled(0)},
			summary{Calls: 1, Rate: 1, ErrorShare: 1, Refused: none}},
		{"is cancelled while it waits", []retry.Event{attemptFails(1), retries(2), isCanceled(1)},
			summary{Calls: 1, Rate: 1, AttemptRate: 1, ErrorShare: 1, AttemptFailureShare: 1, Refused: none}},
		{"panics at once", []retry.Event{isAborted(1)},
			summary{Calls: 1, Rate: 1, AttemptRate: 1, ErrorShare: 1, AttemptFailureShare: 1, Refused: none}},
		{"panics in the second attempt", []retry.Event{attemptFails(1), retries(2), isAborted(2)},
			summary{Calls: 1, Rate: 1, AttemptRate: 2, RetryRate: 1, ErrorShare: 1, AttemptFailureShare: 1, Refused: none}},
		{"panics in a hook after the first attempt", []retry.Event{attemptFails(1), retries(2), isAborted(1)},
			summary{Calls: 1, Rate: 1, AttemptRate: 1, ErrorShare: 1, AttemptFailureShare: 1, Refused: none}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				board := dashboard.New()
				play(t.Context(), board, c.events...)
				got := one(t, board)
				got.LastError, got.LastErrorAt, got.FailingSince, got.P50Ms, got.P95Ms = "", 0, 0, 0, 0
				c.want.Ref = "CardGateway@Charge"
				require.Equal(t, c.want, got)
			})
		})
	}
}

// It says nothing of the peer that who asked it has gone.
func TestAnAttemptThatItsCallerCancelledIsNoFailureOfThePeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for range 20 {
			play(ctx, board, retry.AttemptFailed{MethodRef: charge, Attempt: 1, Err: context.Canceled, Session: 64}, isCanceled(1))
		}
		s, m := look(t, board.Handler(nil), "CardGateway@Charge")
		got := s.Methods[0]
		require.Zero(t, got.AttemptFailureShare)
		require.Equal(t, 20., got.AttemptRate)
		require.Equal(t, 1., got.ErrorShare, "the caller got an error all the same")
		require.Empty(t, got.LastError)
		require.Zero(t, got.FailingSince)
		require.Empty(t, s.Incidents)
		require.Empty(t, m.Errors)
		require.Equal(t, "context canceled", m.Sessions[0].Attempts[0].Error, "the timeline tells it")

		late, cancel := context.WithTimeout(t.Context(), 0)
		defer cancel()
		play(late, board, retry.AttemptFailed{MethodRef: charge, Attempt: 1, Err: context.DeadlineExceeded, Session: 64}, isCanceled(1))
		require.NotZero(t, one(t, board).AttemptFailureShare, "an answer that is late is the peer's")
	})
}

// A declined card is an answer of a peer that is well, though its caller gets an error.
func TestAnAttemptThatWasNotWorthARetryIsNoFailureOfThePeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		declined := errors.New("card declined")
		for range 20 {
			play(t.Context(), board, retry.AttemptFailed{MethodRef: charge, Attempt: 1, Err: declined, Final: true, Session: 64},
				retry.Failed{MethodRef: charge, Attempts: 1, Err: declined, Session: 64})
		}
		s, m := look(t, board.Handler(nil), "CardGateway@Charge")
		got := s.Methods[0]
		require.Zero(t, got.AttemptFailureShare)
		require.Equal(t, 20., got.AttemptRate)
		require.Equal(t, 1., got.ErrorShare)
		require.Empty(t, got.LastError)
		require.Zero(t, got.FailingSince)
		require.Empty(t, s.Incidents)
		require.Equal(t, "card declined", m.Errors[0].Text, "what callers get is told all the same")
		require.Equal(t, "card declined", m.Sessions[0].Attempts[0].Error)
	})
}

// The figures of calls at the same time, in many goroutines, are those of one after the other.
func TestNothingIsLostAmongManyCallsAtTheSameTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		for g := range 50 {
			go func() {
				for range 20 {
					for range 10 {
						board.On(t.Context(), retry.Succeeded{MethodRef: charge, Attempts: 1, Session: retry.SessionID(g << 13)})
					}
					time.Sleep(100 * time.Millisecond)
				}
			}()
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		require.Equal(t, 50*20*10, one(t, board).Calls)
		_, m := look(t, board.Handler(nil), "CardGateway@Charge")
		require.Equal(t, []int{5000, 5000, 0}, []int{m.Series[0].Calls, m.Series[1].Calls, m.Series[2].Calls})
	})
}

func TestLimitsBeyondFifteenAreCountedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		for i := range 40 {
			play(t.Context(), board, isRejected("gate"+string(rune('A'+i)), false))
		}
		refused := one(t, board).Refused
		require.Len(t, refused, 16)
		require.Equal(t, 1., refused["gateA"])
		require.Equal(t, 25., refused["other"])
	})
}
