package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/service/internal/peer"
	"github.com/backstay/backstay/examples/service/internal/shop"
)

// endless is a run in rounds of 100 orders at a peer of its own. It is told of each round that begins, the first one as 1, and
// how many charges the peer remembers then.
func endless(t *testing.T, plan peer.Plan, began func(round, charges int)) run {
	t.Helper()
	whole, rounds := peer.New(), 0
	r := quick(plan)
	r.forever = true
	r.peer = start(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/plan" {
			rounds++ // one at a time
			var l peer.Ledger
			books := httptest.NewRecorder()
			whole.ServeHTTP(books, httptest.NewRequestWithContext(q.Context(), http.MethodGet, "/ledger", nil))
			if books.Code != http.StatusOK || json.Unmarshal(books.Body.Bytes(), &l) != nil {
				panic(books.Body.String())
			}
			began(rounds, len(l.Charges))
		}
		whole.ServeHTTP(w, q)
	}))
	return r
}

func TestRoundsGoOnUntilTheyAreInterruptedAndEachHasItsProof(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	r := endless(t, flaky().plan, func(round, charges int) {
		assert.Zero(t, charges, "what is proven is forgotten")
		if round == 4 {
			interrupt()
		}
	})
	r.orders[7].Card = peer.DeclinedCard
	rep, out, status := carryOut(t, ctx, r)
	require.Equal(t, exitOK, status, out)
	said := regexp.MustCompile(`(?m)^round ([0-9]+): 100 orders, .*; none lost, none charged twice$`).FindAllStringSubmatch(out, -1)
	require.Len(t, said, 3, out)
	for i, line := range said {
		require.Equal(t, strconv.Itoa(i+1), line[1])
	}
	require.Equal(t, 4, rep.rounds.n)
	require.Regexp(t, `(?m)^rounds +4 `, out)
	require.Contains(t, out, "\nok: no order was lost and none was charged twice (")
	a := rep.audit
	require.GreaterOrEqual(t, a.orders(), 300)
	require.Less(t, a.orders(), 400, "the last round was interrupted")
	require.Equal(t, a.orders(), a.online+a.invoiced+a.refused+a.interrupted)
	require.Positive(t, a.invoiced)
	require.Positive(t, a.refused)
	require.GreaterOrEqual(t, rep.counts.Attempts, rep.stats.Attempts)
	require.Positive(t, rep.counts.Retries)
}

func TestEachRoundHasNewNumbers(t *testing.T) {
	r := run{options: options{rate: 4}, orders: numbered(3), round: time.Second}
	var got []string
	for n := range 3 {
		for _, o := range r.nth(n).orders {
			got = append(got, o.Number)
		}
	}
	require.Equal(t, "BS-0/1 BS-1/1 BS-2/1 BS-0/2 BS-1/2 BS-2/2 BS-0/3 BS-1/3 BS-2/3 BS-0/4 BS-1/4 BS-2/4", strings.Join(got, " "))
	require.Len(t, run{options: options{rate: 1}, orders: numbered(3)}.nth(0).orders, 1, "a round has an order at least")
}

func TestDoubtfulRoundIsRememberedAndTheNextOneGoesOn(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	r := endless(t, peer.Plan{Reset: .1, IgnoreKeys: true}, func(round, _ int) {
		if round == 3 {
			interrupt()
		}
	})
	rep, out, status := carryOut(t, ctx, r)
	require.Equal(t, exitNotTrue, status)
	require.Equal(t, 3, rep.rounds.n)
	require.Regexp(t, `(?m)^round 1: FALSE: of the orders, [0-9]+ charged twice \(BS-`, out)
	require.Regexp(t, `(?m)^round 2: FALSE: `, out)
	require.Regexp(t, `(?m)^[23] of 3 rounds are not proven; the first says: FALSE: of the orders, [0-9]+ charged twice \(BS-`, out)
}

func TestPeerThatIsGoneForARoundIsNotTheEnd(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	whole, plans := peer.New(), atomic.Int32{}
	r := quick(peer.Plan{})
	r.forever = true
	r.orders = r.orders[:20]
	r.round = 20 * time.Millisecond
	r.peer = start(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Method == http.MethodPut && plans.Add(1) == 4 {
			interrupt()
		}
		if q.Method != http.MethodPost && plans.Load() == 2 {
			http.Error(w, "gone", http.StatusGone)
			return
		}
		whole.ServeHTTP(w, q)
	}))
	var out, errs bytes.Buffer
	rep, status := r.perform(ctx, &out, &errs)
	require.Equal(t, exitNotTrue, status)
	require.Equal(t, 4, rep.rounds.n)
	require.Contains(t, errs.String(), `msg="the peer does not take its faults" err="PUT /plan: 410 Gone: gone"`)
	require.Contains(t, out.String(), "round 2: NOT PROVEN: the peer cannot be asked what it has charged: the peer says 410 Gone: gone\n")
	require.Contains(t, out.String(), "round 3: 20 orders, 20 charged on-line")
	require.Contains(t, out.String(), "\n1 of 4 rounds are not proven; the first says: NOT PROVEN: ")
}

func TestSumOfRounds(t *testing.T) {
	sum := report{}
	sum.add(report{
		audit:  audit{online: 1, invoiced: 2, refused: 3, waiting: 4},
		struck: 1,
		counts: shop.Counts{Attempts: 1, Retries: 2, BudgetRefused: 3, Openings: 4, Breaker: "open", Fallbacks: map[string]int{"budget": 1}},
		stats:  peer.Stats{Attempts: 5, Outage: peer.OutageStats{Attempts: 6, Orders: 7}},
	})
	sum.add(report{
		audit:  audit{online: 10, interrupted: 20, lost: those("BS-1", "BS-2")},
		struck: 1,
		counts: shop.Counts{Attempts: 10, Breaker: "closed", Fallbacks: map[string]int{"budget": 10, "patience": 20}},
		stats:  peer.Stats{Attempts: 50},
	})
	sum.add(report{err: errors.New("no answer")})
	require.Equal(t, report{
		audit:  audit{online: 11, invoiced: 2, refused: 3, interrupted: 20, lost: culprits{n: 2}},
		struck: 2,
		counts: shop.Counts{Attempts: 11, Retries: 2, BudgetRefused: 3, Openings: 4, Fallbacks: map[string]int{"budget": 11, "patience": 20}},
		stats:  peer.Stats{Attempts: 55, Outage: peer.OutageStats{Attempts: 6, Orders: 7}},
		rounds: rounds{n: 3, unproven: 2, doubt: "FALSE: of the orders, 2 lost (BS-1 BS-2)"},
	}, sum)
	require.False(t, sum.proven())
	require.Equal(t, "2 of 3 rounds are not proven; the first says: FALSE: of the orders, 2 lost (BS-1 BS-2)", sum.proof())
}

// Nearly all orders find the breaker open, which makes them quick. Whatever keeps something of each order, be it the shop or the
// page, keeps 60 bytes at least: a quarter of a megabyte of those that are looked at.
func TestMemoryDoesNotGrowWithTheRounds(t *testing.T) {
	const size, rounds = 600, 14
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var heap []uint64
	r := endless(t, peer.Plan{OutageTo: time.Hour}, func(round, _ int) {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // what is in pools goes with the second one
		runtime.ReadMemStats(&m)
		if heap = append(heap, m.HeapAlloc); round == rounds {
			interrupt()
		}
	})
	r.rate, r.round, r.listen = 100_000, size*time.Second/100_000, "127.0.0.1:0"
	rep, out, status := carryOut(t, ctx, r)
	require.Equal(t, exitOK, status, out)
	require.Equal(t, rounds, rep.rounds.n)
	require.GreaterOrEqual(t, rep.audit.invoiced, (rounds-1)*size)
	// The first rounds leave connections, and what the page keeps of some sessions.
	require.Less(t, slices.Min(heap[rounds-3:]), slices.Min(heap[3:6])+128<<10, "bytes, before each round: %d", heap)
}
