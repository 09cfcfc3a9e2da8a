package microprofile_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// sGuarded is a service behind a breaker, and what a test needs of both.
type sGuarded struct {
	breaker *retry.Breaker
	service sService
	do      func(ctx context.Context) (string, error) // of the next executions
}

// sGuard is a service that a breaker guards with a reset timeout of a second.
func sGuard(t *testing.T, settings retry.BreakerSettings, opts ...annotation.Option) *sGuarded {
	t.Helper()
	settings.ResetTimeout = time.Second
	g := &sGuarded{}
	peer := &sPeer{do: func(ctx context.Context, _ int) (string, error) { return g.do(ctx) }}
	c := container.New()
	opts = append([]annotation.Option{annotation.MaxAttempts(1), annotation.Breaker(settings)}, opts...)
	g.service = sBuildIn(t, c, peer, container.Annotate[aliases.CircuitBreaker](sService.ServiceA, opts...))
	breaker, err := c.Breaker("sPeer@ServiceA")
	require.NoError(t, err)
	g.breaker = breaker
	return g
}

// call makes a call whose method returns err.
func (g *sGuarded) call(ctx context.Context, err error) error {
	g.do = func(context.Context) (string, error) { return "", err }
	_, got := g.service.ServiceA(ctx)
	return got
}

// hang begins a call that ends when its context does, or with what is sent.
func (g *sGuarded) hang(ctx context.Context) (end chan<- error, outcome <-chan sOutcome) {
	ends := make(chan error, 1)
	g.do = func(ctx context.Context) (string, error) {
		select {
		case err := <-ends:
			return "", err
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	return ends, sGo(ctx, g.service.ServiceA)
}

// open opens the breaker by failures, and lets it become half-open.
func (g *sGuarded) open(t *testing.T, failures int) {
	t.Helper()
	for range failures {
		require.Same(t, sErrT, g.call(t.Context(), sErrT))
	}
	require.Equal(t, retry.BreakerOpen, g.breaker.State())
	require.ErrorIs(t, g.call(t.Context(), nil), retry.ErrCircuitOpen)
	time.Sleep(time.Second)
	require.Equal(t, retry.BreakerHalfOpen, g.breaker.State())
}

func TestSessionLateResultsAreNoTrials(t *testing.T) {
	for _, late := range []error{nil, sErrT} {
		name := "mp:C23 a late success does not count as a trial"
		if late != nil {
			name = "mp:C23 nor does a late failure"
		}
		sBubble(t, name, func(t *testing.T) {
			g := sGuard(t, retry.BreakerSettings{Window: 2, FailureRatio: 1, Probes: 2})
			end, outcome := g.hang(t.Context()) // in the time of closed
			g.open(t, 2)
			require.NoError(t, g.call(t.Context(), nil), "the first of two trials")

			end <- late
			require.Equal(t, late, (<-outcome).err)
			require.Equal(t, retry.BreakerHalfOpen, g.breaker.State())
			require.NoError(t, g.call(t.Context(), nil), "the second of two trials")
			require.Equal(t, retry.BreakerClosed, g.breaker.State())
		})
	}
}

func TestSessionTrialsAreCounted(t *testing.T) {
	sBubble(t, "mp:C24 of two calls at once exactly one is the trial", func(t *testing.T) {
		g := sGuard(t, retry.BreakerSettings{Window: 2, FailureRatio: 1})
		g.open(t, 2)
		end := make(chan error)
		running := 0
		g.do = func(context.Context) (string, error) { running++; return "", <-end }
		first, second := sGo(t.Context(), g.service.ServiceA), sGo(t.Context(), g.service.ServiceA)
		require.Equal(t, 1, running)
		require.ErrorIs(t, (<-second).err, retry.ErrCircuitOpen)
		end <- nil
		require.NoError(t, (<-first).err)
		require.Equal(t, retry.BreakerClosed, g.breaker.State())
	})
	sBubble(t, "mp:C24 of many calls at once exactly as many as there are trials", func(t *testing.T) {
		const calls, probes = 20, 3
		g := sGuard(t, retry.BreakerSettings{Window: 2, FailureRatio: 1, Probes: probes})
		g.open(t, 2)
		end, outcomes := make(chan error), make(chan error, calls)
		g.do = func(context.Context) (string, error) { return "", <-end }
		for range calls {
			go func() { _, err := g.service.ServiceA(t.Context()); outcomes <- err }()
		}
		for range calls - probes {
			require.ErrorIs(t, <-outcomes, retry.ErrCircuitOpen)
		}
		for range probes {
			end <- nil
			require.NoError(t, <-outcomes)
		}
		require.Equal(t, retry.BreakerClosed, g.breaker.State())
	})
}

func TestSessionTrialsThatDoNotReturn(t *testing.T) {
	settings := retry.BreakerSettings{Window: 2, FailureRatio: 1}
	sBubble(t, "mp:C25 a trial that panics is a failure", func(t *testing.T) {
		g := sGuard(t, settings)
		g.open(t, 2)
		g.do = func(context.Context) (string, error) { panic("trial") }
		require.PanicsWithValue(t, "trial", func() { _, _ = g.service.ServiceA(t.Context()) })
		require.Equal(t, retry.BreakerOpen, g.breaker.State())
		require.Equal(t, time.Second, g.breaker.RetryAfter(), "for the whole time again")
		time.Sleep(time.Second)
		require.NoError(t, g.call(t.Context(), nil))
		require.Equal(t, retry.BreakerClosed, g.breaker.State())
	})
	sBubble(t, "mp:C26 a trial that its caller cancels frees its place", func(t *testing.T) {
		g := sGuard(t, settings)
		g.open(t, 2)
		ctx, cancel := context.WithCancel(t.Context())
		_, outcome := g.hang(ctx)
		require.ErrorIs(t, g.call(t.Context(), nil), retry.ErrCircuitOpen, "the trial is out")
		cancel()
		require.ErrorIs(t, (<-outcome).err, context.Canceled)
		require.Equal(t, retry.BreakerHalfOpen, g.breaker.State(), "neither a failure nor a success")
		require.NoError(t, g.call(t.Context(), nil))
		require.Equal(t, retry.BreakerClosed, g.breaker.State())
	})
	sBubble(t, "mp:C27 a trial that never returns loses its place", func(t *testing.T) {
		g := sGuard(t, settings)
		g.open(t, 2)
		end, outcome := g.hang(t.Context())
		time.Sleep(time.Second - time.Nanosecond)
		require.ErrorIs(t, g.call(t.Context(), nil), retry.ErrCircuitOpen)
		time.Sleep(time.Nanosecond)
		require.NoError(t, g.call(t.Context(), nil), "after the reset timeout another call is the trial")
		require.Equal(t, retry.BreakerClosed, g.breaker.State())

		end <- sErrT
		require.Same(t, sErrT, (<-outcome).err)
		require.Same(t, sErrT, g.call(t.Context(), sErrT))
		require.Equal(t, retry.BreakerClosed, g.breaker.State(), "what it says in the end counts nowhere")
		require.Same(t, sErrT, g.call(t.Context(), sErrT))
		require.Equal(t, retry.BreakerOpen, g.breaker.State())
	})
}
