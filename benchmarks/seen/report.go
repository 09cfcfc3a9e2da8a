package main

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"time"

	"github.com/backstay/backstay/benchmarks/harness"
)

// modules are those whose versions the report names.
var modules = []string{
	"go.opentelemetry.io/otel/sdk",
	"go.opentelemetry.io/otel/sdk/metric",
	"go.opentelemetry.io/otel/exporters/prometheus",
	"github.com/prometheus/client_golang",
}

// writeHead tells when, where, with what and how was measured.
func writeHead(w io.Writer, cfg config, began time.Time) {
	fmt.Fprintf(w, "# What it costs to be seen\n\nWritten by `%s` in this directory; README.md says how it is measured.\n\n", harness.Command("./seen", cfg.args))
	harness.Table(w, []string{"", ""}, [][]string{
		{"date", began.Format("2006-01-02 15:04 MST") + ", " + time.Since(began).Round(time.Second).String()},
		{"Go", runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH},
		{"processors", fmt.Sprintf("%d, GOMAXPROCS %d", runtime.NumCPU(), runtime.GOMAXPROCS(0))},
		{"passes", fmt.Sprintf("%d, of %v for each measurement", cfg.passes, cfg.time)},
		{"heap held throughout", fmt.Sprintf("%d MB", heap>>20)},
		{"modules", harness.Versions(modules)},
	})
}

// writeSummary writes what each contender adds, one table of all works for each form.
func writeSummary(w io.Writer, all []timed, r *harness.Results) {
	if len(all) == 0 {
		return
	}
	fmt.Fprint(w, `
## What is added to a call

`+"`"+noListener+"`"+` tells what a call takes and allocates by itself, the others what is added to that. In a cell: nanoseconds, the median over
passes of the difference within one pass / nanoseconds, the difference of the least in any pass / allocations. What
`+"`"+again+"`"+` adds is not there: figures are as exact as that.
`)
	for _, f := range forms() {
		heads := []string{f.name}
		var columns []timed
		for _, one := range all {
			if one.form.name == f.name {
				columns = append(columns, one)
				heads = append(heads, ">"+one.short)
			}
		}
		if len(columns) == 0 {
			continue
		}
		var rows [][]string
		for _, c := range contenders() {
			if !f.measures(c) {
				continue
			}
			row := []string{c.name}
			for _, one := range columns {
				row = append(row, added(one, c, r))
			}
			rows = append(rows, row)
		}
		fmt.Fprintf(w, "\n### %s\n\n%s\n\n", f.title, f.about)
		harness.Table(w, heads, rows)
	}
	fmt.Fprint(w, "\nThe contenders:\n\n")
	for _, c := range contenders() {
		fmt.Fprintf(w, "* `%s`: %s.\n", c.name, c.about)
	}
}

// added is a cell of the summary.
func added(t timed, c contender, r *harness.Results) string {
	name := t.work.name(t.form.name)
	s, reference := r.Of(name, c.name), r.Of(name, noListener)
	if s == reference {
		return fmt.Sprintf("%s / %s / %s", harness.Count(s.Nanos()), harness.Count(s.Min()), harness.Count(s.Allocs()))
	}
	return fmt.Sprintf("%s / %s / %s", signed(harness.Difference(s, reference)), signed(s.Min()-reference.Min()),
		signed(math.Round(s.Allocs())-math.Round(reference.Allocs())))
}

// writeDetails writes a table for each work and form.
func writeDetails(w io.Writer, all []timed, r *harness.Results) {
	if len(all) == 0 {
		return
	}
	fmt.Fprint(w, "\n## All figures\n")
	for _, one := range all {
		name := one.work.name(one.form.name)
		reference := r.Of(name, noListener)
		fmt.Fprintf(w, "\n### %s\n\n%s\n\n", name, one.call.About)
		var rows [][]string
		for _, c := range contenders() {
			s := r.Of(name, c.name)
			if s == nil {
				continue
			}
			row := []string{c.name, harness.Number(s.Nanos()), harness.Number(s.Min()), harness.Count(s.Bytes()), harness.Count(s.Allocs())}
			if s == reference {
				row = append(row, "-", "-", "1")
			} else {
				row = append(row, signed(harness.Difference(s, reference)), signed(s.Min()-reference.Min()), harness.Number(harness.Ratio(s, reference)))
			}
			rows = append(rows, row)
		}
		harness.Table(w, []string{"contender", ">ns, median", ">ns, least", ">B/op", ">allocs/op", ">added, median", ">added to the least", ">times"}, rows)
	}
}

// signed writes a difference.
func signed(x float64) string {
	text := harness.Count(x)
	if x < 0 || text == "0" {
		return text
	}
	return "+" + text
}
