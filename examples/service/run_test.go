package main

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/service/internal/peer"
	"github.com/backstay/backstay/examples/service/internal/shop"
)

// quick is a run of 150 orders in 0.15 s. Nothing but the peer makes an attempt fail, however busy the
// machine is that tests.
func quick(plan peer.Plan) run {
	return run{
		options: options{faults: "flaky", rate: 1000},
		orders:  numbered(150),
		plan:    plan,
		pace: shop.Pace{
			Attempts:     4,
			FirstWait:    2 * time.Millisecond,
			AnswerWithin: 10 * time.Second,
			BreakerReset: 20 * time.Millisecond,
		},
		grace: 10 * time.Second,
		round: 100 * time.Millisecond,
	}
}

// flaky is a run in which the peer fails in every way, and answers may come too late.
func flaky() run {
	r := quick(peer.Plan{
		Busy: .03, Overloaded: .03, Pending: .03, Reset: .03, Slow: .02, SlowBy: 400 * time.Millisecond,
		OutageFrom: 50 * time.Millisecond, OutageTo: 100 * time.Millisecond,
	})
	r.pace.AnswerWithin = 200 * time.Millisecond
	return r
}

// carryOut runs r, and returns its report, its table and its exit status.
func carryOut(t *testing.T, ctx context.Context, r run) (report, string, int) {
	t.Helper()
	var out, errs bytes.Buffer
	rep, status := r.perform(ctx, &out, &errs)
	require.Empty(t, errs.String())
	return rep, out.String(), status
}

func TestEveryOrderEndsOnceWhateverThePeerDoes(t *testing.T) {
	for _, naive := range []bool{false, true} {
		t.Run("naive "+strconv.FormatBool(naive), func(t *testing.T) {
			r := flaky()
			r.naive = naive
			r.orders[7].Card = peer.DeclinedCard
			rep, out, status := carryOut(t, t.Context(), r)
			require.Equal(t, exitOK, status, out)
			require.Contains(t, out, "ok: no order was lost and none was charged twice")

			a := rep.audit
			require.Equal(t, len(r.orders), a.online+a.invoiced+a.refused)
			require.Positive(t, a.online)
			require.Positive(t, a.invoiced)
			require.Positive(t, rep.counts.Retries)
			require.LessOrEqual(t, rep.stats.Attempts, rep.counts.Attempts, "the peer sees no attempt that the listener does not hear of")
		})
	}
}

func TestHealthyPeerCostsOneAttemptAnOrder(t *testing.T) {
	rep, out, status := carryOut(t, t.Context(), quick(peer.Plan{}))
	require.Equal(t, exitOK, status, out)
	require.Equal(t, audit{online: 150}, rep.audit)
	require.Equal(t, 150, rep.stats.Attempts)
	require.Equal(t, 150, rep.counts.Attempts)
}

func TestBudgetBoundsTheAttemptsInAnOutage(t *testing.T) {
	amplification := map[bool]float64{}
	for _, naive := range []bool{false, true} {
		r := quick(peer.Plan{OutageTo: time.Hour})
		r.faults, r.naive = "outage", naive
		rep, out, status := carryOut(t, t.Context(), r)
		require.Equal(t, exitOK, status, out)
		require.Equal(t, audit{invoiced: 150}, rep.audit)
		require.Equal(t, 150, rep.stats.Outage.Orders, "no breaker is in the way")
		printed := regexp.MustCompile(`(?m)^amplification: ([0-9.]+) `).FindStringSubmatch(out)
		require.Len(t, printed, 2, out)
		var err error
		amplification[naive], err = strconv.ParseFloat(printed[1], 64)
		require.NoError(t, err)
	}
	require.Less(t, amplification[false], 1.3)
	require.Greater(t, amplification[false], 1.1, "some are paid for")
	require.Equal(t, 4.0, amplification[true], "all that are allowed")
}

func TestDoubleChargeIsFoundInTheLedger(t *testing.T) {
	_, out, status := carryOut(t, t.Context(), quick(peer.Plan{Reset: .05, IgnoreKeys: true}))
	require.Equal(t, exitNotTrue, status)
	require.Regexp(t, `(?m)^FALSE: of the orders, [0-9]+ charged twice \(BS-`, out)
}

func TestInterruptedRunTellsHowFarItCame(t *testing.T) {
	for _, c := range []struct {
		name  string
		plan  peer.Plan
		grace time.Duration
		drops bool
	}{
		{"orders in hand end well", peer.Plan{Slow: 1, SlowBy: 10 * time.Millisecond}, 10 * time.Second, false},
		{"orders that take too long are dropped", peer.Plan{Busy: 1, RetryAfter: 2 * time.Second}, time.Millisecond, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, interrupt := context.WithCancel(t.Context())
			defer interrupt()
			whole, arrived := peer.New(), atomic.Int32{}
			r := quick(c.plan)
			r.rate, r.grace = 200, c.grace
			r.peer = start(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
				whole.ServeHTTP(w, q)
				if q.Method == http.MethodPost && arrived.Add(1) == 10 {
					interrupt()
				}
			}))
			rep, out, status := carryOut(t, ctx, r)
			require.Equal(t, exitOK, status, out)
			require.Contains(t, out, "in hand 0  interrupted\n")
			a := rep.audit
			require.Positive(t, a.waiting)
			require.Equal(t, len(r.orders), a.online+a.invoiced+a.refused+a.interrupted+a.waiting)
			require.Equal(t, c.drops, a.interrupted > 0)
		})
	}
}

// start starts a peer of its own process, as it were.
func start(t *testing.T, h http.Handler) string {
	t.Helper()
	server, err := peer.Start("127.0.0.1:0", h)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	return server.URL
}

func TestSecondRunAgainstOnePeerChargesNobodyAgain(t *testing.T) {
	r := flaky()
	r.peer = start(t, peer.New())
	first, out, status := carryOut(t, t.Context(), r)
	require.Equal(t, exitOK, status, out)
	second, out, status := carryOut(t, t.Context(), r)
	require.Equal(t, exitOK, status, out)
	require.GreaterOrEqual(t, second.audit.online, first.audit.online)
}

func TestPeerThatIsGoneAtTheEndProvesNothing(t *testing.T) {
	whole := peer.New()
	r := quick(peer.Plan{})
	r.peer = start(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Method == http.MethodGet {
			http.Error(w, "gone", http.StatusGone)
			return
		}
		whole.ServeHTTP(w, q)
	}))
	rep, out, status := carryOut(t, t.Context(), r)
	require.Equal(t, exitNotTrue, status)
	require.Contains(t, out, "NOT PROVEN: the peer cannot be asked what it has charged: the peer says 410 Gone: gone")
	require.Equal(t, audit{online: 150}, rep.audit, "as the shop believes")
}

func TestCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my.csv")
	require.NoError(t, os.WriteFile(file, []byte("order,customer,item,card,total\n"+
		"BS-1,Ada,Line,4242424242424242,1.00\nBS-2,Bo,Line,"+peer.DeclinedCard+",1.00\n"), 0o600))
	broken := filepath.Join(t.TempDir(), "broken.csv")
	require.NoError(t, os.WriteFile(broken, []byte("order,customer,item,card,total\nBS-1\n"), 0o600))
	elsewhere := start(t, http.NotFoundHandler())
	taken := strings.TrimPrefix(elsewhere, "http://")
	for _, c := range []struct {
		name   string
		args   []string
		status int
		out    string // a pattern; "" for no output at all
		err    string
	}{
		{"a file of its own", []string{"-orders", file, "-faults", "none", "-rate", "1000"}, 0, `orders +2\ncharged on-line +1\n`, ""},
		{"naive", []string{"-orders", file, "-faults", "none", "-rate", "1000", "-naive"}, 0, `orders +2\ncharged on-line +1\n`, ""},
		{"help", []string{"-h"}, 0, `^Usage: `, ""},
		{"a wrong flag", []string{"-rate", "0"}, 2, "", "service: -rate 0: write a number from 1 to 1000 (-h explains the flags)\n"},
		{"no such file", []string{"-orders", "none.csv"}, 2, "", "service: open none.csv: no such file or directory\n"},
		{"a wrong line", []string{"-orders", broken}, 2, "", "service: " + broken + ": line 2: there are not 5 fields\n"},
		{"too slow", []string{"-rate", "1"}, 2, "", "service: -rate 1: 1000 orders would take 16m40s, and a run takes 10m0s at most; write a higher rate\n"},
		{"an address that is taken", []string{"-listen", taken}, 2, "", "service: listen tcp " + taken + ": bind: address already in use; nothing was charged\n"},
		{"no peer", []string{"-peer", elsewhere}, 2, "", "service: the peer does not take its faults: PUT /plan: 404 Not Found: 404 page not found; nothing was charged\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			require.Equal(t, c.status, command(t.Context(), c.args, &out, &errs))
			require.Equal(t, c.err, errs.String())
			if c.out == "" {
				require.Empty(t, out.String())
			} else {
				require.Regexp(t, c.out, out.String())
			}
		})
	}
}

func TestEachChargeIsLoggedOnDemand(t *testing.T) {
	r := quick(peer.Plan{})
	r.orders = r.orders[:5]
	r.verbose = true
	var out, errs bytes.Buffer
	_, status := r.perform(t.Context(), &out, &errs)
	require.Equal(t, exitOK, status)
	require.Equal(t, 5, bytes.Count(errs.Bytes(), []byte("msg=CardGateway@Charge")))
}
