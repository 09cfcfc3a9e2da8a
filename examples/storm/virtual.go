package main

import (
	"flag"
	"os"
	"testing"
	"testing/synctest"

	"github.com/backstay/backstay/examples/storm/internal/sim"
)

// underTest calls f with a *testing.T, without which no program enters a bubble of testing/synctest, and ends the process with
// the status that f returns. It plays a test binary of one test:
//
//   - testing.Main is for programs that are one ("other systems that simulate go test"), and Go keeps it for them. Its
//     successor MainStart may change from release to release.
//   - It would read the flags of a test binary from the command line, which is ours. To parse an empty list first leaves it
//     nothing to read.
//   - It would print PASS and exit when f has returned. To exit before leaves it nothing to print; only where the
//     simulation itself fails, such as by a deadlock in a bubble, the word is testing's.
func underTest(f func(t *testing.T) int) {
	testing.Init()
	_ = flag.CommandLine.Parse(nil)
	all := func(string, string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{
		Name: "storm",
		F:    func(t *testing.T) { os.Exit(f(t)) },
	}}, nil, nil)
}

// run is one run of the simulation.
type run struct {
	model    sim.Model
	strategy sim.Strategy
}

// simulate makes the runs, each in a bubble of its own and as many at a time as there are processors, and returns their
// records in the order of the runs.
func simulate(t *testing.T, runs []run) ([]*sim.Record, error) {
	records, errs := make([]*sim.Record, len(runs)), make([]error, len(runs))
	t.Run("runs", func(t *testing.T) { // returns when those that are parallel inside it have ended
		for i, r := range runs {
			t.Run(r.strategy.Name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(*testing.T) { records[i], errs[i] = r.strategy.Run(r.model) })
			})
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return records, nil
}
