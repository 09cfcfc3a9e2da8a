package dashboard_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

// A number may belong to another session once the one that had it is over, and nobody has to say that no fallback comes.
func TestANumberThatIsGivenAgainBeginsAnotherSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		play(t.Context(), board, attemptFails(1), isExhausted(1, "budget"))
		time.Sleep(time.Second)
		play(t.Context(), board, attemptFails(1), retries(2), okAfter(2))
		play(t.Context(), board, fallsBack()) // nobody's
		_, m := look(t, board.Handler(nil), "CardGateway@Charge")
		require.Equal(t, []string{"succeeded", "exhausted"}, ends(m.Sessions))
		for _, s := range m.Sessions {
			require.Empty(t, s.Fallback)
		}
	})
}

// Whoever begins to listen in the midst of a session hears only its end.
func TestASessionWhoseBeginningWasNotHeardHasNoTimeline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		play(t.Context(), board, attemptFails(3), retries(4), attemptFails(4), isExhausted(4, "maxAttempts"))
		_, m := look(t, board.Handler(nil), "CardGateway@Charge")
		require.Equal(t, []session{{
			At: ms(time.Now()), End: "exhausted", Limit: "maxAttempts", Error: text503, Made: 4, Attempts: []attempt{}, Waits: []wait{},
		}}, m.Sessions)
		require.Equal(t, 2., one(t, board).AttemptRate)

		time.Sleep(time.Second)
		play(t.Context(), board, attemptFails(3), isAborted(3))
		_, m = look(t, board.Handler(nil), "CardGateway@Charge")
		require.Equal(t, session{
			At: ms(time.Now()), End: "aborted", Error: "panic or runtime.Goexit", Made: 3, Attempts: []attempt{}, Waits: []wait{},
		}, m.Sessions[0])
	})
}

// The events of a source that numbers no sessions are counted, and nothing is put together that may not belong together.
func TestSessionsWithoutANumberHaveNoTimeline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		for range 3 {
			play(t.Context(), board, retry.AttemptFailed{MethodRef: charge, Attempt: 1, Err: err503}, retry.RetryScheduled{MethodRef: charge, Attempt: 2, Wait: time.Second})
		}
		play(t.Context(), board, retry.Exhausted{MethodRef: charge, Limit: "budget", Attempts: 2, Err: err503}, retry.FallbackSucceeded{MethodRef: charge})
		_, m := look(t, board.Handler(nil), "CardGateway@Charge")
		require.Equal(t, []session{{
			At: ms(time.Now()), End: "exhausted", Limit: "budget", Error: text503, Made: 2, Attempts: []attempt{}, Waits: []wait{},
		}}, m.Sessions)
		require.Equal(t, 1., one(t, board).FallbackRate)
	})
}

func TestSessionsUnderWayAreFollowedUpToANumber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New(dashboard.WithSessions(20_000))
		const n = 20_000
		for i := range n {
			play(t.Context(), board, retry.AttemptFailed{MethodRef: charge, Attempt: 1, Err: err503, Session: retry.SessionID(1+i) << 7})
		}
		for i := range n {
			play(t.Context(), board, retry.Succeeded{MethodRef: charge, Attempts: 2, Session: retry.SessionID(1+i) << 7})
		}
		_, m := look(t, board.Handler(nil), "CardGateway@Charge")
		followed := 0
		for _, s := range m.Sessions {
			if len(s.Attempts) > 0 {
				followed++
			}
		}
		require.LessOrEqual(t, followed, 8192)
		require.Greater(t, followed, 7500)
		require.Equal(t, n, one(t, board).Calls, "the others are counted all the same")

		for i := range n { // nothing is left of them
			play(t.Context(), board, retry.AttemptFailed{MethodRef: charge, Attempt: 1, Err: err503, Session: retry.SessionID(1+i) << 7}, okAfterOf(retry.SessionID(1+i)<<7))
		}
		_, m = look(t, board.Handler(nil), "CardGateway@Charge")
		for _, s := range m.Sessions[:n] {
			require.Len(t, s.Attempts, 2)
		}
	})
}

func okAfterOf(id retry.SessionID) retry.Event {
	return retry.Succeeded{MethodRef: charge, Attempts: 2, Session: id}
}

// Nobody tells that no fallback comes, so those that may have one are remembered up to a number.
func TestEndedSessionsAreRememberedForTheirFallbacksUpToANumber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 6000
		board := dashboard.New(dashboard.WithSessions(n))
		id := func(i int) retry.SessionID { return retry.SessionID(1+i) << 7 }
		for i := range n {
			play(t.Context(), board,
				retry.AttemptFailed{MethodRef: charge, Attempt: 1, Err: err503, Session: id(i)},
				retry.Exhausted{MethodRef: charge, Limit: "budget", Attempts: 1, Err: err503, Session: id(i)})
		}
		for i := range n {
			play(t.Context(), board, retry.FallbackSucceeded{MethodRef: charge, Cause: err503, Session: id(i)})
		}
		_, m := look(t, board.Handler(nil), "CardGateway@Charge")
		remembered := 0
		for _, s := range m.Sessions {
			if s.Fallback == "succeeded" {
				remembered++
			}
		}
		require.LessOrEqual(t, remembered, 4096)
		require.Greater(t, remembered, 3700)
		require.Equal(t, "succeeded", m.Sessions[0].Fallback, "the last ones are")
		require.Zero(t, one(t, board).ErrorShare, "they are counted all the same")
	})
}

// Whoever ends twice is remembered from the second time on.
func TestASessionThatEndedLatelyIsRememberedWhateverItsNumberWasBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		others := func(from, n int) {
			for i := range n {
				play(t.Context(), board, retry.Exhausted{MethodRef: refund, Limit: "budget", Attempts: 1, Err: err503, Session: retry.SessionID(from+i) << 7})
			}
		}
		play(t.Context(), board, isExhausted(1, "budget"))
		others(1, 3000)
		play(t.Context(), board, isExhausted(1, "budget"))
		others(3001, 2000)
		play(t.Context(), board, fallsBack())
		_, m := look(t, board.Handler(nil), "CardGateway@Charge")
		require.Equal(t, []string{"succeeded", ""}, []string{m.Sessions[0].Fallback, m.Sessions[1].Fallback})
	})
}
