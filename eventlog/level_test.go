package eventlog_test

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/eventlog"
	"github.com/backstay/backstay/retry"
)

func TestASuccessAtTheFirstAttemptIsSilentUntilALevelIsChosen(t *testing.T) {
	once := retry.Succeeded{MethodRef: charge, Attempts: 1}
	var j journal
	eventlog.New(j.at(math.MinInt)).On(t.Context(), once)
	require.Empty(t, j.records(t), "though the handler has enabled every level")

	got := record(t, once, eventlog.WithLevel(func(retry.Event, slog.Level) slog.Level { return slog.LevelInfo }))
	require.Equal(t, "INFO", got["level"])
	require.Equal(t, "call succeeded", got["msg"])
	require.Equal(t, 1., got["attempts"])
}

func TestLevelsAreDecidedByWhatAnEventTells(t *testing.T) {
	louder := eventlog.WithLevel(func(e retry.Event, usual slog.Level) slog.Level {
		if e, ok := e.(retry.Exhausted); ok && e.Limit == "budget" {
			return usual + 4
		}
		return usual
	})
	quieter := eventlog.WithLevel(func(e retry.Event, usual slog.Level) slog.Level {
		if e.Ref().Method == "Ping" {
			return eventlog.Silent
		}
		return usual - 1
	})
	var j journal
	log := eventlog.New(j.at(slog.LevelDebug-1), louder, nil, eventlog.WithLevel(nil), quieter)
	for _, e := range []retry.Event{
		retry.Exhausted{MethodRef: charge, Limit: "budget"},
		retry.Exhausted{MethodRef: charge, Limit: "maxAttempts"},
		retry.Exhausted{MethodRef: retry.MethodRef{Class: "StripeGateway", Method: "Ping"}, Limit: "budget"},
		retry.AttemptFailed{MethodRef: charge, Attempt: 1},
	} {
		log.On(t.Context(), e)
	}
	var levels []any
	for _, r := range j.records(t) {
		levels = append(levels, r["level"])
	}
	require.Equal(t, []any{"WARN+3", "INFO+3", "DEBUG-1"}, levels)
}

func TestWhatIsNotEnabledIsNotAskedForItsText(t *testing.T) {
	var j journal
	log := eventlog.New(j.at(slog.LevelInfo), eventlog.WithRedact(func(error) string { panic("asked") }))
	log.On(t.Context(), retry.AttemptFailed{MethodRef: charge, Attempt: 1, Err: errDown})
	require.Empty(t, j.records(t))
}

// What a listener is told in real sessions, at the usual levels.
func TestTheRecordsOfACall(t *testing.T) {
	down := func(context.Context) error { return errDown }
	breaker := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: 1e9, Consecutive: 2})
	budget := retry.NewBudget(retry.BudgetSettings{TTL: 1e9})
	falls := func(err error) func(context.Context, error) error {
		return func(context.Context, error) error { return err }
	}
	for _, c := range []struct {
		name  string
		chain retry.ErrorChain
		run   func(context.Context) error
		calls int
		want  []string
	}{
		{"succeeded at once", retry.With().Max(2), func(context.Context) error { return nil }, 1, nil},
		{"exhausted", retry.With().Max(2), down, 1, []string{
			"DEBUG attempt failed", "DEBUG retry scheduled", "DEBUG attempt failed", "WARN call exhausted"}},
		{"exhausted by a budget", retry.With(budget).Max(2), down, 1, []string{
			"DEBUG attempt failed", "DEBUG budget refused a retry", "WARN call exhausted"}},
		{"failed", retry.WhenThrows(retry.NoError).Max(2), down, 1, []string{
			"DEBUG attempt failed", "DEBUG call failed"}},
		{"a fallback that succeeds", retry.With().Max(1).Fallback(falls(nil)), down, 1, []string{
			"DEBUG attempt failed", "WARN call exhausted", "INFO fallback succeeded"}},
		{"a fallback that fails", retry.With().Max(1).Fallback(falls(errDown)), down, 1, []string{
			"DEBUG attempt failed", "WARN call exhausted", "WARN fallback failed"}},
		{"a breaker that opens", retry.With(breaker).Max(5), down, 2, []string{
			"DEBUG attempt failed", "DEBUG retry scheduled", "ERROR breaker changed", "DEBUG attempt failed", "WARN call exhausted",
			"WARN call rejected"}},
		{"aborted", retry.With().Max(2), func(context.Context) error { panic("no") }, 1, []string{"WARN call aborted"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var j journal
			chain := c.chain.Named("load").Listen(eventlog.New(j.at(slog.LevelDebug)))
			for range c.calls {
				func() {
					defer func() { _ = recover() }()
					_ = chain.Run(t.Context(), c.run)
				}()
			}
			var told []string
			for _, r := range j.records(t) {
				require.Equal(t, "load", r["name"])
				told = append(told, r["level"].(string)+" "+r["msg"].(string))
			}
			require.Equal(t, c.want, told)
		})
	}
}

func TestACallThatItsContextEndsIsCanceled(t *testing.T) {
	var j journal
	ctx, cancel := context.WithCancelCause(t.Context())
	_ = retry.With().Max(2).Listen(eventlog.New(j.at(slog.LevelDebug))).Run(ctx, func(context.Context) error {
		cancel(errors.New("the user has left"))
		return errDown
	})
	all := j.records(t)
	require.Equal(t, "call canceled", all[len(all)-1]["msg"])
	require.Equal(t, "DEBUG", all[len(all)-1]["level"])
}
