package dashboard_test

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
)

func TestRatesAreOfTheLastTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		time.Sleep(time.Minute)
		rate := func() float64 { return one(t, board).Rate }
		tenCalls := func() {
			for range 10 {
				play(t.Context(), board, ok(0))
			}
		}
		tenCalls()
		require.Equal(t, 1., rate())
		time.Sleep(time.Second)
		require.Equal(t, 1., rate())
		for range 14 {
			tenCalls()
			time.Sleep(time.Second)
		}
		require.Equal(t, 10., rate())
		tenCalls()
		time.Sleep(500 * time.Millisecond)
		require.Equal(t, hundredths(110/10.5), rate(), "ten whole seconds, and half of the present one")
		time.Sleep(4500 * time.Millisecond)
		require.Equal(t, 6., rate(), "five seconds have passed without a call, and six are left of those with")
		time.Sleep(5 * time.Second)
		require.Equal(t, 1., rate())
		time.Sleep(time.Second)
		require.Zero(t, rate())
		require.Equal(t, 160, one(t, board).Calls)
	})
}

func hundredths(x float64) float64 { return math.Round(x*100) / 100 }

func TestRatesOfAYoungDashboardAreOfItsAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		for range 5 {
			play(t.Context(), board, ok(0))
		}
		time.Sleep(200 * time.Millisecond)
		require.Equal(t, 5., one(t, board).Rate, "at least a second")
		time.Sleep(2300 * time.Millisecond)
		require.Equal(t, 2., one(t, board).Rate)
	})
}

func TestSecondsBeginWhereTheWallsDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(700 * time.Millisecond)
		board := dashboard.New()
		play(t.Context(), board, ok(0))
		time.Sleep(299 * time.Millisecond)
		play(t.Context(), board, ok(0))
		time.Sleep(time.Millisecond)
		play(t.Context(), board, ok(0))
		time.Sleep(time.Second)
		_, m := look(t, board.Handler(nil), "CardGateway@Charge")
		require.Equal(t, []point{{T: time.Now().Unix() - 2, Calls: 2, Attempts: 2}, {T: time.Now().Unix() - 1, Calls: 1, Attempts: 1}}, without(m.Series))
	})
}

// without are points without percentiles.
func without(all []point) []point {
	for i := range all {
		all[i].P50Ms, all[i].P95Ms = 0, 0
	}
	return all
}
