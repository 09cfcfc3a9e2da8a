package dashboard_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

// ends are those of sessions, newest first.
func ends(all []session) (ends []string) {
	for _, s := range all {
		ends = append(ends, s.End)
	}
	return ends
}

func TestSessionsThatFailedAreKeptInPreference(t *testing.T) {
	second := func(board *dashboard.Dashboard, events ...retry.Event) {
		for range 30 {
			for range 5 {
				play(t.Context(), board, events...)
			}
			time.Sleep(time.Second)
		}
	}
	count := func(all []session, end string) (n int) {
		for _, e := range ends(all) {
			if e == end {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		keep                        int
		what                        []retry.Event // in this order; of each there are plenty
		succeeded, rejected, failed int
	}{
		{20, []retry.Event{ok(0)}, 20, 0, 0},
		{20, []retry.Event{isRejected("quota", false)}, 0, 20, 0},
		{20, []retry.Event{fails(1)}, 0, 0, 20},
		{20, []retry.Event{fails(1), ok(0)}, 5, 0, 15},
		{20, []retry.Event{ok(0), fails(1)}, 5, 0, 15},
		{20, []retry.Event{fails(1), isRejected("quota", false), ok(0)}, 5, 5, 10},
		{20, []retry.Event{ok(0), isRejected("quota", false), fails(1)}, 5, 5, 10},
		{20, []retry.Event{ok(0), isRejected("quota", false)}, 5, 15, 0},
		{2, []retry.Event{ok(0), isRejected("quota", false), fails(1)}, 1, 0, 1},
		{1, []retry.Event{ok(0), isRejected("quota", false), fails(1)}, 0, 0, 1},
		{1, []retry.Event{ok(0), isRejected("quota", false)}, 1, 0, 0},
		{0, []retry.Event{ok(0), isRejected("quota", false), fails(1)}, 0, 0, 0},
		{-1, []retry.Event{ok(0), fails(1)}, 0, 0, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			board := dashboard.New(dashboard.WithSessions(c.keep))
			for _, e := range c.what {
				second(board, e)
			}
			_, m := look(t, board.Handler(nil), "CardGateway@Charge")
			got := []int{count(m.Sessions, "succeeded"), count(m.Sessions, "rejected"), count(m.Sessions, "failed")}
			require.Equal(t, []int{c.succeeded, c.rejected, c.failed}, got, "%d of %v", c.keep, c.what)
			for i := 1; i < len(m.Sessions); i++ {
				newer, older := m.Sessions[i-1], m.Sessions[i]
				require.GreaterOrEqual(t, newer.At, older.At, "newest first")
			}
		})
	}
}

func TestThereMayBeRoomForMoreSessionsThanEverCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New(dashboard.WithSessions(math.MaxInt))
		for range 100 {
			play(t.Context(), board, ok(0), fails(1), isRejected("quota", false))
			time.Sleep(time.Second)
		}
		_, m := look(t, board.Handler(nil), "CardGateway@Charge")
		require.Len(t, m.Sessions, 300)
	})
}

func TestOfPlainSuccessesOneInASecondIsASample(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		for i := range 4 {
			for k := range 100 {
				board.On(t.Context(), retry.Succeeded{MethodRef: charge, Attempts: 1, Elapsed: time.Duration(k) * time.Millisecond, Session: retry.SessionID(k << 13)})
				look(t, board.Handler(nil), "") // whoever looks takes none of them away
			}
			if i < 3 {
				time.Sleep(time.Second)
			}
		}
		_, m := look(t, board.Handler(nil), "CardGateway@Charge")
		require.Equal(t, []string{"succeeded", "succeeded", "succeeded", "succeeded"}, ends(m.Sessions))
	})
}

func TestErrorsAreTheLastDifferentOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		fail := func(text string, n int) int64 {
			for range n {
				play(t.Context(), board, retry.AttemptFailed{MethodRef: charge, Attempt: 1, Err: errors.New(text), Session: 64})
				time.Sleep(time.Second)
			}
			return ms(time.Now()) - 1000
		}
		errorsNow := func() []errorCount {
			_, m := look(t, board.Handler(nil), "CardGateway@Charge")
			return m.Errors
		}
		a := fail("a", 3)
		b := fail("b", 2)
		require.Equal(t, []errorCount{{b, "b", 2}, {a, "a", 3}}, errorsNow())
		a = fail("a", 1)
		require.Equal(t, []errorCount{{a, "a", 4}, {b, "b", 2}}, errorsNow())
		for i := range 7 {
			fail(fmt.Sprint(i), 1)
		}
		require.Len(t, errorsNow(), 8)
		require.Equal(t, errorCount{a, "a", 4}, errorsNow()[7], "the one that has not come for the longest time is dropped")
		fail("b", 1)
		require.Len(t, errorsNow(), 8)
		require.Equal(t, 1, errorsNow()[0].Count, "and begins anew when it comes again")

		play(t.Context(), board, isExhausted(1, "budget"), fallbackFails())
		require.Equal(t, "fallback: no paper", errorsNow()[0].Text)
		require.Equal(t, "b", one(t, board).LastError, "the last error is the peer's")
		require.Equal(t, ms(time.Now())-1000, one(t, board).LastErrorAt)
	})
}
