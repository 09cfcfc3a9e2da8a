package dashboard_test

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

func TestPercentiles(t *testing.T) {
	times := func(n int, d time.Duration) (all []time.Duration) {
		for range n {
			all = append(all, d)
		}
		return all
	}
	for _, c := range []struct {
		name     string
		took     []time.Duration
		p50, p95 float64 // in milliseconds
	}{
		{"one", times(1, 20*time.Millisecond), 20, 20},
		{"all alike", times(1000, 480*time.Millisecond), 480, 480},
		{"one in ten slow", append(times(90, 20*time.Millisecond), times(10, 2*time.Second)...), 20, 2000},
		{"one in thirty slow", append(times(97, 20*time.Millisecond), times(3, 2*time.Second)...), 20, 20},
		{"half of two", []time.Duration{time.Millisecond, time.Second}, 1, 1000},
		{"quick", times(10, 60*time.Microsecond), 0.06, 0.06},
		{"too quick to tell", times(10, time.Nanosecond), 0, 0},
		{"nothing", times(10, 0), 0, 0},
		{"less than nothing", times(10, -time.Hour), 0, 0},
		{"a minute", times(10, time.Minute), 60_000, 60_000},
		{"longer than is told apart", times(10, time.Hour), 125_000, 125_000},
		{"the longest", times(10, math.MaxInt64), 125_000, 125_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				board := dashboard.New()
				for i, d := range c.took {
					board.On(t.Context(), retry.Succeeded{MethodRef: charge, Attempts: 1, Elapsed: d, Session: retry.SessionID(i << 13)})
				}
				near := func(want, got float64) { require.InDelta(t, want, got, want/8+0.005) }
				got := one(t, board)
				near(c.p50, got.P50Ms)
				near(c.p95, got.P95Ms)
				time.Sleep(time.Second)
				_, m := look(t, board.Handler(nil), "CardGateway@Charge")
				near(c.p50, m.Series[0].P50Ms)
				near(c.p95, m.Series[0].P95Ms)
				time.Sleep(10 * time.Second)
				require.Zero(t, one(t, board).P95Ms)
			})
		})
	}
}

func TestEveryLatencyIsToldWithinAnEighth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for d := 100 * time.Microsecond; d < 2*time.Minute; d += d / 37 {
			board := dashboard.New()
			board.On(t.Context(), retry.Succeeded{MethodRef: charge, Attempts: 1, Elapsed: d})
			want := float64(d) / float64(time.Millisecond)
			require.InDelta(t, want, one(t, board).P50Ms, want/8+0.005)
		}
	})
}

func TestCallsThatWereRejectedAreNotInPercentiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		play(t.Context(), board, retry.Failed{MethodRef: charge, Attempts: 1, Err: err503, Elapsed: time.Second, Session: 64})
		for range 100 {
			play(t.Context(), board, isRejected("circuitBreaker", false))
		}
		require.InDelta(t, 1000, one(t, board).P50Ms, 120)
	})
}

// Percentiles are of proportions, and those are the same however many calls there are.
func TestASecondMayHaveMoreCallsThanABucketHolds(t *testing.T) {
	slow, quick := ok(2*time.Second), ok(20*time.Millisecond)
	for _, looks := range []int{-1, 40_000} { // who looks moves what there is to where the rest will come
		for _, c := range []struct {
			every int // is slow
			p95   float64
		}{{25, 20}, {17, 2000}} {
			synctest.Test(t, func(t *testing.T) {
				board := dashboard.New()
				for i := range 150_000 {
					if i%c.every == 0 {
						board.On(t.Context(), slow)
					} else {
						board.On(t.Context(), quick)
					}
					if i == looks {
						one(t, board)
					}
				}
				near := func(p50, p95 float64) {
					t.Helper()
					require.InDelta(t, 20, p50, 2.5)
					require.InDelta(t, c.p95, p95, c.p95/8)
				}
				got := one(t, board)
				require.Equal(t, 150_000, got.Calls)
				near(got.P50Ms, got.P95Ms)
				time.Sleep(time.Second)
				_, m := look(t, board.Handler(nil), "CardGateway@Charge")
				require.Equal(t, 150_000, m.Series[0].Calls)
				near(m.Series[0].P50Ms, m.Series[0].P95Ms)
			})
		}
	}
}
