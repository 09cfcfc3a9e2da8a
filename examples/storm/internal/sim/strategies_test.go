package sim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/storm/internal/sim"
)

// The claims of the README, for several seeds.

// forSeeds runs f for each seed with the records of the strategies named.
func forSeeds(t *testing.T, names []string, model func(seed uint64) sim.Model, f func(t *testing.T, r map[string]*sim.Record)) {
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			records := map[string]*sim.Record{}
			for _, name := range names {
				records[name] = play(t, named(t, name), model(seed))
			}
			f(t, records)
		})
	}
}

func requireRecovery(t *testing.T, r *sim.Record, within time.Duration) {
	t.Helper()
	after, recovered := r.Recovery()
	require.True(t, recovered, "%s recovers", r.Strategy)
	require.LessOrEqual(t, after, within, r.Strategy)
}

func requireStorm(t *testing.T, r *sim.Record) {
	t.Helper()
	_, recovered := r.Recovery()
	require.False(t, recovered, "%s recovers", r.Strategy)
	require.GreaterOrEqual(t, r.AmplificationInOutage(), 2.5, r.Strategy)
	require.Greater(t, r.PeakLoad(), 2*r.Model.Capacity, r.Strategy)
}

func TestWithoutRetriesThePeerIsWellAtOnceButBadLuckIsLost(t *testing.T) {
	forSeeds(t, []string{"no retry", "backoff, budget"}, small, func(t *testing.T, r map[string]*sim.Record) {
		none := r["no retry"]
		requireRecovery(t, none, 2*time.Second)
		require.Equal(t, 1.0, none.AmplificationInOutage())
		require.Equal(t, 1.0, none.Amplification())
		require.Greater(t, none.LostBefore(), 5)
		require.Less(t, r["backoff, budget"].LostBefore(), none.LostBefore()/2) // bad luck just before the outage meets it
	})
}

func TestRetriesOutliveTheOutageWithAndWithoutBackoff(t *testing.T) {
	forSeeds(t, []string{"fixed retries", "backoff and jitter"}, small, func(t *testing.T, r map[string]*sim.Record) {
		requireStorm(t, r["fixed retries"])
		requireStorm(t, r["backoff and jitter"])
	})
}

func TestABudgetAndABreakerKeepAnOutageFromBecomingAStorm(t *testing.T) {
	names := []string{"backoff, budget", "backoff, breaker", "backoff, budget, breaker"}
	forSeeds(t, names, small, func(t *testing.T, r map[string]*sim.Record) {
		budget, breaker, both := r[names[0]], r[names[1]], r[names[2]]
		requireRecovery(t, budget, 5*time.Second)
		require.LessOrEqual(t, budget.AmplificationInOutage(), 1.3)
		require.Zero(t, budget.Refused)
		for _, r := range []*sim.Record{breaker, both} {
			requireRecovery(t, r, 12*time.Second) // its reset timeout, and a call to come and be answered
			require.Less(t, r.AmplificationInOutage(), 0.2)
			require.Less(t, r.PeakLoad(), r.Model.Capacity)
			require.Greater(t, r.Refused, 1000)
		}
	})
}

// A breaker opens at half of the attempts, and then refuses the good ones too; retries without a budget make a storm of it.
func TestWhereTwoRequestsInFiveFailTheBudgetLosesLeast(t *testing.T) {
	names := []string{"no retry", "fixed retries", "backoff, budget", "backoff, breaker", "backoff, budget, breaker"}
	part := func(seed uint64) sim.Model {
		m := small(seed)
		m.Failing = 40
		return m
	}
	forSeeds(t, names, part, func(t *testing.T, r map[string]*sim.Record) {
		requireStorm(t, r["fixed retries"])
		requireRecovery(t, r["backoff, budget"], 5*time.Second)
		for name, other := range r {
			if name != "backoff, budget" {
				require.Less(t, r["backoff, budget"].Lost(), other.Lost(), name)
			}
		}
	})
}

// The storm is made by the retries and by the queue, and not by the way things are counted.
func TestWhatTakesTheStormAway(t *testing.T) {
	for name, change := range map[string]func(*sim.Model){
		"a peer with room for all retries":                       func(m *sim.Model) { m.Capacity, m.Queue = 5*m.Rate, 10*m.Rate },
		"a queue that is shorter than callers have patience for": func(m *sim.Model) { m.Queue = m.Capacity / 4 },
	} {
		t.Run(name, func(t *testing.T) {
			forSeeds(t, []string{"fixed retries"}, func(seed uint64) sim.Model {
				m := small(seed)
				change(&m)
				return m
			}, func(t *testing.T, r map[string]*sim.Record) {
				requireRecovery(t, r["fixed retries"], 5*time.Second)
				require.Greater(t, r["fixed retries"].AmplificationInOutage(), 2.5)
			})
		})
	}
}
