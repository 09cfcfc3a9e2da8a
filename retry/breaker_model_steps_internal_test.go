package retry

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func drawBreakerSettings(t *rapid.T) (s BreakerSettings, percent int) {
	s.ResetTimeout = oneOf(t, "reset", time.Millisecond, time.Second, 10*time.Second)
	s.Probes = evenly(t, "probes", 0, 4)
	percent = evenly(t, "percent", 1, 100)
	ratios := func() {
		which := evenly(t, "ratios", 0, 2)
		if which != 1 {
			s.FailureRatio = float64(percent) / 100
		}
		if which != 0 {
			s.SlowCall, s.SlowRatio = time.Second, float64(percent)/100
		}
	}
	switch evenly(t, "kind", 0, 3) {
	case 1:
		s.Consecutive = evenly(t, "consecutive", 1, 4)
		s.MinCalls = evenly(t, "minCalls", 0, 6)
	case 2:
		s.Window = evenly(t, "window", 1, 12)
		s.MinCalls = evenly(t, "minCalls", 0, s.Window)
		s.Consecutive = evenly(t, "consecutive", 0, 4)
		ratios()
	case 3:
		s.WindowTime = oneOf(t, "windowTime", time.Millisecond, 5*time.Second)
		s.MinCalls = evenly(t, "minCalls", 0, 12)
		s.Consecutive = evenly(t, "consecutive", 0, 4)
		ratios()
	}
	return s, percent
}

func TestBreakerAgreesWithItsModel(t *testing.T) {
	for range 5 { // rapid makes a hundred checks
		rapid.Check(t, func(t *rapid.T) {
			s, percent := drawBreakerSettings(t)
			require.Empty(t, s.check())
			b := newBreaker("", s)
			m := newBreakerModel(s, percent)
			var told []transition
			b.subscribe(func(from, to BreakerState) { told = append(told, transition{from, to}) })
			at := oneOf[int64](t, "start", 0, -1e18, 1e18)
			var calls []*modelCall
			call := func(t *rapid.T) *modelCall {
				if len(calls) == 0 {
					t.Skip("no call")
				}
				// Mostly late ones, which are of this state.
				back := min(rapid.IntRange(0, 8).Draw(t, "call"), len(calls)-1)
				return calls[len(calls)-1-back]
			}

			enter := func(t *rapid.T) *modelCall {
				k, ok := b.enter(at)
				c := m.enter(at)
				require.Equal(t, c != nil, ok)
				if !ok {
					require.Zero(t, k)
					return nil
				}
				require.Equal(t, c.probe, k.isProbe())
				c.ticket = k
				calls = append(calls, c)
				return c
			}

			t.Repeat(map[string]func(*rapid.T){
				"time passes": func(t *rapid.T) {
					at += rapid.OneOf(
						rapid.Int64Range(0, int64(s.ResetTimeout)),
						rapid.Just(int64(s.ResetTimeout)),
						rapid.Int64Range(0, int64(s.WindowTime)/3),
					).Draw(t, "ns")
					at = min(at, 1<<61)
				},
				"clock goes back": func(t *rapid.T) {
					at -= rapid.OneOf(
						rapid.Int64Range(0, int64(s.ResetTimeout)),
						rapid.Int64Range(0, 2*int64(time.Minute)),
					).Draw(t, "ns")
					at = max(at, -1<<61)
				},
				"clock is another": func(t *rapid.T) {
					if seldom(t, "really") {
						at = rapid.Int64Range(-1<<61, 1<<61).Draw(t, "at")
					}
				},
				"enter": func(t *rapid.T) {
					for range evenly(t, "n", 1, 5) {
						enter(t)
					}
				},
				"outage": func(t *rapid.T) {
					for range 12 {
						if c := enter(t); c != nil {
							b.record(c.ticket, failure, time.Hour, at)
							m.record(c, failure, time.Hour, at)
							b.exhausted(c.ticket, at)
							m.exhausted(c, at)
						}
					}
					at += int64(s.ResetTimeout)
				},
				"readmit": func(t *rapid.T) {
					c := call(t)
					k, ok := b.readmit(c.ticket, at)
					if m.isOut(c) {
						require.True(t, ok)
						require.Equal(t, c.ticket, k)
						return
					}
					again := m.enter(at)
					require.Equal(t, again != nil, ok)
					if ok {
						require.Equal(t, again.probe, k.isProbe())
						require.Equal(t, !again.probe && c.changes == again.changes, k == c.ticket)
						again.ticket = k
						calls = append(calls, again)
					}
				},
				"record": func(t *rapid.T) {
					c := call(t)
					for range rapid.IntRange(1, 5).Draw(t, "n") {
						o := rapid.SampledFrom([]outcome{neutral, success, success, failure, failure}).Draw(t, "outcome")
						d := rapid.SampledFrom([]time.Duration{0, time.Second, time.Second + 1}).Draw(t, "duration")
						b.record(c.ticket, o, d, at)
						m.record(c, o, d, at)
					}
				},
				"exhausted": func(t *rapid.T) {
					c := call(t)
					b.exhausted(c.ticket, at)
					m.exhausted(c, at)
				},
				"leave": func(t *rapid.T) {
					c := call(t)
					b.leave(c.ticket, at)
					if c.probe {
						m.record(c, neutral, 0, at)
					}
				},
				"operator": func(t *rapid.T) {
					states := []BreakerState{BreakerForceOpen, BreakerForceClosed, BreakerMetricsOnly, BreakerClosed, BreakerClosed}
					to := rapid.SampledFrom(states).Draw(t, "to")
					map[BreakerState]func(){
						BreakerForceOpen:   b.ForceOpen,
						BreakerForceClosed: b.ForceClose,
						BreakerMetricsOnly: b.MetricsOnly,
						BreakerClosed:      b.Reset,
					}[to]()
					m.operate(to, at)
				},
				"goes on": func(t *rapid.T) {
					c := call(t)
					require.Equal(t, m.goesOn(c), b.goesOn(c.ticket))
				},
				"": func(t *rapid.T) {
					require.Equal(t, m.stateAt(at), b.stateAt(at))
					require.Equal(t, m.told, told)
					require.Equal(t, m.retryAfter(at), b.retryAfterAt(at))
				},
			})
		})
	}
}
