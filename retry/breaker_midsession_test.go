package retry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// A session whose breaker has opened has no attempt to wait for: it ends at once, and pays nothing.
func TestASessionDoesNotWaitForABreakerThatIsOpenAlready(t *testing.T) {
	for _, c := range []struct {
		name     string
		settings retry.BreakerSettings
		open     func(*retry.Breaker)
	}{
		{"by its own failure", retry.BreakerSettings{Consecutive: 1}, func(*retry.Breaker) {}},
		{"by an operator", retry.BreakerSettings{Consecutive: 100}, (*retry.Breaker).ForceOpen},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				policy, breaker := circuit(c.settings)
				log, start := new(journal), time.Now()
				err := retry.With(purse(log, "purse", 0), policy).Max(9).WrapExhausted().Sleep(time.Second).
					Run(t.Context(), func(context.Context) error { c.open(breaker); return errBoom })
				exhaustedBy(t, err, "circuitBreaker", 1)
				require.Zero(t, time.Since(start))
				require.NotContains(t, log.all(), "purse takes")
			})
		})
	}
}

// What matters is whether the breaker admits the next attempt, not that its state is the one of before.
func TestASessionGoesOnWhateverTheStateThatAdmitsItsNextAttempt(t *testing.T) {
	for name, change := range map[string]func(*retry.Breaker){
		"none":         func(*retry.Breaker) {},
		"reset":        func(b *retry.Breaker) { b.ForceOpen(); b.Reset() },
		"force-closed": (*retry.Breaker).ForceClose,
		"metrics-only": (*retry.Breaker).MetricsOnly,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				policy, breaker := circuit(retry.BreakerSettings{Consecutive: 100})
				calls := 0
				require.NoError(t, retry.With(policy).Max(9).Sleep(time.Second).Run(t.Context(), func(context.Context) error {
					if calls++; calls == 3 {
						return nil
					}
					change(breaker)
					return errBoom
				}))
				require.Equal(t, 3, calls)
			})
		})
	}
}

// eightProbes opens the breaker of a chain, and sends out as many probes as it admits. They stay out for 19 seconds.
func eightProbes(t *testing.T, chain retry.ErrorChain) {
	t.Helper()
	_ = chain.Max(2).Run(context.Background(), scripted(errBoom).run)
	time.Sleep(20 * time.Second)
	for range 8 {
		go func() {
			_ = chain.Run(context.Background(), func(context.Context) error { time.Sleep(19 * time.Second); return nil })
		}()
	}
	synctest.Wait()
	require.ErrorIs(t, chain.Run(context.Background(), scripted(nil).run), retry.ErrCircuitOpen, "the eight are out")
}

// However many probes are out, none of them is a session from before the breaker opened: that one neither goes on in the
// place of one, nor frees one when it ends.
func TestASessionFromBeforeIsNotTakenForOneOfManyProbes(t *testing.T) {
	for _, c := range []struct {
		when string
		wait time.Duration
	}{
		{"its attempt", 0},
		{"its wait", 50 * time.Second},
	} {
		t.Run("probes that go out during "+c.when, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: 20 * time.Second, Consecutive: 2, Probes: 8})
				breaker, chain := retry.BreakerOf(policy), retry.With(policy)
				if c.wait > 0 {
					go func() {
						time.Sleep(15 * time.Second)
						eightProbes(t, chain)
					}()
				}
				var attempted time.Time
				err := chain.Max(3).Sleep(50*time.Second).WrapExhausted().Run(t.Context(), func(context.Context) error {
					if c.wait == 0 {
						eightProbes(t, chain)
					}
					attempted = time.Now()
					return errBoom
				})
				exhaustedBy(t, err, "circuitBreaker", 1)
				require.Equal(t, c.wait, time.Since(attempted))
				require.ErrorIs(t, chain.Run(context.Background(), scripted(nil).run), retry.ErrCircuitOpen, "its end makes no room")
				time.Sleep(19 * time.Second)
				synctest.Wait()
				require.Equal(t, retry.BreakerClosed, breaker.State(), "all eight have counted")
			})
		})
	}
}
