package sim

import (
	"context"
	"sync"
	"time"
)

// Strategy is a way to call the peer.
type Strategy struct {
	Name string

	// client makes a client process that calls p: a func that makes one call of it. Its jitter is drawn from jitter.
	client func(p *peer, jitter func(n uint64) uint64) (call, error)
}

// call is one call of a client.
type call func(ctx context.Context) error

// Run plays the model with the strategy and returns what was counted. It must be called inside a synctest bubble, and
// returns when the last call has ended.
func (s Strategy) Run(m Model) (*Record, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	toSliceEdge(budget.TTL)
	begin := time.Now()
	r := newRecord(m, s.Name)
	p := newPeer(m, begin, r)
	clients := make([]call, m.Clients)
	for i := range clients {
		var err error
		if clients[i], err = s.client(p, wholeTicks(chance(m.Seed, streamJitter, i))); err != nil {
			return nil, err
		}
	}

	var calls sync.WaitGroup
	number := time.Duration(0)
	for at, client := range arrivals(m) {
		if early := at - time.Since(begin); early > 0 {
			time.Sleep(early)
		}
		number++
		own := number // the nanosecond of this call
		calls.Go(func() {
			time.Sleep(own)
			r.called(at, clients[client](context.Background()))
		})
	}
	calls.Wait()
	return r, nil
}
