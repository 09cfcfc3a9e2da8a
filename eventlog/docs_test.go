package eventlog_test

import (
	"context"
	"log/slog"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/eventlog"
	"github.com/backstay/backstay/retry"
)

// documented is the package documentation's table whose first column has that head: the other columns by the first.
func documented(t *testing.T, head string) map[string][2]string {
	t.Helper()
	text, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	_, rows, found := strings.Cut(string(text), "//\t"+head+" ")
	require.True(t, found)
	_, rows, _ = strings.Cut(rows, "\n")
	gap, table := regexp.MustCompile(` {2,}`), map[string][2]string{}
	for line := range strings.Lines(rows) {
		row, found := strings.CutPrefix(line, "//\t")
		if !found {
			break
		}
		cells := gap.Split(strings.TrimSpace(row), -1)
		require.Len(t, cells, 3, row)
		require.NotContains(t, table, cells[0], "twice")
		table[cells[0]] = [2]string{cells[1], cells[2]}
	}
	return table
}

// kept is a handler that keeps records.
type kept struct{ records []slog.Record }

func (*kept) Enabled(context.Context, slog.Level) bool { return true }
func (k *kept) WithAttrs([]slog.Attr) slog.Handler     { return k }
func (k *kept) WithGroup(string) slog.Handler          { return k }
func (k *kept) Handle(_ context.Context, r slog.Record) error {
	k.records = append(k.records, r)
	return nil
}

// everything is the records of all examples, and of one of those that has a name and tells of suppressed ones.
func everything(t *testing.T) []slog.Record {
	var k kept
	for _, c := range examples(t) {
		eventlog.New(slog.New(&k)).On(t.Context(), c.event)
	}
	log := eventlog.New(slog.New(&k), eventlog.WithSampling(1, time.Second))
	eu := retry.Rejected{MethodRef: retry.MethodRef{Class: "StripeGateway", Name: "eu", Method: "Charge"}}
	log.On(t.Context(), eu)
	log.On(t.Context(), eu)
	time.Sleep(time.Second)
	log.On(t.Context(), eu)
	return k.records
}

func TestTheTablesOfTheDocumentationTellWhatIsWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		messages, attributes := documented(t, "message"), documented(t, "attribute")
		written, seen := map[string]map[string]bool{}, map[string]bool{}
		for _, r := range everything(t) {
			row, known := messages[r.Message]
			require.True(t, known, "%q has no row", r.Message)
			if written[r.Message] == nil {
				written[r.Message] = map[string]bool{}
				require.Equal(t, r.Level.String(), row[0], r.Message)
			}
			inOrder := slices.Concat([]string{"class", "name", "method"}, strings.Split(row[1], ", "), []string{"suppressed"})
			last := -1
			r.Attrs(func(a slog.Attr) bool {
				at := slices.Index(inOrder, a.Key)
				require.Greater(t, at, last, "%s of %q: it has no row, or another order", a.Key, r.Message)
				require.Equal(t, strings.ToLower(a.Value.Kind().String()), attributes[a.Key][0], a.Key)
				last, seen[a.Key], written[r.Message][a.Key] = at, true, true
				return true
			})
		}
		for message, row := range messages {
			for key := range strings.SplitSeq(row[1], ", ") {
				require.True(t, written[message][key], "%q never has %s", message, key)
			}
		}
		require.ElementsMatch(t, slices.Collect(maps.Keys(attributes)), slices.Collect(maps.Keys(seen)))
	})
}
