package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/storm/internal/sim"
)

// record is one of two seconds before the outage, two in it and four after it; in each 100 calls begin.
func record(answered, load []int) *sim.Record {
	return &sim.Record{
		Model:    sim.Model{Before: 2 * time.Second, Outage: 2 * time.Second, After: 4 * time.Second},
		Calls:    []int{100, 100, 100, 100, 100, 100, 100, 100},
		Answered: answered,
		Load:     load,
	}
}

func TestRecoveryIsForGood(t *testing.T) {
	for _, c := range []struct {
		after     []int // answered
		want      time.Duration
		recovered bool
	}{
		{[]int{100, 100, 100, 100}, 0, true},
		{[]int{95, 95, 95, 95}, 0, true},
		{[]int{94, 95, 95, 95}, time.Second, true},
		{[]int{0, 0, 95, 95}, 2 * time.Second, true},
		{[]int{100, 94, 100, 100}, 2 * time.Second, true},
		{[]int{100, 100, 94, 95}, 3 * time.Second, true},
		{[]int{100, 100, 100, 94}, 4 * time.Second, false},
		{[]int{0, 0, 0, 0}, 4 * time.Second, false},
	} {
		r := record(append([]int{100, 100, 0, 0}, c.after...), nil)
		after, recovered := r.Recovery()
		require.Equal(t, c.want, after, c.after)
		require.Equal(t, c.recovered, recovered, c.after)
	}
}

func TestFigures(t *testing.T) {
	r := record([]int{99, 98, 10, 20, 90, 100, 100, 100}, []int{101, 102, 250, 350, 200, 100, 100, 100})
	require.Equal(t, 350, r.PeakLoad())
	require.Equal(t, 3.0, r.AmplificationInOutage())
	require.Equal(t, 1303.0/800, r.Amplification())
	require.Equal(t, 183, r.Lost())
	require.Equal(t, 3, r.LostBefore())
}

func TestFiguresOfARunWithoutCalls(t *testing.T) {
	r := record(make([]int, 8), make([]int, 8))
	r.Calls = make([]int, 8)
	require.Zero(t, r.AmplificationInOutage())
	require.Zero(t, r.Amplification())
	after, recovered := r.Recovery()
	require.Zero(t, after)
	require.True(t, recovered)
}
