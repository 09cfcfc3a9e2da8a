// Mutate tells how much the tests of a package notice. It changes the package in a thousand small ways, one at a time,
// runs the tests for each, and lists the changes that no test has noticed.
//
//	go run ./internal/mutate [flags] ./retry
//
// To compile a package and its tests a thousand times would take hours. So all mutants are put into one copy of the
// source, each behind a guard that compares its number with one from the environment; the tests are compiled once, over
// an overlay of the real files, which are never touched; and each mutant is one run of the tests.
//
// The exit code is 0, or 1 when fewer than -least percent are killed, or 2 when it cannot be told.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// options are the flags.
type options struct {
	pattern  string
	tests    string
	only     string
	harmless string
	out      string
	least    float64
	parallel int
	list     bool
	verbose  bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o, err := parse(os.Args[1:])
	if err != nil {
		os.Exit(2)
	}
	total, err := mutate(ctx, o, os.Stdout, os.Stderr)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	case !o.list && total.percent() < o.least:
		fmt.Fprintf(os.Stderr, "mutate: %.1f%% killed, less than the %v%% wanted\n", total.percent(), o.least)
		os.Exit(1)
	}
}

func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.StringVar(&o.tests, "tests", "", "`packages` whose tests have to kill, between commas, tried in turn (default: the mutated one)")
	flags.StringVar(&o.only, "only", "", "run these mutants alone: `M0012,M0020-M0030,loop.go,loop.go:12-20,drop`")
	flags.StringVar(&o.harmless, "harmless", "", "`file` of lines where a mutant is harmless (default: internal/mutate/harmless.txt of the module)")
	flags.StringVar(&o.out, "o", "", "write the report to a `file` too")
	flags.Float64Var(&o.least, "least", 0, "the `percent` that must be killed, harmless mutants counted as living")
	flags.IntVar(&o.parallel, "parallel", runtime.GOMAXPROCS(0), "how many runs at once")
	flags.BoolVar(&o.list, "list", false, "list the mutants and run none")
	flags.BoolVar(&o.verbose, "v", false, "print each mutant as it is done, and what killed it")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: mutate [flags] package")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() != 1 || o.parallel < 1 {
		flags.Usage()
		return o, flag.ErrHelp
	}
	o.pattern = flags.Arg(0)
	if o.tests == "" {
		o.tests = o.pattern
	}
	return o, nil
}

// mutate does what the options ask. The report goes to w, news of its progress to progress.
func mutate(ctx context.Context, o options, w, progress io.Writer) (total tally, err error) {
	began := time.Now()
	pkg, err := load(ctx, o.pattern)
	if err != nil {
		return total, err
	}
	all := find(pkg)
	chosen, err := choose(all, o.only)
	if err != nil {
		return total, err
	}
	if o.list {
		for _, m := range chosen {
			fmt.Fprintf(w, "%s [%s]\n", pkg.describe(m), m.op)
		}
		return total, nil
	}
	if o.harmless == "" {
		o.harmless = filepath.Join(pkg.root, "internal", "mutate", "harmless.txt")
	}
	r := &report{pkg: pkg, whole: len(chosen) == len(all)}
	if r.harmless, err = readHarmless(o.harmless); err != nil {
		return total, err
	}

	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return total, err
	}
	defer os.RemoveAll(dir)
	// All mutants go into the binary, also those that are not run: a mutant is the same whatever is chosen.
	s, err := newSchema(ctx, pkg, all, dir)
	if err != nil {
		return total, err
	}
	if r.binaries, err = s.compileTests(ctx, strings.Split(o.tests, ",")); err != nil {
		return total, err
	}
	for _, b := range r.binaries {
		if err := b.measure(ctx); err != nil {
			return total, err
		}
		if err := b.trace(ctx, o.parallel); err != nil {
			return total, err
		}
		fmt.Fprintf(progress, "%s: %v for each mutant, %d tests skipped\n", b.pkg, b.timeout.Round(time.Second/10), len(b.skipped))
	}
	if r.results, err = r.run(ctx, s, chosen, o, progress); err != nil {
		return total, err
	}
	r.took = time.Since(began)
	if o.out != "" {
		file, err := os.Create(o.out)
		if err != nil {
			return total, err
		}
		defer file.Close()
		w = io.MultiWriter(w, file)
	}
	return r.write(w), nil
}

// run runs the chosen mutants, and adds the results of those that do not compile.
func (r *report) run(ctx context.Context, s *schema, chosen []*mutant, o options, progress io.Writer) ([]result, error) {
	broken := map[*mutant]bool{}
	for _, m := range s.broken {
		broken[m] = true
	}
	var runnable []*mutant
	for _, m := range chosen {
		if !broken[m] {
			runnable = append(runnable, m)
		}
	}
	count := 0
	done := func(x result) {
		count++
		word := [...]string{lived: "lived", killed: "killed", timedOut: "timed out"}[x.outcome]
		switch {
		case o.verbose:
			fmt.Fprintf(progress, "%d/%d %s: %s %s\n", count, len(runnable), r.pkg.describe(x.mutant), word, x.by)
		case count%100 == 0:
			fmt.Fprintf(progress, "%d of %d mutants done\n", count, len(runnable))
		}
	}
	ran, err := runAll(ctx, runnable, r.binaries, o.parallel, done)
	if err != nil {
		return nil, err
	}
	var results []result
	for _, m := range chosen {
		if broken[m] {
			results = append(results, result{mutant: m, broken: true})
			continue
		}
		results, ran = append(results, ran[0]), ran[1:]
	}
	return results, nil
}
