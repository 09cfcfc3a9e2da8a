package retry

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// breakerScript plays calls of one attempt each against a breaker, a millisecond apart: S succeeds, F fails, O must be
// rejected, N is neutral, w waits. It returns how many calls were admitted.
func breakerScript(t *testing.T, s BreakerSettings, wait time.Duration, script string) (admitted int) {
	t.Helper()
	require.Empty(t, s.check())
	b := newBreaker("", s)
	at := int64(0)
	for i, step := range script {
		at += int64(time.Millisecond)
		if step == 'w' {
			at += int64(wait)
			continue
		}
		k, ok := b.enter(at)
		require.Equal(t, step != 'O', ok, "call %d of %s", i, script)
		if !ok {
			continue
		}
		admitted++
		switch step {
		case 'S':
			b.record(k, success, 0, at)
		case 'F':
			b.record(k, failure, 0, at)
			b.exhausted(k, at)
		case 'N':
			b.record(k, neutral, 0, at)
		}
		b.leave(k, at)
	}
	return admitted
}

func TestBreakerCallByCall(t *testing.T) {
	second := time.Second
	for _, c := range []struct {
		id       string
		window   int
		ratio    float64
		probes   int
		delay    time.Duration
		wait     time.Duration
		script   string
		admitted int
	}{
		{"mp:C1 closed to open", 4, 0.75, 2, 50 * second, 0, "FFFFOOO", 4},
		{"mp:C2 re-close", 4, 0.75, 2, time.Millisecond, second / 2, "FFFFwSSS", 7},
		{"mp:C3 default probes", 4, 0.75, 0, second, 2 * second, "FFFFOwSFFFFO", 9},
		{"mp:C4 many probes", 4, 0.75, 3, second, 2 * second, "FFFFOwSSFO", 7},
		{"mp:C5 C1 again", 4, 0.75, 2, 50 * second, 0, "FFFFOOO", 4},
		{"mp:C6 window of two", 2, 1, 2, 50 * second, 0, "FFOOOOO", 2},
		{"mp:C7 short delay", 4, 0.75, 2, time.Millisecond, second / 2, "FFFFwSSS", 7},
		{"mp:C8 a success that completes the window opens", 4, 0.5, 2, 5 * second, 0, "SFFSO", 4},
		{"mp:C9 the window is the last four", 4, 0.5, 2, 5 * second, 0, "SFSSFO", 5},
		{"mp:C10 success at first", 4, 0.75, 1, second, 2 * second, "SFFFOwSSFFFO", 9},
		{"mp:C11 success at last", 4, 0.75, 1, second, 2 * second, "FFFSOwSFFFSO", 9},
		{"mp:C19 exactly the ratio", 10, 0.8, 1, 5 * second, 0, "FFSFFFSFFFO", 10},
		{"mp:C20 probes one after another", 10, 0.5, 2, second, 2 * second, "FFFFFFFFFFOwSSFFFFFFFFFFOwSFO", 24},
		{"neutral calls are not in the window", 4, 0.75, 1, second, 2 * second, "FNFNNFNFO", 8},
		{"B6 neutral calls alone never open", 2, 0.5, 1, second, 2 * second, "NNNNNNSFO", 8},
		{"B4 a neutral probe neither opens nor closes", 2, 1, 1, second, 2 * second, "FFOwNNNNFO", 7},
		{"B4 nor does it count among the successes", 2, 1, 2, second, 2 * second, "FFOwSNNSFSFFO", 10},
		{"rejected calls do not extend the open time", 1, 1, 1, second, 100 * time.Millisecond, "FOwOwOwOwOwOwOwOwOwOwSS", 3},
		{"a probe's failure opens for the whole time again", 1, 1, 1, second, 600 * time.Millisecond, "FOwOwFOwOwSS", 4},
		{"window of one", 1, 1, 1, second, second, "SSSFO", 4},
		{"below the ratio", 4, 0.75, 1, second, 0, "SFSFSFSFSFSF", 12},
	} {
		t.Run(c.id, func(t *testing.T) {
			s := BreakerSettings{ResetTimeout: c.delay, Window: c.window, FailureRatio: c.ratio, Probes: c.probes}
			require.Equal(t, c.admitted, breakerScript(t, s, c.wait, c.script))
		})
	}
}

func TestBreakerCallByCallOfOtherSettings(t *testing.T) {
	const reset = time.Second
	for _, c := range []struct {
		name   string
		s      BreakerSettings
		script string
	}{
		{"reset timeout alone: one exhausted session opens", BreakerSettings{}, "SSSFOOwSSFO"},
		{"reset timeout alone: a neutral session does not", BreakerSettings{}, "NNNFOwNNFO"},
		{"reset timeout alone: a failed probe re-opens", BreakerSettings{}, "FOwFOwSS"},
		{"reset timeout alone, two probes", BreakerSettings{Probes: 2}, "FOwSFOwSSSFO"},
		{"consecutive failures", BreakerSettings{Consecutive: 3}, "FFSFFSFFFO"},
		{"consecutive: a neutral call does not break the row", BreakerSettings{Consecutive: 3}, "FNFNFO"},
		{"consecutive: the row begins again after closing", BreakerSettings{Consecutive: 3}, "FFFOwSFFSFFFO"},
		{"consecutive, not before so many calls", BreakerSettings{Consecutive: 2, MinCalls: 5}, "FFFFFO"},
		{"consecutive, not before so many calls, successes too", BreakerSettings{Consecutive: 2, MinCalls: 5}, "SSSFFO"},
		{"consecutive in a window waits for it to fill", BreakerSettings{Consecutive: 2, Window: 4}, "FFFFO"},
		{"consecutive beside a ratio that is not reached", BreakerSettings{Consecutive: 2, Window: 4, FailureRatio: 1}, "SSSFFO"},
		{"fewer calls than the window", BreakerSettings{Window: 20, MinCalls: 3, FailureRatio: 0.5}, "FSFO"},
		{"fewer calls, below the ratio at first", BreakerSettings{Window: 20, MinCalls: 3, FailureRatio: 0.5}, "FSSSFFO"},
		{"window of time: ten calls unless said otherwise", BreakerSettings{WindowTime: time.Minute, FailureRatio: 0.5}, "FFFFFFFFFFO"},
		{"window of time: what is older does not count", BreakerSettings{WindowTime: 2 * time.Second, MinCalls: 2, FailureRatio: 1}, "FwwwFFO"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.s.ResetTimeout = reset
			breakerScript(t, c.s, reset, c.script)
		})
	}
}

// mp:C22: the nearest binary fractions to such ratios are a little too large or too small.
func TestBreakerRatioIsExact(t *testing.T) {
	for _, c := range []struct {
		ratio         float64
		window, opens int
	}{
		{0.55, 100, 55}, {0.07, 100, 7}, {0.29, 100, 29}, {0.57, 100, 57}, {0.58, 100, 58}, {0.1, 10, 1}, {0.3, 10, 3},
		{0.7, 10, 7}, {0.501, 1000, 501}, {1.0 / 3, 3, 1}, {2.0 / 3, 3, 2}, {1.0 / 7, 7, 1}, {0.5, 3, 2}, {1, 100, 100},
		{0.999, 100, 100}, {0.551, 100, 56}, {0.01, 100, 1}, {1e-6, 1_000_000, 1}, {0.000_002, 1_000_000, 2},
		{0.999_999, 1_000_000, 999_999},
	} {
		require.True(t, reaches(c.opens, c.window, c.ratio), "%d of %d is %v", c.opens, c.window, c.ratio)
		require.False(t, reaches(c.opens-1, c.window, c.ratio), "%d of %d is below %v", c.opens-1, c.window, c.ratio)
	}
	for percent := 1; percent <= 100; percent++ {
		require.True(t, reaches(percent, 100, float64(percent)/100))
		require.False(t, reaches(percent-1, 100, float64(percent)/100))
	}
	require.False(t, reaches(5, 5, 0), "mp:C21 a ratio of zero is off")
}

func TestBreakerOpensOnTheVeryFailureThatReachesTheRatio(t *testing.T) {
	for _, c := range []struct {
		ratio           float64
		window, failing int
	}{{0.55, 100, 55}, {0.07, 100, 7}} {
		b := newBreaker("", BreakerSettings{ResetTimeout: time.Second, Window: c.window, FailureRatio: c.ratio})
		k, _ := b.enter(0)
		for range c.window {
			b.record(k, success, 0, 0)
		}
		for range c.failing - 1 {
			b.record(k, failure, 0, 0)
		}
		require.Equal(t, BreakerClosed, b.stateAt(0), "%v", c.ratio)
		b.record(k, failure, 0, 0)
		require.Equal(t, BreakerOpen, b.stateAt(0), "%v", c.ratio)
	}
}

func TestBreakerSlowCalls(t *testing.T) {
	settings := BreakerSettings{ResetTimeout: time.Second, Window: 4, SlowCall: 100 * time.Millisecond, SlowRatio: 0.5}
	const limit = 100 * time.Millisecond

	t.Run("open at their ratio, whatever their outcome", func(t *testing.T) {
		b := newBreaker("", settings)
		k, _ := b.enter(0)
		b.record(k, success, limit+1, 0)
		b.record(k, success, limit, 0)
		b.record(k, failure, 0, 0)
		require.Equal(t, BreakerClosed, b.stateAt(0))
		b.record(k, failure, limit+1, 0)
		require.Equal(t, BreakerOpen, b.stateAt(0))
	})
	t.Run("at the limit are not slow", func(t *testing.T) {
		b := newBreaker("", settings)
		k, _ := b.enter(0)
		for range 20 {
			b.record(k, success, limit, 0)
		}
		require.Equal(t, BreakerClosed, b.stateAt(0))
	})
	t.Run("leave the window with their results", func(t *testing.T) {
		b := newBreaker("", settings)
		k, _ := b.enter(0)
		for range 20 {
			b.record(k, success, 2*limit, 0) // one in four
			for range 3 {
				b.record(k, success, 0, 0)
			}
		}
		require.Equal(t, BreakerClosed, b.stateAt(0))
	})
	t.Run("do not make a row of failures", func(t *testing.T) {
		s := settings
		s.SlowRatio, s.Consecutive = 1, 2
		b := newBreaker("", s)
		k, _ := b.enter(0)
		b.record(k, success, 0, 0)
		for range 20 {
			b.record(k, failure, 0, 0)
			b.record(k, success, 2*limit, 0)
		}
		require.Equal(t, BreakerClosed, b.stateAt(0))
	})
	t.Run("re-open as probes", func(t *testing.T) {
		b := newBreaker("", settings)
		b.open(0)
		at := int64(time.Second)
		k, ok := b.enter(at)
		require.True(t, ok)
		b.record(k, success, limit+1, at)
		require.Equal(t, BreakerOpen, b.stateAt(at))
	})
	t.Run("are no reason to open without a slow ratio", func(t *testing.T) {
		b := newBreaker("", BreakerSettings{ResetTimeout: time.Second, Window: 2, FailureRatio: 1})
		k, _ := b.enter(0)
		for range 4 {
			b.record(k, success, time.Hour, 0)
		}
		require.Equal(t, BreakerClosed, b.stateAt(0))
	})
}

func TestBreakerWindowOfTime(t *testing.T) {
	s := BreakerSettings{ResetTimeout: time.Second, WindowTime: 10 * time.Second, MinCalls: 4, FailureRatio: 0.5}
	second := int64(time.Second)
	for phase := range int64(10) {
		start := phase * second / 10
		b := newBreaker("", s)
		k, _ := b.enter(start)
		b.record(k, failure, 0, start)
		b.record(k, failure, 0, start+second)
		b.record(k, success, 0, start+9*second)
		require.Equal(t, BreakerClosed, b.stateAt(start+9*second))
		b.record(k, success, 0, start+99*second/10) // two of four are failures, the oldest 9.9 s old
		require.Equal(t, BreakerOpen, b.stateAt(start+99*second/10), "phase %d", phase)

		b = newBreaker("", s)
		k, _ = b.enter(start)
		for range 3 {
			b.record(k, failure, 0, start)
		}
		b.record(k, failure, 0, start+111*second/10)
		require.Equal(t, BreakerClosed, b.stateAt(start+111*second/10), "phase %d: the first three are older than 11 s", phase)
		b.record(k, failure, 0, start+112*second/10-15*second) // a late reading counts as now
		b.record(k, failure, 0, start+112*second/10)
		b.record(k, failure, 0, start+112*second/10)
		require.Equal(t, BreakerOpen, b.stateAt(start+112*second/10), "phase %d", phase)
	}
}

func TestBreakerWindowOfTimeStartsAfreshWithAnotherClock(t *testing.T) {
	b := newBreaker("", BreakerSettings{ResetTimeout: time.Second, WindowTime: 10 * time.Second, MinCalls: 3, FailureRatio: 0.5})
	hour := int64(time.Hour)
	k, _ := b.enter(hour)
	b.record(k, failure, 0, hour)
	b.record(k, failure, 0, hour)
	b.record(k, failure, 0, -hour)
	require.Equal(t, BreakerClosed, b.stateAt(-hour))
	b.record(k, failure, 0, hour)
	require.Equal(t, BreakerClosed, b.stateAt(hour), "what was forgotten does not come back with its time")
	b.record(k, success, 0, -hour)
	b.record(k, failure, 0, -hour+1)
	b.record(k, failure, 0, -hour+2)
	require.Equal(t, BreakerOpen, b.stateAt(-hour+2))
}
