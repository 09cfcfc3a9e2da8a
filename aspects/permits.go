package aspects

import (
	"container/list"
	"fmt"
	"sync"
	"time"

	"github.com/backstay/backstay/aspect"
)

// permitLimits bound who runs and who waits.
type permitLimits struct{ running, waiting int }

func (l permitLimits) String() string {
	return fmt.Sprintf("maxConcurrent %d, maxQueue %d", l.running, l.waiting)
}

// permits are handed out to calls, and from one that ends to the one that has waited the longest. So as long as anybody
// waits, all of them are out, and nobody who comes later gets one first.
type permits struct {
	limits  permitLimits
	mu      sync.Mutex
	running int
	queue   list.List // of chan struct{}, each closed when its turn comes
}

func newPermits(limits permitLimits) *permits { return &permits{limits: limits} }

// waited is how a wait has ended.
type waited uint8

const (
	waitGranted waited = iota // with a permit
	waitFull                  // there was no place
	waitLate                  // there was no time left
	waitDone                  // the context was done
)

// acquire takes a permit, if need be when its turn has come. Zero most is no bound of the wait.
func (p *permits) acquire(jp aspect.JoinPoint, most time.Duration) waited {
	p.mu.Lock()
	switch {
	case p.running < p.limits.running:
		p.running++
		p.mu.Unlock()
		return waitGranted
	case p.queue.Len() >= p.limits.waiting:
		p.mu.Unlock()
		return waitFull
	}
	turn := make(chan struct{})
	place := p.queue.PushBack(turn)
	p.mu.Unlock()

	var late <-chan time.Time
	if most > 0 {
		t := time.NewTimer(most)
		defer t.Stop()
		late = t.C
	}
	ended := waitLate
	select {
	case <-turn:
		return waitGranted
	case <-jp.Context().Done():
		ended = waitDone
	case <-late:
	}

	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-turn: // it came at the same time, and is passed on: the caller has been told to give up
		p.pass()
	default:
		p.queue.Remove(place)
	}
	return ended
}

// release gives a permit back.
func (p *permits) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pass()
}

// pass hands a permit to whom it is due. p.mu is held.
func (p *permits) pass() {
	if first := p.queue.Front(); first != nil {
		close(p.queue.Remove(first).(chan struct{}))
		return
	}
	p.running--
}
