package dashboard_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

// second is what is tried in one: so many attempts that succeed, calls that fail, calls that a retry makes good, calls that are
// rejected.
type second struct{ good, bad, retried, rejected int }

func (s second) play(t *testing.T, board *dashboard.Dashboard) {
	for range s.good {
		play(t.Context(), board, ok(0))
	}
	for range s.bad {
		play(t.Context(), board, attemptFails(1), fails(1))
	}
	for range s.retried {
		play(t.Context(), board, attemptFails(1), retries(2), okAfter(2))
	}
	for range s.rejected {
		play(t.Context(), board, isRejected("circuitBreaker", false))
	}
}

// seconds are those of several lists, one after the other.
func seconds(lists ...[]second) []second { return slices.Concat(lists...) }

// Each row is a second after the other, of a method that is looked at afterwards.
func TestAMethodIsFailingFromItsFirstBadSecondOn(t *testing.T) {
	healthy, down, quiet, wavering := second{good: 10}, second{bad: 10}, second{}, second{good: 7, bad: 3}
	call, retried := second{bad: 1}, second{retried: 1}
	repeat := func(n int, all ...second) []second { return slices.Repeat(all, n) }
	const well = -1
	for _, c := range []struct {
		name    string
		seconds []second
		since   int // in seconds since the beginning
	}{
		{"nothing", nil, well},
		{"healthy", repeat(5, healthy), well},
		{"down from the start", repeat(5, down), 0},
		{"down after a while", seconds(repeat(5, healthy), repeat(3, down)), 5},
		{"half", seconds(repeat(2, healthy), repeat(3, second{good: 5, bad: 5})), 2},
		{"less than half", repeat(5, second{good: 6, bad: 5}), well},
		{"rejected", seconds(repeat(2, healthy), repeat(3, second{rejected: 10})), 2},
		{"half rejected", seconds(repeat(2, healthy), repeat(3, second{good: 10, rejected: 10})), 2},
		{"less than half rejected", repeat(5, second{good: 11, rejected: 10}), well},
		{"together they are half", seconds(repeat(2, healthy), repeat(3, second{good: 10, bad: 5, rejected: 5})), 2},

		{"four good seconds", seconds(repeat(3, down), repeat(4, healthy)), 0},
		{"four good seconds between bad ones", seconds(repeat(3, down), repeat(4, healthy), repeat(1, down), repeat(4, healthy)), 0},
		{"every other second", seconds(repeat(3, down, healthy), repeat(1, down)), 0},
		{"five good seconds", seconds(repeat(3, down), repeat(5, healthy)), well},
		{"five good seconds between bad ones", seconds(repeat(3, down), repeat(5, healthy), repeat(2, down)), 8},
		{"good seconds with a pause", seconds(repeat(3, down), repeat(2, healthy), repeat(5, quiet), repeat(3, healthy)), well},
		{"a pause", seconds(repeat(3, down), repeat(8, quiet), repeat(3, down)), 0},
		{"quiet since", seconds(repeat(3, down), repeat(59, quiet)), 0},
		{"quiet for long", seconds(repeat(3, down), repeat(60, quiet)), well},

		{"a quarter is not good", seconds(repeat(3, down), repeat(5, second{good: 9, bad: 3})), 0},
		{"less than a quarter is", seconds(repeat(3, down), repeat(5, second{good: 10, bad: 3})), well},
		{"wavering", repeat(20, wavering), well},
		{"wavering since", seconds(repeat(3, down), repeat(59, wavering)), 0},
		{"wavering for long", seconds(repeat(3, down), repeat(60, wavering)), well},
		{"wavering among good seconds", seconds(repeat(3, down), repeat(4, healthy), repeat(1, wavering), repeat(4, healthy)), 0},

		{"a call", repeat(1, call), well},
		{"two calls", seconds(repeat(1, call), repeat(30, quiet), repeat(1, call)), 0},
		{"two calls, and quiet since", seconds(repeat(1, call), repeat(30, quiet), repeat(1, call), repeat(59, quiet)), 0},
		{"two calls, some time ago", seconds(repeat(1, call), repeat(30, quiet), repeat(1, call), repeat(60, quiet)), well},
		{"two calls long apart", seconds(repeat(1, call), repeat(60, quiet), repeat(1, call)), well},
		{"two calls, and one between that was well", seconds(repeat(1, call), repeat(1, second{good: 1}), repeat(1, call)), 0},
		{"two calls, and two between that were well", seconds(repeat(1, call), repeat(2, second{good: 1}), repeat(1, call)), well},
		{"two calls among more that were well", seconds(repeat(1, call), repeat(1, second{good: 3}), repeat(1, call)), well},
		{"nine failures at once", repeat(1, second{bad: 9}), well},
		{"ten failures at once", repeat(1, second{bad: 10}), 0},
		{"ten failures, and more that was well", seconds(repeat(1, second{bad: 9}), repeat(1, second{good: 20, bad: 1})), well},
		{"a retry here and there", repeat(5, retried, second{good: 1}), well},
		{"two retries", repeat(2, retried), well},
		{"nothing without a retry", repeat(9, retried), well},
		{"nothing without a retry, ten times", repeat(10, retried), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				board := dashboard.New()
				play(t.Context(), board, retry.Succeeded{MethodRef: charge, Attempts: 1, Session: 8})
				time.Sleep(time.Minute)
				begin := time.Now()
				for _, s := range c.seconds {
					s.play(t, board)
					time.Sleep(time.Second)
				}
				s, _ := look(t, board.Handler(nil), "")
				if c.since == well {
					require.Zero(t, s.Methods[0].FailingSince)
					require.Empty(t, s.Incidents)
					return
				}
				want := ms(begin.Add(time.Duration(c.since) * time.Second))
				require.Equal(t, want, s.Methods[0].FailingSince)
				require.Len(t, s.Incidents, 1, "who is failing is an incident")
				require.Equal(t, want, s.Incidents[0].Since)
			})
		})
	}
}

func TestAFailingIsSeenInTheSecondInWhichItBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		second{good: 100}.play(t, board)
		time.Sleep(5 * time.Second)
		second{bad: 10}.play(t, board)
		s, _ := look(t, board.Handler(nil), "")
		require.Equal(t, ms(time.Now()), s.Methods[0].FailingSince)
		require.Len(t, s.Incidents, 1)
	})
}

// A call that goes on for long fails more than once, and yet is one call.
func TestASingleCallThatFailedIsNoIncidentOnceItHasPassed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		chain := retry.With(retry.NewMaxAttempts(5)).Sleep(time.Second).Named("rates").Listen(board)
		require.Error(t, chain.Run(t.Context(), failing))
		s, _ := look(t, board.Handler(nil), "")
		require.Len(t, s.Incidents, 1, "while it fails it is one")
		time.Sleep(11 * time.Second)
		s, _ = look(t, board.Handler(nil), "")
		require.Empty(t, s.Incidents)
		require.Zero(t, s.Methods[0].FailingSince)
		require.Equal(t, 1, s.Methods[0].Calls)
	})
}
