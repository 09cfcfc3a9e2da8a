// Command scale measures how Backstay's costs grow: of a call against services, annotations, aspects and goroutines, of
// building a container against its services, and of memory. It draws pictures and writes tables in Markdown.
//
//	go run ./scale [-passes 5] [-time 200ms] [-run REGEXP] [-max 10000] [-o plots] [-md SCALE.md]
//
// The tables go to standard output, and to the file of -md as well. It checks what every contender does before it times
// anything. With the defaults it takes some minutes, and wants the machine for itself.
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

// ballast is the size of a heap that is alive throughout, without pointers and never touched. Without it, containers of
// many services would have the collector run less often than small ones, and their calls, which allocate, look cheaper.
const ballast = 128 << 20

func main() { harness.Main(ballast, command) }

// command is the whole program; out gets the report, progress what is said on the way.
func command(args []string, out, progress io.Writer) error {
	cfg := config{progress: progress}
	flags := flag.NewFlagSet("scale", flag.ContinueOnError)
	flags.SetOutput(progress)
	flags.IntVar(&cfg.passes, "passes", 5, "how often each point is measured")
	flags.DurationVar(&cfg.time, "time", 200*time.Millisecond, "how long each measurement takes, about")
	flags.IntVar(&cfg.most, "max", 10000, "the largest `size`")
	flags.IntVar(&cfg.things, "things", 1000, "of how many things at once the memory is measured")
	flags.IntVar(&cfg.calls, "calls", 100, "how often each of them is called")
	flags.StringVar(&cfg.dir, "o", "plots", "the `folder` for the pictures")
	only := flags.String("run", "", "measure what this `regexp` matches: services, annotations, methods, aspects, goroutines, inflight, build, memory")
	file := flags.String("md", "", "write the tables to this `file` as well")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if cfg.passes < 1 || cfg.time <= 0 || cfg.most < 10 || cfg.things < 1 || cfg.calls < 1 || flags.NArg() > 0 {
		return fmt.Errorf("usage: scale [flags]; passes, things and calls are at least 1, max is at least 10, and time is above zero")
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

// families are all that is timed, up to a size.
func families(most int) []family {
	return []family{
		services(most), annotations(most), annotated(most), aspects(most), goroutines(most), inFlight(most), builds(most),
	}
}

// measure does what is chosen, and reports it.
func measure(w io.Writer, cfg config, chosen *regexp.Regexp) error {
	if err := os.MkdirAll(cfg.dir, 0o755); err != nil {
		return err
	}
	var timed []family
	var works []harness.Work
	for _, f := range families(cfg.most) {
		if chosen.MatchString(f.name) {
			timed = append(timed, f)
			works = append(works, f.works()...)
		}
	}
	byMemory := chosen.MatchString("memory")
	if len(timed) == 0 && !byMemory {
		return fmt.Errorf("-run %v matches nothing", chosen)
	}
	header(w, cfg)
	if len(timed) > 0 {
		if err := measureTime(w, cfg, timed, works); err != nil {
			return err
		}
	}
	if !byMemory {
		return nil
	}
	return measureMemory(w, cfg)
}

// measureTime times the families, whose works are given.
func measureTime(w io.Writer, cfg config, timed []family, works []harness.Work) error {
	results, err := harness.Run(works, harness.Config{Passes: cfg.passes, Time: cfg.time, Progress: cfg.progress})
	if err != nil {
		return err
	}
	for i := range timed {
		writeFamily(w, &timed[i], results)
		if err := draw(cfg.dir, timed[i].name, timed[i].figure(results)); err != nil {
			return err
		}
	}
	return nil
}

// measureMemory measures what things hold, once per pass.
func measureMemory(w io.Writer, cfg config) error {
	var passes [][]footprint
	for pass := range cfg.passes {
		all, err := footprints(cfg.things, cfg.calls)
		if err != nil {
			return err
		}
		passes = append(passes, all)
		fmt.Fprintf(cfg.progress, "memory: pass %d of %d\n", pass+1, cfg.passes)
	}
	all := median(passes)
	writeMemory(w, all, cfg.things, cfg.calls)
	return draw(cfg.dir, "memory", memoryBars(all))
}
