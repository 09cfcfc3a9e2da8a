package dashboard_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

// second is what is tried in one: n attempts that succeed, n that fail, n calls that are rejected.
type second struct{ good, bad, rejected int }

func (s second) play(t *testing.T, board *dashboard.Dashboard) {
	for range s.good {
		play(t.Context(), board, ok(0))
	}
	for range s.bad {
		play(t.Context(), board, attemptFails(1), fails(1))
	}
	for range s.rejected {
		play(t.Context(), board, isRejected("circuitBreaker", false))
	}
}

// Each row is a second after the other, of a method that is looked at afterwards.
func TestAMethodIsFailingFromItsFirstBadSecondOn(t *testing.T) {
	healthy, down, quiet := second{good: 10}, second{bad: 10}, second{}
	repeat := func(n int, s second) (all []second) {
		for range n {
			all = append(all, s)
		}
		return all
	}
	then := func(all ...[]second) (seconds []second) {
		for _, s := range all {
			seconds = append(seconds, s...)
		}
		return seconds
	}
	for _, c := range []struct {
		name     string
		seconds  []second
		since    int // in seconds since the beginning; -1: it is well
		incident bool
	}{
		{"nothing", nil, -1, false},
		{"healthy", repeat(5, healthy), -1, false},
		{"down from the start", repeat(5, down), 0, true},
		{"down after a while", then(repeat(5, healthy), repeat(3, down)), 5, true},
		{"half", then(repeat(2, healthy), repeat(3, second{5, 5, 0})), 2, true},
		{"less than half", repeat(5, second{6, 5, 0}), -1, false},
		{"rejected", then(repeat(2, healthy), repeat(3, second{rejected: 10})), 2, true},
		{"half rejected", then(repeat(2, healthy), repeat(3, second{10, 0, 10})), 2, true},
		{"less than half rejected", repeat(5, second{11, 0, 10}), -1, false},
		{"together they are half", then(repeat(2, healthy), repeat(3, second{10, 5, 5})), 2, true},
		{"one good second", then(repeat(3, down), repeat(1, healthy)), 0, true},
		{"one good second between bad ones", then(repeat(3, down), repeat(1, healthy), repeat(3, down)), 0, true},
		{"every other second", then(repeat(1, down), repeat(1, healthy), repeat(1, down), repeat(1, healthy), repeat(1, down)), 0, true},
		{"two good seconds", then(repeat(3, down), repeat(2, healthy)), -1, false},
		{"two good seconds between bad ones", then(repeat(3, down), repeat(2, healthy), repeat(2, down)), 5, true},
		{"good seconds with a pause", then(repeat(3, down), repeat(1, healthy), repeat(5, quiet), repeat(1, healthy)), -1, false},
		{"a pause", then(repeat(3, down), repeat(8, quiet), repeat(3, down)), 0, true},
		{"quiet since", then(repeat(3, down), repeat(9, quiet)), 0, true},
		{"a call", repeat(1, second{bad: 1}), 0, false},
		{"a call, and quiet since", then(repeat(1, second{bad: 1}), repeat(9, quiet)), 0, false},
		{"a call, some time ago", then(repeat(1, second{bad: 1}), repeat(10, quiet)), -1, false},
		{"two calls", then(repeat(1, second{bad: 1}), repeat(30, quiet), repeat(1, second{bad: 1})), 0, true},
		{"two calls, and quiet since", then(repeat(1, second{bad: 1}), repeat(30, quiet), repeat(1, second{bad: 1}), repeat(59, quiet)), 0, true},
		{"two calls, some time ago", then(repeat(1, second{bad: 1}), repeat(30, quiet), repeat(1, second{bad: 1}), repeat(60, quiet)), -1, false},
		{"two calls long apart", then(repeat(1, second{bad: 1}), repeat(60, quiet), repeat(1, second{bad: 1})), 61, false},
		{"nine failures at once", repeat(1, second{bad: 9}), 0, false},
		{"ten failures at once", repeat(1, second{bad: 10}), 0, true},
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
				want := int64(0)
				if c.since >= 0 {
					want = ms(begin.Add(time.Duration(c.since) * time.Second))
				}
				require.Equal(t, want, s.Methods[0].FailingSince)
				if c.incident {
					require.Len(t, s.Incidents, 1)
					require.Equal(t, want, s.Incidents[0].Since)
				} else {
					require.Empty(t, s.Incidents)
				}
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
