package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/backstay/backstay/benchmarks/harness"
	"github.com/backstay/backstay/retry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// each runs f for each work in each form.
func each(t *testing.T, f func(t *testing.T, w *work, in form)) {
	for _, in := range forms() {
		for _, w := range works() {
			t.Run(w.name(in.name), func(t *testing.T) { f(t, w, in) })
		}
	}
}

// eachContender runs f for each of them besides.
func eachContender(t *testing.T, f func(t *testing.T, w *work, in form, c contender)) {
	each(t, func(t *testing.T, w *work, in form) {
		names := map[string]bool{}
		for _, c := range contenders() {
			if in.measures(c) {
				require.False(t, names[c.name], "two contenders are called %s", c.name)
				names[c.name] = true
				t.Run(c.name, func(t *testing.T) { f(t, w, in, c) })
			}
		}
		require.True(t, names[noListener])
	})
}

func TestEveryContenderTellsOfACallWhatItMust(t *testing.T) {
	eachContender(t, func(t *testing.T, w *work, in form, c contender) { require.NoError(t, w.check(in, c)) })
}

func TestWhatIsTimedTellsOfEveryCall(t *testing.T) {
	eachContender(t, func(t *testing.T, w *work, in form, c contender) {
		op, _, err := w.op(in, c, sinks{})
		require.NoError(t, err)
		done := make(chan error)
		for worker := range 2 {
			go func() { done <- op.Run(worker, 50) }()
		}
		require.NoError(t, errors.Join(<-done, <-done))
		require.NoError(t, op.Done(100))
	})
}

// recorder counts the events themselves.
type recorder struct{ tally }

func (r *recorder) On(_ context.Context, e retry.Event) {
	switch e := e.(type) {
	case retry.AttemptFailed:
		r.attempts++
	case retry.RetryScheduled:
		r.retries++
	case retry.Succeeded:
		r.attempts++
		r.calls++
	case retry.Exhausted, retry.Rejected:
		r.calls++
	case retry.FallbackSucceeded:
		r.fallbacks++
	case retry.BreakerChanged:
		if e.To != retry.BreakerOpen {
			panic("the breaker does not open")
		}
	default:
		panic("an event that no work makes")
	}
}

// recording is a contender whose listener is told what the one that does nothing is told.
var recording = contender{
	name: "recorder",
	watch: func(sinks) (*watcher, error) {
		r := new(recorder)
		return &watcher{listener: r, tell: func() (tally, error) { return r.tally, nil }}, nil
	},
	want: counted,
}

func TestTheEventsAreThoseThatAreSaid(t *testing.T) {
	each(t, func(t *testing.T, w *work, in form) { require.NoError(t, w.check(in, recording)) })
}

func TestAContenderThatTellsOtherwiseIsFound(t *testing.T) {
	deaf := recording
	deaf.watch = func(s sinks) (*watcher, error) {
		w, err := recording.watch(s)
		w.listener = nil
		return w, err
	}
	each(t, func(t *testing.T, w *work, in form) {
		err := w.check(in, deaf)
		require.ErrorContains(t, err, "told {calls:0 ")
		require.ErrorContains(t, err, "told of 0 calls, want ")

		op, _, err := w.op(in, deaf, sinks{})
		require.NoError(t, err)
		require.NoError(t, op.Run(0, 7))
		require.ErrorContains(t, op.Done(7), "told of 0 calls, want ")
	})
}

func TestOfSeveralAllMustTellTheSame(t *testing.T) {
	deaf := func(sinks) (*watcher, error) {
		return &watcher{listener: retry.ListenerFunc(func(context.Context, retry.Event) {}), tell: func() (tally, error) { return tally{}, nil }}, nil
	}
	c := contender{watch: together(board, deaf), want: onPage}
	require.ErrorContains(t, works()[0].check(woven, c), "one tells of 1 calls, another of 0")
}

func TestSamplingHoldsRecordsBack(t *testing.T) {
	const n = 100
	for _, c := range contenders() {
		if c.name != "eventlog, Debug" && c.name != "eventlog, Debug, every record" {
			continue
		}
		w, s := works()[2], newSinks()
		op, _, err := w.op(woven, c, s)
		require.NoError(t, err)
		require.NoError(t, op.Run(0, n))
		if strings.HasSuffix(c.name, "every record") {
			require.Equal(t, n*w.each.debug, s.took().records)
		} else {
			require.Less(t, s.took().records, n*w.each.debug/4)
			require.GreaterOrEqual(t, s.took().records, w.each.debug)
		}
		require.NoError(t, op.Done(n))
	}
}

func TestMemoryIsThatOfWhatIsRemembered(t *testing.T) {
	found := map[string]float64{}
	all, err := footprints(300)
	require.NoError(t, err)
	for _, f := range all {
		require.Greater(t, f.bytes, 500.0, f.name)
		if f.methods == 300 {
			found[f.name] = f.bytes
		}
	}
	succeeded, exhausted := found["dashboard, calls that succeed"], found["dashboard, sessions exhausted after ten attempts by one error"]
	require.Greater(t, exhausted, succeeded)
	require.Greater(t, found["dashboard, at most"], exhausted)
	require.Less(t, found["eventlog, records of all kinds"], 400e3)
}

func TestTheReportHasEveryContender(t *testing.T) {
	file := filepath.Join(t.TempDir(), "SEEN.md")
	var out bytes.Buffer
	args := []string{"-passes", "2", "-time", "20us", "-max", "1", "-md", file}
	require.NoError(t, command(args, &out, io.Discard))
	written, err := os.ReadFile(file)
	require.NoError(t, err)
	report := string(written)
	require.Equal(t, out.String(), report)
	require.Contains(t, report, "Written by `go run ./seen -passes 2 -time 20us -max 1 -md ")
	for _, c := range contenders() {
		require.Contains(t, report, "* `"+c.name+"`: ")
		columns := 0
		for _, in := range forms() {
			if in.measures(c) {
				columns++
			}
		}
		rows := regexp.MustCompile(`(?m)^\| `+regexp.QuoteMeta(c.name)+` \|`).FindAllString(report, -1)
		require.Len(t, rows, columns*(1+len(works())), c.name)
	}
	each(t, func(t *testing.T, w *work, in form) { require.Contains(t, report, "\n### "+w.name(in.name)+"\n") })
	require.NotContains(t, report, "version unknown")
	for _, row := range strings.Split(report, "\n") {
		require.NotRegexp(t, `NaN|[+-]Inf|\+-| -0 `, row)
	}
}

func TestWorksAreChosen(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, command([]string{"-passes", "1", "-time", "1us", "-run", "^Rejected by a breaker, chain$"}, &out, io.Discard))
	require.Contains(t, out.String(), "### Rejected by a breaker, chain\n")
	require.Contains(t, out.String(), "'^Rejected by a breaker, chain$'`")
	require.NotContains(t, out.String(), "Two failures")
	require.NotContains(t, out.String(), "## What is kept")

	out.Reset()
	require.NoError(t, command([]string{"-max", "1", "-run", "memory"}, &out, io.Discard))
	require.Contains(t, out.String(), "## What is kept")
	require.NotContains(t, out.String(), "## All figures")
}

func TestWrongArguments(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-passes", "0"}, "passes and max are at least 1"},
		{[]string{"-time", "0s"}, "time is above zero"},
		{[]string{"-max", "0"}, "passes and max are at least 1"},
		{[]string{"more"}, "usage: "},
		{[]string{"-run", "("}, "-run: error parsing regexp"},
		{[]string{"-run", "nothing is called so"}, "matches nothing"},
		{[]string{"-run", "memory", "-max", "1", "-md", filepath.Join(t.TempDir(), "no", "such")}, "no such"},
	} {
		require.ErrorContains(t, command(c.args, io.Discard, io.Discard), c.want)
	}
}

func BenchmarkSeen(b *testing.B) {
	for _, in := range forms() {
		for _, w := range works() {
			if w.parallel {
				continue
			}
			b.Run(w.name(in.name), func(b *testing.B) {
				for _, c := range contenders() {
					if in.measures(c) {
						b.Run(c.name, func(b *testing.B) {
							op, _, err := w.op(in, c, sinks{})
							require.NoError(b, err)
							bench(b, op)
						})
					}
				}
			})
		}
	}
}

func bench(b *testing.B, op harness.Op) {
	b.ReportAllocs()
	b.ResetTimer()
	require.NoError(b, op.Run(0, b.N))
	b.StopTimer()
	require.NoError(b, op.Done(b.N))
}
