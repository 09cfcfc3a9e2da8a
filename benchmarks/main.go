// Command benchmarks measures Backstay beside its peers and writes what it has measured, with the goals first, as
// Markdown:
//
//	go run . [-passes 7] [-time 200ms] [-rows REGEXP] [-o RESULTS.md]
//
// It checks what every contender does before it times anything, and what it did after each measurement. It writes to
// standard output, and to the file of -o as well; a line per pass goes to standard error.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/backstay/backstay/benchmarks/calls"
	"github.com/backstay/backstay/benchmarks/harness"
	"github.com/backstay/backstay/benchmarks/wiring"
)

// heap is what is held throughout: without pointers, never touched, the size of a small service's. In an empty process the
// garbage is collected hundreds of times a second, and most of what a contender takes would be that.
const heap = 64 << 20

func main() { harness.Main(heap, command) }

// command is the whole program; out gets the report, progress what is said on the way.
func command(args []string, out, progress io.Writer) error {
	flags := flag.NewFlagSet("benchmarks", flag.ContinueOnError)
	flags.SetOutput(progress)
	passes := flags.Int("passes", 7, "how often each contender is measured")
	perSample := flags.Duration("time", 200*time.Millisecond, "how long each measurement takes, about")
	rows := flags.String("rows", "", "measure the works whose name this regular expression matches; empty: all")
	file := flags.String("o", "", "write the report to this file too")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *passes < 1 || *perSample <= 0 || flags.NArg() > 0 {
		return fmt.Errorf("usage: benchmarks [-passes 7] [-time 200ms] [-rows REGEXP] [-o FILE]; passes are at least 1, the time is above zero")
	}
	chosen, err := regexp.Compile(*rows)
	if err != nil {
		return fmt.Errorf("-rows: %w", err)
	}
	works, err := checkedWorks(chosen)
	if err != nil {
		return err
	}
	if len(works) == 0 {
		return fmt.Errorf("-rows %s matches no work; there are:\n%s", *rows, strings.Join(workNames(), "\n"))
	}

	began := time.Now()
	results, err := harness.Run(works, harness.Config{Passes: *passes, Time: *perSample, Progress: progress})
	if err != nil {
		return err
	}
	var report bytes.Buffer
	writeReport(&report, heading(args, began, time.Since(began)), results)
	if _, err := out.Write(report.Bytes()); err != nil {
		return err
	}
	if *file == "" {
		return nil
	}
	return os.WriteFile(*file, report.Bytes(), 0o644)
}

// checkedWorks are the works that are to be measured. All their contenders do what they must.
func checkedWorks(chosen *regexp.Regexp) (works []harness.Work, err error) {
	for _, w := range calls.Works() {
		for _, h := range []harness.Work{w.Harness(false), w.Harness(true)} {
			if chosen.MatchString(h.Name) {
				works = append(works, h)
			}
		}
		if !chosen.MatchString(w.Name) && !chosen.MatchString(calls.Parallel(w.Name)) {
			continue
		}
		for _, c := range w.Contenders {
			if err := w.Check(c); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", w.Name, c.Name, err)
			}
		}
	}
	for _, w := range wiring.Works() {
		if chosen.MatchString(w.Name) {
			works = append(works, w)
		}
	}
	if chosen.MatchString(wiring.BuildChain) || chosen.MatchString(wiring.ResolveSingleton) {
		for _, c := range wiring.Contenders() {
			if err := c.Check(); err != nil {
				return nil, fmt.Errorf("%s: %w", c.Name, err)
			}
		}
	}
	return works, nil
}

func workNames() (names []string) {
	for _, w := range calls.Works() {
		names = append(names, "  "+w.Name, "  "+calls.Parallel(w.Name))
	}
	for _, w := range wiring.Works() {
		names = append(names, "  "+w.Name)
	}
	return names
}
