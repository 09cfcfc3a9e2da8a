package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/service/internal/peer"
	"github.com/backstay/backstay/examples/service/internal/shop"
)

func printed(r report) string {
	var out strings.Builder
	r.print(&out)
	return out.String()
}

func TestTable(t *testing.T) {
	r := report{
		run:    run{options: options{faults: "flaky"}, orders: numbered(100)},
		audit:  audit{online: 80, invoiced: 15, refused: 5},
		struck: 2,
		counts: shop.Counts{Attempts: 120, Retries: 20, BudgetRefused: 3, Openings: 1, Fallbacks: map[string]int{"patience": 14, "budget": 3}},
		stats:  peer.Stats{Attempts: 120},
		wall:   12345 * time.Millisecond,
	}
	require.Equal(t, `
orders                         100
charged on-line                 80   2 of them taken back from the fallback: charged, but the answer was lost
charged by the fallback         15   because of budget 3, patience 14
refused                          5   card declined
attempts                       120   as the peer counts them
retries                         20
retries the budget refused       3
breaker openings                 1
wall time                     12.3   seconds

ok: no order was lost and none was charged twice (80 in the peer's ledger, 15 in the offline queue)
`, printed(r))
	require.True(t, r.proven())

	r.counts.Attempts = 121
	require.Contains(t, printed(r), "120   as the peer counts them; the shop made 121\n")
}

func TestTableOfAnOutage(t *testing.T) {
	r := report{
		run:   run{options: options{faults: "outage"}, orders: numbered(100), pace: shop.Pace{Attempts: 4}},
		audit: audit{online: 100},
		stats: peer.Stats{Attempts: 130, Outage: peer.OutageStats{Attempts: 56, Orders: 50}},
	}
	out := printed(r)
	require.Contains(t, out, "\namplification: 1.12   56 attempts for 50 orders in the outage; plain retries would come near 4\n")
	require.Contains(t, out, "go run ./examples/service -faults outage -naive\n")

	r.naive = true
	out = printed(r)
	require.Contains(t, out, "; 4 is all that one order may cost\n")
	require.Contains(t, out, "plain retries have no budget")
	require.Contains(t, out, "go run ./examples/service -faults outage\n")

	r.stats.Outage = peer.OutageStats{Attempts: 3}
	require.Contains(t, printed(r), "\namplification: none, no order began in the outage\n")
}

func TestTableOfAnOutageThatTheBreakerHasMet(t *testing.T) {
	out := printed(report{
		run:    run{options: options{faults: "outage", listen: "127.0.0.1:1"}},
		counts: shop.Counts{Fallbacks: map[string]int{"budget": 3, "circuitBreaker": 800}},
		stats:  peer.Stats{Attempts: 130, Outage: peer.OutageStats{Attempts: 56, Orders: 50}},
	})
	require.Contains(t, out, "\noutage: 56 attempts reached the peer, for 50 orders; the breaker sent 800 orders to the fallback\n")
	require.Contains(t, out, "compare with the budget alone: go run ./examples/service -faults outage\n")
	require.NotContains(t, out, "it only counts in this mode")
}

func TestTableOfAnInterruptedRun(t *testing.T) {
	out := printed(report{run: run{orders: numbered(10)}, audit: audit{online: 3, interrupted: 2, waiting: 5}})
	require.Contains(t, out, "\ninterrupted                      2\nnot begun                        5\n")
}

// those are some orders.
func those(numbers ...string) (c culprits) {
	for _, n := range numbers {
		c.add(n)
	}
	return c
}

func TestProofNamesTheOrdersThatRefuteIt(t *testing.T) {
	r := report{first: errors.New("boom"), audit: audit{
		lost:           those("BS-1"),
		twice:          those("BS-2", "BS-3", "BS-4", "BS-5"),
		chargedRefused: those("BS-6", "BS-7", "BS-8"),
	}}
	require.False(t, r.proven())
	require.Equal(t, "FALSE: of the orders, 1 lost (BS-1), 4 charged twice (BS-2 BS-3 BS-4 ...), "+
		"3 charged though refused (BS-6 BS-7 BS-8); the first error: boom", r.proof())
}

func TestNothingIsProvenWithoutTheLedger(t *testing.T) {
	r := report{err: errors.New("no answer")}
	require.False(t, r.proven())
	require.Equal(t, "NOT PROVEN: the peer cannot be asked what it has charged: no answer", r.proof())
}
