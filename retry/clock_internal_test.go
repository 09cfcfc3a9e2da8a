package retry

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNowFollowsTheBubblesTime(t *testing.T) {
	outside := now()
	synctest.Test(t, func(t *testing.T) {
		start := now()
		require.Less(t, start, outside, "a bubble's time begins before the package's")
		time.Sleep(3 * time.Second)
		require.Equal(t, 3*time.Second, time.Duration(now()-start))
	})
	require.GreaterOrEqual(t, now(), outside)
}

func TestBetweenHoldsAtTheEndsOfTheRange(t *testing.T) {
	for _, c := range []struct{ from, to, want int64 }{
		{3, 5, 2},
		{5, 3, -2},
		{-5, 5, 10},
		{7, 7, 0},
		{math.MinInt64, math.MinInt64, 0},
		{math.MinInt64, math.MaxInt64, math.MaxInt64},
		{math.MaxInt64, math.MinInt64, math.MinInt64},
		{-1, math.MaxInt64, math.MaxInt64},
		{1, math.MinInt64, math.MinInt64},
		{0, math.MinInt64, math.MinInt64},
		{-1, math.MinInt64, math.MinInt64 + 1},
	} {
		require.Equal(t, c.want, between(c.from, c.to), "from %d to %d", c.from, c.to)
	}
}

func TestInstantKeepsTheOrderOfTime(t *testing.T) {
	times := []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64 - 1, math.MaxInt64}
	for i := 1; i < len(times); i++ {
		require.Less(t, instant(times[i-1]), instant(times[i]))
	}
}

func TestSliceClockRunsForwardUnlessItIsAnotherClock(t *testing.T) {
	second, minute := int64(time.Second), int64(time.Minute)
	c := newSliceClock(10 * second)
	first, _, leapt := c.advance(0)
	require.False(t, leapt)

	slice, passed, leapt := c.advance(3 * second)
	require.Equal(t, first+3, slice)
	require.EqualValues(t, 3*second, passed)
	require.False(t, leapt)

	slice, passed, leapt = c.advance(3*second - minute)
	require.Equal(t, first+3, slice, "a reading that is late counts as the latest")
	require.Zero(t, passed)
	require.False(t, leapt)

	slice, passed, leapt = c.advance(3*second - minute - 1)
	require.Less(t, slice, first)
	require.Zero(t, passed, "a leap is no time that has passed")
	require.True(t, leapt)
}

func TestSliceClockOfALongWindowTakesALateReadingForLate(t *testing.T) {
	hour := int64(time.Hour)
	c := newSliceClock(hour)
	c.advance(0)
	_, _, leapt := c.advance(-hour)
	require.False(t, leapt)
	_, _, leapt = c.advance(-2 * hour)
	require.True(t, leapt)
}
