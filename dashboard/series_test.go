package dashboard_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

func TestTheSeriesTellsWhatHappenedInEachSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		begin := time.Now().Unix()
		play(t.Context(), board, ok(0), ok(0))
		time.Sleep(time.Second)
		play(t.Context(), board, attemptFails(1), retries(2))
		time.Sleep(time.Second)
		play(t.Context(), board, attemptFails(2), isExhausted(2, "budget"), fallsBack())
		time.Sleep(2 * time.Second)
		play(t.Context(), board, isRejected("circuitBreaker", false), isRejected("circuitBreaker", true), fallbackFails())
		play(t.Context(), board, attemptFails(1), isAborted(2))
		time.Sleep(time.Second)
		play(t.Context(), board, ok(0)) // the present second is not told

		_, m := look(t, board.Handler(nil), "CardGateway@Charge")
		require.Equal(t, []point{
			{T: begin, Calls: 2, Attempts: 2},
			{T: begin + 1, Attempts: 1, Failed: 1},
			{T: begin + 2, Calls: 1, Fallbacks: 1, Attempts: 1, Failed: 1, Retries: 1, Refused: 1},
			{T: begin + 3},
			{T: begin + 4, Calls: 3, Errors: 3, Attempts: 2, Failed: 2, Retries: 1, Refused: 2},
		}, without(m.Series))
	})
}

func TestTheSeriesIsOfTwoMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		for i := range 300 {
			for range i {
				play(t.Context(), board, ok(0))
			}
			time.Sleep(time.Second)
		}
		now := time.Now().Unix()
		series := func() []point {
			_, m := look(t, board.Handler(nil), "CardGateway@Charge")
			return m.Series
		}
		all := series()
		require.Len(t, all, 120)
		for i, p := range all {
			require.Equal(t, now-120+int64(i), p.T)
			require.Equal(t, 180+i, p.Calls)
		}
		time.Sleep(time.Minute) // in which nothing happens
		all = series()
		require.Len(t, all, 120)
		require.Equal(t, 299, all[59].Calls)
		require.Equal(t, point{T: now}, all[60])
		time.Sleep(time.Hour)
		play(t.Context(), board, ok(0))
		for _, p := range series() {
			require.Zero(t, p.Calls, "what is an hour old is not told as if it were of now")
		}
	})
}

// A fallback may take its time. It belongs to the call that it made good, and that was told as an error meanwhile.
func TestAFallbackMakesGoodTheSecondInWhichItsCallEnded(t *testing.T) {
	for _, took := range []time.Duration{0, 500 * time.Millisecond, 3 * time.Second, 30 * time.Second} {
		for _, begins := range []retry.Event{isExhausted(1, "maxAttempts"), isRejected("circuitBreaker", true)} {
			synctest.Test(t, func(t *testing.T) {
				board := dashboard.New()
				h := board.Handler(nil)
				play(t.Context(), board, begins)
				errors := func() int {
					_, m := look(t, h, "CardGateway@Charge")
					return m.Series[0].Errors
				}
				time.Sleep(took)
				if took > time.Second {
					require.Equal(t, 1, errors())
				}
				play(t.Context(), board, fallsBack())
				require.Equal(t, took < 10*time.Second, one(t, board).FallbackRate > 0)
				require.Zero(t, one(t, board).ErrorShare)
				time.Sleep(time.Second)
				_, m := look(t, h, "CardGateway@Charge")
				require.Equal(t, 1, m.Series[0].Fallbacks)
				require.Zero(t, errors())
				for _, p := range m.Series[1:] {
					require.Zero(t, p.Fallbacks)
				}
				require.Equal(t, "succeeded", m.Sessions[0].Fallback)
			})
		}
	}
}

// Whoever hears of a fallback alone, because it began to listen late, counts it all the same.
func TestAFallbackOfNothingIsCountedNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		play(t.Context(), board, fallsBack())
		got := one(t, board)
		require.Equal(t, 1., got.FallbackRate)
		require.Zero(t, got.ErrorShare)
		play(t.Context(), board, fails(1))
		require.Zero(t, one(t, board).ErrorShare, "there are never fewer errors than none")
	})
}

func TestAMethodThatWasNeverCalledHasNothingToShow(t *testing.T) {
	w := get(dashboard.New().Handler(nil), "/state?method=Nobody%40Home")
	require.Contains(t, w.Body.String(), `"method":{"ref":"Nobody@Home","series":[],"sessions":[],"errors":[]}`)
	require.NotContains(t, get(dashboard.New().Handler(nil), "/state").Body.String(), `"method"`)
}
