package faults_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

func TestWhileOneIsHeldUpOthersGoOn(t *testing.T) {
	eachFault(t, func(t *testing.T, f fault, s *subject, ctx context.Context, _ *retry.Report) {
		release := make(chan struct{})
		f.arm(s, func() { <-release })
		done := make(chan error, 1)
		go func() {
			_, err := s.call(ctx)
			done <- err
		}()
		time.Sleep(time.Second) // a wait may lie before the place
		synctest.Wait()
		require.True(t, s.struck(f.place), "the place was not reached")
		require.Empty(t, done)

		for range 3 {
			_, _ = s.call(t.Context()) // returns
			_ = s.breaker.State()
		}
		s.breaker.Reset()
		s.script(outcome{receipt{s.rig, 1}, nil})
		s.willing()
		x, err := s.call(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, x.no)
		require.Empty(t, done, "it is held up still")

		close(release)
		<-done
		s.isBalanced(t)
	})
}

// isBalanced requires that nothing is held when all calls have ended, and that the budget has what the takers tell.
func (s *subject) isBalanced(t *testing.T) {
	t.Helper()
	require.Equal(t, s.outerIn, s.outerOut)
	require.Equal(t, s.innerIn, s.innerOut)
	require.Equal(t, s.innerIn, s.ended)
	sessions, retries := s.innerIn, s.paid-s.givenBack
	s.breaker.Reset()
	s.script(outcome{receipt{s.rig, 1}, nil})
	x, err := s.call(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, x.no)
	require.Equal(t, s.reserve+sessions+1+1-retries, s.drain(t.Context()))
}

// Whoever is asked may use what asks it: the service, its breaker, its budget, the container.
func TestWhoeverIsAskedMayCallAgain(t *testing.T) {
	for name, again := range map[string]func(t *testing.T, s *subject){
		"the service": func(t *testing.T, s *subject) { _, _ = s.call(t.Context()) },
		"the service, which fails": func(t *testing.T, s *subject) {
			s.script(outcome{receipt{}, &sour{s.rig}})
			_, _ = s.call(t.Context())
		},
		"the breaker": func(t *testing.T, s *subject) {
			_, _ = s.breaker.State(), s.breaker.RetryAfter()
			s.breaker.ForceOpen()
			s.breaker.MetricsOnly()
			s.breaker.Reset()
		},
		"the container": func(t *testing.T, s *subject) {
			if s.c == nil {
				return
			}
			require.NoError(t, s.c.Verify())
			_, err := container.Get[gateway](s.c)
			require.NoError(t, err)
			require.NoError(t, s.c.Invoke(func(g gateway, _ *backup) { _, _ = g.Charge(t.Context(), 2) }))
			_, err = s.c.Lookup("till")
			require.NoError(t, err)
			_, _ = s.c.Notes(), s.c.Breakers()
			s.c.Registry().Of("till@Charge")
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachFault(t, func(t *testing.T, f fault, s *subject, ctx context.Context, _ *retry.Report) {
				f.arm(s, func() { again(t, s) })
				_, _ = s.call(ctx)
				require.True(t, s.struck(f.place), "the place was not reached")
				s.willing()
				s.isBalanced(t)
			})
		})
	}
}

// The budget is spent to the last from inside, which is no one's loss.
func TestTheBudgetMayBeSpentFromInside(t *testing.T) {
	eachFault(t, func(t *testing.T, f fault, s *subject, ctx context.Context, _ *retry.Report) {
		spent := 0
		f.arm(s, func() { spent = s.drain(t.Context()) })
		_, _ = s.call(ctx)
		require.True(t, s.struck(f.place))
		require.GreaterOrEqual(t, spent, s.reserve-1)
		left := s.reserve + 1 + s.innerIn - spent - (s.paid - s.givenBack)
		require.GreaterOrEqual(t, left, 0, "nothing is minted")
		require.Equal(t, left+1, s.drain(t.Context()), "and nothing lost")
	})
}
