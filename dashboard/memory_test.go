package dashboard_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

// What the package documentation states, in bytes.
const (
	statedPerMethod = 11 << 10 // a method that was called
	statedAtMost    = 80 << 10 // one whose sessions are as long, and whose errors are as many and as large, as is kept
)

// heap is what is in use, once nothing is left to collect.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// perMethod is what a dashboard holds of each of n methods, after act has called all of them.
func perMethod(t *testing.T, n int, act func(*dashboard.Dashboard, retry.MethodRef)) int64 {
	t.Helper()
	refs := make([]retry.MethodRef, n)
	for i := range refs {
		refs[i] = numbered(i)
	}
	board := dashboard.New()
	before := heap()
	for _, ref := range refs {
		act(board, ref)
	}
	used := heap() - before
	runtime.KeepAlive(board)
	runtime.KeepAlive(refs)
	t.Logf("%d methods: %d bytes each, %.1f MB in all", n, used/int64(n), float64(used)/(1<<20))
	return used / int64(n)
}

func TestAMethodTakesTheMemoryThatIsStated(t *testing.T) {
	for _, n := range []int{300, 2000} {
		called := perMethod(t, n, func(board *dashboard.Dashboard, ref retry.MethodRef) {
			for range 1000 {
				board.On(t.Context(), retry.Succeeded{MethodRef: ref, Attempts: 1, Elapsed: time.Millisecond})
			}
		})
		require.LessOrEqual(t, called, int64(statedPerMethod))
		require.Greater(t, called, int64(statedPerMethod/2), "the documentation states too much")
	}
}

func TestAMethodTakesNoMoreHoweverMuchFails(t *testing.T) {
	for _, n := range []int{300, 2000} {
		full := perMethod(t, n, func(board *dashboard.Dashboard, ref retry.MethodRef) {
			for session := range 21 {
				failLong(t, board, ref, session, 64)
			}
		})
		require.LessOrEqual(t, full, int64(statedAtMost))
		require.Greater(t, full, int64(statedAtMost/2), "the documentation states too much")
	}
}

// failLong is a session with more attempts than are kept, each of which fails in another way, at length.
func failLong(t *testing.T, board *dashboard.Dashboard, ref retry.MethodRef, session int, id retry.SessionID) {
	for i := range 13 {
		err := fmt.Errorf("%s: session %d, attempt %d: %s", ref, session, i, long)
		board.On(t.Context(), retry.AttemptFailed{MethodRef: ref, Attempt: i + 1, Err: err, Session: id})
		board.On(t.Context(), retry.RetryScheduled{MethodRef: ref, Attempt: i + 2, Wait: time.Millisecond, Err: err, Session: id})
	}
	board.On(t.Context(), retry.Exhausted{MethodRef: ref, Limit: "maxAttempts", Attempts: 13, Elapsed: time.Second, Session: id})
}

var long = strings.Repeat("x", 1000)

// piece is an error whose text is a small part of a large one.
type piece string

func (p piece) Error() string { return string(p[:50]) }

// large is a text that nobody else has.
func large(i int) string { return strings.Repeat(fmt.Sprint(i%10), 100_000) }

// What is kept of a text that was part of a larger one, such as a request's, is that part alone.
func TestASmallTextDoesNotHoldOnToALargeOne(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	failsBy := func(ref retry.MethodRef, err error) []retry.Event {
		return []retry.Event{retry.AttemptFailed{MethodRef: ref, Attempt: 1, Err: err, Session: 64}, retry.Failed{MethodRef: ref, Attempts: 1, Err: err, Session: 64}}
	}
	for name, act := range map[string]func(*dashboard.Dashboard, retry.MethodRef){
		"errors": func(board *dashboard.Dashboard, ref retry.MethodRef) {
			for i := range 8 {
				play(t.Context(), board, failsBy(ref, piece(large(i)))...)
			}
		},
		"errors that nobody waits for": func(board *dashboard.Dashboard, ref retry.MethodRef) {
			for i := range 8 {
				play(gone, board, failsBy(ref, piece(large(i)))...)
			}
		},
		"errors of sessions of which no attempt is known": func(board *dashboard.Dashboard, ref retry.MethodRef) {
			play(t.Context(), board, retry.Failed{MethodRef: ref, Attempts: 2, Err: piece(large(1)), Session: 64},
				retry.Exhausted{MethodRef: ref, Attempts: 2, Err: piece(large(2)), Session: 64})
		},
		"reasons": func(board *dashboard.Dashboard, ref retry.MethodRef) {
			play(t.Context(), board, retry.Rejected{MethodRef: ref, Gate: "quota", Reason: piece(large(1)), Session: 64})
		},
		"names of chains": func(board *dashboard.Dashboard, ref retry.MethodRef) {
			play(t.Context(), board, retry.Succeeded{MethodRef: retry.MethodRef{Name: (ref.String() + large(1))[:50]}, Attempts: 1})
		},
	} {
		require.Less(t, perMethod(t, 20, act), int64(50_000), name)
	}
}

// The last four thousand that may have a fallback are remembered, but not what nobody shows.
func TestSessionsThatAreNotShownAreNotRemembered(t *testing.T) {
	board := dashboard.New(dashboard.WithSessions(0))
	before := heap()
	for i := range 4096 {
		failLong(t, board, charge, i, retry.SessionID(i+1)<<7)
	}
	used := heap() - before
	runtime.KeepAlive(board)
	require.Less(t, used, int64(2<<20))
}
