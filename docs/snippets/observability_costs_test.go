package snippets_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shownCosts are the rows of the report that the guide shows, by how they begin.
var shownCosts = []string{
	"| no listener |", "| a listener that does nothing |", "| eventlog, Info |", "| OTel metrics |", "| OTel spans, never sampled |",
	"| OTel spans, sampled, batched |", "| dashboard |", "| all together |",
}

var shownMemory = []string{
	"| eventlog, records of all kinds | 300 |", "| OTel metrics, calls with all results, collected | 300 |",
	"| dashboard, calls that succeed | 300 |", "| dashboard, sessions exhausted after ten attempts by one error | 300 |", "| dashboard, at most | 300 |",
}

// tableOf is the first table of a report under a head that begins so: the head, and the rows that begin as rows say, each with
// so many cells.
func tableOf(t *testing.T, report, head string, rows []string, cells int) string {
	t.Helper()
	begin := strings.Index(report, "\n"+head)
	require.GreaterOrEqual(t, begin, 0, head)
	table, _, _ := strings.Cut(report[begin+1:], "\n\n")
	lines := strings.Split(strings.TrimSpace(table), "\n")
	var b strings.Builder
	shown := func(line string) {
		b.WriteString(strings.Join(strings.Split(line, "|")[:cells+1], "|") + "|\n")
	}
	shown(lines[0])
	shown(lines[1])
	for _, row := range rows {
		i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, row) })
		require.GreaterOrEqual(t, i, 0, row)
		shown(lines[i])
	}
	return b.String()
}

// Costs that are copied by hand are those of another day.
func TestTheCostsAreThoseOfTheReport(t *testing.T) {
	report, guide := readText(t, "../../benchmarks/SEEN.md"), readText(t, "../observability.md")
	want := guide
	for _, table := range []string{
		tableOf(t, report, "| woven | success at once |", shownCosts, 5),
		tableOf(t, report, "|  | methods | kB |", shownMemory, 4),
	} {
		head, _, _ := strings.Cut(table, "\n")
		begin := strings.Index(want, head+"\n")
		require.GreaterOrEqual(t, begin, 0, head)
		old, _, _ := strings.Cut(want[begin:], "\n\n")
		want = want[:begin] + table + strings.TrimPrefix(want[begin+len(old):], "\n")
	}
	if os.Getenv("BACKSTAY_UPDATE") != "" {
		require.NoError(t, os.WriteFile("../observability.md", []byte(want), 0o644))
		return
	}
	require.Equal(t, want, guide, "benchmarks were measured again: run this test with BACKSTAY_UPDATE=1")
}
