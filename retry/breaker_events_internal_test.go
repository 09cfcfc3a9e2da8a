package retry

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// breakerLog is a subscriber that remembers.
type breakerLog struct {
	mu    sync.Mutex
	lines []transition
}

func (l *breakerLog) on(from, to BreakerState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, transition{from, to})
}

func TestBreakerTellsEveryChange(t *testing.T) {
	b := newBreaker("", BreakerSettings{ResetTimeout: time.Second})
	b.exhausted(admit(t, b, 0), 0) // before anybody listens
	b.Reset()
	var log, second breakerLog
	b.subscribe(log.on)

	b.exhausted(admit(t, b, 0), 0)
	reject(t, b, 0)
	b.record(admit(t, b, breakerReset), failure, 0, breakerReset)
	b.record(admit(t, b, 2*breakerReset), success, 0, 2*breakerReset)
	b.Reset() // closed already
	b.subscribe(second.on)
	b.ForceOpen()
	b.ForceOpen()
	b.ForceClose()
	b.MetricsOnly()
	b.Reset()

	forced := []transition{
		{BreakerClosed, BreakerForceOpen},
		{BreakerForceOpen, BreakerForceClosed},
		{BreakerForceClosed, BreakerMetricsOnly},
		{BreakerMetricsOnly, BreakerClosed},
	}
	require.Equal(t, append([]transition{
		{BreakerClosed, BreakerOpen},
		{BreakerOpen, BreakerHalfOpen},
		{BreakerHalfOpen, BreakerOpen},
		{BreakerOpen, BreakerHalfOpen},
		{BreakerHalfOpen, BreakerClosed},
	}, forced...), log.lines)
	require.Equal(t, forced, second.lines)
}

func TestBreakerSubscriberMayUseTheBreaker(t *testing.T) {
	b := newBreaker("", BreakerSettings{ResetTimeout: time.Second})
	var log breakerLog
	b.subscribe(func(from, to BreakerState) {
		log.on(from, to)
		_ = b.RetryAfter()
		if to == BreakerForceOpen {
			require.Equal(t, BreakerForceOpen, b.State())
			reject(t, b, 0)
			b.Reset()
			require.Equal(t, BreakerClosed, b.State(), "a change it makes holds at once")
			b.subscribe(func(BreakerState, BreakerState) {})
		}
	})
	b.ForceOpen()
	require.Equal(t, []transition{{BreakerClosed, BreakerForceOpen}, {BreakerForceOpen, BreakerClosed}}, log.lines)
}

func TestBreakerOutlivesASubscriberThatPanics(t *testing.T) {
	b := newBreaker("", BreakerSettings{ResetTimeout: time.Second})
	var log breakerLog
	b.subscribe(func(from, to BreakerState) {
		log.on(from, to)
		if to == BreakerForceOpen {
			b.Reset() // pending when the panic comes
			panic("listener")
		}
	})
	require.PanicsWithValue(t, "listener", b.ForceOpen)
	require.Equal(t, BreakerClosed, b.State())
	b.ForceClose()
	require.Equal(t, []transition{
		{BreakerClosed, BreakerForceOpen},
		{BreakerForceOpen, BreakerClosed},
		{BreakerClosed, BreakerForceClosed},
	}, log.lines)
}

func TestBreakerTellsInOrderAndOneAtATime(t *testing.T) {
	b := newBreaker("", BreakerSettings{ResetTimeout: time.Second})
	busy := false // no lock: the race detector would see two at once
	var told []transition
	b.subscribe(func(from, to BreakerState) {
		require.False(t, busy)
		busy = true
		told = append(told, transition{from, to})
		busy = false
	})
	stampede(100, func(i int) {
		for range 20 {
			[]func(){b.ForceOpen, b.ForceClose, b.MetricsOnly, b.Reset}[i%4]()
		}
	})
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Empty(t, b.pending)
	require.NotEmpty(t, told)
	state := BreakerClosed
	for _, c := range told {
		require.Equal(t, state, c.from, "each change begins where the one before ended")
		require.NotEqual(t, c.from, c.to)
		state = c.to
	}
	require.Equal(t, modeOf(b.word.Load()).state(), state)
}
