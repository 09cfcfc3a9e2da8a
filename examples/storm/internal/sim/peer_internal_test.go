package sim

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// quiet is a model of a peer that serves 100 requests a second and has 20 places in its queue.
func quiet() Model {
	m := Default()
	m.Rate, m.Capacity, m.Queue = 10, 100, 20
	return m
}

// inBubble runs f with a peer that begins now.
func inBubble(t *testing.T, m Model, f func(t *testing.T, p *peer, r *Record)) {
	synctest.Test(t, func(t *testing.T) {
		r := newRecord(m, "peer")
		f(t, newPeer(m, time.Now(), r), r)
	})
}

func TestThePeerServesItsCapacity(t *testing.T) {
	m := quiet()
	m.Queue = 100_000 // so that crowding is next to nothing
	inBubble(t, m, func(t *testing.T, p *peer, r *Record) {
		last := time.Duration(0)
		for range 1000 {
			after, _ := p.accept()
			last = max(last, after)
		}
		require.InEpsilon(t, 10.0, last.Seconds(), 0.03)
		require.Equal(t, 1000, r.Load[0])
	})
}

func TestAFullQueueSlowsThePeerDownAndRefusesWhatIsMore(t *testing.T) {
	inBubble(t, quiet(), func(t *testing.T, p *peer, r *Record) {
		workers := len(p.free)
		require.Equal(t, 5, workers)
		for n := range workers + 20 {
			after, err := p.accept()
			require.NotEqual(t, errBusy, err, n)
			require.Positive(t, after)
		}
		before := p.free[0]
		for range 100 {
			after, err := p.accept()
			require.Equal(t, errBusy, err)
			require.Equal(t, tick, after)
		}
		require.Greater(t, p.free[0], before, "refusing is work too")
		require.Equal(t, workers+20+100, r.Load[0])

		time.Sleep(time.Minute)
		_, err := p.accept()
		require.NotEqual(t, errBusy, err, "the queue is empty again")
	})
}

func TestCrowdingAddsAQuarterOfTheWork(t *testing.T) {
	inBubble(t, quiet(), func(t *testing.T, p *peer, _ *Record) {
		alone, crowded := time.Duration(0), time.Duration(0)
		for range 10_000 {
			alone += p.draw(0)
			crowded += p.draw(p.model.Queue)
		}
		require.InEpsilon(t, p.work*10_000, alone, 0.02)
		require.InEpsilon(t, 1.25, float64(crowded)/float64(alone), 0.02)
	})
}

func TestACallerWaitsNoLongerThanItsContextAndTheWorkIsDoneAllTheSame(t *testing.T) {
	inBubble(t, quiet(), func(t *testing.T, p *peer, _ *Record) {
		for range len(p.free) + 15 {
			_, _ = p.accept()
		}
		begin := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		require.ErrorIs(t, p.request(ctx), context.DeadlineExceeded)
		require.Equal(t, 20*time.Millisecond, time.Since(begin))
		require.Len(t, p.waiting, 16)
	})
}

func TestAnAnswerAtTheVeryDeadlineIsLate(t *testing.T) {
	inBubble(t, quiet(), func(t *testing.T, p *peer, _ *Record) {
		for range len(p.free) + 20 {
			_, _ = p.accept()
		}
		for patience, want := range map[time.Duration]error{tick: context.DeadlineExceeded, tick + 1: errBusy} {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			require.ErrorIs(t, p.request(ctx), want)
			cancel()
		}
	})
}

func TestRequestsFailByTheOutageAndByBadLuck(t *testing.T) {
	share := func(m Model, at time.Duration) float64 {
		failed := 0
		inBubble(t, m, func(t *testing.T, p *peer, _ *Record) {
			for range 10_000 {
				if p.outcome(at) != nil {
					failed++
				}
			}
		})
		return float64(failed) / 10_000
	}
	m := quiet()
	m.Failing = 40
	require.InDelta(t, 0.01, share(m, m.Before-1), 0.005)
	require.InDelta(t, 0.41, share(m, m.Before), 0.02)
	require.InDelta(t, 0.41, share(m, m.outageEnd()-1), 0.02)
	require.InDelta(t, 0.01, share(m, m.outageEnd()), 0.005)
	m.Failing = 100
	require.Equal(t, 1.0, share(m, m.Before))
}

func TestAnswersComeInTheOrderOfTheQueue(t *testing.T) {
	m := quiet()
	m.Capacity = 20 // one worker
	inBubble(t, m, func(t *testing.T, p *peer, _ *Record) {
		require.Len(t, p.free, 1)
		var answers []int
		var mu sync.Mutex
		var callers sync.WaitGroup
		for n := range 10 {
			callers.Go(func() {
				time.Sleep(time.Duration(n)) // a nanosecond of its own
				_ = p.request(context.Background())
				mu.Lock()
				defer mu.Unlock()
				answers = append(answers, n)
			})
		}
		callers.Wait()
		require.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, answers)
	})
}
