package dashboard_test

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
)

// A second may begin with a failure and go on well; whoever looks then sees no more than that.
func TestASecondThatIsNotOverFailsNoMethodByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		h := board.Handler(nil)
		for range 5 {
			second{good: 30, bad: 10}.play(t, board)
			time.Sleep(time.Second)
		}
		for _, begins := range []second{{bad: 1}, {retried: 3}, {good: 6, bad: 14}} {
			begins.play(t, board)
			s, _ := look(t, h, "")
			require.Zero(t, s.Methods[0].FailingSince, "%+v", begins)
			second{good: 30}.play(t, board)
			time.Sleep(time.Second)
		}
		second{good: 5, bad: 15}.play(t, board)
		s, _ := look(t, h, "")
		require.Equal(t, ms(time.Now()), s.Methods[0].FailingSince, "this is plain")
	})
}

// A method that is called seldom, and whose every call needs a retry, is not well in between.
func TestAnIncidentOfAQuietMethodStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		h := board.Handler(nil)
		begin := ms(time.Now())
		for i := range 20 {
			second{retried: 1}.play(t, board)
			for range 20 {
				time.Sleep(time.Second)
				s, _ := look(t, h, "")
				if i < 9 {
					require.Empty(t, s.Incidents)
					continue
				}
				require.Len(t, s.Incidents, 1)
				require.Equal(t, begin, s.Incidents[0].Since)
			}
		}
	})
}

// Chance makes bad seconds and good ones. What operators see of it are methods that are well or failing, and seldom a change.
func TestChanceIsNoAlarm(t *testing.T) {
	for _, c := range []struct {
		name            string
		perSecond       int
		fails           float64 // of the attempts
		failing, atMost float64 // share of the time
		beginnings      int     // at most, in ten minutes
	}{
		{"well, and seldom called", 1, 0.05, 0, 0.02, 2},
		{"well", 10, 0.05, 0, 0, 0},
		{"well, with retries", 10, 0.15, 0, 0.02, 1},
		{"half", 10, 0.5, 0.95, 1, 2},
		{"bad, and seldom called", 1, 0.7, 0.95, 1, 2},
		{"nearly half", 10, 0.4, 0.9, 1, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				board, chance := dashboard.New(), rand.New(rand.NewPCG(1, 2))
				h := board.Handler(nil)
				var failing, beginnings int
				before := false
				for range 600 {
					at := chance.IntN(c.perSecond) // when somebody looks
					for i := range c.perSecond {
						attempt := 1
						for ; attempt < 3 && chance.Float64() < c.fails; attempt++ {
							play(t.Context(), board, attemptFails(attempt), retries(attempt+1))
						}
						play(t.Context(), board, okAfter(attempt))
						if i == at {
							s, _ := look(t, h, "")
							is := len(s.Incidents) > 0
							if is {
								failing++
							}
							if is && !before {
								beginnings++
							}
							before = is
						}
						time.Sleep(time.Second / time.Duration(c.perSecond))
					}
				}
				share := float64(failing) / 600
				require.GreaterOrEqual(t, share, c.failing)
				require.LessOrEqual(t, share, c.atMost)
				require.LessOrEqual(t, beginnings, c.beginnings)
			})
		})
	}
}
