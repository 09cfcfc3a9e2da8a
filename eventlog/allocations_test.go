package eventlog_test

import (
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/eventlog"
	"github.com/backstay/backstay/retry"
)

func TestWhatIsNotWrittenCostsNoAllocation(t *testing.T) {
	ctx := t.Context()
	disabled := slog.New(slog.DiscardHandler)
	all := examples(t)
	for _, c := range []struct {
		name string
		log  *eventlog.Log
	}{
		{"no level is enabled", eventlog.New(disabled)},
		{"with options", eventlog.New(disabled,
			eventlog.WithLevel(func(_ retry.Event, usual slog.Level) slog.Level { return usual }),
			eventlog.WithRedact(func(error) string { return "redacted" }),
			eventlog.WithSampling(1, 1))},
		{"silent", eventlog.New(slog.New(new(written)), eventlog.WithLevel(func(retry.Event, slog.Level) slog.Level { return eventlog.Silent }))},
	} {
		for _, e := range all {
			require.Zero(t, testing.AllocsPerRun(100, func() { c.log.On(ctx, e.event) }), "%s: %s", c.name, e.name)
		}
	}
}

func TestWhatSamplingHoldsBackCostsNoAllocation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, w := t.Context(), new(written)
		log := eventlog.New(slog.New(w))
		var e retry.Event = retry.Rejected{MethodRef: charge, Reason: retry.ErrCircuitOpen, Gate: "circuitBreaker"}
		for range eventlog.DefaultRecords {
			log.On(ctx, e)
		}
		_, _ = w.since()
		require.Zero(t, testing.AllocsPerRun(100, func() { log.On(ctx, e) }))
		records, _ := w.since()
		require.Zero(t, records)
	})
}
