package retry

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestBreakerSettingsCheck(t *testing.T) {
	sound := BreakerSettings{ResetTimeout: 10 * time.Second, Window: 50, FailureRatio: 0.5}
	for _, c := range []struct {
		name string
		edit func(*BreakerSettings)
		want []string
	}{
		{"a ratio of a window", func(*BreakerSettings) {}, nil},
		{"reset timeout alone", func(s *BreakerSettings) { *s = BreakerSettings{ResetTimeout: time.Microsecond} }, nil},
		{"consecutive alone", func(s *BreakerSettings) { s.Window, s.FailureRatio, s.Consecutive = 0, 0, 5 }, nil},
		{"consecutive and minCalls", func(s *BreakerSettings) { s.Window, s.FailureRatio, s.Consecutive, s.MinCalls = 0, 0, 5, 9 }, nil},
		{"consecutive in a window", func(s *BreakerSettings) { s.FailureRatio, s.Consecutive = 0, 5 }, nil},
		{"window of time", func(s *BreakerSettings) { s.Window, s.WindowTime, s.MinCalls = 0, time.Minute, 1000 }, nil},
		{"slow calls", func(s *BreakerSettings) { s.FailureRatio, s.SlowCall, s.SlowRatio = 0, time.Second, 1 }, nil},
		{"ends of the ranges", func(s *BreakerSettings) {
			s.ResetTimeout, s.Window, s.MinCalls, s.FailureRatio, s.Probes = math.MaxInt64, 1_000_000, 1_000_000, 1, 1000
		}, nil},

		{"nothing", func(s *BreakerSettings) { *s = BreakerSettings{} }, []string{"breaker resetTimeout is 0; write how long it stays open, such as 10s"}},
		{"reset timeout without a unit", func(s *BreakerSettings) { s.ResetTimeout = 100 }, []string{"breaker resetTimeout 100 is 100ns; write 100*time.Millisecond"}},
		{"negative reset timeout", func(s *BreakerSettings) { s.ResetTimeout = -time.Second }, []string{"breaker resetTimeout -1s is negative; write a duration, such as 10s"}},
		{"window of time without a unit", func(s *BreakerSettings) { s.Window, s.WindowTime = 0, 999 }, []string{"breaker windowTime 999 is 999ns; write 999*time.Millisecond"}},
		{"negative window of time", func(s *BreakerSettings) { s.Window, s.WindowTime = 0, -1 }, []string{"breaker windowTime -1ns is negative; write a duration, such as 10s"}},
		{"two windows", func(s *BreakerSettings) { s.WindowTime = time.Second }, []string{"breaker has a window of 50 calls and one of 1s; write one of them"}},
		{"negative window", func(s *BreakerSettings) { s.Window = -1 }, []string{"breaker window -1 is negative; write how many calls to look at, such as 50"}},
		{"large window", func(s *BreakerSettings) { s.Window = 1_000_001 }, []string{"breaker window 1000001 is more than 1000000 calls; write a window of time, such as 10s"}},
		{"window for nothing", func(s *BreakerSettings) { s.FailureRatio = 0 }, []string{"breaker has a window but nothing that opens it; write failureRatio, slowRatio or consecutive too"}},
		{"negative minCalls", func(s *BreakerSettings) { s.MinCalls = -1 }, []string{"breaker minCalls -1 is negative; write 0 for a full window, or more"}},
		{"minCalls beyond the window", func(s *BreakerSettings) { s.MinCalls = 60 }, []string{"breaker minCalls 60 is more than its window of 50 calls can hold; write at most 50"}},
		{"minCalls without a window", func(s *BreakerSettings) { s.Window, s.FailureRatio, s.MinCalls = 0, 0, 5 }, []string{"breaker minCalls 5 has no window; write window too, such as 50 or 10s"}},
		{"ratio without a window", func(s *BreakerSettings) { s.Window = 0 }, []string{"breaker failureRatio 0.5 has no window; write window too, such as 50 or 10s"}},
		{"ratio beside consecutive without a window", func(s *BreakerSettings) { s.Window, s.Consecutive = 0, 3 }, []string{"breaker failureRatio 0.5 has no window; write window too, such as 50 or 10s"}},
		{"ratio as a percentage", func(s *BreakerSettings) { s.FailureRatio = 50 }, []string{"breaker failureRatio 50 is more than 1; write 0.5 for 50 %"}},
		{"ratio above 1", func(s *BreakerSettings) { s.FailureRatio = 1.1 }, []string{"breaker failureRatio 1.1 is not a share; write one above 0 and up to 1, such as 0.5"}},
		{"negative ratio", func(s *BreakerSettings) { s.FailureRatio = -0.1 }, []string{"breaker failureRatio -0.1 is not a share; write one above 0 and up to 1, such as 0.5"}},
		{"ratio NaN", func(s *BreakerSettings) { s.FailureRatio = math.NaN() }, []string{"breaker failureRatio NaN is not a share; write one above 0 and up to 1, such as 0.5"}},
		{"ratio infinite", func(s *BreakerSettings) { s.FailureRatio = math.Inf(1) }, []string{"breaker failureRatio +Inf is not a share; write one above 0 and up to 1, such as 0.5"}},
		{"ratio of next to nothing", func(s *BreakerSettings) { s.FailureRatio = 1e-9 }, []string{"breaker failureRatio 1e-09 is less than one in a million; write 1e-06 or more"}},
		{"slow ratio NaN", func(s *BreakerSettings) { s.SlowCall, s.SlowRatio = time.Second, math.NaN() }, []string{"breaker slowRatio NaN is not a share; write one above 0 and up to 1, such as 0.5"}},
		{"slow ratio without slow calls", func(s *BreakerSettings) { s.SlowRatio = 0.5 }, []string{"breaker slowRatio 0.5 has no slowCall; write how long a slow call takes, such as 2s"}},
		{"slow calls without a ratio", func(s *BreakerSettings) { s.SlowCall = time.Second }, []string{"breaker slowCall 1s has no slowRatio; write the share of slow calls that opens, such as 0.5"}},
		{"slow calls without a window", func(s *BreakerSettings) { s.Window, s.FailureRatio, s.SlowCall, s.SlowRatio = 0, 0, time.Second, 0.5 }, []string{"breaker slowRatio 0.5 has no window; write window too, such as 50 or 10s"}},
		{"slow call without a unit", func(s *BreakerSettings) { s.SlowCall, s.SlowRatio = 100, 0.5 }, []string{"breaker slowCall 100 is 100ns; write 100*time.Millisecond"}},
		{"negative slow call", func(s *BreakerSettings) { s.SlowCall, s.SlowRatio = -time.Second, 0.5 }, []string{"breaker slowCall -1s is negative; write a duration, such as 10s"}},
		{"negative consecutive", func(s *BreakerSettings) { s.Consecutive = -1 }, []string{"breaker consecutive -1 is negative; write how many failures in a row open it, or 0"}},
		{"negative probes", func(s *BreakerSettings) { s.Probes = -1 }, []string{"breaker probes -1 is negative; write how many calls test a half-open breaker, or 0 for 1"}},
		{"many probes", func(s *BreakerSettings) { s.Probes = 1001 }, []string{"breaker probes 1001 is more than 1000; write at most 1000"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := sound
			c.edit(&s)
			require.Equal(t, c.want, s.check())
		})
	}
}

// Settings that pass the check make a breaker that works, at any time: it can be opened, and closed again.
func FuzzBreakerSettingsCheck(f *testing.F) {
	f.Add(int64(10*time.Second), 0, int64(0), 0, 0.0, 0, int64(0), 0.0, 0, int64(0))
	f.Add(int64(time.Second), 100, int64(0), 50, 0.55, 5, int64(time.Second), 0.07, 3, int64(math.MinInt64))
	f.Add(int64(1000), 0, int64(1000), 0, 1e-6, 0, int64(math.MaxInt64), 1.0, 1000, int64(math.MaxInt64))
	f.Add(int64(1000), 0, int64(math.MaxInt64), math.MaxInt, 1.0, math.MaxInt, int64(0), 0.0, 0, int64(1))
	f.Add(int64(math.MinInt64), math.MinInt, int64(math.MinInt64), math.MinInt, math.NaN(), math.MinInt, int64(math.MinInt64), math.Inf(-1), math.MinInt, int64(-1))
	f.Fuzz(func(t *testing.T, reset int64, window int, windowTime int64, minCalls int, failureRatio float64, consecutive int,
		slowCall int64, slowRatio float64, probes int, at int64,
	) {
		s := BreakerSettings{
			time.Duration(reset), window, time.Duration(windowTime), minCalls, failureRatio, consecutive,
			time.Duration(slowCall), slowRatio, probes,
		}
		problems := s.check()
		requireProblems(t, problems)
		if problems != nil {
			return
		}
		b := newBreaker("", s)
		k, ok := b.enter(at)
		require.True(t, ok)
		fails := max(b.minCalls, consecutive, 1)
		for i := 0; i < fails && i < 10_000 && b.stateAt(at) == BreakerClosed; i++ {
			b.record(k, failure, math.MaxInt64, at)
			b.exhausted(k, at)
		}
		if fails <= 10_000 && (slowCall < math.MaxInt64 || failureRatio > 0 || consecutive > 0) {
			require.Equal(t, BreakerOpen, b.stateAt(at))
		}
		b.ForceOpen()
		b.Reset()
		b.open(at)
		later := at + reset
		if later < at {
			return
		}
		require.Equal(t, BreakerHalfOpen, b.stateAt(later))
		for range max(probes, 1) {
			k, ok := b.enter(later)
			require.True(t, ok)
			b.record(k, success, 0, later)
			b.leave(k, later)
		}
		require.Equal(t, BreakerClosed, b.stateAt(later))
	})
}
