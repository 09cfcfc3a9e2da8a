package retry

import (
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// budgetTime is a number of seconds as a time.
func budgetTime(seconds float64) int64 { return int64(math.Round(seconds * 1e9)) }

func depositTimes(b *budget, t int64, n int) {
	for range n {
		b.deposit(t)
	}
}

// drain takes until it is refused, and counts.
func drain(b *budget, t int64) (n int) {
	for {
		if _, ok := b.take(t); !ok {
			return n
		}
		n++
	}
}

// balance is how many retries could be taken: it takes them and gives them back.
func balance(b *budget, t int64) int {
	var tickets []budgetTicket
	for {
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

// budgetStep is what happens at a time, in this order: deposits, then one of the rest.
type budgetStep struct {
	at       float64
	deposits int
	take     bool // one is taken, and granted
	refused  bool // one is asked for, and refused
	balance  int  // with none of the above
}

func TestBudgetVectors(t *testing.T) {
	for _, c := range []struct {
		name    string
		ttl     float64
		min     float64
		percent float64
		steps   []budgetStep
	}{
		{"budget:1.1 starts with the reserve full", 10, 10, 0.2, []budgetStep{
			{balance: 100}, {deposits: 5, balance: 101}, {take: true}, {balance: 100},
		}},
		{"budget:1.1 five sessions pay for one retry", 10, 0, 0.2, []budgetStep{
			{deposits: 4, refused: true}, {deposits: 1, take: true}, {refused: true},
		}},
		{"budget:1.1 percent 0 leaves the reserve", 10, 10, 0, []budgetStep{
			{deposits: 1000, balance: 100},
		}},
		{"budget:1.1 percent 10 pays ten retries a session", 10, 0, 10, []budgetStep{
			{balance: 0}, {deposits: 1, balance: 10},
		}},
		{"budget:1.1 percent 0.1", 10, 10, 0.1, []budgetStep{
			{balance: 100}, {deposits: 9, balance: 100}, {deposits: 1, balance: 101},
		}},
		// tower takes 33 %, the ancestor 25 %; and where tower takes 100 %, ours takes what is written.
		{"budget:1.3 percent 0.3 is neither 33 nor 25 percent", 10, 0, 0.3, []budgetStep{
			{deposits: 100, balance: 30}, {deposits: 900, balance: 300},
		}},
		{"percent 0.6", 10, 0, 0.6, []budgetStep{{deposits: 100, balance: 60}}},
		{"percent 0.9", 10, 0, 0.9, []budgetStep{{deposits: 100, balance: 90}}},
		// The ancestor takes one for one.
		{"budget:1.3 percent above 1", 10, 0, 1.5, []budgetStep{{deposits: 100, balance: 150}}},
		// The ancestor throws away at each tick what exceeds its reserve, and without a minimum everything.
		{"budget:1.3 without a minimum nothing is trimmed", 10, 0, 0.2, []budgetStep{
			{deposits: 500, balance: 100}, {at: 9, balance: 100},
		}},
		{"budget:1.3 the percentage is not capped by the reserve", 10, 1, 0.2, []budgetStep{
			{deposits: 1000, balance: 210},
		}},
		{"budget:ii sessions pay within their window", 10, 0, 0.2, []budgetStep{
			{deposits: 100}, {at: 9.9, balance: 20},
		}},
		{"budget:ii and not after it", 10, 0, 0.2, []budgetStep{
			{deposits: 100}, {at: 11.1, balance: 0},
		}},
		{"budget:iii idle for an hour accumulates no more than the reserve", 10, 1, 0.2, []budgetStep{
			{balance: 10}, {at: 3600, balance: 10}, {at: 3600, deposits: 10, balance: 12},
		}},
		{"budget:iv percent 0.3", 10, 0, 0.3, []budgetStep{{deposits: 100, balance: 30}}},
		// tower takes 100.
		{"budget:vi percent 0.7", 10, 0, 0.7, []budgetStep{{deposits: 100, balance: 70}}},
		// Finagle's window would owe the session's part to the reserve, which would pay for nine.
		{"budget:1.1 nothing is owed when what has paid leaves first", 10, 1, 0.2, []budgetStep{
			{deposits: 5}, {at: 9.9, take: true}, {at: 11.1, balance: 10},
		}},
		{"hyperf:7.5 ttl 10, 0 per second, percent 1", 10, 0, 1, []budgetStep{
			{deposits: 2, take: true}, {take: true}, {refused: true},
		}},
		{"hyperf:7.5 ttl 10, 0 per second, percent 0.5", 10, 0, 0.5, []budgetStep{{deposits: 2, take: true}, {refused: true}}},
		// The ancestor's reserve begins with one second's worth, ours with all of it: 1 and 10 here, 2 and 200 below.
		{"hyperf:7.5 ttl 10, 1 per second, percent 1", 10, 1, 1, []budgetStep{{take: true}, {balance: 9}}},
		{"hyperf:7.5 ttl 100, 2 per second, percent 0.1", 100, 2, 0.1, []budgetStep{
			{take: true}, {balance: 199}, {at: 1.2, take: true}, {at: 1.2, take: true}, {at: 1.2, take: true}, {at: 1.2, balance: 197},
		}},
		{"hyperf:7.5 ttl 1, 1 per second, percent 1, never holds more than one", 1, 1, 1, []budgetStep{
			{balance: 1}, {at: 1.2, balance: 1}, {at: 2.4, balance: 1},
		}},
		{"a thousandth", 10, 0, 0.001, []budgetStep{{deposits: 999, refused: true}, {deposits: 1, take: true}, {refused: true}}},
		{"a third is 333 thousandths", 10, 0, 1.0 / 3, []budgetStep{{deposits: 1000, balance: 333}}},
		{"reserve of less than one retry a second", 10, 0.1, 0, []budgetStep{
			{take: true}, {at: 9.999, refused: true}, {at: 10, take: true},
		}},
		{"reserve pays what sessions lack", 10, 0.05, 0.2, []budgetStep{
			{refused: true}, {deposits: 2, refused: true}, {deposits: 1, take: true}, {refused: true},
			{at: 7.999, refused: true}, {at: 18, deposits: 3, take: true},
		}},
		{"go:G1 three at once with next to no traffic", 10, 0.3, 0.001, []budgetStep{{balance: 3}}},
		{"go:G3 one session a minute", 3600, 0, 0.2, []budgetStep{
			{at: 60, deposits: 1, refused: true}, {at: 120, deposits: 1}, {at: 180, deposits: 1}, {at: 240, deposits: 1},
			{at: 300, deposits: 1, take: true}, {at: 360, deposits: 1, refused: true},
		}},
		{"nothing ever", 10, 0, 0, []budgetStep{{deposits: 1000, refused: true}, {at: 100, refused: true}}},
	} {
		// Slices have a phase; the vectors hold at any.
		for phase := range 10 {
			t.Run(fmt.Sprintf("%s/phase %d", c.name, phase), func(t *testing.T) {
				b := newBudget("", BudgetSettings{TTL: time.Duration(budgetTime(c.ttl)), MinPerSec: c.min, Percent: c.percent})
				offset := budgetTime(c.ttl) * int64(phase) / 100
				for i, s := range c.steps {
					at := budgetTime(s.at) + offset
					depositTimes(b, at, s.deposits)
					switch {
					case s.take || s.refused:
						_, ok := b.take(at)
						require.Equal(t, s.take, ok, "step %d", i)
					case s.balance > 0 || s.deposits == 0:
						require.Equal(t, s.balance, balance(b, at), "step %d", i)
					}
				}
			})
		}
	}
}

func TestBudgetReserveFillsExactlyAtItsRate(t *testing.T) {
	for _, rate := range []float64{0.1, 0.3, 1, 3, 7.001, 10, 333.333} {
		b := newBudget("", BudgetSettings{TTL: 10 * time.Second, MinPerSec: rate})
		full := int(rate * 10)
		require.Equal(t, full, drain(b, 0), "%v per second, at the start", rate)
		require.Zero(t, drain(b, 0))

		// Looked at often, so that what is not yet a whole thousandth must not be lost.
		taken := 0
		const steps = 90_001
		for i := 1; i <= steps; i++ {
			taken += drain(b, int64(i)*1_000_003)
		}
		at := int64(steps) * 1_000_003
		left := rate*10 - float64(full) // in the reserve after the first drain
		require.InDelta(t, left+rate*float64(at)/1e9, float64(taken), 1.0005, "%v per second", rate)
		require.LessOrEqual(t, float64(taken), left+rate*float64(at)/1e9+0.001)
	}
}

// budget:1.1 Finagle's reserve comes back as a whole when what it paid leaves the window; ours fills all the time.
func TestBudgetReserveIsBackAfterOneTTL(t *testing.T) {
	b := newBudget("", BudgetSettings{TTL: 10 * time.Second, MinPerSec: 10, Percent: 0.2})
	require.Equal(t, 100, drain(b, 0))
	require.Equal(t, 99, balance(b, budgetTime(9.999)))
	require.Equal(t, 100, balance(b, budgetTime(10)))
	require.Equal(t, 100, balance(b, budgetTime(1000)))
}

func TestBudgetReserveTakesAnyWait(t *testing.T) {
	for _, rate := range []float64{0.001, 1, maxMinPerSec} {
		b := newBudget("", BudgetSettings{TTL: time.Hour, MinPerSec: rate})
		full := b.reserve
		for range 3 {
			_, ok := b.take(math.MinInt64)
			require.True(t, ok)
		}
		k, _ := b.take(math.MaxInt64)
		b.giveBack(k)
		require.Equal(t, full, b.reserve, "%v per second", rate)
	}
}

func TestBudgetFullReserveHasNoRemainder(t *testing.T) {
	b := newBudget("", BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1})
	b.take(0)
	balance(b, budgetTime(0.5)+1) // not full, and a remainder of a nanosecond's worth
	require.NotZero(t, b.reserve.rest)
	balance(b, budgetTime(1)+2)
	require.Equal(t, reserve{rate: 1000, size: 10_000, have: 10_000}, b.reserve)
}

func TestBudgetIsNotFrozenByIdleTime(t *testing.T) {
	// Both the number of slices and the number of laps pass every power of two that a counter could wrap at.
	for _, ttl := range []time.Duration{time.Millisecond, time.Second, 10 * time.Second, time.Hour} {
		width := int64(ttl) / windowSlices
		for shift := range 62 {
			for _, off := range []int64{-1, 0, 1} {
				slices := int64(1)<<shift + off
				if slices > math.MaxInt64/width || slices < ringSlices {
					continue
				}
				b := newBudget("", BudgetSettings{TTL: ttl, Percent: 1})
				b.deposit(0)
				b.deposit(0)
				b.deposit(slices * width)
				require.Equal(t, 1, balance(b, slices*width), "ttl %v, 2^%d%+d slices later", ttl, shift, off)
			}
		}
	}
}

func TestBudgetClockThatGoesBack(t *testing.T) {
	settings := BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1, Percent: 0.2}

	t.Run("budget:v by 5 s mints nothing", func(t *testing.T) {
		b := newBudget("", settings)
		depositTimes(b, budgetTime(100), 50)
		require.Equal(t, 20, drain(b, budgetTime(100)))
		require.Zero(t, drain(b, budgetTime(95)))
		require.Zero(t, drain(b, budgetTime(100)))
		require.Equal(t, 1, drain(b, budgetTime(101)))
	})
	t.Run("a session with a late reading pays while its slice is in the window", func(t *testing.T) {
		b := newBudget("", BudgetSettings{TTL: 10 * time.Second, Percent: 1})
		require.Zero(t, drain(b, budgetTime(100)))
		b.deposit(budgetTime(95))
		require.Equal(t, 1, balance(b, budgetTime(100)))
		require.Zero(t, balance(b, budgetTime(106.1)))
	})
	t.Run("a session of a slice that has left the window pays for nothing", func(t *testing.T) {
		b := newBudget("", BudgetSettings{TTL: 10 * time.Second, Percent: 1})
		b.deposit(budgetTime(100))
		b.deposit(budgetTime(100 - ringSlices)) // the same place in the ring
		require.Equal(t, 1, balance(b, budgetTime(100)))
	})
	t.Run("a session ahead of its time pays once", func(t *testing.T) {
		b := newBudget("", BudgetSettings{TTL: 10 * time.Second, Percent: 1})
		b.deposit(budgetTime(30))
		taken := 0
		for at := range 100 {
			taken += drain(b, budgetTime(float64(at)))
		}
		require.Equal(t, 1, taken)
	})
	t.Run("to another clock keeps the reserve, forgets the window and goes on", func(t *testing.T) {
		b := newBudget("", settings)
		depositTimes(b, budgetTime(1000), 50)
		require.Equal(t, 20, drain(b, budgetTime(1000)))
		depositTimes(b, budgetTime(1000), 50)
		require.Zero(t, drain(b, budgetTime(-1000)))
		depositTimes(b, budgetTime(-1000), 50)
		require.Equal(t, 10, drain(b, budgetTime(-1000)))
		require.Equal(t, 2, drain(b, budgetTime(-998)))
	})
	t.Run("to another clock, noticed by the sessions of the old one alone", func(t *testing.T) {
		b := newBudget("", BudgetSettings{TTL: 10 * time.Second, Percent: 1})
		depositTimes(b, budgetTime(1000), 50) // nothing was taken on the old clock
		for at := range ringSlices {
			b.deposit(budgetTime(1000 + float64(at)))
		}
		require.Zero(t, drain(b, budgetTime(-1000)))
		depositTimes(b, budgetTime(-1000), 3)
		require.Equal(t, 3, drain(b, budgetTime(-1000)))
	})
}

func TestBudgetOutlivesABubble(t *testing.T) {
	b := newBudget("", BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1, Percent: 1})
	b.deposit(now())
	require.Equal(t, 11, drain(b, now()))
	for range 2 {
		synctest.Test(t, func(t *testing.T) {
			require.Zero(t, drain(b, now()), "nothing is minted by entering a bubble")
			b.deposit(now())
			require.Equal(t, 1, drain(b, now()))
			time.Sleep(2 * time.Minute)
			require.Equal(t, 10, drain(b, now()))
		})
	}
}

func TestBudgetTakesAnyTime(t *testing.T) {
	extremes := []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64 - 1, math.MaxInt64}
	for _, ttl := range []time.Duration{minBudgetTTL, 1234567 * time.Nanosecond, maxBudgetTTL} {
		for _, first := range extremes {
			for _, second := range extremes {
				b := newBudget("", BudgetSettings{TTL: ttl, MinPerSec: maxMinPerSec, Percent: maxPercent})
				for _, at := range []int64{first, second, first} {
					b.deposit(at)
					k, ok := b.take(at)
					require.True(t, ok)
					b.giveBack(k)
				}
			}
		}
	}
}

func TestBudgetGiveBack(t *testing.T) {
	t.Run("restores what paid", func(t *testing.T) {
		b := newBudget("", BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1, Percent: 0.2})
		depositTimes(b, 0, 3) // 0.6 of a retry
		before := b.reserve
		k, ok := b.take(0)
		require.True(t, ok)
		require.EqualValues(t, 9600, b.reserve.have)
		require.Zero(t, b.earned(b.clock.latest/b.clock.width))
		b.giveBack(k)
		require.Equal(t, before, b.reserve)
		require.EqualValues(t, 600, b.earned(b.clock.latest/b.clock.width))
	})
	t.Run("holds when the window moves on slice by slice", func(t *testing.T) {
		b := newBudget("", BudgetSettings{TTL: 10 * time.Second, Percent: 1})
		depositTimes(b, 0, 1)
		k, ok := b.take(0)
		require.True(t, ok)
		b.giveBack(k)
		for at := range 15 {
			depositTimes(b, budgetTime(float64(at)), 1)
			_, ok := b.take(budgetTime(float64(at)))
			require.True(t, ok, "the session of second %d pays", at)
		}
	})
	t.Run("leaves the reserve's fraction of a thousandth", func(t *testing.T) {
		b := newBudget("", BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1})
		drain(b, 0)
		_, ok := b.take(budgetTime(2) + 123)
		require.True(t, ok)
		before := b.reserve
		k, ok := b.take(budgetTime(2) + 123)
		require.True(t, ok)
		b.giveBack(k)
		require.Equal(t, before, b.reserve)
	})
	t.Run("never overfills the reserve", func(t *testing.T) {
		b := newBudget("", BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1})
		k, _ := b.take(0)
		require.Equal(t, 10, balance(b, budgetTime(100)))
		b.giveBack(k)
		require.Equal(t, 10, balance(b, budgetTime(100)))
	})
	t.Run("after the slice has left the window restores the reserve alone", func(t *testing.T) {
		b := newBudget("", BudgetSettings{TTL: 10 * time.Second, Percent: 1})
		b.deposit(0)
		k, ok := b.take(0)
		require.True(t, ok)
		b.deposit(budgetTime(ringSlices)) // the same place in the ring
		_, ok = b.take(budgetTime(ringSlices))
		require.True(t, ok)
		b.giveBack(k)
		require.Zero(t, balance(b, budgetTime(ringSlices)))
	})
	t.Run("the zero ticket gives nothing back", func(t *testing.T) {
		b := newBudget("", BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1, Percent: 1})
		drain(b, 0)
		k, ok := b.take(0)
		require.False(t, ok)
		require.Zero(t, k)
		b.giveBack(k)
		require.Zero(t, drain(b, 0))
	})
	t.Run("a ticket of any time is told from the zero one", func(t *testing.T) {
		for _, at := range []int64{math.MinInt64, 0, math.MaxInt64} {
			b := newBudget("", BudgetSettings{TTL: time.Millisecond, MinPerSec: 1000})
			k, ok := b.take(at)
			require.True(t, ok)
			require.NotZero(t, k)
			require.Zero(t, balance(b, at))
			b.giveBack(k)
			require.Equal(t, 1, balance(b, at))
		}
	})
}

func TestBudgetRefusedTakeTakesNothing(t *testing.T) {
	b := newBudget("", BudgetSettings{TTL: 10 * time.Second, MinPerSec: 0.05, Percent: 0.2})
	b.deposit(0)
	for range 100 {
		_, ok := b.take(0)
		require.False(t, ok) // 0.5 in the reserve, 0.2 in the window
	}
	require.EqualValues(t, 500, b.reserve.have)
	depositTimes(b, 0, 2)
	_, ok := b.take(0)
	require.True(t, ok)
}

func TestBudgetKeepsItsNameAndDepositMode(t *testing.T) {
	b := newBudget("payments", BudgetSettings{TTL: time.Second, Deposit: DepositSuccess})
	require.Equal(t, "payments", b.name)
	require.Equal(t, DepositSuccess, b.settings.Deposit)
}

func TestDepositsCountExactlyWhenStriped(t *testing.T) {
	b := newBudget("", BudgetSettings{TTL: 10 * time.Second, Percent: 1})
	depositTimes(b, 0, 10) // in the shared line
	lines := b.deposits.stripe()
	require.Same(t, lines, b.deposits.stripe(), "lines are made once")
	require.Zero(t, len(*lines)&(len(*lines)-1), "a power of two")
	for i := range 1000 {
		b.deposit(int64(i))
	}
	require.Equal(t, 1010, balance(b, budgetTime(9.9)))
	require.Zero(t, balance(b, budgetTime(11.1)))
	used := 0
	for i := range *lines {
		if (*lines)[i].words[instant(0)/b.deposits.width%ringSlices].Load() != 0 {
			used++
		}
	}
	require.Equal(t, len(*lines), used, "depositors are spread over all lines")
}

func TestDepositsBeyondAFullWordAreNotCounted(t *testing.T) {
	b := newBudget("", BudgetSettings{TTL: time.Millisecond, Percent: 1})
	lap, place := lapOf(instant(0) / b.deposits.width)
	word := &b.deposits.shared.words[place]
	full := lap<<b.deposits.countBits | (1<<b.deposits.countBits - 1)
	word.Store(full - 1)
	b.deposit(0)
	require.Equal(t, full, word.Load())
	b.deposit(0)
	require.Equal(t, full, word.Load(), "the count does not run over into the lap")
}

func TestBudgetCallsAllocateNothing(t *testing.T) {
	b := newBudget("", BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1, Percent: 0.2})
	at := int64(0)
	work := func() {
		at += 100_000_000
		b.deposit(at)
		k, _ := b.take(at)
		b.giveBack(k)
		b.take(at)
	}
	require.Zero(t, testing.AllocsPerRun(1000, work))
	b.deposits.stripe()
	require.Zero(t, testing.AllocsPerRun(1000, work))
}
