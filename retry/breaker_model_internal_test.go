package retry

import (
	"math"
	"slices"
	"time"
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
	row       int   // failures since the last success
	latest    int64 // of all results: a clock that goes back a little stands still
	successes int   // of probes
	out       []*modelCall
	told      []transition
}

func newBreakerModel(s BreakerSettings, percent int) *breakerModel {
	return &breakerModel{settings: s, percent: percent, state: BreakerClosed, latest: math.MinInt64}
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
	m.state, m.openedAt, m.results, m.row, m.successes, m.out = to, at, nil, 0, 0, nil
}

// over reports whether the reset timeout has passed. A clock that goes back by more than a minute is another clock, which
// cannot tell.
func (m *breakerModel) over(since, at int64) bool {
	return at-since >= int64(m.settings.ResetTimeout) || at-since < -int64(time.Minute)
}

func (m *breakerModel) stateAt(at int64) BreakerState {
	if m.state == BreakerOpen && m.over(m.openedAt, at) {
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
			lost := slices.IndexFunc(m.out, func(c *modelCall) bool { return m.over(c.since, at) })
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
	switch {
	case at >= m.latest:
		m.latest = at
	case m.latest-at > max(int64(time.Minute), int64(s.WindowTime)/10*11):
		m.latest = at
		if s.WindowTime > 0 {
			m.results = nil
		}
	}
	m.results = append(m.results, modelResult{m.latest, o == failure, isSlow})
	if m.row++; o != failure {
		m.row = 0
	}
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
	failures, slow := 0, 0
	for _, r := range window {
		if r.failed {
			failures++
		}
		if r.slow {
			slow++
		}
	}
	return s.FailureRatio > 0 && failures*100 >= m.percent*len(window) ||
		s.SlowRatio > 0 && slow*100 >= m.percent*len(window) ||
		s.Consecutive > 0 && m.row >= s.Consecutive
}

func (m *breakerModel) exhausted(c *modelCall, at int64) {
	if c.probe {
		m.record(c, failure, 0, at)
	} else if !m.settings.counts() && c.changes == m.changes && m.state == BreakerClosed {
		m.change(BreakerOpen, at)
	}
}

// goesOn reports whether the session of a call may think of another attempt: while the breaker admits every call, or the
// call is a probe still.
func (m *breakerModel) goesOn(c *modelCall) bool {
	switch m.state {
	case BreakerOpen, BreakerForceOpen:
		return false
	case BreakerHalfOpen:
		return m.isOut(c)
	}
	return true
}

func (m *breakerModel) retryAfter(at int64) time.Duration {
	if m.stateAt(at) != BreakerOpen {
		return 0
	}
	return min(time.Duration(m.openedAt-at)+m.settings.ResetTimeout, m.settings.ResetTimeout)
}

// operate does what an operator asks for; to closed by a reset.
func (m *breakerModel) operate(to BreakerState, at int64) {
	if m.state != to || to == BreakerClosed {
		m.change(to, at)
	}
}
