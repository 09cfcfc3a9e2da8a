package dashboard_test

import (
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
				failLong(t, board, ref, session)
			}
		})
		require.LessOrEqual(t, full, int64(statedAtMost))
		require.Greater(t, full, int64(statedAtMost/2), "the documentation states too much")
	}
}

// failLong is a session with more attempts than are kept, each of which fails in another way, at length.
func failLong(t *testing.T, board *dashboard.Dashboard, ref retry.MethodRef, session int) {
	for i := range 13 {
		err := fmt.Errorf("%s: session %d, attempt %d: %s", ref, session, i, long)
		board.On(t.Context(), retry.AttemptFailed{MethodRef: ref, Attempt: i + 1, Err: err, Session: 64})
		board.On(t.Context(), retry.RetryScheduled{MethodRef: ref, Attempt: i + 2, Wait: time.Millisecond, Err: err, Session: 64})
	}
	board.On(t.Context(), retry.Exhausted{MethodRef: ref, Limit: "maxAttempts", Attempts: 13, Elapsed: time.Second, Session: 64})
}

var long = strings.Repeat("x", 1000)

// piece is an error whose text is a small part of a large one.
type piece string

func (p piece) Error() string { return string(p[:50]) }

func TestASmallTextDoesNotHoldOnToALargeOne(t *testing.T) {
	used := perMethod(t, 20, func(board *dashboard.Dashboard, ref retry.MethodRef) {
		for i := range 8 {
			err := piece(strings.Repeat(fmt.Sprint(i), 100_000))
			board.On(t.Context(), retry.AttemptFailed{MethodRef: ref, Attempt: 1, Err: err})
		}
	})
	require.Less(t, used, int64(100_000))
}
