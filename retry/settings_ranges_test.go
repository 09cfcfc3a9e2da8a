package retry_test

import (
	"math"
	"testing"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// Each range is closed: its ends are taken, and the next value beyond is refused, with one problem that says what to
// write.
func TestTheEndsOfABreakersRanges(t *testing.T) {
	const least = 1.0 / 1_000_000
	sound := retry.BreakerSettings{ResetTimeout: 10 * time.Second, Window: 50, FailureRatio: 0.5}
	minds := retry.BreakerSettings{ResetTimeout: 10 * time.Second, WindowTime: time.Minute, SlowCall: time.Second, SlowRatio: 0.5}
	for _, c := range []struct {
		name  string
		of    retry.BreakerSettings
		edit  func(*retry.BreakerSettings)
		wrong string
	}{
		{"resetTimeout least", sound, func(s *retry.BreakerSettings) { s.ResetTimeout = time.Microsecond }, ""},
		{"resetTimeout below", sound, func(s *retry.BreakerSettings) { s.ResetTimeout = time.Microsecond - 1 }, "breaker resetTimeout 999 is 999ns; write 999*time.Millisecond"},
		{"resetTimeout of 1", sound, func(s *retry.BreakerSettings) { s.ResetTimeout = 1 }, "breaker resetTimeout 1 is 1ns; write 1*time.Millisecond"},
		{"windowTime least", minds, func(s *retry.BreakerSettings) { s.WindowTime = time.Microsecond }, ""},
		{"windowTime of 1", minds, func(s *retry.BreakerSettings) { s.WindowTime = 1 }, "breaker windowTime 1 is 1ns; write 1*time.Millisecond"},
		{"slowCall least", minds, func(s *retry.BreakerSettings) { s.SlowCall = time.Microsecond }, ""},
		{"slowCall of 1", minds, func(s *retry.BreakerSettings) { s.SlowCall = 1 }, "breaker slowCall 1 is 1ns; write 1*time.Millisecond"},
		{"window least", sound, func(s *retry.BreakerSettings) { s.Window = 1 }, ""},
		{"minCalls the whole window", sound, func(s *retry.BreakerSettings) { s.MinCalls = 50 }, ""},
		{"minCalls one more", sound, func(s *retry.BreakerSettings) { s.MinCalls = 51 }, "breaker minCalls 51 is more than its window of 50 calls can hold; write at most 50"},
		{"minCalls one more than a window of one", sound, func(s *retry.BreakerSettings) { s.Window, s.MinCalls = 1, 2 }, "breaker minCalls 2 is more than its window of 1 calls can hold; write at most 1"},
		{"minCalls of 1 without a window", sound, func(s *retry.BreakerSettings) { s.Window, s.FailureRatio, s.MinCalls = 0, 0, 1 }, "breaker minCalls 1 has no window; write window too, such as 50 or 10s"},
		{"failureRatio least", sound, func(s *retry.BreakerSettings) { s.FailureRatio = least }, ""},
		{"failureRatio below", sound, func(s *retry.BreakerSettings) { s.FailureRatio = 9e-7 }, "breaker failureRatio 9e-07 is less than one in a million; write 1e-06 or more"},
		{"failureRatio most", sound, func(s *retry.BreakerSettings) { s.FailureRatio = 1 }, ""},
		{"failureRatio above", sound, func(s *retry.BreakerSettings) { s.FailureRatio = math.Nextafter(1, 2) }, "breaker failureRatio 1.0000000000000002 is not a share; write one above 0 and up to 1, such as 0.5"},
		{"failureRatio below 2", sound, func(s *retry.BreakerSettings) { s.FailureRatio = 1.9 }, "breaker failureRatio 1.9 is not a share; write one above 0 and up to 1, such as 0.5"},
		{"failureRatio of 2 is a percentage", sound, func(s *retry.BreakerSettings) { s.FailureRatio = 2 }, "breaker failureRatio 2 is more than 1; write 0.02 for 2 %"},
		{"failureRatio of 100 is one too", sound, func(s *retry.BreakerSettings) { s.FailureRatio = 100 }, "breaker failureRatio 100 is more than 1; write 1 for 100 %"},
		{"failureRatio above 100", sound, func(s *retry.BreakerSettings) { s.FailureRatio = 100.5 }, "breaker failureRatio 100.5 is not a share; write one above 0 and up to 1, such as 0.5"},
		{"slowRatio least", minds, func(s *retry.BreakerSettings) { s.SlowRatio = least }, ""},
		{"slowRatio below", minds, func(s *retry.BreakerSettings) { s.SlowRatio = 9e-7 }, "breaker slowRatio 9e-07 is less than one in a million; write 1e-06 or more"},
		{"slowRatio of 100", minds, func(s *retry.BreakerSettings) { s.SlowRatio = 100 }, "breaker slowRatio 100 is more than 1; write 1 for 100 %"},
		{"probes least", sound, func(s *retry.BreakerSettings) { s.Probes = 1 }, ""},
		{"probes most", sound, func(s *retry.BreakerSettings) { s.Probes = 1000 }, ""},
		{"probes above", sound, func(s *retry.BreakerSettings) { s.Probes = 1001 }, "breaker probes 1001 is more than 1000; write at most 1000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.of
			c.edit(&s)
			if c.wrong == "" {
				require.Empty(t, s.Check())
			} else {
				require.Equal(t, []string{c.wrong}, s.Check())
			}
		})
	}
}

func TestTheEndsOfABudgetsRanges(t *testing.T) {
	const least = 0.0005 // it is rounded up to a thousandth
	below := math.Nextafter(least, 0)
	sound := retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1, Percent: 0.2}
	for _, c := range []struct {
		name  string
		edit  func(*retry.BudgetSettings)
		wrong string
	}{
		{"ttl least", func(s *retry.BudgetSettings) { s.TTL = time.Millisecond }, ""},
		{"ttl below", func(s *retry.BudgetSettings) { s.TTL = time.Millisecond - 1 }, "budget ttl 999.999µs is out of range; write 1ms to 1h, such as 10s"},
		{"ttl most", func(s *retry.BudgetSettings) { s.TTL = time.Hour }, ""},
		{"minPerSec least", func(s *retry.BudgetSettings) { s.MinPerSec = least }, ""},
		{"minPerSec below", func(s *retry.BudgetSettings) { s.MinPerSec = below }, "budget minPerSec 0.0004999999999999999 is below a thousandth; write 0.001 or more, or 0 for no reserve"},
		{"minPerSec most", func(s *retry.BudgetSettings) { s.MinPerSec = 1e6 }, ""},
		{"minPerSec above", func(s *retry.BudgetSettings) { s.MinPerSec = 1e6 + 1 }, "budget minPerSec 1.000001e+06 is out of range; write the retries per second that need no traffic, 0 to 1000000"},
		{"percent least", func(s *retry.BudgetSettings) { s.Percent = least }, ""},
		{"percent below", func(s *retry.BudgetSettings) { s.Percent = below }, "budget percent 0.0004999999999999999 is below a thousandth; write 0.001 or more, or 0 for the reserve alone"},
		{"percent most", func(s *retry.BudgetSettings) { s.Percent = 10 }, ""},
		{"percent above", func(s *retry.BudgetSettings) { s.Percent = 10.5 }, "budget percent 10.5 is out of range; write retries per session, 0 to 10: 0.105 for 10.5 %"},
		{"percent of 100", func(s *retry.BudgetSettings) { s.Percent = 100 }, "budget percent 100 is out of range; write retries per session, 0 to 10: 1 for 100 %"},
		{"percent above 100", func(s *retry.BudgetSettings) { s.Percent = 100.5 }, "budget percent 100.5 is out of range; write retries per session, 0 to 10, such as 0.2"},
		{"a reserve of a whole retry", func(s *retry.BudgetSettings) { s.MinPerSec, s.Percent = 0.1, 0 }, ""},
		{"a reserve of less", func(s *retry.BudgetSettings) { s.MinPerSec, s.Percent = 0.099, 0 }, "budget reserve of 0.099 per second for 10s never holds a whole retry; raise minPerSec or ttl, or set percent"},
		{"a reserve that cannot be told for want of a ttl", func(s *retry.BudgetSettings) { s.TTL, s.Percent = 0, 0 }, "budget ttl 0s is out of range; write 1ms to 1h, such as 10s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := sound
			c.edit(&s)
			if c.wrong == "" {
				require.Empty(t, s.Check())
			} else {
				require.Equal(t, []string{c.wrong}, s.Check())
			}
		})
	}
}
