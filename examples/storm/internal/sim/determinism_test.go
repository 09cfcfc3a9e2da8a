package sim_test

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/storm/internal/sim"
)

func brief(seed uint64) sim.Model {
	m := sim.Default().Part(10)
	m.Seed, m.Before, m.Outage, m.After = seed, 5*time.Second, 5*time.Second, 5*time.Second
	return m
}

// counted is what a record holds, to be compared.
type counted struct {
	calls, answered, load []int
	refused               int
}

func of(r *sim.Record) counted { return counted{r.Calls, r.Answered, r.Load, r.Refused} }

func TestTheSameSeedGivesTheSameRecordHoweverManyProcessorsThereAre(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, s := range append(sim.Strategies(), sim.Layers()...) {
		var records []counted
		for _, processors := range []int{1, 2} {
			runtime.GOMAXPROCS(processors)
			records = append(records, of(play(t, s, brief(7))))
		}
		require.Equal(t, records[0], records[1], s.Name)
	}
}

func TestAnotherSeedGivesAnotherRecord(t *testing.T) {
	for _, s := range append(sim.Strategies(), sim.Layers()...) {
		require.NotEqual(t, of(play(t, s, brief(7))), of(play(t, s, brief(8))), s.Name)
	}
}

// A budget's slices of time began with the process, so the moment at which a run begins is another one each time.
func TestTheMomentAtWhichARunBeginsDoesNotMatter(t *testing.T) {
	s := named(t, "backoff, budget")
	want := of(play(t, s, small(1)))
	for _, later := range []time.Duration{time.Nanosecond, 123456789 * time.Nanosecond, 999*time.Millisecond + 1} {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(later)
			r, err := s.Run(small(1))
			require.NoError(t, err)
			require.Equal(t, want, of(r))
		})
	}
}
