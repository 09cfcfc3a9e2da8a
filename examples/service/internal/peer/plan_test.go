package peer

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestFaultsDependOnSeedKeyAndAttemptAlone(t *testing.T) {
	plan, err := PlanNamed("flaky")
	require.NoError(t, err)
	draws := func(seed uint64, at time.Duration) (all []fault) {
		for n := range 200 {
			all = append(all, plan.fault(seed, fmt.Sprint("order ", n/2), n%2+1, at))
		}
		return all
	}
	require.Equal(t, draws(1, 0), draws(1, time.Second))
	require.NotEqual(t, draws(1, 0), draws(2, 0))
}

func TestFaultsComeInTheirShares(t *testing.T) {
	plan := Plan{Busy: .1, Overloaded: .1, Pending: .1, Reset: .2, Slow: .25}
	count := map[fault]int{}
	const n = 20_000
	for i := range n {
		count[plan.fault(7, fmt.Sprint(i), 1, 0)]++
	}
	for f, share := range map[fault]float64{
		busy: .1, overloaded: .1, pending: .1, reset: .2, slow: .25, healthy: .25, dropped: 0, refused: 0,
	} {
		require.InDelta(t, share, float64(count[f])/n, .015, "fault %d", f)
	}
}

func TestOutageIsFullWhileItLasts(t *testing.T) {
	plan := Plan{Busy: .5, OutageFrom: time.Second, OutageTo: 2 * time.Second}
	for at, down := range map[time.Duration]bool{
		0:                         false,
		time.Second - 1:           false,
		time.Second:               true,
		2*time.Second - 1:         true,
		2 * time.Second:           false,
		1000 * time.Second:        false,
		1500e3 * time.Microsecond: true,
	} {
		for n := range 20 {
			f := plan.fault(1, fmt.Sprint(n), 1, at)
			require.Equal(t, down, f == dropped || f == refused, "%v: fault %d", at, f)
		}
	}
}

func TestEveryNamedPlanIsSoundAndTellsWhatItDoes(t *testing.T) {
	for name, says := range map[string]string{
		"none":   "never fails",
		"flaky":  "8 % of attempts fail, down from 5s to 7.5s",
		"outage": "down from 800ms to 13s",
	} {
		plan, err := PlanNamed(name)
		require.NoError(t, err)
		require.NoError(t, plan.check())
		require.Equal(t, says, plan.String())
	}
	require.Equal(t, "keys are ignored", Plan{IgnoreKeys: true}.String())
	_, err := PlanNamed("wild")
	require.EqualError(t, err, `no faults are called "wild"; write none, flaky or outage`)
}
