package chart

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAScaleHasRoomAndFewSteps(t *testing.T) {
	for most, want := range map[float64]scale{
		0:    {1, 5},
		4:    {1, 5},
		5:    {2, 6},
		7:    {2, 10},
		84:   {20, 100},
		85:   {50, 150},
		775:  {200, 1000},
		1584: {500, 2000},
		4825: {2000, 6000},
		1e6:  {5e5, 1.5e6},
	} {
		s := scaleTo(most)
		require.InDelta(t, want.step, s.step, 1e-9, most)
		require.InDelta(t, want.end, s.end, 1e-9, most)
	}
	for most := 5.0; most < 1e7; most *= 1.07 {
		s := scaleTo(most)
		require.Greater(t, s.end, most*1.1)
		ticks := s.ticks()
		require.LessOrEqual(t, len(ticks), 6, most)
		require.GreaterOrEqual(t, len(ticks), 3, most)
		require.InEpsilon(t, s.end, ticks[len(ticks)-1], 1e-9)
	}
}

func TestSecondsAreCountedInStepsThatPeopleUse(t *testing.T) {
	for length, want := range map[int]int{2: 1, 12: 2, 60: 10, 150: 30, 180: 30, 181: 60, 3600: 600, 100_000: 3600} {
		require.Equal(t, want, seconds(length), length)
	}
}

func TestNumbersHaveCommasBetweenThousands(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 999: "999", 1000: "1,000", 12345: "12,345", 1234567: "1,234,567"} {
		require.Equal(t, want, number(v))
	}
}
