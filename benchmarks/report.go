package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/backstay/backstay/benchmarks/harness"
)

// peers are the modules whose versions the report names.
var peers = []string{
	"github.com/failsafe-go/failsafe-go",
	"github.com/avast/retry-go/v5",
	"github.com/cenkalti/backoff/v7",
	"github.com/sethvargo/go-retry",
	"github.com/sony/gobreaker/v2",
	"github.com/eapache/go-resiliency",
	"github.com/slok/goresilience",
	"go.uber.org/dig",
	"go.uber.org/fx",
	"github.com/samber/do/v2",
	"github.com/ovechkin-dm/go-dyno",
}

// heading tells when, where, with what and how was measured.
func heading(args []string, began time.Time, took time.Duration) string {
	var b strings.Builder
	command := "go run ."
	for _, a := range args {
		if strings.ContainsAny(a, " |()[]*?$\\") {
			a = "'" + a + "'"
		}
		command += " " + a
	}
	fmt.Fprintf(&b, "# Backstay beside its peers\n\nWritten by `%s` in this directory; README.md says how to read it.\n\n", command)
	harness.Table(&b, []string{"", ""}, [][]string{
		{"date", began.Format("2006-01-02 15:04 MST") + ", " + took.Round(time.Second).String()},
		{"Go", runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH},
		{"processors", fmt.Sprintf("%d, GOMAXPROCS %d", runtime.NumCPU(), runtime.GOMAXPROCS(0))},
		{"heap held throughout", fmt.Sprintf("%d MB", heap>>20)},
		{"peers", strings.Join(versions(), ", ")},
	})
	return b.String()
}

// versions are those that this program was built with.
func versions() (all []string) {
	found := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Replace != nil {
				d = d.Replace
			}
			found[d.Path] = d.Version
		}
	}
	for _, p := range peers {
		version, ok := found[p]
		if !ok {
			version = "(version unknown)"
		}
		all = append(all, p+" "+version)
	}
	return all
}

// writeReport writes the goals, then a table for each work.
func writeReport(w io.Writer, heading string, r *harness.Results) {
	fmt.Fprintln(w, heading)
	writeGoals(w, evaluate(r))
	fmt.Fprint(w, "\n## All contenders\n\nThe fastest first. A ratio is the median over passes of what the contender took over what the bold one took in the same pass.\n")
	r.Write(w)
}
