package eventlog_test

import (
	"bytes"
	"context"
	"log/slog"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/eventlog"
	"github.com/backstay/backstay/retry"
)

func TestEveryEventIsOneRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range examples(t) {
			got := record(t, c.event)
			c.want["class"], c.want["method"] = "StripeGateway", "Charge"
			if _, ofBreaker := c.event.(retry.BreakerChanged); ofBreaker {
				require.NotContains(t, got, "session", c.name)
			} else {
				require.NotZero(t, got["session"], c.name)
				delete(got, "session")
			}
			require.Equal(t, c.want, got, c.name)
		}
	})
}

func TestARecordNamesWhatItIsAboutAsFarAsItHasNames(t *testing.T) {
	for _, c := range []struct {
		ref  retry.MethodRef
		want object
	}{
		{retry.MethodRef{Class: "StripeGateway", Name: "eu", Method: "Charge"}, object{"class": "StripeGateway", "name": "eu", "method": "Charge"}},
		{retry.MethodRef{Name: "load"}, object{"name": "load"}},
		{retry.MethodRef{}, object{}},
	} {
		c.want["level"], c.want["msg"], c.want["gate"] = "WARN", "call rejected", "quota"
		require.Equal(t, c.want, record(t, retry.Rejected{MethodRef: c.ref, Gate: "quota"}), "%+v", c.ref)
	}
}

func TestDurationsAreDurations(t *testing.T) {
	var out bytes.Buffer
	log := eventlog.New(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug})))
	log.On(t.Context(), retry.RetryScheduled{Attempt: 2, Wait: 1500 * time.Millisecond})
	require.Contains(t, out.String(), "attempt=2 wait=1.5s")
}

func TestARecordHasTheTimeOfItsEventAndNoLineOfCode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, opts := range [][]eventlog.Option{nil, {eventlog.WithSampling(0, 0)}} {
			var out bytes.Buffer
			log := eventlog.New(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{AddSource: true})), opts...)
			time.Sleep(time.Hour)
			log.On(t.Context(), retry.Aborted{})
			require.Contains(t, out.String(), "time="+time.Now().Format("2006-01-02T15:04:05"))
			require.NotContains(t, out.String(), ".go")
		}
	})
}

func TestRecordsOfOneCallHaveTheSameSession(t *testing.T) {
	var j journal
	log := eventlog.New(j.at(slog.LevelDebug))
	for _, e := range []retry.Event{
		retry.AttemptFailed{Attempt: 1, Session: 0xc0123450},
		retry.AttemptFailed{Attempt: 1, Session: 0xc0123460},
		retry.Exhausted{Attempts: 1, Session: 0xc0123450},
		retry.FallbackSucceeded{Session: 0xc0123450},
		retry.Rejected{},
	} {
		log.On(t.Context(), e)
	}
	all := j.records(t)
	require.Len(t, all, 5)
	one := all[0]["session"]
	require.NotEqual(t, float64(0xc0123450), one, "where things are in memory is not told")
	require.LessOrEqual(t, one, float64(math.MaxUint32), "tools that read JSON know it exactly")
	require.NotEqual(t, one, all[1]["session"])
	require.Equal(t, one, all[2]["session"])
	require.Equal(t, one, all[3]["session"])
	require.NotContains(t, all[4], "session", "a call that was rejected, and had no fallback")
}

type traceKey struct{}

// traced adds to each record what it finds in the context.
type traced struct{ slog.Handler }

func (h traced) Handle(ctx context.Context, r slog.Record) error {
	trace, _ := ctx.Value(traceKey{}).(string)
	r.AddAttrs(slog.String("trace", trace))
	return h.Handler.Handle(ctx, r)
}

func TestRecordsAreWrittenInTheContextOfTheCallByTheDefaultLoggerOfTheTime(t *testing.T) {
	var j journal
	log := eventlog.New(nil, nil)
	before := slog.Default()
	defer slog.SetDefault(before)
	slog.SetDefault(slog.New(traced{j.at(slog.LevelInfo).With("component", "backstay").Handler()}))
	log.On(context.WithValue(t.Context(), traceKey{}, "4711"), retry.Aborted{MethodRef: charge, Attempts: 1})
	all := j.records(t)
	require.Len(t, all, 1)
	require.Equal(t, "4711", all[0]["trace"])
	require.Equal(t, "backstay", all[0]["component"])
}

// ofTomorrow is an event that this package does not know.
type ofTomorrow struct{ retry.Succeeded }

func TestAnEventThatIsNotKnownIsNotWritten(t *testing.T) {
	var j journal
	eventlog.New(j.at(slog.LevelDebug)).On(t.Context(), ofTomorrow{})
	require.Empty(t, j.records(t))
}
