package shop_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/service/internal/shop"
	"github.com/backstay/backstay/retry"
)

func TestTallyCountsWhatHappensToCharges(t *testing.T) {
	charge := retry.MethodRef{Class: "CardGateway", Method: "Charge"}
	ledger := retry.MethodRef{Class: "PeerBooks", Method: "Ledger"}
	var tally shop.Tally
	require.Zero(t, tally.Counts())
	for _, e := range []retry.Event{
		retry.Succeeded{MethodRef: charge, Attempts: 3},
		retry.Failed{MethodRef: charge, Attempts: 2, Err: shop.ErrDeclined},
		retry.RetryScheduled{MethodRef: charge, Attempt: 2},
		retry.AttemptFailed{MethodRef: charge, Attempt: 1},
		retry.BudgetRefused{MethodRef: charge},
		retry.Exhausted{MethodRef: charge, Limit: "budget", Attempts: 1},
		retry.Exhausted{MethodRef: charge, Limit: "budget", Attempts: 1},
		retry.Exhausted{MethodRef: charge, Limit: "patience", Attempts: 4},
		retry.BreakerChanged{MethodRef: charge, From: retry.BreakerClosed, To: retry.BreakerOpen},
		retry.Exhausted{MethodRef: charge, Limit: "circuitBreaker", Attempts: 1},
		retry.Rejected{MethodRef: charge, Reason: retry.ErrCircuitOpen},
		retry.BreakerChanged{MethodRef: charge, From: retry.BreakerOpen, To: retry.BreakerHalfOpen},
		retry.RetryScheduled{MethodRef: ledger, Attempt: 2},
		retry.Exhausted{MethodRef: ledger, Limit: "maxAttempts", Attempts: 5, Err: errors.New("down")},
	} {
		tally.On(t.Context(), e)
	}
	require.Equal(t, shop.Counts{
		Attempts:      12,
		Retries:       1,
		BudgetRefused: 1,
		Openings:      1,
		Breaker:       retry.BreakerHalfOpen,
		Fallbacks:     map[string]int{"budget": 2, "patience": 1, "circuitBreaker": 2},
	}, tally.Counts())
}

func TestTallyIsTakenAndBeginsAnew(t *testing.T) {
	var tally shop.Tally
	charge := retry.MethodRef{Class: "CardGateway", Method: "Charge"}
	hear := func() {
		tally.On(t.Context(), retry.Exhausted{MethodRef: charge, Limit: "budget", Attempts: 2})
		tally.On(t.Context(), retry.BreakerChanged{MethodRef: charge, To: retry.BreakerOpen})
	}
	hear()
	want := shop.Counts{Attempts: 2, Openings: 1, Breaker: retry.BreakerOpen, Fallbacks: map[string]int{"budget": 1}}
	first := tally.Take()
	require.Equal(t, want, first)
	require.Equal(t, shop.Counts{Breaker: retry.BreakerOpen}, tally.Counts())
	hear()
	require.Equal(t, want, tally.Take())

	sum := shop.Counts{}
	sum.Add(first)
	sum.Add(shop.Counts{Attempts: 1, Retries: 1, BudgetRefused: 1, Openings: 1, Breaker: retry.BreakerClosed, Fallbacks: map[string]int{"budget": 1, "patience": 1}})
	require.Equal(t, shop.Counts{
		Attempts: 3, Retries: 1, BudgetRefused: 1, Openings: 2, Breaker: retry.BreakerClosed, Fallbacks: map[string]int{"budget": 2, "patience": 1},
	}, sum)
	require.Equal(t, want, first, "what was added is as it was")
}
