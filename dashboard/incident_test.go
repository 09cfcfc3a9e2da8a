package dashboard_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/explain"
	"github.com/backstay/backstay/retry"
)

func TestAnIncidentTellsWhatCallersGet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		time.Sleep(time.Minute)
		begin := time.Now()
		for range 10 {
			for range 2 {
				play(t.Context(), board, ok(0))
				play(t.Context(), board, attemptFails(1), retries(2), attemptFails(2), isExhausted(2, "budget"), fallsBack())
				play(t.Context(), board, isRejected("circuitBreaker", true), fallsBack())
			}
			play(t.Context(), board, attemptFails(1), fails(1))
			play(t.Context(), board, isRejected("circuitBreaker", true), fallbackFails())
			play(t.Context(), board, isRejected("circuitBreaker", true), fallbackFails())
			play(t.Context(), board, isRejected("circuitBreaker", false))
			time.Sleep(time.Second)
		}
		s, _ := look(t, board.Handler(nil), "")
		require.Equal(t, []incident{{
			Ref: "CardGateway@Charge", Since: ms(begin), AttemptFailureShare: 0.7143, Error: "503 Service Unavailable",
			Callers: callers{Succeeded: 0.2, Fallback: 0.4, Error: 0.4},
			Refused: map[string]float64{"budget": 2, "circuitBreaker": 5},
		}}, s.Incidents)
	})
}

// told is a source of what a test says.
type told struct {
	wiring   *explain.Wiring
	breakers []*retry.Breaker
	status   func([]retry.BreakerStatus)
}

func (s *told) Explain() *explain.Wiring {
	if s.wiring == nil {
		return &explain.Wiring{}
	}
	return s.wiring
}

func (s *told) Status() (status retry.Status) {
	for _, b := range s.breakers {
		status.Breakers = append(status.Breakers, b.Status())
	}
	if s.status != nil {
		s.status(status.Breakers)
	}
	return status
}

func (s *told) Breaker(method any) (*retry.Breaker, error) {
	for _, b := range s.breakers {
		if b.Name() == method {
			return b, nil
		}
	}
	return nil, errors.New("no such breaker")
}

// guarded is a chain with a breaker, which opens at the first exhausted call.
func guarded(name string, board *dashboard.Dashboard, reset time.Duration) (retry.ErrorChain, *retry.Breaker) {
	policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: reset})
	return retry.With(policy, retry.NewMaxAttempts(1)).Named(name).Listen(board), retry.BreakerOf(policy)
}

func healthy(context.Context) error { return nil }

func TestAMethodIsAnIncidentAsLongAsItsBreakerIsNotClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		h := board.Handler(nil)
		chain, _ := guarded("rates", board, time.Minute)
		require.NoError(t, chain.Run(t.Context(), healthy))
		time.Sleep(10*time.Second + 300*time.Millisecond)
		opened := time.Now()
		require.Error(t, chain.Run(t.Context(), failing))

		state := func() (i incident, m summary) {
			s, _ := look(t, h, "")
			require.Len(t, s.Incidents, 1)
			return s.Incidents[0], s.Methods[0]
		}
		i, m := state()
		require.Equal(t, incident{
			Ref: "rates", Since: ms(opened) - 300, AttemptFailureShare: i.AttemptFailureShare, Error: "503 Service Unavailable",
			Callers: i.Callers, Refused: map[string]float64{"maxAttempts": i.Refused["maxAttempts"]}, Breaker: "open", RetryInMs: 60_000,
		}, i, "since the second in which it began to fail")
		require.Equal(t, i.Since, m.FailingSince)

		time.Sleep(30 * time.Second) // without a call
		i, m = state()
		require.Equal(t, retry.BreakerOpen, i.Breaker)
		require.Equal(t, 30_000., i.RetryInMs)
		require.Equal(t, callers{}, i.Callers)
		require.Equal(t, ms(opened)-300, i.Since)
		require.Equal(t, i.Since, m.FailingSince)

		time.Sleep(time.Hour) // the breaker would let a call through, but there is none
		i, _ = state()
		require.Equal(t, retry.BreakerHalfOpen, i.Breaker)
		require.Zero(t, i.RetryInMs)
		require.Equal(t, ms(opened)-300, i.Since)

		require.Error(t, chain.Run(t.Context(), failing)) // it opens again, and this is the same incident
		i, _ = state()
		require.Equal(t, retry.BreakerOpen, i.Breaker)
		require.LessOrEqual(t, i.Since, ms(opened))

		time.Sleep(time.Minute)
		require.NoError(t, chain.Run(t.Context(), healthy))
		s, _ := look(t, h, "")
		require.Empty(t, s.Incidents)
		require.Zero(t, s.Methods[0].FailingSince)
		require.Equal(t, retry.BreakerClosed, s.Breakers[0].State)
	})
}

func TestABreakerThatAnOperatorHasForcedOpenIsAnIncident(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		h := board.Handler(nil)
		chain, breaker := guarded("rates", board, time.Minute)
		require.NoError(t, chain.Run(t.Context(), healthy))
		for _, c := range []struct {
			force    func()
			incident bool
		}{
			{breaker.ForceClose, false}, {breaker.MetricsOnly, false}, {breaker.ForceOpen, true}, {breaker.Reset, false},
		} {
			c.force()
			s, _ := look(t, h, "")
			require.Equal(t, c.incident, len(s.Incidents) == 1, "%s", breaker.State())
			time.Sleep(time.Minute)
		}
	})
}

// The dashboard may be younger than the trouble, and a method whose breaker is open may never have been called.
func TestABreakerThatWasOpenBeforeIsAnIncidentSinceThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, breaker := guarded("", nil, time.Minute)
		opened := time.Now()
		breaker.ForceOpen()
		time.Sleep(time.Hour)

		src := &told{breakers: []*retry.Breaker{breaker}, status: func(all []retry.BreakerStatus) {
			all[0].Name, all[0].Methods = "peer", []string{"CardGateway@Charge", "CardGateway@Refund"}
		}}
		s, _ := look(t, dashboard.New().Handler(src), "")
		require.Len(t, s.Incidents, 2)
		for i, ref := range []string{"CardGateway@Charge", "CardGateway@Refund"} {
			require.Equal(t, incident{Ref: ref, Since: ms(opened), Breaker: "force-open", Refused: map[string]float64{}}, s.Incidents[i])
		}
		src.status = func(all []retry.BreakerStatus) { all[0].Name = "peer" }
		s, _ = look(t, dashboard.New().Handler(src), "")
		require.Len(t, s.Incidents, 1)
		require.Equal(t, "peer", s.Incidents[0].Ref, "whom it guards is not known")
	})
}

// A breaker that lets a call through and opens again has not been well in between. Whoever has heard it open knows since when.
func TestAnIncidentBeginsWhenTheBreakerFirstOpened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		chain, breaker := guarded("rates", board, time.Minute)
		of := map[string]dashboard.Source{"a chain": nil, "a container": &told{breakers: []*retry.Breaker{breaker}}}
		require.NoError(t, chain.Run(t.Context(), healthy))
		opened := time.Now()
		require.Error(t, chain.Run(t.Context(), failing))
		for range 5 {
			time.Sleep(2 * time.Minute)
			require.Error(t, chain.Run(t.Context(), failing)) // a probe
			for name, source := range of {
				s, _ := look(t, board.Handler(source), "")
				require.Equal(t, []string{"rates"}, names(s), name)
				require.Equal(t, ms(opened), s.Incidents[0].Since, name)
			}
		}
		breaker.Reset()
		time.Sleep(2 * time.Minute)
		again := time.Now()
		breaker.ForceOpen()
		time.Sleep(2 * time.Minute)
		for range 20 {
			require.Error(t, chain.Run(t.Context(), healthy)) // rejected, and failing since now
		}
		for name, source := range of {
			s, _ := look(t, board.Handler(source), "")
			require.Equal(t, ms(again), s.Incidents[0].Since, name)
		}
	})
}

func TestOfSeveralBreakersTheMostClosedDoorIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, open := guarded("", nil, time.Minute)
		_, closed := guarded("", nil, time.Minute)
		open.ForceOpen()
		for _, all := range [][]*retry.Breaker{{open, closed}, {closed, open}} {
			src := &told{breakers: all, status: func(all []retry.BreakerStatus) {
				for i := range all {
					all[i].Methods = []string{"CardGateway@Charge"}
				}
				all[0].Name, all[1].Name = "one", "two"
			}}
			s, _ := look(t, dashboard.New().Handler(src), "")
			require.Len(t, s.Incidents, 1)
			require.Equal(t, retry.BreakerForceOpen, s.Incidents[0].Breaker)
		}
	})
}
