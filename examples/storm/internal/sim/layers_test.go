package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/storm/internal/sim"
)

func TestLayersMultiplyUnlessRetriesHappenAtOne(t *testing.T) {
	names := []string{"every layer (rule 15 off)", "one layer (rule 15 on)", "every layer, with budgets", "one layer, with budgets"}
	part := func(seed uint64) sim.Model {
		m := sim.Default().Part(20)
		m.Seed, m.Before, m.After = seed, 12*time.Second, 8*time.Second
		return m
	}
	forSeeds(t, names, part, func(t *testing.T, r map[string]*sim.Record) {
		amplification := func(i int) float64 { return r[names[i]].AmplificationInOutage() }
		require.Greater(t, amplification(0), 20.0)
		require.LessOrEqual(t, amplification(0), 27.0)
		require.InDelta(t, 2.95, amplification(1), 0.1)
		require.InDelta(t, 1.9, amplification(2), 0.2)
		require.LessOrEqual(t, amplification(3), 1.3)
		requireRecovery(t, r[names[3]], 5*time.Second)
		for _, name := range names[:3] {
			_, recovered := r[name].Recovery()
			require.False(t, recovered, name)
		}
	})
}
