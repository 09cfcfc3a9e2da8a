package aspects_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/aspects"
)

// slow is a Load whose first call takes a second and then ends as it is told; later ones take a second and succeed.
func slow(calls *atomic.Int32, first func(ctx context.Context) (string, error)) Load {
	return func(ctx context.Context, id string) (string, error) {
		n := calls.Add(1)
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return "", ctx.Err()
		}
		if n == 1 {
			return first(ctx)
		}
		return fmt.Sprint("call ", n), nil
	}
}

// crowd calls load by n goroutines at once, the first of which begins, and tells how each has ended.
func crowd(ctx context.Context, load Load, n int) []ended {
	all := make([]ended, n)
	var wg sync.WaitGroup
	for i := range all {
		wg.Go(func() { all[i] = endOf(func() (string, error) { return load(ctx, "7") }) })
		synctest.Wait()
	}
	wg.Wait()
	return all
}

func TestConcurrentMissesOfOneKeyMakeOneCall(t *testing.T) {
	good, bad := ended{result: "call 1", returned: true}, ended{err: errDown, returned: true}
	for _, c := range []struct {
		name  string
		first func(context.Context) (string, error)
		want  []ended // of three
		calls int32
	}{
		{"which succeeds", func(context.Context) (string, error) { return "call 1", nil }, []ended{good, good, good}, 1},
		{"whose error they share", func(context.Context) (string, error) { return "", errDown }, []ended{bad, bad, bad}, 1},
		{"and another if it panics", func(context.Context) (string, error) { panic("no") },
			[]ended{{panicked: "no"}, {result: "call 2", returned: true}, {result: "call 2", returned: true}}, 2},
		{"and another if its goroutine ends", func(context.Context) (string, error) { runtime.Goexit(); return "", nil },
			[]ended{{}, {result: "call 2", returned: true}, {result: "call 2", returned: true}}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var calls atomic.Int32
				load := around(t, aspects.NewCache(), slow(&calls, c.first), annotated(forMinute))
				require.Equal(t, c.want, crowd(t.Context(), load, 3))
				require.Equal(t, c.calls, calls.Load())
			})
		})
	}
}

func TestCallsWithOtherKeysDoNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		load := around(t, aspects.NewCache(), slow(&calls, func(context.Context) (string, error) { return "", nil }), annotated(forMinute))
		began := time.Now()
		var wg sync.WaitGroup
		for i := range 3 {
			wg.Go(func() { _, _ = load(t.Context(), fmt.Sprint(i)) })
		}
		wg.Wait()
		require.Equal(t, int32(3), calls.Load())
		require.Equal(t, time.Second, time.Since(began))
	})
}

func TestWhoWaitsCallsWhenTheFirstCallersContextHasEndedTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		load := around(t, aspects.NewCache(), slow(&calls, nil), annotated(forMinute))
		first, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := load(first, "7")
			require.ErrorIs(t, err, context.Canceled)
		})
		synctest.Wait()
		for range 2 {
			wg.Go(func() {
				got, err := load(t.Context(), "7")
				require.NoError(t, err)
				require.Equal(t, "call 2", got)
			})
		}
		synctest.Wait()
		require.Equal(t, int32(1), calls.Load())
		cancel()
		wg.Wait()
		require.Equal(t, int32(2), calls.Load())
	})
}

func TestAContextEndsTheWaitOfItsCallerAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		load := around(t, aspects.NewCache(), slow(&calls, func(context.Context) (string, error) { return "call 1", nil }), annotated(forMinute))
		var wg sync.WaitGroup
		wg.Go(func() {
			got, err := load(t.Context(), "7")
			require.NoError(t, err)
			require.Equal(t, "call 1", got)
		})
		synctest.Wait()
		impatient, cancel := context.WithTimeoutCause(t.Context(), time.Millisecond, errDown)
		defer cancel()
		_, err := load(impatient, "7")
		require.EqualError(t, err, "Load@Call: waiting for a call with the same key: context deadline exceeded (down)")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, errDown)

		gone, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = load(gone, "7")
		require.EqualError(t, err, "Load@Call: waiting for a call with the same key: context canceled")
		wg.Wait()
		got, err := load(gone, "7")
		require.NoError(t, err, "what is there needs no wait")
		require.Equal(t, "call 1", got)
	})
}

// Total has no error by which it could tell that it did not wait.
type Total func(ctx context.Context) int

func TestACallerWhoCannotBeToldThatTheWaitHasEndedCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		total := around[Total](t, aspects.NewCache(), func(ctx context.Context) int {
			if calls.Add(1) == 1 {
				time.Sleep(time.Second)
			}
			return int(calls.Load())
		}, annotated(forMinute))
		go total(t.Context())
		synctest.Wait()
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		require.Equal(t, 2, total(gone))
		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, 2, total(t.Context()), "what the first has read is kept")
	})
}

func TestACallUnderWayIsNotKeptWhenItIsInvalidated(t *testing.T) {
	for _, c := range []struct {
		name string
		key  []any
	}{{"with its method", nil}, {"by its key", []any{"7"}}} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var calls atomic.Int32
				cache := aspects.NewCache()
				load := around(t, cache, slow(&calls, func(context.Context) (string, error) { return "call 1", nil }), annotated(forMinute))
				get := func(want string) func() {
					return func() {
						got, err := load(t.Context(), "7")
						require.NoError(t, err)
						require.Equal(t, want, got)
					}
				}
				var wg sync.WaitGroup
				wg.Go(get("call 1"))
				synctest.Wait()
				wg.Go(get("call 1")) // waits for the first, as it came before
				synctest.Wait()
				require.True(t, cache.Invalidate("Load@Call", c.key...))
				time.Sleep(time.Millisecond)
				wg.Go(get("call 2"))
				wg.Wait()
				require.Equal(t, int32(2), calls.Load())
				get("call 2")()
			})
		})
	}
}

func TestACallThatEndsAfterItWasInvalidatedLeavesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		cache := aspects.NewCache()
		all := newCalls(around(t, cache, slow(&calls, func(context.Context) (string, error) { return "call 1", nil }), annotated(forMinute)))
		all.begin(t.Context(), "7")
		require.True(t, cache.Invalidate("Load@Call"))
		all.wg.Wait()
		got, err := all.load(t.Context(), "7")
		require.NoError(t, err)
		require.Equal(t, "call 2", got)
	})
}

func TestCachedCallsUnderARetryShareWhatItHasMadeGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		w := aspect.NewWeaver(aspect.WithAspect(aspect.Annotated[aspects.Cacheable](), aspects.CachePriority, aspects.NewCache()))
		load := wrapped(t, w, slow(&calls, func(context.Context) (string, error) { return "", errors.New("reset") }),
			annotated(forMinute), aspect.Annotate[twice]("Call"))
		for _, e := range crowd(t.Context(), load, 3) {
			require.Equal(t, ended{result: "call 2", returned: true}, e)
		}
	})
}

// twice retries once, at once.
type twice struct{ annotation.AbstractRetry }

func (twice) Defaults() []annotation.Option { return []annotation.Option{annotation.MaxAttempts(2)} }
