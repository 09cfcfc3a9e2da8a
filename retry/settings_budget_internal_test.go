package retry

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestBudgetSettingsCheck(t *testing.T) {
	sound := BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1, Percent: 0.2}
	for _, c := range []struct {
		name string
		edit func(*BudgetSettings)
		want []string
	}{
		{"defaults", func(*BudgetSettings) {}, nil},
		{"shortest ttl", func(s *BudgetSettings) { s.TTL = time.Millisecond }, nil},
		{"longest ttl", func(s *BudgetSettings) { s.TTL = time.Hour }, nil},
		{"never", func(s *BudgetSettings) { s.MinPerSec, s.Percent = 0, 0 }, nil},
		{"reserve alone", func(s *BudgetSettings) { s.Percent = 0 }, nil},
		{"sessions alone", func(s *BudgetSettings) { s.MinPerSec = 0 }, nil},
		{"reserve of exactly one retry", func(s *BudgetSettings) { s.MinPerSec, s.Percent = 0.1, 0 }, nil},
		{"ends of the ranges", func(s *BudgetSettings) { s.MinPerSec, s.Percent = 1e6, 10 }, nil},
		{"smallest shares", func(s *BudgetSettings) { s.MinPerSec, s.Percent = 0.001, 0.001 }, nil},
		{"deposit call", func(s *BudgetSettings) { s.Deposit = DepositCall }, nil},
		{"deposit success", func(s *BudgetSettings) { s.Deposit = DepositSuccess }, nil},

		{"no ttl", func(s *BudgetSettings) { s.TTL = 0 }, []string{"budget ttl 0s is out of range; write 1ms to 1h, such as 10s"}},
		{"ttl without a unit", func(s *BudgetSettings) { s.TTL = 10 }, []string{"budget ttl 10 is 10ns; write 10*time.Second"}},
		{"short ttl", func(s *BudgetSettings) { s.TTL = 999 * time.Microsecond }, []string{"budget ttl 999µs is out of range; write 1ms to 1h, such as 10s"}},
		{"long ttl", func(s *BudgetSettings) { s.TTL = time.Hour + 1 }, []string{"budget ttl 1h0m0.000000001s is out of range; write 1ms to 1h, such as 10s"}},
		{"negative ttl", func(s *BudgetSettings) { s.TTL = -time.Second }, []string{"budget ttl -1s is out of range; write 1ms to 1h, such as 10s"}},
		{"negative minPerSec", func(s *BudgetSettings) { s.MinPerSec = -1 }, []string{"budget minPerSec -1 is out of range; write the retries per second that need no traffic, 0 to 1000000"}},
		{"minPerSec NaN", func(s *BudgetSettings) { s.MinPerSec = math.NaN() }, []string{"budget minPerSec NaN is out of range; write the retries per second that need no traffic, 0 to 1000000"}},
		{"minPerSec too large", func(s *BudgetSettings) { s.MinPerSec = math.Inf(1) }, []string{"budget minPerSec +Inf is out of range; write the retries per second that need no traffic, 0 to 1000000"}},
		{"minPerSec that rounds to nothing", func(s *BudgetSettings) { s.MinPerSec = 0.0001 }, []string{"budget minPerSec 0.0001 is below a thousandth; write 0.001 or more, or 0 for no reserve"}},
		{"negative percent", func(s *BudgetSettings) { s.Percent = -0.1 }, []string{"budget percent -0.1 is out of range; write retries per session, 0 to 10, such as 0.2"}},
		{"percent NaN", func(s *BudgetSettings) { s.Percent = math.NaN() }, []string{"budget percent NaN is out of range; write retries per session, 0 to 10, such as 0.2"}},
		{"percent as a percentage", func(s *BudgetSettings) { s.Percent = 20 }, []string{"budget percent 20 is out of range; write retries per session, 0 to 10: 0.2 for 20 %"}},
		{"percent too large", func(s *BudgetSettings) { s.Percent = 1000 }, []string{"budget percent 1000 is out of range; write retries per session, 0 to 10, such as 0.2"}},
		{"percent that rounds to nothing", func(s *BudgetSettings) { s.Percent = 1e-5 }, []string{"budget percent 1e-05 is below a thousandth; write 0.001 or more, or 0 for the reserve alone"}},
		{"unknown deposit", func(s *BudgetSettings) { s.Deposit = "sucess" }, []string{`budget deposit "sucess" is unknown; write "call" or "success"`}},
		{"a reserve that never holds a retry", func(s *BudgetSettings) { s.MinPerSec, s.Percent = 0.05, 0 }, []string{"budget reserve of 0.05 per second for 10s never holds a whole retry; raise minPerSec or ttl, or set percent"}},
		{"a small reserve beside a percentage", func(s *BudgetSettings) { s.MinPerSec = 0.05 }, nil},
		{"all at once", func(s *BudgetSettings) { *s = BudgetSettings{-1, -1, -1, "x"} }, []string{
			"budget ttl -1ns is out of range; write 1ms to 1h, such as 10s",
			"budget minPerSec -1 is out of range; write the retries per second that need no traffic, 0 to 1000000",
			"budget percent -1 is out of range; write retries per session, 0 to 10, such as 0.2",
			`budget deposit "x" is unknown; write "call" or "success"`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := sound
			c.edit(&s)
			require.Equal(t, c.want, s.check())
		})
	}
}

// requireProblems checks the form that all problems have: one line, what is wrong; what to write instead.
func requireProblems(t *testing.T, problems []string) {
	t.Helper()
	for _, p := range problems {
		require.NotContains(t, p, "\n")
		require.Contains(t, p, "; ")
		require.Equal(t, strings.TrimSpace(p), p)
	}
}

// Settings that pass the check make a budget that works, at any time.
func FuzzBudgetSettingsCheck(f *testing.F) {
	f.Add(int64(10*time.Second), 1.0, 0.2, "", int64(0))
	f.Add(int64(time.Hour), 1e6, 10.0, "success", int64(math.MinInt64))
	f.Add(int64(time.Millisecond), 0.0005, 0.0005, "call", int64(math.MaxInt64))
	f.Add(int64(math.MinInt64), math.NaN(), math.Inf(-1), "%d\n", int64(-1))
	f.Add(int64(math.MaxInt64), math.SmallestNonzeroFloat64, math.MaxFloat64, "\x00", int64(1))
	f.Fuzz(func(t *testing.T, ttl int64, minPerSec, percent float64, deposit string, at int64) {
		s := BudgetSettings{time.Duration(ttl), minPerSec, percent, Deposit(deposit)}
		problems := s.check()
		requireProblems(t, problems)
		if problems != nil {
			return
		}
		b := newBudget("", s)
		first := balanceUpTo(b, at, 50)
		require.Equal(t, first, balanceUpTo(b, at, 50), "giving back restores")
		depositTimes(b, at, 1000)
		got := balanceUpTo(b, at, 50)
		require.GreaterOrEqual(t, got, first)
		if percent >= 0.05 || minPerSec*s.TTL.Seconds() > 51 {
			require.Equal(t, 50, got)
		}
		if percent == 0 && minPerSec == 0 {
			require.Zero(t, got)
		}
		balanceUpTo(b, -at, 50)
		balanceUpTo(b, math.MaxInt64, 50)
		balanceUpTo(b, math.MinInt64, 50)
	})
}

// balanceUpTo is balance, counting no further than limit.
func balanceUpTo(b *budget, t int64, limit int) int {
	tickets := make([]budgetTicket, 0, limit)
	for len(tickets) < limit {
		k, ok := b.take(t)
		if !ok {
			break
		}
		tickets = append(tickets, k)
	}
	for _, k := range tickets {
		b.giveBack(k)
	}
	return len(tickets)
}
