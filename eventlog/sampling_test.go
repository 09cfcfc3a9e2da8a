package eventlog_test

import (
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/eventlog"
	"github.com/backstay/backstay/retry"
)

// times tells log of e n times, and returns what was written, and what that said was suppressed.
func times(t *testing.T, log *eventlog.Log, w *written, n int, e retry.Event) (records, suppressed int) {
	t.Helper()
	for range n {
		log.On(t.Context(), e)
	}
	return w.since()
}

// requireWritten compares with what times returns.
func requireWritten(t *testing.T, wantRecords, wantSuppressed, records, suppressed int) {
	t.Helper()
	require.Equal(t, [2]int{wantRecords, wantSuppressed}, [2]int{records, suppressed}, "records written, and told as suppressed")
}

func TestOfTheSameKindAndMethodTenRecordsAreWrittenInASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := new(written)
		log := eventlog.New(slog.New(w))
		write := func(n int, e retry.Event) (int, int) { return times(t, log, w, n, e) }
		rejected, other := retry.Rejected{MethodRef: charge}, retry.Rejected{MethodRef: retry.MethodRef{Name: "load"}}

		r, s := write(12, rejected)
		requireWritten(t, 10, 0, r, s)
		r, s = write(12, other)
		requireWritten(t, 10, 0, r, s) // another method
		r, s = write(12, retry.Exhausted{MethodRef: charge})
		requireWritten(t, 10, 0, r, s) // another kind

		time.Sleep(time.Second - 1)
		r, s = write(5, rejected)
		requireWritten(t, 0, 0, r, s)
		time.Sleep(1)
		r, s = write(1, rejected)
		requireWritten(t, 1, 7, r, s)
		r, s = write(12, rejected)
		requireWritten(t, 9, 0, r, s)

		time.Sleep(time.Hour)
		r, s = write(1, other)
		requireWritten(t, 1, 2, r, s)
		r, s = write(1, rejected)
		requireWritten(t, 1, 3, r, s)
	})
}

func TestTheFirstRecordAfterASilenceSaysHowManyThereWere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		log := eventlog.New(j.at(slog.LevelInfo), eventlog.WithSampling(1, time.Minute))
		e := retry.Rejected{MethodRef: charge, Gate: "circuitBreaker", Reason: retry.ErrCircuitOpen}
		for range 100 {
			log.On(t.Context(), e)
		}
		time.Sleep(time.Minute)
		log.On(t.Context(), e)
		all := j.records(t)
		require.Len(t, all, 2)
		require.NotContains(t, all[0], "suppressed")
		require.Equal(t, 99., all[1]["suppressed"])
	})
}

// A success at once, where it is written, must not hide those that needed retries; nor a cancel a failure.
func TestKindsOfOneEventAreSampledByThemselves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := new(written)
		log := eventlog.New(slog.New(w), eventlog.WithLevel(func(retry.Event, slog.Level) slog.Level { return slog.LevelInfo }))
		for _, pair := range [][2]retry.Event{
			{retry.Succeeded{Attempts: 1}, retry.Succeeded{Attempts: 2}},
			{retry.Failed{Canceled: true}, retry.Failed{}},
		} {
			r, s := times(t, log, w, 11, pair[0])
			requireWritten(t, 10, 0, r, s)
			r, s = times(t, log, w, 1, pair[1])
			requireWritten(t, 1, 0, r, s)
		}
	})
}

func TestSamplingIsOffWhereNumbersAreZeroOrLess(t *testing.T) {
	for _, o := range []eventlog.Option{
		eventlog.WithSampling(0, time.Second), eventlog.WithSampling(-1, time.Second), eventlog.WithSampling(1, 0), eventlog.WithSampling(1, -1),
	} {
		w := new(written)
		r, s := times(t, eventlog.New(slog.New(w), eventlog.WithSampling(1, time.Hour), o), w, 1000, retry.Aborted{})
		requireWritten(t, 1000, 0, r, s)
	}
}

func TestChangesOfABreakerAreAlwaysWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := new(written)
		log := eventlog.New(slog.New(w), eventlog.WithSampling(1, time.Hour))
		policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Second, Consecutive: 1})
		_, err := retry.With(policy).Listen(log).Policy()
		require.NoError(t, err)
		for range 500 {
			retry.BreakerOf(policy).ForceOpen()
			retry.BreakerOf(policy).Reset()
		}
		r, s := w.since()
		requireWritten(t, 1000, 0, r, s)
	})
}

func TestWhatIsNotEnabledUsesNoneOfTheSample(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		var level slog.LevelVar
		level.Set(slog.LevelError)
		log := eventlog.New(slog.New(slog.NewJSONHandler(&j, &slog.HandlerOptions{Level: &level})), eventlog.WithSampling(1, time.Hour))
		for range 100 {
			log.On(t.Context(), retry.Aborted{})
		}
		level.Set(slog.LevelInfo)
		log.On(t.Context(), retry.Aborted{})
		all := j.records(t)
		require.Len(t, all, 1)
		require.NotContains(t, all[0], "suppressed")
	})
}

// A log of a package's variable lives in real time, and in that of each test.
func TestALogThatWasUsedOutsideABubbleCanBeUsedInIt(t *testing.T) {
	w := new(written)
	log := eventlog.New(slog.New(w), eventlog.WithSampling(10, time.Hour))
	r, s := times(t, log, w, 12, retry.Aborted{})
	requireWritten(t, 10, 0, r, s)
	synctest.Test(t, func(t *testing.T) {
		r, s := times(t, log, w, 13, retry.Aborted{})
		requireWritten(t, 10, 2, r, s)
	})
	r, s = times(t, log, w, 12, retry.Aborted{})
	requireWritten(t, 10, 3, r, s)
	_ = fill(t, log, w, 0, 3000)
	synctest.Test(t, func(t *testing.T) {
		require.Equal(t, 2009, fill(t, log, w, 3000, 3000), "what is of another time makes room, but for what has to be told")
	})
	require.Equal(t, 2009, fill(t, log, w, 6000, 3000))
}

func TestGoroutinesShareASample(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := new(written)
		log := eventlog.New(slog.New(w))
		var all sync.WaitGroup
		for g := range 8 {
			all.Go(func() {
				for i := range 1000 {
					log.On(t.Context(), retry.Rejected{MethodRef: charge})
					log.On(t.Context(), name(g*1000+i))
				}
			})
		}
		all.Wait()
		r, s := w.since()
		requireWritten(t, 10+1999+10, 0, r, s) // of one method, of those that found room, and of the rest
		time.Sleep(time.Second)
		r, s = times(t, log, w, 1, retry.Rejected{MethodRef: charge})
		requireWritten(t, 1, 7990, r, s)
		r, s = times(t, log, w, 2000, name(0))
		requireWritten(t, 10, 0, r, s)
	})
}
