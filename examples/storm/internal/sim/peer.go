package sim

import (
	"container/heap"
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"
)

var (
	errFailed = errors.New("500 the work failed")
	errBusy   = errors.New("503 the queue is full")
)

// peer is a queue with workers, first come, first served. When a request has come in, all that will become of it is known:
// its worker is the one that is free first. So no goroutine works here, and callers sleep until their answer is due.
type peer struct {
	model Model
	begin time.Time
	told  *Record
	work  time.Duration // one worker's for one request, on average

	mu      sync.Mutex
	chance  *rand.Rand
	free    freeTimes
	waiting []time.Duration // when those that wait will be begun, ascending
}

// newPeer returns a peer that begins now and tells r of each request.
func newPeer(m Model, begin time.Time, r *Record) *peer {
	workers := max(int(time.Duration(m.Capacity)*serviceTime/time.Second), 1)
	return &peer{
		model:  m,
		begin:  begin,
		told:   r,
		work:   time.Duration(workers) * time.Second / time.Duration(m.Capacity),
		chance: chance(m.Seed, streamPeer, 0),
		free:   make(freeTimes, workers),
	}
}

// request is one attempt of a caller: it sends a request and waits for the answer until ctx is done. The peer goes on with
// a request that is given up.
func (p *peer) request(ctx context.Context) error {
	after, err := p.accept()
	// An answer that is due at the very instant of the deadline is late. Which of the two a select would see is chance.
	if deadline, ok := ctx.Deadline(); ok && after >= time.Until(deadline) {
		<-ctx.Done()
		return ctx.Err()
	}
	time.Sleep(after)
	return err
}

// accept takes a request in, and tells what the answer will be and how long it takes.
func (p *peer) accept() (after time.Duration, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Since(p.begin)
	p.told.requested(now)
	for len(p.waiting) > 0 && p.waiting[0] <= now {
		p.waiting = p.waiting[1:]
	}
	begun := max(now, p.free[0])
	if len(p.waiting) >= p.model.Queue {
		p.busyUntil(begun + p.work/refusalShare)
		return tick, errBusy
	}
	if begun > now {
		p.waiting = append(p.waiting, begun)
	}
	done := begun + p.draw(len(p.waiting))
	p.busyUntil(done)
	return inTicks(done - now), p.outcome(begun)
}

// draw is the work for a request that so many wait with.
func (p *peer) draw(waiting int) time.Duration {
	work := p.work/2 + time.Duration(p.chance.Int64N(int64(p.work)))
	return work + work*time.Duration(waiting)/time.Duration(crowding*p.model.Queue)
}

// outcome is the answer to a request that is worked at from a time on. It draws as often whatever the time.
func (p *peer) outcome(begun time.Duration) error {
	struck, unlucky := p.chance.IntN(100) < p.model.Failing, p.chance.IntN(100) < badLuck
	if begun >= p.model.Before && begun < p.model.outageEnd() && struck || unlucky {
		return errFailed
	}
	return nil
}

// busyUntil gives work to the worker that is free first.
func (p *peer) busyUntil(t time.Duration) {
	p.free[0] = t
	heap.Fix(&p.free, 0)
}

// freeTimes is a heap of when each worker is free; the first one is at the top. Workers neither come nor go.
type freeTimes []time.Duration

func (f freeTimes) Len() int           { return len(f) }
func (f freeTimes) Less(i, j int) bool { return f[i] < f[j] }
func (f freeTimes) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (*freeTimes) Push(any)            { panic("storm: a worker came") }
func (*freeTimes) Pop() any            { panic("storm: a worker went") }
