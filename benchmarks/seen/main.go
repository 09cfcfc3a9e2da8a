// Command seen measures what it costs that calls are seen: by nobody, by records of log/slog, by OpenTelemetry, by Prometheus,
// on the dashboard. It writes tables in Markdown.
//
//	go run ./seen [-passes 100] [-time 5ms] [-run REGEXP] [-max 2000] [-md SEEN.md]
//
// The tables go to standard output, and to the file of -md as well. It checks what every contender tells of a call before it
// times anything, and what was told after each measurement. Measurements are many and short, so that what else the machine does
// falls into few of them; it still wants the machine for itself.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"

	"github.com/backstay/backstay/benchmarks/harness"
)

// heap is what is held throughout: without pointers, never touched, the size of a small service's.
const heap = 64 << 20

func main() { harness.Main(heap, command) }

// config is what the flags say.
type config struct {
	args     []string
	passes   int
	time     time.Duration
	most     int // methods whose memory is measured
	progress io.Writer
}

// command is the whole program; out gets the report, progress what is said on the way.
func command(args []string, out, progress io.Writer) error {
	cfg := config{args: args, progress: progress}
	flags := flag.NewFlagSet("seen", flag.ContinueOnError)
	flags.SetOutput(progress)
	flags.IntVar(&cfg.passes, "passes", 100, "how often each contender is measured")
	flags.DurationVar(&cfg.time, "time", 5*time.Millisecond, "how long each measurement takes, about")
	flags.IntVar(&cfg.most, "max", 2000, "the most methods whose `number` memory is measured for")
	only := flags.String("run", "", "measure what this `regexp` matches: the names of the works, with their form, woven or chain, and memory")
	file := flags.String("md", "", "write the tables to this `file` as well")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if cfg.passes < 1 || cfg.time <= 0 || cfg.most < 1 || flags.NArg() > 0 {
		return fmt.Errorf("usage: seen [flags]; passes and max are at least 1, and time is above zero")
	}
	chosen, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	var b bytes.Buffer
	if err := measure(io.MultiWriter(out, &b), cfg, chosen); err != nil {
		return err
	}
	if *file != "" {
		return os.WriteFile(*file, b.Bytes(), 0o644)
	}
	return nil
}

// timed is a work in one form.
type timed struct {
	*work
	form
}

// measure does what is chosen, and reports it.
func measure(w io.Writer, cfg config, chosen *regexp.Regexp) error {
	var all []timed
	var toTime []harness.Work
	for _, f := range forms() {
		for _, one := range works() {
			if !chosen.MatchString(one.name(f.name)) {
				continue
			}
			if err := checkAll(one, f); err != nil {
				return err
			}
			all = append(all, timed{one, f})
			toTime = append(toTime, one.harness(f))
		}
	}
	byMemory := chosen.MatchString("memory")
	if len(all) == 0 && !byMemory {
		return fmt.Errorf("-run %v matches nothing", chosen)
	}

	began := time.Now()
	var results *harness.Results
	if len(all) > 0 {
		var err error
		if results, err = harness.Run(toTime, harness.Config{Passes: cfg.passes, Time: cfg.time, Progress: cfg.progress}); err != nil {
			return err
		}
	}
	var held []footprint
	if byMemory {
		var err error
		if held, err = footprints(cfg.most); err != nil {
			return err
		}
	}
	writeHead(w, cfg, began)
	writeSummary(w, all, results)
	if byMemory {
		writeMemory(w, held)
	}
	writeDetails(w, all, results)
	return nil
}

// checkAll checks every contender of a work in one form.
func checkAll(w *work, f form) error {
	for _, c := range contenders() {
		if !f.measures(c) {
			continue
		}
		if err := w.check(f, c); err != nil {
			return fmt.Errorf("%s: %s: %w", w.name(f.name), c.name, err)
		}
	}
	return nil
}
