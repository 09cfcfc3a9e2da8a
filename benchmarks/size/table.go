package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/backstay/backstay/benchmarks/harness"
)

// writeSizes writes the table of all programs, and what the proxies add.
func writeSizes(w io.Writer, all []*binary, runs int) {
	fmt.Fprintf(w, `## Size and start-up

A minimal program: one service with one method, built by the container and called once. %s, %s/%s, without cgo, -trimpath;
stripped is with -ldflags="-s -w". Start-up is the whole process, from its start to its exit, started %d times in turn.

`, runtime.Version(), runtime.GOOS, runtime.GOARCH, runs)
	var rows [][]string
	for _, b := range all {
		rows = append(rows, []string{
			b.name, megabytes(b.size), megabytes(b.stripped),
			fmt.Sprintf("%.2f", harness.Median(b.starts)), fmt.Sprintf("%.2f", slices.Min(b.starts)),
		})
	}
	harness.Table(w, []string{"program", ">size, MB", ">stripped, MB", ">start-up, ms, median", ">ms, least"}, rows)
	difference := func(what string, a, b *binary) {
		fmt.Fprintf(w, "* %s: %+.0f kB, stripped %+.0f kB.\n", what, kilobytes(a.size-b.size), kilobytes(a.stripped-b.stripped))
	}
	dig, runTime, generated, pure := find(all, "digonly", ""), find(all, "runtimeproxy", ""), find(all, "generatedproxy", ""), find(all, "generatedproxy", "purego")
	fmt.Fprintln(w)
	difference("Backstay on top of dig", generated, dig)
	difference("The machinery of run-time proxies, which a program has in any case and `purego` takes away", generated, pure)
	difference("The generated proxy of one method", generated, runTime)
}

// find is one of the programs that every table has.
func find(all []*binary, dir, tags string) *binary {
	return all[slices.IndexFunc(all, func(b *binary) bool { return b.dir == dir && b.tags == tags })]
}

func kilobytes(n int64) float64 { return float64(n) / 1e3 }

func megabytes(n int64) string { return fmt.Sprintf("%.2f", float64(n)/1e6) }
