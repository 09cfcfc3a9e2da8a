package eventlog_test

import (
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/eventlog"
	"github.com/backstay/backstay/retry"
)

// name is that of one of many chains; each is 1 kB long.
func name(i int) retry.Rejected {
	return retry.Rejected{MethodRef: retry.MethodRef{Name: fmt.Sprint(i, strings.Repeat("x", 1024))}}
}

func TestNamesWithoutEndShareASample(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := new(written)
		log := eventlog.New(slog.New(w))
		for i := range 5000 {
			log.On(t.Context(), name(i))
		}
		r, s := w.since()
		requireWritten(t, 2010, 0, r, s) // 2000 methods once, and ten of those that found no room

		r, s = times(t, log, w, 12, name(0))
		requireWritten(t, 9, 0, r, s) // it has a sample of its own still

		time.Sleep(time.Second)
		r, s = times(t, log, w, 1, name(4999))
		requireWritten(t, 1, 0, r, s) // room was made
		r, s = times(t, log, w, 11, name(0))
		requireWritten(t, 10, 3, r, s)
	})
}

// fill tells log of n chains that it has not heard of, each once, and returns how many were written.
func fill(t *testing.T, log *eventlog.Log, w *written, from, n int) int {
	t.Helper()
	for i := range n {
		log.On(t.Context(), name(from+i))
	}
	records, _ := w.since()
	return records
}

func TestRoomIsMadeOnceInAnInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := new(written)
		log := eventlog.New(slog.New(w))
		require.Equal(t, 1000, fill(t, log, w, 0, 1000))
		time.Sleep(time.Second / 2)
		require.Equal(t, 1000, fill(t, log, w, 1000, 1000))
		time.Sleep(time.Second / 2)
		require.Equal(t, 1010, fill(t, log, w, 2000, 1100), "the first thousand have made room")
		time.Sleep(time.Second / 2)
		require.Equal(t, 0, fill(t, log, w, 4000, 1100), "it is too early for the second thousand")
		time.Sleep(time.Second / 2)
		require.Equal(t, 1100, fill(t, log, w, 6000, 1100), "now all others have")
	})
}

// What was held back of a method that has made room for others is told by the next of those that share.
func TestNoSuppressedRecordIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := new(written)
		log := eventlog.New(slog.New(w))
		for i := range 2000 {
			_, _ = times(t, log, w, 11, name(i)) // one more than are written
		}
		time.Sleep(time.Second)
		for i := range 2001 {
			log.On(t.Context(), name(10_000+i))
		}
		r, s := w.since()
		requireWritten(t, 2001, 2000, r, s)
	})
}

// A method in trouble tells its own number, however many names make and need room meanwhile.
func TestAMethodWithSomethingToTellKeepsItsWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := new(written)
		log := eventlog.New(slog.New(w))
		r, s := times(t, log, w, 510, retry.Rejected{MethodRef: charge})
		requireWritten(t, 10, 0, r, s)
		for i := range 3 {
			time.Sleep(time.Second)
			require.Equal(t, 1500, fill(t, log, w, i*1500, 1500))
		}
		time.Sleep(time.Second)
		r, s = times(t, log, w, 1, retry.Rejected{MethodRef: charge})
		requireWritten(t, 1, 500, r, s)
	})
}

func TestALogIsSmallHoweverManyNamesThereAre(t *testing.T) {
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	log := eventlog.New(slog.New(new(written)))
	for i := range 20_000 {
		log.On(t.Context(), name(i))
	}
	require.Less(t, heap()-before, int64(400_000))
	runtime.KeepAlive(log)
}
