package microprofile_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// MicroProfile counts retries, maxRetries; we count attempts, one more.

// sWithoutJitter replaces the jitter of 200 ms.
var sWithoutJitter = annotation.Set(func(a *sRetry) { a.Jitter = 0 })

// sRetried is peer with a sRetry on its ServiceA.
func sRetried(t testing.TB, peer *sPeer, opts ...annotation.Option) sService {
	t.Helper()
	return sBuild(t, peer, container.Annotate[sRetry](sService.ServiceA, opts...))
}

// sRecordsStarts lets peer note when its executions start.
func sRecordsStarts(peer *sPeer) *[]time.Time {
	var starts []time.Time
	do := peer.do
	peer.do = func(ctx context.Context, exec int) (string, error) {
		starts = append(starts, time.Now())
		return do(ctx, exec)
	}
	return &starts
}

func sGaps(starts []time.Time) (gaps []time.Duration) {
	for i := 1; i < len(starts); i++ {
		gaps = append(gaps, starts[i].Sub(starts[i-1]))
	}
	return gaps
}

func TestSessionNumberOfAttempts(t *testing.T) {
	for _, c := range []struct {
		name  string
		peer  *sPeer
		opts  []annotation.Option
		err   error
		execs int
	}{
		{"mp:R1 maxRetries 5 makes six attempts", sFails(sErrT), []annotation.Option{annotation.MaxAttempts(6)}, sErrT, 6},
		{"mp:R10 retryOn what is thrown", sFails(sErrT), []annotation.Option{annotation.RetryErrors(retry.Is(sErrT))}, sErrT, 4},
		{"mp:R11 retryOn another", sFails(sErrRuntime), []annotation.Option{annotation.RetryErrors(retry.Is(sErrIO))}, sErrRuntime, 1},
		{"mp:R12 retryOn the parent", sFails(sErrChild), []annotation.Option{annotation.RetryErrors(retry.Is(sErrParent))}, sErrChild, 4},
		{"mp:R13 abortOn the child", sFails(sErrChild), []annotation.Option{annotation.RetryErrors(retry.Is(sErrParent)), annotation.IgnoreErrors(retry.Is(sErrChild))}, sErrChild, 1},
		{"mp:R13 abortOn the child spares the parent", sFails(sErrParent), []annotation.Option{annotation.RetryErrors(retry.Is(sErrParent)), annotation.IgnoreErrors(retry.Is(sErrChild))}, sErrParent, 4},
		{"mp:R14 abortOn another", sFails(sErrRuntime), []annotation.Option{annotation.IgnoreErrors(retry.Is(sErrIO))}, sErrRuntime, 4},
		{"mp:R15 abortOn what is thrown", sFails(sErrT), []annotation.Option{annotation.IgnoreErrors(retry.Is(sErrT))}, sErrT, 1},
		{"mp:R29 maxRetries 0 makes one attempt", sFails(sErrT), []annotation.Option{annotation.MaxAttempts(1)}, sErrT, 1},
		{"mp:R33 a success is never retried", sFailsFirst(0, nil), []annotation.Option{annotation.MaxAttempts(6)}, nil, 1},
		{"mp:R33 nor one after failures", sFailsFirst(2, sErrT), []annotation.Option{annotation.MaxAttempts(6)}, nil, 3},
	} {
		sBubble(t, c.name, func(t *testing.T) {
			service := sRetried(t, c.peer, c.opts...)
			_, err := service.ServiceA(t.Context())
			require.Equal(t, c.err, err, "the very error of the last attempt")
			require.Equal(t, c.execs, c.peer.execs())
		})
	}
}

// sParentError and sChildError are the lattice of R12 and R13 as types: a child unwraps to a parent.
type (
	sParentError struct{}
	sChildError  struct{ parent sParentError }
)

func (sParentError) Error() string  { return "parent" }
func (sChildError) Error() string   { return "child" }
func (c sChildError) Unwrap() error { return c.parent }

func TestSessionErrorsAreMatchedByTypeAsByValue(t *testing.T) {
	for _, c := range []struct {
		name  string
		opts  []annotation.Option
		err   error
		execs int
	}{
		{"mp:R12 by type", []annotation.Option{annotation.RetryErrors(retry.As[sParentError]())}, sChildError{}, 4},
		{"mp:R13 by type", []annotation.Option{annotation.RetryErrors(retry.As[sParentError]()), annotation.IgnoreErrors(retry.As[sChildError]())}, fmt.Errorf("wrapped: %w", sChildError{}), 1},
		{"mp:R13 by type, the parent", []annotation.Option{annotation.RetryErrors(retry.As[sParentError]()), annotation.IgnoreErrors(retry.As[sChildError]())}, sParentError{}, 4},
	} {
		sBubble(t, c.name, func(t *testing.T) {
			peer := sFails(c.err)
			_, err := sRetried(t, peer, c.opts...).ServiceA(t.Context())
			require.Equal(t, c.err, err)
			require.Equal(t, c.execs, peer.execs())
		})
	}
}

func TestSessionMaxDurationEndsTheRetries(t *testing.T) {
	type inMillis struct {
		_ annotation.On[sRetry] `method:"ServiceA" maxAttempts:"91" timeout:"1000ms" jitter:"0s"`
		*sPeer
	}
	type inSeconds struct {
		_ annotation.On[sRetry] `method:"ServiceA" maxAttempts:"91" timeout:"1s" jitter:"0s"`
		*sPeer
	}
	sBubble(t, "mp:R2 maxDuration 1000 ms, 100 ms each", func(t *testing.T) {
		peer := sWorks(100*time.Millisecond, sErrT)
		took, _, err := sTimed(t.Context(), sBuild(t, &inMillis{sPeer: peer}).ServiceA)
		require.Same(t, sErrT, err)
		require.Equal(t, 10, peer.execs(), "the eleventh would start at the very end")
		require.Equal(t, time.Second, took)
	})
	sBubble(t, "mp:R3 the same in seconds", func(t *testing.T) {
		peer := sWorks(100*time.Millisecond, sErrT)
		_, err := sBuild(t, &inSeconds{sPeer: peer}).ServiceA(t.Context())
		require.Same(t, sErrT, err)
		require.Equal(t, 10, peer.execs())
	})
	sBubble(t, "mp:R30 unlimited retries end with maxDuration", func(t *testing.T) {
		peer := sWorks(time.Millisecond, sErrT)
		took, _, err := sTimed(t.Context(), sRetried(t, peer, annotation.MaxAttempts(retry.Unlimited), annotation.Timeout(time.Second), sWithoutJitter).ServiceA)
		require.Same(t, sErrT, err)
		require.Equal(t, 1000, peer.execs())
		require.Equal(t, time.Second, took)
	})
	// MicroProfile's maxDuration 0 is no limit. Ours is no time at all and rejects the call, since a zero is a zero; who
	// wants no limit writes none.
	sBubble(t, "mp:R32 no maxDuration is no limit", func(t *testing.T) {
		peer := sFails(sErrT)
		_, err := retry.For[string]().Max(100).Sleep(time.Hour).Call(t.Context(), peer.ServiceA)
		require.Same(t, sErrT, err)
		require.Equal(t, 100, peer.execs())
	})
	sBubble(t, "mp:R32 a maxDuration of zero is no time", func(t *testing.T) {
		peer := sFails(sErrT)
		_, err := sRetried(t, peer, annotation.Timeout(0)).ServiceA(t.Context())
		require.ErrorIs(t, err, retry.ErrTimeout)
		require.Zero(t, peer.execs())
	})
	sBubble(t, "mp:R34 no retry starts after maxDuration, nor is its wait begun", func(t *testing.T) {
		peer := sWorks(400*time.Millisecond, sErrT)
		took, _, err := sTimed(t.Context(), sRetried(t, peer, annotation.Timeout(time.Second), sWithoutJitter,
			annotation.Set(func(a *sRetry) { a.Delay = 500 * time.Millisecond })).ServiceA)
		require.Same(t, sErrT, err)
		require.Equal(t, 2, peer.execs())
		require.Equal(t, 1300*time.Millisecond, took, "an attempt that has started is not interrupted, and nothing is waited for after it")
	})
}

func TestSessionDelayAndJitter(t *testing.T) {
	const ms = time.Millisecond
	timed := func(t *testing.T, attempts int, within, delay, jitter time.Duration) []time.Duration {
		peer := sFails(sErrT)
		starts := sRecordsStarts(peer)
		_, err := sRetried(t, peer, annotation.MaxAttempts(attempts), annotation.Timeout(within),
			annotation.Set(func(a *sRetry) { a.Delay, a.Jitter = delay, jitter })).ServiceA(t.Context())
		require.Same(t, sErrT, err)
		return sGaps(*starts)
	}
	sBubble(t, "mp:R4 delay with jitter", func(t *testing.T) {
		gaps := timed(t, 11, 3200*ms, 400*ms, 400*ms)
		require.Greater(t, len(gaps)+1, 4)
		for _, gap := range gaps {
			require.LessOrEqual(t, gap, 800*ms)
		}
	})
	sBubble(t, "mp:R5 jitter alone", func(t *testing.T) {
		gaps := timed(t, 101, 3200*ms, 0, 400*ms)
		require.Greater(t, len(gaps)+1, 8)
		require.Less(t, len(gaps)+1, 100)
		require.Contains(t, gaps, time.Duration(0), "what would be negative is none")
		longest := time.Duration(0)
		for _, gap := range gaps {
			require.LessOrEqual(t, gap, 400*ms)
			longest = max(longest, gap)
		}
		require.Greater(t, longest, 5*ms)
	})
	sBubble(t, "mp:R6 no jitter", func(t *testing.T) {
		peer := sFailsFirst(3, sErrT)
		took, result, err := sTimed(t.Context(), sRetried(t, peer, sWithoutJitter).ServiceA)
		require.NoError(t, err)
		require.Equal(t, "done", result)
		require.Equal(t, 4, peer.execs())
		require.Zero(t, took, "the jitter of the annotation's own Defaults was replaced")
	})
	sBubble(t, "mp:R31 the delay is uniform around its middle, and never negative", func(t *testing.T) {
		gaps := timed(t, 2001, time.Hour, 100*ms, 50*ms)
		require.Len(t, gaps, 2000)
		below, sum := 0, time.Duration(0)
		for _, gap := range gaps {
			require.GreaterOrEqual(t, gap, 50*ms)
			require.LessOrEqual(t, gap, 150*ms)
			if gap < 75*ms {
				below++
			}
			sum += gap
		}
		require.InDelta(t, float64(100*ms), float64(sum)/2000, float64(3*ms))
		require.InDelta(t, 500, below, 80, "a quarter of them lies in a quarter of the range")
	})
}
