package retry

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// breakerModel is a breaker as one would write it down: it remembers every result since the last change, and works out
// the rest from that.
type breakerModel struct {
	settings  BreakerSettings
	percent   int // FailureRatio and SlowRatio, in hundredths
	state     BreakerState
	changes   int // of the state, and resets
	openedAt  int64
	results   []modelResult
	latest    int64 // of the results
	successes int   // of probes
	out       []*modelCall
	told      []transition
}

type modelResult struct {
	at           int64
	failed, slow bool
}

// modelCall is an admitted call.
type modelCall struct {
	ticket  breakerTicket
	changes int // of the state, when it was admitted
	probe   bool
	since   int64
}

func (m *breakerModel) change(to BreakerState, at int64) {
	if m.state != to {
		m.told = append(m.told, transition{m.state, to})
	}
	m.changes++
	m.state, m.openedAt, m.results, m.successes, m.out = to, at, nil, 0, nil
}

func (m *breakerModel) stateAt(at int64) BreakerState {
	if m.state == BreakerOpen && at-m.openedAt >= int64(m.settings.ResetTimeout) {
		return BreakerHalfOpen
	}
	return m.state
}

func (m *breakerModel) enter(at int64) *modelCall {
	state := m.stateAt(at)
	if state == BreakerHalfOpen && m.state == BreakerOpen {
		m.change(BreakerHalfOpen, at)
	}
	switch state {
	case BreakerOpen, BreakerForceOpen:
		return nil
	case BreakerHalfOpen:
		if m.successes+len(m.out) >= max(m.settings.Probes, 1) {
			lost := slices.IndexFunc(m.out, func(c *modelCall) bool { return at-c.since >= int64(m.settings.ResetTimeout) })
			if lost < 0 {
				return nil
			}
			m.out = append(m.out[:lost:lost], m.out[lost+1:]...)
		}
		c := &modelCall{changes: m.changes, probe: true, since: at}
		m.out = append(m.out, c)
		return c
	}
	return &modelCall{changes: m.changes}
}

func (m *breakerModel) isOut(c *modelCall) bool { return slices.Contains(m.out, c) }

func (m *breakerModel) record(c *modelCall, o outcome, d time.Duration, at int64) {
	s := m.settings
	isSlow := s.SlowCall > 0 && d > s.SlowCall
	if c.probe {
		if !m.isOut(c) {
			return
		}
		m.out = slices.DeleteFunc(slices.Clone(m.out), func(x *modelCall) bool { return x == c })
		switch {
		case o == failure || o == success && isSlow:
			m.change(BreakerOpen, at)
		case o == success:
			if m.successes++; m.successes == max(s.Probes, 1) {
				m.change(BreakerClosed, at)
			}
		}
		return
	}
	if !s.counts() || o == neutral || c.changes != m.changes || m.state == BreakerForceClosed {
		return
	}
	if len(m.results) == 0 || at > m.latest {
		m.latest = at
	}
	m.results = append(m.results, modelResult{m.latest, o == failure, isSlow})
	if m.state == BreakerClosed && m.trips() {
		m.change(BreakerOpen, at)
	}
}

func (m *breakerModel) trips() bool {
	s := m.settings
	window, least := m.results, s.MinCalls
	switch {
	case s.Window > 0:
		window = window[max(0, len(window)-s.Window):]
		if least == 0 {
			least = s.Window
		}
	case s.WindowTime > 0:
		slice := func(t int64) uint64 { return (uint64(t) + 1<<63) / uint64(s.WindowTime/10) }
		for slice(window[0].at)+10 < slice(m.latest) {
			window = window[1:]
		}
		if least == 0 {
			least = 10
		}
	}
	if len(window) < least {
		return false
	}
	failures, slow, row := 0, 0, 0
	for _, r := range window {
		if r.failed {
			failures++
		}
		if r.slow {
			slow++
		}
	}
	for i := len(m.results) - 1; i >= 0 && m.results[i].failed; i-- {
		row++
	}
	return s.FailureRatio > 0 && failures*100 >= m.percent*len(window) ||
		s.SlowRatio > 0 && slow*100 >= m.percent*len(window) ||
		s.Consecutive > 0 && row >= s.Consecutive
}

func (m *breakerModel) exhausted(c *modelCall, at int64) {
	if c.probe {
		m.record(c, failure, 0, at)
	} else if !m.settings.counts() && c.changes == m.changes && m.state == BreakerClosed {
		m.change(BreakerOpen, at)
	}
}

func drawBreakerSettings(t *rapid.T) (s BreakerSettings, percent int) {
	s.ResetTimeout = rapid.SampledFrom([]time.Duration{time.Millisecond, time.Second, 10 * time.Second}).Draw(t, "reset")
	s.Probes = rapid.IntRange(0, 4).Draw(t, "probes")
	percent = rapid.IntRange(1, 100).Draw(t, "percent")
	ratios := func() {
		if rapid.Bool().Draw(t, "failure ratio") {
			s.FailureRatio = float64(percent) / 100
		}
		if s.FailureRatio == 0 || rapid.Bool().Draw(t, "slow ratio") {
			s.SlowCall, s.SlowRatio = time.Second, float64(percent)/100
		}
	}
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 1:
		s.Consecutive = rapid.IntRange(1, 4).Draw(t, "consecutive")
		s.MinCalls = rapid.IntRange(0, 6).Draw(t, "minCalls")
	case 2:
		s.Window = rapid.IntRange(1, 12).Draw(t, "window")
		s.MinCalls = rapid.IntRange(0, s.Window).Draw(t, "minCalls")
		s.Consecutive = rapid.IntRange(0, 4).Draw(t, "consecutive")
		ratios()
	case 3:
		s.WindowTime = rapid.SampledFrom([]time.Duration{time.Millisecond, 5 * time.Second}).Draw(t, "windowTime")
		s.MinCalls = rapid.IntRange(0, 12).Draw(t, "minCalls")
		s.Consecutive = rapid.IntRange(0, 4).Draw(t, "consecutive")
		ratios()
	}
	return s, percent
}

func TestBreakerAgreesWithItsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, percent := drawBreakerSettings(t)
		require.Empty(t, s.check())
		b := newBreaker("", s)
		m := &breakerModel{settings: s, percent: percent, state: BreakerClosed}
		var told []transition
		b.subscribe(func(from, to BreakerState) { told = append(told, transition{from, to}) })
		at := rapid.SampledFrom([]int64{0, -1e18, 1e18}).Draw(t, "start")
		newest := at
		var calls []*modelCall
		call := func(t *rapid.T) *modelCall {
			if len(calls) == 0 {
				t.Skip("no call")
			}
			// Mostly late ones, which are of this state.
			back := min(rapid.IntRange(0, 8).Draw(t, "call"), len(calls)-1)
			return calls[len(calls)-1-back]
		}

		t.Repeat(map[string]func(*rapid.T){
			"time passes": func(t *rapid.T) {
				at += rapid.OneOf(
					rapid.Int64Range(0, int64(s.ResetTimeout)),
					rapid.Just(int64(s.ResetTimeout)),
					rapid.Int64Range(0, int64(s.WindowTime)/3),
				).Draw(t, "ns")
				newest = max(newest, at)
			},
			"clock goes back": func(t *rapid.T) {
				at = max(at-rapid.Int64Range(0, int64(s.ResetTimeout)).Draw(t, "ns"), newest-clockLeap/2)
			},
			"enter": func(t *rapid.T) {
				k, ok := b.enter(at)
				c := m.enter(at)
				require.Equal(t, c != nil, ok)
				if ok {
					require.Equal(t, c.probe, k.isProbe())
					c.ticket = k
					calls = append(calls, c)
				} else {
					require.Zero(t, k)
				}
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
				if m.state != to || to == BreakerClosed {
					m.change(to, at)
				}
			},
			"": func(t *rapid.T) {
				require.Equal(t, m.stateAt(at), b.stateAt(at))
				require.Equal(t, m.told, told)
				wait := time.Duration(0)
				if m.stateAt(at) == BreakerOpen {
					wait = min(time.Duration(m.openedAt-at)+s.ResetTimeout, s.ResetTimeout)
				}
				require.Equal(t, wait, b.retryAfterAt(at))
			},
		})
	})
}
