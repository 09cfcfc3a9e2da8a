package dashboard

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/retry"
)

// Only from inside can a clock be set apart from the wall's.

// set is a dashboard an hour old, whose wall's clock has been moved since by so much.
func set(by time.Duration) *Dashboard {
	d := New()
	d.clock.unix -= int64(by)
	time.Sleep(time.Hour)
	return d
}

var gateway = retry.MethodRef{Class: "CardGateway", Method: "Charge"}

func TestTimesAreThoseOfTheWallHoweverItIsSet(t *testing.T) {
	for _, by := range []time.Duration{0, 8 * time.Hour, -8 * time.Hour, 1700 * time.Millisecond, -time.Second, -40 * 365 * 24 * time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			d := set(by)
			h := d.Handler(nil).(*handler)
			about := func(want time.Time, got int64) {
				t.Helper()
				require.InDelta(t, want.UnixMilli(), got, 500)
			}
			began := time.Now()
			for range 10 {
				d.On(t.Context(), retry.AttemptFailed{MethodRef: gateway, Attempt: 1, Err: errors.New("503"), Session: 64})
				d.On(t.Context(), retry.Exhausted{MethodRef: gateway, Limit: "maxAttempts", Attempts: 1, Session: 64})
			}
			time.Sleep(3 * time.Second)

			var text bytes.Buffer
			h.snapshot().write(&text, sent{})
			var s struct {
				stateHead
				stateTail
				Methods []summaryJSON
			}
			require.NoError(t, json.Unmarshal(text.Bytes(), &s))
			about(time.Now(), s.Now)
			about(began.Add(-time.Hour), s.Started)
			require.Len(t, s.Methods, 1)
			about(began, s.Methods[0].LastErrorAt)
			require.Len(t, s.Incidents, 1)
			require.InDelta(t, began.UnixMilli(), s.Incidents[0].Since, 1000, "the second in which it began")

			detail := d.detail(gateway.String())
			about(began, detail.Errors[0].At)
			about(began, detail.Sessions[0].At)
			var calls []int64
			for _, p := range detail.Series {
				if p.Calls > 0 {
					calls = append(calls, p.T)
				}
			}
			require.Len(t, calls, 1)
			require.InDelta(t, began.Unix(), calls[0], 1)
		})
	}
}

// Two readings of two clocks are never quite of one time. What is told does not change with that.
func TestLessThanASecondIsNotTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock
		for _, step := range []struct {
			by   time.Duration
			told time.Duration
		}{
			{0, 0}, {999 * time.Millisecond, 0}, {-999 * time.Millisecond, 0}, {time.Second, time.Second}, {2*time.Second - 1, time.Second},
			{1, time.Second}, {0, 0}, {1600 * time.Millisecond, 2 * time.Second}, {1400 * time.Millisecond, 2 * time.Second}, {-3 * time.Second, -3 * time.Second},
		} {
			now := time.Now()
			c.start, c.unix = now, now.UnixNano()-int64(step.by)
			require.Equal(t, int64(step.told), c.wallAhead(), step.by)
		}
	})
}

// The state of a breaker is dated by the wall's clock.
func TestABreakerThatOpenedBeforeIsDatedAlike(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := set(8 * time.Hour)
		policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Hour})
		retry.BreakerOf(policy).ForceOpen()
		opened := time.Now()
		time.Sleep(time.Minute)
		at := d.moment()
		status := retry.BreakerOf(policy).Status()
		all := d.breakersOf(nothing{}, []retry.BreakerStatus{status}, &at)
		require.Equal(t, opened.UnixMilli(), at.milliseconds(all[0].trouble))
	})
}

// Those who have waited while a slow source answered somebody else do not have it asked again, each after the other.
func TestWhoHasWaitedForASnapshotTakesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := New().Handler(nil).(*handler)
		asked := h.board.clock.now()
		time.Sleep(50 * time.Millisecond)
		one := h.recent(h.board.clock.now())
		time.Sleep(5 * time.Second)
		require.Same(t, one, h.recent(asked), "made after it was asked for")
		require.Same(t, one, h.recent(asked+int64(150*time.Millisecond)))
		require.NotSame(t, one, h.recent(asked+int64(151*time.Millisecond)))
	})
}
