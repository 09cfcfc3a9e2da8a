package retry

import (
	"math"
	"math/big"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// timeOfSlice is when a slice of the budget begins.
func timeOfSlice(b *budget, slice uint64) int64 { return int64(slice*b.clock.width ^ 1<<63) }

// What a reserve earns is exact at any size: also where the product of rate and time, with what was left over, just does
// not fit in a word.
func TestBudgetReserveIsExactAcrossWords(t *testing.T) {
	const rate, second = 999_999_999, 1_000_000_000
	r := reserve{rate: rate, size: math.MaxUint64}
	total := new(big.Int)
	for _, passed := range []uint64{1, math.MaxUint64 / rate, 1, uint64(maxBudgetTTL), math.MaxUint64 / rate, 7} {
		r.fill(passed)
		total.Add(total, new(big.Int).Mul(big.NewInt(int64(passed)), big.NewInt(rate)))
		want, rest := new(big.Int).DivMod(total, big.NewInt(second), new(big.Int))
		require.Equal(t, want.Uint64(), r.have)
		require.Equal(t, rest.Uint64(), r.rest)
	}
}

// A reserve that is full earns nothing on, not even a part of a thousandth.
func TestBudgetReserveThatIsFullEarnsNothing(t *testing.T) {
	b := newBudget("", BudgetSettings{TTL: 10 * time.Second, MinPerSec: 0.3})
	require.Equal(t, 3, balance(b, 0))
	for at := range int64(10) {
		require.Equal(t, 3, balance(b, at*int64(time.Second)+1))
		require.Equal(t, reserve{rate: 300, size: 3000, have: 3000}, b.reserve)
	}
	at := 10 * int64(time.Second)
	require.Equal(t, 3, drain(b, at))
	third := int64(math.Ceil(1e9 / 0.3))
	require.Zero(t, balance(b, at+third-1))
	require.Equal(t, 1, balance(b, at+third))
}

// The ring has no first lap that is different: sessions count from the first instant of time to the last.
func TestBudgetSessionsCountAtEitherEndOfTime(t *testing.T) {
	for _, ttl := range []time.Duration{minBudgetTTL, 10 * time.Second, maxBudgetTTL} {
		b := newBudget("", BudgetSettings{TTL: ttl, Percent: 1})
		for slice := range uint64(3 * ringSlices) {
			at := timeOfSlice(b, slice)
			depositTimes(b, at, 2)
			require.Equal(t, 2, drain(b, at), "slice %d of %v", slice, ttl)
		}
		b = newBudget("", BudgetSettings{TTL: ttl, Percent: 1})
		last := uint64(math.MaxUint64) / b.clock.width
		for slice := last - 3*ringSlices; slice <= last; slice++ {
			at := timeOfSlice(b, slice)
			depositTimes(b, at, 2)
			require.Equal(t, 2, drain(b, at), "slice %d of %v", slice, ttl)
		}
	}
}

// A session stays in the window for ten slices after its own, whatever place in the ring that has; then it is gone, and
// is not there again a lap later.
func TestBudgetSessionLeavesTheWindowAfterALapOfTheRing(t *testing.T) {
	for place := range uint64(ringSlices) {
		b := newBudget("", BudgetSettings{TTL: 10 * time.Second, Percent: 1})
		first := uint64(1<<33) + place
		b.deposit(timeOfSlice(b, first))
		for after := range uint64(3 * ringSlices) {
			want := 0
			if after < ringSlices {
				want = 1
			}
			require.Equal(t, want, balance(b, timeOfSlice(b, first+after)), "place %d, %d slices later", place, after)
		}
	}
}

// A taker that was slow to use its reading looks at a window that ends before the newest sessions. They do not pay for it,
// and are not forgotten either, though they have begun the ring's next lap.
func TestBudgetLateTakerForgetsNoSessionsOfTheNextLap(t *testing.T) {
	for _, ttl := range []time.Duration{10 * time.Second, time.Minute, maxBudgetTTL} {
		b := newBudget("", BudgetSettings{TTL: ttl, Percent: 1})
		next := (uint64(1<<63)/b.clock.width/ringSlices + 1) * ringSlices // the first of a lap
		b.deposit(timeOfSlice(b, next))
		require.Zero(t, drain(b, timeOfSlice(b, next)-1), "%v", ttl)
		require.Equal(t, 1, drain(b, timeOfSlice(b, next)), "%v", ttl)
	}
}

// Depositors that collide again and again, on few lines, are all counted.
func TestDepositsThatCollideOnOneLineAreAllCounted(t *testing.T) {
	const each = 50_000
	goroutines := 4 * runtime.GOMAXPROCS(0)
	b := newBudget("", BudgetSettings{TTL: 10 * time.Second, Percent: 1})
	lines := make([]depositLine, 1)
	b.deposits.stripes.Store(&lines)
	stampede(goroutines, func(int) {
		for range each {
			b.deposit(0)
		}
	})
	require.EqualValues(t, goroutines*each, b.deposits.sum(instant(0)/b.deposits.width, b.clock.leap))
}

// A count that is full stays so: the sessions beyond pay for nothing, but nobody looks for room that there is not.
func TestDepositsReturnThoughEveryLineIsFull(t *testing.T) {
	b := newBudget("", BudgetSettings{TTL: time.Millisecond, Percent: 1})
	lap, place := lapOf(instant(0) / b.deposits.width)
	most := uint64(1)<<b.deposits.countBits - 1
	b.deposits.stripe()
	lines := uint64(0)
	b.deposits.each(func(l *depositLine) {
		l.words[place].Store(lap<<b.deposits.countBits | most)
		lines++
	})
	depositTimes(b, 0, 100)
	require.Equal(t, lines*most, b.deposits.sum(instant(0)/b.deposits.width, b.clock.leap))
}
