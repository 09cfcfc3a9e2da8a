package retry_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

const (
	outageTTL    = 10 * time.Second
	outagePeriod = outageTTL + outageTTL/10 // a window and the slice that is running: what is spent recurs after it
)

// outage is a client of a peer that is healthy at first and then fails, in virtual time. Requests come at a fixed rate,
// each makes at most three attempts of 50 ms, with 100 and 200 ms between them.
type outage struct {
	rate    int     // requests per second
	failing float64 // of the attempts, from the failure on
	chain   retry.ErrorChain
}

// phases are how long the peer is healthy, and when, after the failure, the long run is looked at: for a whole number of
// periods. The more requests come, the more goroutines there are, so it is less: a budget remembers no more than a
// period, and at 1000 requests a second what was stored before the failure is spent within the first second.
func (o outage) phases() (healthy, from, to time.Duration) {
	switch {
	case o.rate >= 1000:
		return outagePeriod, 2 * outagePeriod, 3 * outagePeriod
	case o.rate >= 100:
		return outagePeriod, time.Minute, time.Minute + 3*outagePeriod
	}
	return 30 * time.Second, time.Minute, time.Minute + 6*outagePeriod
}

// outageFigure is attempts per request, counted by the time at which the requests came.
type outageFigure struct {
	requests int
	attempts atomic.Int64
}

func (f *outageFigure) amplification() float64 {
	return float64(f.attempts.Load()) / float64(f.requests)
}

// run returns the figures of the first ten seconds and of the long run.
func (o outage) run(t *testing.T) (first, later float64) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(outageTTL/10 - retry.IntoSlice(outageTTL))
		begin := time.Now()
		chance := rand.New(rand.NewPCG(0, uint64(o.rate)))
		healthy, from, to := o.phases()
		var figures [2]outageFigure
		for n := 0; ; n++ {
			at := time.Duration(n) * time.Second / time.Duration(o.rate)
			since := at - healthy
			if since >= to {
				break
			}
			time.Sleep(time.Until(begin.Add(at)))
			var fails [3]bool // drawn here, in the order of the requests, whatever the goroutines do
			for i := range fails {
				fails[i] = since >= 0 && chance.Float64() < o.failing
			}
			var figure *outageFigure
			switch {
			case since >= 0 && since < outageTTL:
				figure = &figures[0]
			case since >= from:
				figure = &figures[1]
			}
			if figure != nil {
				figure.requests++
			}
			go o.request(t.Context(), fails, figure)
		}
		time.Sleep(time.Second)
		first, later = figures[0].amplification(), figures[1].amplification()
	})
	return first, later
}

// request is one of the client's. A microsecond keeps apart what would fall on one instant: requests come on whole
// milliseconds, first attempts end a microsecond later, second ones two. So there is one order of all that happens, and
// the figures are exact.
func (o outage) request(ctx context.Context, fails [3]bool, figure *outageFigure) {
	made := 0
	_ = o.chain.Run(ctx, func(context.Context) error {
		time.Sleep(50*time.Millisecond + time.Microsecond)
		made++
		if fails[made-1] {
			return errBoom
		}
		return nil
	})
	if figure != nil {
		figure.attempts.Add(int64(made))
	}
}

// schedule is a strategy of the user's: fixed waits, one after the other.
type schedule []time.Duration

func (w schedule) Wait(s *retry.Session) time.Duration { return w[s.Attempt()-1] }

// budget:2. Each figure is of 1, 10, 100 and 1000 requests a second: attempts per request in the first ten seconds, and
// in the long run. Others, with the same load, measured over the attempts instead of the requests of ten seconds:
//
//	all attempts fail
//	ancestor, 1 per second      3.00 2.20   1.38 1.30   1.22 1.21   1.20 1.20
//	Finagle, 10 per second      3.00 3.00   2.20 2.20   1.30 1.30   1.21 1.21
//	Finagle, 0 per second       1.20 1.20   1.20 1.20   1.20 1.20   1.20 1.20
//	tower, 10 per second        3.00 3.00   2.08 2.00   1.26 1.10   1.19 1.01
//	30 % fail; 1.39 is every retry that is wanted
//	ancestor, 1 per second      1.60 1.45   1.37 1.30   1.22 1.21   1.20 1.20
//	Finagle, 10 per second      1.60 1.45   1.37 1.39   1.30 1.30   1.21 1.21
//	tower, 10 per second        1.60 1.45   1.37 1.39   1.29 1.28   1.20 1.17
//
// In the long run ours has the same, where it is set like them. At first it has more where the reserve matters: theirs is
// an allowance for each window, and the ancestor's is trimmed each second; ours is full at the start and fills while it is
// spent, and what sessions have paid stays a tenth longer. At 1 request a second, eleven sessions pay for two retries, and
// with 30 % failing nothing is refused, so that the figures tell of the few draws.
func TestABudgetBoundsAnOutage(t *testing.T) {
	rates := []int{1, 10, 100, 1000}
	none := retry.WhenThrows().Max(3).With(retry.NewSleep(schedule{100 * time.Millisecond, 200 * time.Millisecond}, 0))
	for _, c := range []struct {
		name      string
		failing   float64
		minPerSec float64
		deposit   retry.Deposit // "" for no budget
		want      []string      // for each rate
	}{
		{"no budget", 1, 0, "", []string{"3.00 3.00", "3.00 3.00", "3.00 3.00", "3.00 3.00"}},
		{"default", 1, 1, retry.DepositCall, []string{"3.00 2.20", "1.40 1.30", "1.24 1.21", "1.22 1.20"}},
		{"deposit success", 1, 1, retry.DepositSuccess, []string{"3.00 2.00", "1.36 1.10", "1.20 1.01", "1.18 1.00"}},
		{"as Finagle", 1, 10, retry.DepositCall, []string{"3.00 3.00", "3.00 2.20", "1.41 1.30"}},
		{"as Finagle without a reserve", 1, 0, retry.DepositCall, []string{"1.20 1.18", "1.22 1.20", "1.22 1.20"}},
		{"as tower", 1, 10, retry.DepositSuccess, []string{"3.00 3.00", "3.00 2.00", "1.37 1.10"}},

		{"no budget", 0.3, 0, "", []string{"1.40 1.32", "1.31 1.39", "1.37 1.37", "1.38 1.39"}},
		{"default", 0.3, 1, retry.DepositCall, []string{"1.40 1.32", "1.31 1.29", "1.23 1.20", "1.22 1.20"}},
		{"deposit success", 0.3, 1, retry.DepositSuccess, []string{"1.40 1.32", "1.31 1.27", "1.23 1.17", "1.22 1.16"}},
		{"as Finagle", 0.3, 10, retry.DepositCall, []string{"1.40 1.32", "1.31 1.39", "1.36 1.30"}},
		{"as tower", 0.3, 10, retry.DepositSuccess, []string{"1.40 1.32", "1.31 1.39", "1.36 1.28"}},
	} {
		for i, want := range c.want {
			t.Run(fmt.Sprintf("%v failing/%s/%d per second", c.failing, c.name, rates[i]), func(t *testing.T) {
				t.Parallel()
				chain, percent, rate := none, 0.2, float64(rates[i])
				if c.deposit != "" {
					chain = none.With(retry.NewBudget(retry.BudgetSettings{TTL: outageTTL, MinPerSec: c.minPerSec, Percent: percent, Deposit: c.deposit}))
				}
				first, later := outage{rates[i], c.failing, chain}.run(t)
				require.Equal(t, want, fmt.Sprintf("%.2f %.2f", first, later))
				if c.deposit == "" {
					return
				}
				// The bound: at first the reserve that was stored, what it earns until the last retry of the ten seconds, and what
				// the sessions of a window and a tenth pay; in the long run what it earns and the sessions pay.
				require.LessOrEqual(t, first, 1+1.1*percent+2.1*c.minPerSec/rate)
				if c.failing == 1 && c.deposit == retry.DepositSuccess {
					percent = 0 // there is no success
				}
				require.LessOrEqual(t, later, 1+percent+c.minPerSec/rate+0.005)
			})
		}
	}
}
