package aspects_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/aspects"
)

// records are the lines that were logged.
func records(t *testing.T, b *bytes.Buffer) (all []map[string]any) {
	t.Helper()
	for line := range bytes.Lines(b.Bytes()) {
		var r map[string]any
		require.NoError(t, json.Unmarshal(line, &r))
		delete(r, "time")
		all = append(all, r)
	}
	return all
}

func TestLoggingWritesOneRecordForEachOutcome(t *testing.T) {
	for _, c := range []struct {
		name string
		get  func() (string, error)
		want map[string]any
	}{
		{"a success", func() (string, error) { return "secret", nil },
			map[string]any{"level": "INFO", "outcome": "succeeded"}},
		{"an error", func() (string, error) { return "", errDown },
			map[string]any{"level": "ERROR", "outcome": "failed", "error": "down"}},
		{"a panic", func() (string, error) { panic("no") },
			map[string]any{"level": "ERROR", "outcome": "aborted"}},
		{"runtime.Goexit", func() (string, error) { runtime.Goexit(); return "", nil },
			map[string]any{"level": "ERROR", "outcome": "aborted"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				a := aspects.NewLogging(slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{AddSource: true})))
				users := around[Users](t, a, &PgUsers{get: func(context.Context, string) (string, error) {
					time.Sleep(time.Second)
					return c.get()
				}}, aspect.WithName("main"))
				endOf(func() (string, error) { return users.Get(t.Context(), "password") })
				c.want["msg"], c.want["class"], c.want["name"], c.want["method"] = "call", "PgUsers", "main", "Get"
				c.want["duration"] = float64(time.Second)
				require.Equal(t, []map[string]any{c.want}, records(t, &out))
			})
		})
	}
}

func TestLoggingLeavesTheOutcomeAsItIs(t *testing.T) {
	var out bytes.Buffer
	users := around[Users](t, aspects.NewLogging(slog.New(slog.NewJSONHandler(&out, nil))), &PgUsers{
		get:   func(_ context.Context, id string) (string, error) { return "user " + id, errDown },
		count: func() int { panic("no") },
	})
	result, err := users.Get(t.Context(), "7")
	require.Equal(t, "user 7", result)
	require.Same(t, errDown, err)
	require.PanicsWithValue(t, "no", func() { users.Count() })
}

func TestLoggingTakesLevelsAndAttributesFromFuncs(t *testing.T) {
	var out bytes.Buffer
	asked := 0
	a := aspects.NewLogging(slog.New(slog.NewJSONHandler(&out, nil)),
		aspects.LogLevel(nil),
		aspects.LogLevel(func(err error) slog.Level {
			switch {
			case err == nil:
				return slog.LevelDebug
			case errors.Is(err, aspects.ErrAborted):
				return slog.LevelError + 4
			}
			return slog.LevelWarn
		}),
		aspects.LogAttrs(func(jp aspect.JoinPoint) []slog.Attr {
			asked++
			return []slog.Attr{slog.String("id", aspect.Arg[string](jp, 1)), slog.String("user", aspect.Result[string](jp, 0))}
		}))
	users := around[Users](t, a, &PgUsers{get: func(_ context.Context, id string) (string, error) {
		switch id {
		case "good":
			return "Ann", nil
		case "bad":
			return "nobody", errDown
		}
		panic("no")
	}})
	for _, id := range []string{"good", "bad", "worse"} {
		endOf(func() (string, error) { return users.Get(t.Context(), id) })
	}
	got := records(t, &out)
	require.Len(t, got, 2, "a success is below the handler's level")
	require.Equal(t, 2, asked, "nobody is asked for what is not written")
	require.Equal(t, "WARN", got[0]["level"])
	require.Equal(t, "bad", got[0]["id"])
	require.Equal(t, "nobody", got[0]["user"])
	require.Equal(t, "ERROR+4", got[1]["level"])
	require.Equal(t, "worse", got[1]["id"])
}

type traceKey struct{}

// traced adds to each record what it finds in the context.
type traced struct{ slog.Handler }

func (h traced) Handle(ctx context.Context, r slog.Record) error {
	trace, _ := ctx.Value(traceKey{}).(string)
	r.AddAttrs(slog.String("trace", trace))
	return h.Handler.Handle(ctx, r)
}

func TestLoggingWritesInTheContextOfTheCallByTheDefaultLogger(t *testing.T) {
	var out bytes.Buffer
	before := slog.Default()
	defer slog.SetDefault(before)
	users := around[Users](t, aspects.NewLogging(nil), &PgUsers{save: func(context.Context, string) error { return nil }})
	slog.SetDefault(slog.New(traced{slog.NewJSONHandler(&out, nil)}))
	require.NoError(t, users.Save(context.WithValue(t.Context(), traceKey{}, "4711"), "7"))
	got := records(t, &out)
	require.Len(t, got, 1)
	require.Equal(t, "4711", got[0]["trace"])
	require.NotContains(t, got[0], "name", "a service without one")
}
