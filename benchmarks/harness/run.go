package harness

import (
	"fmt"
	"io"
	"time"
)

// Config says how much is measured.
type Config struct {
	Passes   int           // how often each contender is measured; at least 1
	Time     time.Duration // how long each measurement takes, about
	Progress io.Writer     // gets a line per pass; nil is nobody
}

// Run measures all works, Passes times. Within a pass the contenders of one work run one after another, and who is first
// rotates from pass to pass. The first contender that fails ends the run.
func Run(works []Work, cfg Config) (*Results, error) {
	results := newResults(works)
	for pass := range cfg.Passes {
		began, measured := time.Now(), 0
		for _, w := range works {
			for i := range w.Cases {
				c := w.Cases[(i+pass)%len(w.Cases)]
				series := results.Of(w.Name, c.Name)
				sample, err := measure(c, w.Parallel, cfg.Time, series.last())
				if err != nil {
					return nil, fmt.Errorf("%s: %s: %w", w.Name, c.Name, err)
				}
				series.samples = append(series.samples, sample)
				measured++
			}
		}
		if cfg.Progress != nil {
			fmt.Fprintf(cfg.Progress, "pass %d of %d: %d measurements in %s\n", pass+1, cfg.Passes, measured, time.Since(began).Round(100*time.Millisecond))
		}
	}
	return results, nil
}
