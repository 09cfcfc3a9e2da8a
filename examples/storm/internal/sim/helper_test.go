package sim_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/storm/internal/sim"
)

// small is a fifth of the fleet for a shorter time. What is stored in a budget before the outage is the same.
func small(seed uint64) sim.Model {
	m := sim.Default().Part(5)
	m.Seed, m.Before, m.After = seed, 12*time.Second, 20*time.Second
	return m
}

// play makes one run in a bubble.
func play(t *testing.T, s sim.Strategy, m sim.Model) *sim.Record {
	t.Helper()
	var r *sim.Record
	synctest.Test(t, func(t *testing.T) {
		var err error
		r, err = s.Run(m)
		require.NoError(t, err)
	})
	return r
}

// named is the strategy with a name.
func named(t *testing.T, name string) sim.Strategy {
	t.Helper()
	for _, s := range append(sim.Strategies(), sim.Layers()...) {
		if s.Name == name {
			return s
		}
	}
	require.Failf(t, "missing strategy", "there is no %q", name)
	return sim.Strategy{}
}
