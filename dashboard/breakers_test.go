package dashboard_test

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

func names(s state) (names []string) {
	for _, b := range s.Breakers {
		names = append(names, b.Name)
	}
	return names
}

func TestBreakersOfChainsAreKnownFromTheirFirstChange(t *testing.T) {
	board := dashboard.New()
	h := board.Handler(nil)
	chain, breaker := guarded("rates", board, time.Minute)
	require.NoError(t, chain.Run(t.Context(), healthy))
	s, _ := look(t, h, "")
	require.Empty(t, s.Breakers)
	require.Error(t, chain.Run(t.Context(), failing))
	s, _ = look(t, h, "")
	require.Equal(t, []string{"rates"}, names(s))
	require.Equal(t, []string{"rates"}, s.Breakers[0].Methods)
	require.Equal(t, retry.BreakerOpen, s.Breakers[0].State)
	require.Equal(t, time.Minute, s.Breakers[0].Settings.ResetTimeout)
	breaker.Reset()
	s, _ = look(t, h, "")
	require.Equal(t, retry.BreakerClosed, s.Breakers[0].State)
	runtime.KeepAlive(chain)
}

// Names tell breakers apart, for whoever reads and for the controls; where they do not, numbers do.
func TestBreakersHaveDifferentNames(t *testing.T) {
	board := dashboard.New(dashboard.WithControls(anybody))
	own := known(t, board, "own")
	src := &told{breakers: []*retry.Breaker{own}}
	h := board.Handler(src)
	var all []*retry.Breaker
	for _, name := range []string{"rates", "", "own", "rates", "", "rates (2)", "own"} {
		all = append(all, known(t, board, name))
	}
	s, _ := look(t, h, "")
	want := []string{"own", "rates", "unnamed (1)", "own (2)", "rates (2)", "unnamed (2)", "rates (2) (2)", "own (3)"}
	require.Equal(t, want, names(s), "the source's own is listed once")
	require.Equal(t, []string{"unnamed"}, s.Breakers[2].Methods)

	all = append([]*retry.Breaker{own}, all...)
	for i, name := range want {
		require.Equal(t, http.StatusNoContent, press(h, name, "open").Code)
		for k, b := range all {
			require.Equal(t, k <= i, b.State() == retry.BreakerForceOpen, "%s turns the one that is listed so", name)
		}
	}
}

func TestABreakerIsForgottenWhenNobodyHasIt(t *testing.T) {
	board := dashboard.New()
	h := board.Handler(nil)
	kept := known(t, board, "kept")
	for range 20 {
		chain, breaker := guarded("gone", board, time.Minute)
		require.NoError(t, chain.Run(t.Context(), healthy))
		breaker.ForceOpen()
	}
	for range 10 {
		runtime.GC()
	}
	s, _ := look(t, h, "")
	require.Equal(t, []string{"kept"}, names(s))
	runtime.KeepAlive(kept)
}

// What an operator turns is what the page has shown, whoever has gone meanwhile.
func TestABreakerKeepsItsNumberWhenOthersOfItsNameGo(t *testing.T) {
	board := dashboard.New(dashboard.WithControls(anybody))
	h := board.Handler(nil)
	for _, name := range []string{"rates", ""} {
		chain, breaker := guarded(name, board, time.Minute)
		require.NoError(t, chain.Run(t.Context(), healthy))
		breaker.ForceOpen()
	}
	rates, unnamed := known(t, board, "rates"), known(t, board, "")
	s, _ := look(t, h, "")
	require.Equal(t, []string{"rates", "unnamed (1)", "rates (2)", "unnamed (2)"}, names(s))
	for range 10 {
		runtime.GC()
	}
	s, _ = look(t, h, "")
	require.Equal(t, []string{"rates (2)", "unnamed (2)"}, names(s))
	another := known(t, board, "rates")
	s, _ = look(t, h, "")
	require.Equal(t, []string{"rates (2)", "unnamed (2)", "rates (3)"}, names(s))
	require.Equal(t, http.StatusNotFound, press(h, "rates", "open").Code)
	for name, b := range map[string]*retry.Breaker{"rates (2)": rates, "unnamed (2)": unnamed, "rates (3)": another} {
		require.Equal(t, http.StatusNoContent, press(h, name, "open").Code)
		require.Equal(t, retry.BreakerForceOpen, b.State())
	}
}

// A policy is named by the first chain that has a name, and that need not be the first that has the policy.
func TestABreakerThatIsNamedLaterIsListedByThatName(t *testing.T) {
	board := dashboard.New()
	h := board.Handler(nil)
	other := known(t, board, "")
	policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Minute})
	chain := retry.With(policy, retry.NewMaxAttempts(1)).Listen(board)
	require.NoError(t, chain.Run(t.Context(), healthy))
	retry.BreakerOf(policy).ForceOpen()
	s, _ := look(t, h, "")
	require.Equal(t, []string{"unnamed (1)", "unnamed (2)"}, names(s))
	require.Error(t, chain.Named("rates").Run(t.Context(), healthy))
	s, _ = look(t, h, "")
	require.Equal(t, []string{"unnamed (1)", "rates"}, names(s))
	runtime.KeepAlive(other)
}

func TestAThousandBreakersAreKnown(t *testing.T) {
	board := dashboard.New()
	var all []*retry.Breaker
	for i := range 1100 {
		_, breaker := guarded("", nil, time.Minute)
		all = append(all, breaker)
		for k := range 200 {
			board.On(context.Background(), retry.BreakerChanged{MethodRef: numbered(k), Breaker: breaker, From: retry.BreakerClosed, To: retry.BreakerOpen})
			if i > 0 {
				break
			}
		}
	}
	board.On(context.Background(), retry.BreakerChanged{MethodRef: charge})
	s, _ := look(t, board.Handler(nil), "")
	require.Len(t, s.Breakers, 1000)
	require.Equal(t, "unnamed (1000)", s.Breakers[999].Name)
	require.Len(t, s.Breakers[0].Methods, 100, "and a hundred methods of each")
	require.Len(t, s.Breakers[1].Methods, 1)
	require.Len(t, all, 1100)
}

// A policy may be shared by chains of different names.
func TestABreakerIsListedOnceHoweverManyChainsShareIt(t *testing.T) {
	board := dashboard.New()
	policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Minute})
	for i := range 3 {
		chain := retry.With(policy, retry.NewMaxAttempts(1)).Named(fmt.Sprint("chain ", i)).Listen(board)
		require.NoError(t, chain.Run(t.Context(), healthy))
	}
	retry.BreakerOf(policy).ForceOpen()
	s, _ := look(t, board.Handler(nil), "")
	require.Equal(t, []string{"chain 0"}, names(s))
}
