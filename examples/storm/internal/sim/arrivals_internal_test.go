package sim

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestArrivalsComeInOrderAtTheRateFromAllClients(t *testing.T) {
	m := Default()
	m.Before, m.Outage, m.After = 10*time.Second, 10*time.Second, 10*time.Second
	last, byClient, all := time.Duration(0), map[int]int{}, 0
	type slot struct {
		at     time.Duration
		client int
	}
	taken := map[slot]bool{}
	for at, client := range arrivals(m) {
		require.GreaterOrEqual(t, at, last)
		require.Zero(t, at%tick)
		require.False(t, taken[slot{at, client}], "a client begins one call in a tick at most")
		taken[slot{at, client}] = true
		last = at
		byClient[client]++
		all++
	}
	require.Less(t, last, m.Length()+tail)
	require.Greater(t, last, m.Length()+tail-time.Second)
	require.Len(t, byClient, m.Clients)
	seconds := (m.Length() + tail).Seconds()
	require.InEpsilon(t, float64(m.Rate)*seconds, all, 0.03)
	for _, n := range slices.Collect(maps.Values(byClient)) {
		require.InEpsilon(t, float64(m.Rate)*seconds/float64(m.Clients), n, 0.15)
	}
}

func TestArrivalsEndWhereNobodyAsksForMore(t *testing.T) {
	n := 0
	for range arrivals(Default()) {
		if n++; n == 3 {
			break
		}
	}
	require.Equal(t, 3, n)
}
