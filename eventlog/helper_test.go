package eventlog_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/eventlog"
	"github.com/backstay/backstay/retry"
)

var (
	errDown = errors.New("503")
	charge  = retry.MethodRef{Class: "StripeGateway", Method: "Charge"}
)

// journal is where records go, as JSON lines. Handlers hold a lock of their own while they write.
type journal struct{ bytes.Buffer }

// at returns a logger that writes records of level and above into j.
func (j *journal) at(level slog.Level) *slog.Logger {
	return slog.New(slog.NewJSONHandler(j, &slog.HandlerOptions{Level: level}))
}

// records are the records so far, without their times.
func (j *journal) records(t *testing.T) (all []map[string]any) {
	t.Helper()
	for line := range bytes.Lines(j.Bytes()) {
		var r map[string]any
		require.NoError(t, json.Unmarshal(line, &r))
		require.Contains(t, r, "time")
		delete(r, "time")
		all = append(all, r)
	}
	return all
}

// record is the one record that e is written as.
func record(t *testing.T, e retry.Event, opts ...eventlog.Option) map[string]any {
	t.Helper()
	var j journal
	eventlog.New(j.at(slog.LevelDebug), opts...).On(t.Context(), e)
	all := j.records(t)
	require.Len(t, all, 1)
	return all[0]
}

// written is how many records there are, and how many they say were suppressed.
type written struct {
	mu                  sync.Mutex
	records, suppressed int
}

func (*written) Enabled(context.Context, slog.Level) bool { return true }
func (w *written) WithAttrs([]slog.Attr) slog.Handler     { return w }
func (w *written) WithGroup(string) slog.Handler          { return w }

func (w *written) Handle(_ context.Context, r slog.Record) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.Time.IsZero() {
		return nil // it is not a record without its time
	}
	w.records++
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "suppressed" {
			w.suppressed += int(a.Value.Int64())
		}
		return true
	})
	return nil
}

// since returns what was written since the last time it was asked.
func (w *written) since() (records, suppressed int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	records, suppressed = w.records, w.suppressed
	w.records, w.suppressed = 0, 0
	return records, suppressed
}
