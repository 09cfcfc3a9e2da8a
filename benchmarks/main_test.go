package main

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/backstay/backstay/benchmarks/calls"
	"github.com/backstay/backstay/benchmarks/harness"
)

// Two peers keep goroutines that nobody can end; see the tests of calls.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/eapache/go-resiliency/breaker.(*Breaker).timer"),
		goleak.IgnoreAnyFunction("github.com/slok/goresilience/circuitbreaker.(*bucketWindow).windowSlider"))
}

func TestTheReportHasAllGoalsAndAllContenders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "RESULTS.md")
	var out, progress strings.Builder
	require.NoError(t, command([]string{"-passes", "1", "-time", "1us", "-o", file}, &out, &progress))
	written, err := os.ReadFile(file)
	require.NoError(t, err)
	report := string(written)
	require.Equal(t, report, out.String())
	require.Regexp(t, `^pass 1 of 1: \d+ measurements in .*s\n$`, progress.String())
	require.Contains(t, report, "Written by `go run . -passes 1 -time 1us -o ")

	for _, g := range goals() {
		require.Contains(t, report, "| "+g.what+" |")
	}
	require.NotContains(t, report, "NaN")
	works, err := checkedWorks(regexp.MustCompile(""))
	require.NoError(t, err)
	for _, w := range works {
		_, section, found := strings.Cut(report, "\n### "+w.Name+"\n")
		require.True(t, found, w.Name)
		section, _, _ = strings.Cut(section, "\n### ")
		for _, c := range w.Cases {
			require.Regexp(t, `\| (\*\*)?`+regexp.QuoteMeta(c.Name)+`(\*\*)? \|`, section, w.Name)
		}
		require.Contains(t, section, "| **"+w.Reference+"** |")
	}
	for _, v := range strings.Split(harness.Versions(peers), ", ") {
		require.Contains(t, report, v)
	}
}

func TestRowsChooseWorks(t *testing.T) {
	var out strings.Builder
	require.NoError(t, command([]string{"-passes", "2", "-time", "1us", "-rows", "^breaker (open|shut), rejected$"}, &out, io.Discard))
	require.Equal(t, 1, strings.Count(out.String(), "\n### "))
	require.Contains(t, out.String(), "`go run . -passes 2 -time 1us -rows '^breaker (open|shut), rejected$'`")
	require.Contains(t, out.String(), "times as long as gobreaker")
	require.NotContains(t, out.String(), "failsafe-go's retry")
}

func TestWrongArguments(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-passes", "0"}, "passes are at least 1"},
		{[]string{"-time", "0s"}, "the time is above zero"},
		{[]string{"more"}, "usage: "},
		{[]string{"-rows", "("}, "-rows: error parsing regexp"},
		{[]string{"-rows", "nothing is called so"}, "matches no work; there are:\n  retry only, success"},
		{[]string{"-o", filepath.Join(t.TempDir(), "no", "such"), "-passes", "1", "-time", "1us", "-rows", "^breaker open"}, "no such"},
	} {
		require.ErrorContains(t, command(c.args, io.Discard, io.Discard), c.want)
	}
}

// allocates is the name of a contender of resultsOf that allocates 96 bytes per operation; no other allocates.
const allocates = "one that allocates"

var kept *[96]byte

// resultsOf are results of works whose contenders take what is said.
func resultsOf(t *testing.T, works map[string]map[string]time.Duration) (r *harness.Results) {
	synctest.Test(t, func(t *testing.T) {
		var all []harness.Work
		for work, contenders := range works {
			w := harness.Work{Name: work}
			for name, d := range contenders {
				w.Cases = append(w.Cases, harness.Case{Name: name, New: func() (harness.Op, error) {
					return harness.Op{Run: func(_, n int) error {
						time.Sleep(time.Duration(n) * d)
						for range n {
							if name == allocates {
								kept = new([96]byte)
							}
						}
						return nil
					}}, nil
				}})
			}
			all = append(all, w)
		}
		var err error
		r, err = harness.Run(all, harness.Config{Passes: 2, Time: 10 * time.Second})
		require.NoError(t, err)
	})
	return r
}

func TestTheWorstOfOursIsComparedWithTheBestOfThem(t *testing.T) {
	const ms = time.Millisecond
	ours := []place{{"w", "a"}, {"w", "b"}}
	r := resultsOf(t, map[string]map[string]time.Duration{
		"w": {"a": 2 * ms, "b": 4 * ms, "peer": 12 * ms},
	})
	value, who, ok := faster(ours, "peer")(r)
	require.True(t, ok)
	require.InDelta(t, 3, value, 1e-6)
	require.Equal(t, "b", who)

	value, _, ok = slower(ours, "peer")(r)
	require.True(t, ok)
	require.InDelta(t, 1.0/3, value, 1e-6)

	value, _, ok = beyond(ours[1], "a")(r)
	require.True(t, ok)
	require.InDelta(t, 2e6, value, 1)

	_, _, ok = faster(ours, "nobody")(r)
	require.False(t, ok)
}

func TestPeersOfOtherWorksCount(t *testing.T) {
	const ms = time.Millisecond
	works := map[string]map[string]time.Duration{calls.RetryOnlyTen: {}, calls.ComposedTen: {}}
	for _, w := range calls.Works() {
		if contenders := works[w.Name]; contenders != nil {
			for _, c := range w.Contenders {
				contenders[c.Name] = 50 * ms
			}
		}
	}
	works[calls.RetryOnlyTen]["eapache/go-resiliency"] = 20 * ms // does less than a composed one, and is a peer all the same
	works[calls.RetryOnlyTen]["hand-written loop"] = ms          // is no peer
	works[calls.ComposedTen][calls.NameFor] = 5 * ms
	value, who, ok := fasterThanAll([]place{{calls.ComposedTen, calls.NameFor}}, []string{calls.RetryOnlyTen, calls.ComposedTen}, hasTimer)(resultsOf(t, works))
	require.True(t, ok)
	require.InDelta(t, 4, value, 1e-6)
	require.Equal(t, "retry.For[string] against eapache/go-resiliency", who)
}

func TestGainIsComparedWithThatOfThePlainCall(t *testing.T) {
	const us = time.Microsecond
	const work = calls.BreakerOpen
	r := resultsOf(t, map[string]map[string]time.Duration{
		calls.RetryOnlySuccess:                 {calls.NamePlainCall: 10 * us, calls.Allocation(96): 30 * us},
		calls.Parallel(calls.RetryOnlySuccess): {calls.NamePlainCall: 5 * us, calls.Allocation(96): 20 * us},
		work:                                   {"ours": 60 * us, allocates: 80 * us},
		calls.Parallel(work):                   {"ours": 40 * us, allocates: 55 * us},
	})
	value, ok := gain(r, work, "ours")
	require.True(t, ok)
	require.InDelta(t, (60.0/40)/2, value, 1e-6)

	value, ok = gain(r, work, allocates)
	require.True(t, ok)
	require.InDelta(t, ((80.0-20)/(55-15))/2, value, 1e-6)

	_, ok = gain(r, work, "nobody")
	require.False(t, ok)
}

func TestVerdicts(t *testing.T) {
	least, atMost, none := goal{limit: 6}, goal{limit: 1.5, most: true}, goal{most: true}
	for _, c := range []struct {
		goal   goal
		value  float64
		margin float64
		met    bool
	}{
		{least, 6, 1, true}, {least, 3, 0.5, false}, {least, 12, 2, true},
		{atMost, 1.5, 1, true}, {atMost, 3, 0.5, false}, {atMost, -4, math.Inf(1), true},
		{none, 0, math.Inf(1), true}, {none, 1, 0, false},
	} {
		v := verdict{goal: c.goal, value: c.value}
		require.Equal(t, c.margin, v.margin(), "%+v", v)
		require.Equal(t, c.met, v.met(), "%+v", v)
	}
}

func TestTheWorstGoalIsNamed(t *testing.T) {
	var out strings.Builder
	writeGoals(&out, []verdict{
		{goal{row: "calls", what: "times as fast", limit: 6}, 9, "a"},
		{goal{row: "calls", what: "more than the chain", limit: 80, most: true, unit: "ns"}, 100, "b"},
		{goal{row: "breaker", what: "allocations", most: true}, 0, "c"},
	})
	require.Equal(t, `## Goals

| work | what | goal | measured | decided by | met |
|---|---|--:|--:|---|---|
| calls | times as fast | at least 6 | 9 | a | yes |
|  | more than the chain | at most 80 ns | 100 ns | b | **no** |
| breaker | allocations | none | 0 | c | yes |

2 of 3 met. The worst is "calls: more than the chain": goal at most 80 ns, measured 100 ns, 80 % of what it should be.
`, out.String())

	out.Reset()
	writeGoals(&out, nil)
	require.Contains(t, out.String(), "not enough for any of the goals")
}
