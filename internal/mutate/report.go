package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// tally counts what became of mutants.
type tally struct{ killed, timedOut, lived, harmless, broken int }

func (t *tally) add(r result, harmless bool) {
	switch {
	case r.broken:
		t.broken++
	case r.outcome == killed:
		t.killed++
	case r.outcome == timedOut:
		t.timedOut++
	case harmless:
		t.harmless++
	default:
		t.lived++
	}
}

// percent is the share of the killed, with harmless mutants counted among the living. Those that time out are killed:
// whoever runs the tests sees it. Without any mutant it is 100.
func (t *tally) percent() float64 { return share(t.killed+t.timedOut, t.lived+t.harmless) }

// percentWithoutHarmless leaves harmless mutants out.
func (t *tally) percentWithoutHarmless() float64 { return share(t.killed+t.timedOut, t.lived) }

func share(killed, lived int) float64 {
	if killed+lived == 0 {
		return 100
	}
	return 100 * float64(killed) / float64(killed+lived)
}

// report is what a run has found.
type report struct {
	pkg      *sourcePackage
	results  []result
	harmless []*harmless
	whole    bool // all mutants were run, so that a declaration without a living mutant is stale
	binaries []*testBinary
	took     time.Duration
}

// declared is the declaration that a result's mutant is harmless, or nil.
func (r *report) declared(x result) *harmless {
	if x.broken || x.outcome != lived {
		return nil
	}
	var found *harmless
	for _, h := range r.harmless {
		if h.matches(r.pkg, x.mutant) {
			h.used = true
			if found == nil {
				found = h
			}
		}
	}
	return found
}

// describe is a mutant in one line.
func (p *sourcePackage) describe(m *mutant) string {
	return fmt.Sprintf("%s:%d:%d %s %s", p.relative(m.pos.Filename), m.pos.Line, m.pos.Column, m.name(), m.did)
}

// write prints the report and returns the total.
func (r *report) write(w io.Writer) tally {
	var total tally
	perOp := map[string]*tally{}
	for _, op := range operators {
		perOp[op] = &tally{}
	}
	var living, harmlessOnes, broken []string
	for _, x := range r.results {
		line := r.pkg.describe(x.mutant)
		h := r.declared(x)
		total.add(x, h != nil)
		perOp[x.mutant.op].add(x, h != nil)
		switch {
		case x.broken:
			broken = append(broken, line)
		case h != nil:
			harmlessOnes = append(harmlessOnes, line+"\n    "+h.reason)
		case x.outcome == lived:
			if !reached(r.binaries, x.mutant.id) {
				line += " (no test reaches it)"
			}
			living = append(living, line)
		}
	}
	section(w, "lived", living)
	section(w, "lived, harmless", harmlessOnes)
	section(w, "not built", broken)
	section(w, "stale in the file of harmless mutants", r.stale())
	for _, b := range r.binaries {
		section(w, "tests of "+b.pkg+" that the guards make fail, skipped", b.skipped)
	}
	const row = "%-10s %7s %9s %7s %9s %9s %8s\n"
	fmt.Fprintf(w, row, "operator", "killed", "timed out", "lived", "harmless", "not built", "percent")
	print := func(name string, t *tally) {
		fmt.Fprintf(w, row, name, fmt.Sprint(t.killed), fmt.Sprint(t.timedOut), fmt.Sprint(t.lived), fmt.Sprint(t.harmless),
			fmt.Sprint(t.broken), fmt.Sprintf("%.1f", t.percent()))
	}
	for _, op := range operators {
		if *perOp[op] != (tally{}) {
			print(op, perOp[op])
		}
	}
	print("total", &total)
	fmt.Fprintf(w, "\n%d mutants of %s, %.1f%% killed, %.1f%% without the harmless ones\n",
		len(r.results), r.pkg.path, total.percent(), total.percentWithoutHarmless())
	if r.took > 0 {
		fmt.Fprintf(w, "it took %v\n", r.took.Round(time.Second))
	}
	return total
}

// stale lists declarations of this package that no living mutant needs.
func (r *report) stale() []string {
	if !r.whole {
		return nil
	}
	here := map[string]bool{}
	for _, f := range r.pkg.files {
		here[r.pkg.relative(f.path)] = true
	}
	dir := r.pkg.relative(r.pkg.dir) + "/"
	var lines []string
	for _, h := range r.harmless {
		if !h.used && (here[h.file] || strings.HasPrefix(h.file, dir)) {
			lines = append(lines, fmt.Sprintf("line %d: %s, %s, %q", h.at, h.file, h.op, h.line))
		}
	}
	return lines
}

func section(w io.Writer, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(w, "%s (%d):\n  %s\n\n", title, len(lines), strings.Join(lines, "\n  "))
}
