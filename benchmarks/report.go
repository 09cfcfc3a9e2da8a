package main

import (
	"fmt"
	"io"
	"runtime"
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
	fmt.Fprintf(&b, "# Backstay beside its peers\n\nWritten by `%s` in this directory; README.md says how to read it.\n\n", harness.Command(".", args))
	harness.Table(&b, []string{"", ""}, [][]string{
		{"date", began.Format("2006-01-02 15:04 MST") + ", " + took.Round(time.Second).String()},
		{"Go", runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH},
		{"processors", fmt.Sprintf("%d, GOMAXPROCS %d", runtime.NumCPU(), runtime.GOMAXPROCS(0))},
		{"heap held throughout", fmt.Sprintf("%d MB", heap>>20)},
		{"peers", harness.Versions(peers)},
	})
	return b.String()
}

// writeReport writes the goals, then a table for each work.
func writeReport(w io.Writer, heading string, r *harness.Results) {
	fmt.Fprintln(w, heading)
	writeGoals(w, evaluate(r))
	fmt.Fprint(w, "\n## All contenders\n\nThe fastest first. A ratio is the median over passes of what the contender took over what the bold one took in the same pass.\n")
	r.Write(w)
}
