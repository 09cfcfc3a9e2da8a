package retry_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

func TestASessionFromBeforeIsNoProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy, breaker := circuit(retry.BreakerSettings{Consecutive: 1})
		chain := retry.With(policy).Max(3).WrapExhausted()
		calls := 0
		err := chain.Run(t.Context(), func(context.Context) error {
			calls++
			_ = chain.Max(1).Run(context.Background(), scripted(errBoom).run)
			time.Sleep(reset)
			go func() {
				_ = chain.Run(context.Background(), func(context.Context) error { time.Sleep(time.Second); return nil })
			}()
			synctest.Wait() // the probe is out
			require.Equal(t, retry.BreakerHalfOpen, breaker.State())
			return errBoom
		})
		exhaustedBy(t, err, "circuitBreaker", 1)
		require.Equal(t, 1, calls)
		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, retry.BreakerClosed, breaker.State(), "its failure is no probe's either")
	})
}

func TestAProbeDecides(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			name  string
			probe error
			want  retry.BreakerState
		}{
			{"success closes", nil, retry.BreakerClosed},
			{"one failure re-opens", errBoom, retry.BreakerOpen},
			{"what is no failure of the peer is neutral", errOther, retry.BreakerHalfOpen},
		} {
			policy, breaker := circuit(retry.BreakerSettings{Consecutive: 1})
			chain := retry.With(policy).WhenThrows(retry.Is(errBoom)).Max(3)
			_ = chain.Run(t.Context(), scripted(errBoom).run)
			time.Sleep(reset)
			require.Equal(t, retry.BreakerHalfOpen, breaker.State())
			op := scripted(c.probe)
			require.Equal(t, c.probe, chain.Run(t.Context(), op.run), c.name)
			require.Equal(t, 1, op.calls, c.name)
			require.Equal(t, c.want, breaker.State(), c.name)
		}
	})
}

func TestWhileAProbeIsOutOthersAreRejected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy, breaker := circuit(retry.BreakerSettings{})
		chain := retry.With(policy).Max(1)
		_ = chain.Run(t.Context(), scripted(errBoom).run)
		time.Sleep(reset)
		require.NoError(t, chain.Run(t.Context(), func(ctx context.Context) error {
			require.ErrorIs(t, chain.Run(context.Background(), scripted(nil).run), retry.ErrCircuitOpen)
			return nil
		}))
		require.Equal(t, retry.BreakerClosed, breaker.State())
	})
}

func TestAProbeIsFreedHoweverItsSessionEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		for _, c := range []struct {
			name string
			ctx  context.Context
			end  func(context.Context) error
			want retry.BreakerState
		}{
			{"a panic is a failure", t.Context(), panicky("lost"), retry.BreakerOpen},
			{"so is Goexit", t.Context(), func(context.Context) error { runtime.Goexit(); return nil }, retry.BreakerOpen},
			{"the caller's cancel is neutral", ctx, func(context.Context) error { cancel(); return errBoom }, retry.BreakerHalfOpen},
			{"a failure that is not retriable is neutral", t.Context(), scripted(errOther).run, retry.BreakerHalfOpen},
		} {
			policy, breaker := circuit(retry.BreakerSettings{})
			chain := retry.With(policy).WhenThrows(retry.Is(errBoom)).Max(2)
			_ = chain.Run(t.Context(), scripted(errBoom).run)
			time.Sleep(reset)
			inGoroutine(func() { _ = chain.Run(c.ctx, c.end) })
			require.Equal(t, c.want, breaker.State(), c.name)

			time.Sleep(breaker.RetryAfter())
			require.NoError(t, chain.Run(t.Context(), scripted(nil).run), "%s: the place is free", c.name)
			require.Equal(t, retry.BreakerClosed, breaker.State())
		}
	})
}

func TestAProbeThatALaterGateRejectsIsFreed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		policy, breaker := circuit(retry.BreakerSettings{})
		_ = retry.With(policy).Max(1).Run(t.Context(), scripted(errBoom).run)
		time.Sleep(reset)
		require.ErrorIs(t, retry.With(policy, closedGate).Run(t.Context(), scripted(nil).run), errFull)
		require.NoError(t, retry.With(policy).Run(t.Context(), scripted(nil).run))
		require.Equal(t, retry.BreakerClosed, breaker.State())
	})
}
