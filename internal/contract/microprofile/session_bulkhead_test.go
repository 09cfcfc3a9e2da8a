package microprofile_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// In MicroProfile only an asynchronous bulkhead has a queue. A Go caller waits in its own goroutine, so any may have one.

// sSized puts a bulkhead of that size on ServiceA.
func sSized(size sBulkhead) container.ProvideOption {
	return container.Annotate[sBulkhead](sService.ServiceA, annotation.Set(func(b *sBulkhead) { *b = size }))
}

// sRetriedEvery puts a sRetry on ServiceA, with a delay and no jitter.
func sRetriedEvery(delay time.Duration, opts ...annotation.Option) container.ProvideOption {
	return container.Annotate[sRetry](sService.ServiceA, append(opts, annotation.Set(func(a *sRetry) { a.Delay, a.Jitter = delay, 0 }))...)
}

func TestSessionBulkheadAndBreaker(t *testing.T) {
	for _, c := range []struct {
		name  string
		size  sBulkhead
		opts  []annotation.Option
		calls []error // of the calls beyond those that have a place
	}{
		{"mp:X3 a refusal of the bulkhead is a failure", sBulkhead{1, 0}, nil, []error{sErrFull, sErrFull, sErrFull, retry.ErrCircuitOpen, retry.ErrCircuitOpen}},
		{"mp:X4 with a queue", sBulkhead{1, 1}, nil, []error{sErrFull, sErrFull, sErrFull, retry.ErrCircuitOpen, retry.ErrCircuitOpen}},
		{"mp:X5 a refusal that failOn does not list", sBulkhead{1, 1}, []annotation.Option{annotation.RetryErrors(retry.Is(sErrT))},
			[]error{sErrFull, sErrFull, sErrFull, sErrFull, sErrFull}},
	} {
		sBubble(t, c.name, func(t *testing.T) {
			opts := append(c.opts, annotation.MaxAttempts(1), annotation.Breaker(retry.BreakerSettings{Window: 3, FailureRatio: 1, ResetTimeout: 50 * time.Second}))
			crowd := sNewCrowd(t, c.size, false, container.Annotate[aliases.CircuitBreaker](sService.ServiceA, opts...))
			var placed []<-chan sOutcome
			for i := range c.size.Slots + c.size.Queue {
				placed = append(placed, crowd.call(fmt.Sprint(i)))
			}
			for i, want := range c.calls {
				require.ErrorIs(t, (<-crowd.call("late")).err, want, "call %d", i)
			}
			require.Equal(t, []string{"0"}, crowd.bodies())
			for i, call := range placed {
				require.True(t, sPending(call))
				crowd.end(fmt.Sprint(i), nil)
				require.NoError(t, (<-call).err)
				synctest.Wait()
			}
		})
	}
}

func TestSessionRefusalsAreRetried(t *testing.T) {
	const ms = time.Millisecond
	sBubble(t, "mp:X24 who is refused comes in when there is a place", func(t *testing.T) {
		crowd := sNewCrowd(t, sBulkhead{1, 0}, false, sRetriedEvery(100*ms, annotation.MaxAttempts(100_000), annotation.Timeout(3*time.Second)))
		a := crowd.call("A")
		b := crowd.call("B")
		time.Sleep(1050 * ms)
		require.Equal(t, []string{"A"}, crowd.bodies())
		require.True(t, sPending(b))
		crowd.end("A", nil)
		require.NoError(t, (<-a).err)
		time.Sleep(100 * ms)
		crowd.end("B", nil)
		require.Equal(t, sOutcome{"B", nil, 1150 * ms}, <-b)
	})
	sBubble(t, "mp:X24 who is refused for too long", func(t *testing.T) {
		crowd := sNewCrowd(t, sBulkhead{1, 0}, false, sRetriedEvery(100*ms, annotation.MaxAttempts(100_000), annotation.Timeout(3*time.Second)))
		a := crowd.call("A")
		require.Equal(t, sOutcome{"", sErrFull, 2900 * ms}, <-crowd.call("B"), "the next wait would end with the last moment")
		crowd.end("A", nil)
		require.NoError(t, (<-a).err)
	})
	for _, c := range []struct {
		name string
		opts []annotation.Option
	}{
		{"mp:X28 retryOn another", []annotation.Option{annotation.RetryErrors(retry.Is(sErrT))}},
		{"mp:X28 abortOn the refusal", []annotation.Option{annotation.IgnoreErrors(retry.Is(sErrFull))}},
		{"mp:X28 maxRetries 0", []annotation.Option{annotation.MaxAttempts(1)}},
	} {
		sBubble(t, c.name, func(t *testing.T) {
			crowd := sNewCrowd(t, sBulkhead{2, 0}, false, sRetriedEvery(time.Second, c.opts...))
			a, b := crowd.call("A"), crowd.call("B")
			require.Equal(t, sOutcome{"", sErrFull, 0}, <-crowd.call("C"))
			for caller, call := range map[string]<-chan sOutcome{"A": a, "B": b} {
				crowd.end(caller, nil)
				require.NoError(t, (<-call).err)
			}
		})
	}
	sBubble(t, "mp:X29 who is refused by a full queue gets a place in it", func(t *testing.T) {
		crowd := sNewCrowd(t, sBulkhead{3, 3}, false, sRetriedEvery(100*ms, annotation.MaxAttempts(100_000), annotation.Timeout(3*time.Second)))
		callers := []string{"A", "B", "C", "D", "E", "F", "G"}
		calls := map[string]<-chan sOutcome{}
		for _, caller := range callers {
			calls[caller] = crowd.call(caller)
		}
		time.Sleep(1050 * ms)
		require.Equal(t, []string{"A", "B", "C"}, crowd.bodies())
		require.True(t, sPending(calls["G"]))
		for _, caller := range callers {
			crowd.end(caller, nil)
			require.NoError(t, (<-calls[caller]).err)
			time.Sleep(100 * ms) // the time of a retry
		}
		require.Equal(t, callers, crowd.bodies())
	})
	sBubble(t, "mp:X29 ten rapid retries of a full bulkhead", func(t *testing.T) {
		crowd := sNewCrowd(t, sBulkhead{3, 3}, false, sRetriedEvery(time.Microsecond, annotation.MaxAttempts(11)))
		callers := []string{"A", "B", "C", "D", "E", "F"}
		var calls []<-chan sOutcome
		for _, caller := range callers {
			calls = append(calls, crowd.call(caller))
		}
		require.Equal(t, sOutcome{"", sErrFull, 10 * time.Microsecond}, <-crowd.call("G"))
		for i, caller := range callers {
			crowd.end(caller, nil)
			require.NoError(t, (<-calls[i]).err)
			synctest.Wait()
		}
	})
}

func TestSessionSlotsAreFreeBetweenAttempts(t *testing.T) {
	sBubble(t, "mp:X25 another gets the slot while a retry waits", func(t *testing.T) {
		crowd := sNewCrowd(t, sBulkhead{1, 0}, false, sRetriedEvery(time.Second, annotation.MaxAttempts(2), annotation.RetryErrors(retry.Is(sErrT))))
		a := crowd.call("A")
		crowd.end("A", sErrT)
		time.Sleep(100 * time.Millisecond)
		b := crowd.call("B")
		require.Equal(t, []string{"A", "B"}, crowd.bodies())
		require.Equal(t, sOutcome{"", sErrFull, time.Second}, <-a)
		crowd.end("B", nil)
		require.NoError(t, (<-b).err)
	})
	sBubble(t, "mp:X26 a retry needs a place in the queue as any call", func(t *testing.T) {
		crowd := sNewCrowd(t, sBulkhead{1, 1}, false, sRetriedEvery(time.Second, annotation.MaxAttempts(2), annotation.RetryErrors(retry.Is(sErrT))))
		a := crowd.call("A")
		crowd.end("A", sErrT)
		synctest.Wait()
		b, c := crowd.call("B"), crowd.call("C")
		require.Equal(t, []string{"A", "B"}, crowd.bodies())
		require.Equal(t, sOutcome{"", sErrFull, time.Second}, <-a)
		crowd.end("B", nil)
		require.NoError(t, (<-b).err)
		synctest.Wait()
		crowd.end("C", nil)
		require.NoError(t, (<-c).err)
	})
	sBubble(t, "mp:X27 a retry goes to the back of the queue", func(t *testing.T) {
		crowd := sNewCrowd(t, sBulkhead{1, 5}, false, sRetriedEvery(0, annotation.MaxAttempts(2), annotation.RetryErrors(retry.Is(sErrT))))
		a, b, c := crowd.call("A"), crowd.call("B"), crowd.call("C")
		crowd.end("A", sErrT)
		synctest.Wait()
		crowd.end("B", nil)
		synctest.Wait()
		crowd.end("C", nil)
		synctest.Wait()
		crowd.end("A", sErrT)
		require.Same(t, sErrT, (<-a).err)
		require.NoError(t, (<-b).err)
		require.NoError(t, (<-c).err)
		require.Equal(t, []string{"A", "B", "C", "A"}, crowd.bodies())
	})
}

// A timeout outside the bulkhead counts the time in the queue.
func TestSessionTimeoutsInAQueue(t *testing.T) {
	const limit = 500 * time.Millisecond
	timeout := container.Annotate[sTimeout](sService.ServiceA, annotation.AttemptTimeout(limit))
	// MicroProfile tells A's caller of the timeout at once. Ours waits for the body, and so does the slot.
	sBubble(t, "mp:T22 a body that goes on keeps its slot", func(t *testing.T) {
		crowd := sNewCrowd(t, sBulkhead{1, 1}, true, timeout)
		a := crowd.call("A")
		b := crowd.call("B")
		require.Equal(t, sOutcome{"", context.DeadlineExceeded, limit}, <-b)
		c := crowd.call("C")
		require.Equal(t, sOutcome{"", sErrFull, 0}, <-crowd.call("D"))
		require.Equal(t, sOutcome{"", context.DeadlineExceeded, limit}, <-c)
		require.True(t, sPending(a))
		crowd.end("A", sErrT)
		require.Equal(t, sOutcome{"A", sErrT, 2 * limit}, <-a)
		synctest.Wait()
		require.Equal(t, []string{"A"}, crowd.bodies(), "who has timed out in the queue never starts")
	})
	sBubble(t, "mp:T23 the time in the queue counts", func(t *testing.T) {
		crowd := sNewCrowd(t, sBulkhead{1, 1}, false, timeout)
		a := crowd.call("A")
		time.Sleep(100 * time.Millisecond)
		b := crowd.call("B")
		time.Sleep(300 * time.Millisecond)
		crowd.end("A", nil)
		require.NoError(t, (<-a).err)
		synctest.Wait()
		require.Equal(t, []string{"A", "B"}, crowd.bodies())
		require.Equal(t, sOutcome{"", context.DeadlineExceeded, limit}, <-b)
	})
}
