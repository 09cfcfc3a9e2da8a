package microprofile_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// What MicroProfile cancels by its future, a Go caller cancels by its context.

func TestSessionCancelOfARunningCall(t *testing.T) {
	sBubble(t, "mp:A7 the body is told, and the caller gets the cancel", func(t *testing.T) {
		var told error
		peer := &sPeer{do: func(ctx context.Context, _ int) (string, error) {
			told = sWork(ctx, time.Hour, sErrT)
			return "", told
		}}
		ctx, cancel := context.WithCancel(t.Context())
		call := sGo(ctx, sRetried(t, peer).ServiceA)
		time.Sleep(time.Second)
		cancel()
		outcome := <-call
		require.ErrorIs(t, outcome.err, context.Canceled)
		require.Equal(t, time.Second, outcome.took)
		require.Equal(t, context.Canceled, told)
	})
	// A cancel that must not interrupt is one that the call is not told of.
	sBubble(t, "mp:A8 a cancel that the call is not told of", func(t *testing.T) {
		peer := &sPeer{do: func(ctx context.Context, exec int) (string, error) {
			if err := sWork(ctx, time.Minute, nil); err != nil || exec < 3 {
				return "", errors.Join(sErrT, err)
			}
			return "done", nil
		}}
		ctx, cancel := context.WithCancel(t.Context())
		call := sGo(context.WithoutCancel(ctx), sRetried(t, peer, sWithoutJitter).ServiceA)
		cancel()
		require.Equal(t, sOutcome{"done", nil, 3 * time.Minute}, <-call)
		require.Equal(t, 3, peer.execs())
	})
	for _, c := range []struct {
		name string
		err  error // what the body returns when it is told
	}{
		{"mp:A11 a call that is canceled is not retried", context.Canceled},
		{"mp:A11 a call that is canceled is not retried, whatever the body returns", sErrT},
	} {
		sBubble(t, c.name, func(t *testing.T) {
			peer := &sPeer{do: func(ctx context.Context, _ int) (string, error) {
				<-ctx.Done()
				return "", c.err
			}}
			fellBack := false
			build := container.New()
			service := sBuildIn(t, build, peer, container.Annotate[aliases.CircuitBreaker](sService.ServiceA, annotation.MaxAttempts(5),
				annotation.Breaker(retry.BreakerSettings{Window: 1, FailureRatio: 1, ResetTimeout: time.Hour}),
				annotation.Fallback(func() (string, error) { fellBack = true; return "fallback", nil })))
			breaker, err := build.Breaker(sService.ServiceA)
			require.NoError(t, err)
			for i := range 3 {
				ctx, cancel := context.WithCancel(t.Context())
				call := sGo(ctx, service.ServiceA)
				cancel()
				err := (<-call).err
				require.ErrorIs(t, err, context.Canceled)
				require.ErrorIs(t, err, c.err)
				require.Equal(t, i+1, peer.execs())
			}
			require.Equal(t, retry.BreakerClosed, breaker.State(), "it is no failure of the peer")
			require.False(t, fellBack, "nobody waits for a fallback")
		})
	}
	sBubble(t, "mp:A11 a call that is canceled while it waits for a retry", func(t *testing.T) {
		peer := sFails(sErrT)
		ctx, cancel := context.WithCancel(t.Context())
		call := sGo(ctx, sBuild(t, peer, sRetriedEvery(time.Hour)).ServiceA)
		time.Sleep(time.Second)
		cancel()
		outcome := <-call
		require.ErrorIs(t, outcome.err, context.Canceled)
		require.ErrorIs(t, outcome.err, sErrT)
		require.Equal(t, time.Second, outcome.took)
		require.Equal(t, 1, peer.execs())
	})
}

func TestSessionCancelAndItsReport(t *testing.T) {
	hang := func(ctx context.Context, _ int) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}
	sBubble(t, "mp:A12 a second cancel is harmless", func(t *testing.T) {
		peer := &sPeer{do: hang}
		service := sRetried(t, peer)
		ctx, cancel := context.WithCancel(t.Context())
		call := sGo(ctx, service.ServiceA)
		cancel()
		cancel()
		require.ErrorIs(t, (<-call).err, context.Canceled)
		cancel()
		_, err := service.ServiceA(ctx)
		require.Equal(t, context.Canceled, err)
		require.Equal(t, 1, peer.execs(), "under a context that is done nothing starts")
	})
	sBubble(t, "mp:A13 the call is done and says that it was canceled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ctx, report := retry.WithReport(ctx)
		call := sGo(ctx, sRetried(t, &sPeer{do: hang}).ServiceA)
		require.True(t, sPending(call))
		cancel()
		require.False(t, sPending(call))
		require.ErrorIs(t, (<-call).err, context.Canceled)
		require.Equal(t, retry.EndCanceled, report.Ended)
		require.Equal(t, 1, report.Attempts)
	})
	sBubble(t, "mp:A14 a cancel after the call changes nothing", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ctx, report := retry.WithReport(ctx)
		call := sGo(ctx, sRetried(t, sFailsFirst(1, sErrT), sWithoutJitter).ServiceA)
		require.False(t, sPending(call))
		cancel()
		require.Equal(t, sOutcome{"done", nil, 0}, <-call)
		require.Equal(t, retry.EndSucceeded, report.Ended)
	})
	sBubble(t, "mp:A14 a success that comes after the cancel is returned", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		peer := &sPeer{do: func(ctx context.Context, _ int) (string, error) { <-ctx.Done(); return "done", nil }}
		call := sGo(ctx, sRetried(t, peer).ServiceA)
		cancel()
		require.Equal(t, sOutcome{"done", nil, 0}, <-call)
	})
}

func TestSessionCancelBehindABulkhead(t *testing.T) {
	retried := sRetriedEvery(time.Second)
	sBubble(t, "mp:A9 a canceled body that still runs keeps its slot", func(t *testing.T) {
		crowd := sNewCrowd(t, sBulkhead{1, 1}, true, retried)
		ctx, cancel := context.WithCancel(t.Context())
		a := crowd.callUnder(ctx, "A")
		cancel()
		require.True(t, sPending(a))
		b := crowd.call("B")
		require.Equal(t, []string{"A"}, crowd.bodies())
		crowd.end("A", sErrT)
		require.ErrorIs(t, (<-a).err, context.Canceled)
		synctest.Wait()
		require.Equal(t, []string{"A", "B"}, crowd.bodies())
		crowd.end("B", nil)
		require.NoError(t, (<-b).err)
	})
	sBubble(t, "mp:A10 mp:A15 who is canceled in the queue never starts, and leaves the place to another", func(t *testing.T) {
		crowd := sNewCrowd(t, sBulkhead{1, 1}, false, retried)
		a := crowd.call("A")
		ctx, cancel := context.WithCancel(t.Context())
		b := crowd.callUnder(ctx, "B")
		cancel()
		require.ErrorIs(t, (<-b).err, context.Canceled)
		c := crowd.call("C")
		require.True(t, sPending(c))
		crowd.end("A", nil)
		require.NoError(t, (<-a).err)
		synctest.Wait()
		crowd.end("C", nil)
		require.Equal(t, sOutcome{"C", nil, 0}, <-c, "it waited in the queue and was not refused")
		require.Equal(t, []string{"A", "C"}, crowd.bodies())
	})
}
