package browser_test

import (
	"context"
	"errors"
	"sync/atomic"
)

var errUnavailable = errors.New("503 Service Unavailable")

// behaviour is what a peer does with a call.
type behaviour func(ctx context.Context) error

// peer is what a service calls over the network, and a test may turn. It is well until told otherwise.
type peer struct{ does atomic.Pointer[behaviour] }

func (p *peer) becomes(b behaviour) { p.does.Store(&b) }

func (p *peer) call(ctx context.Context) error {
	if b := p.does.Load(); b != nil {
		return (*b)(ctx)
	}
	return nil
}

func well(context.Context) error { return nil }

// says is a peer that answers every call with an error.
func says(err error) behaviour { return func(context.Context) error { return err } }

// says503 is a peer that is down.
var says503 = says(errUnavailable)

// oneIn is a peer that answers one of n calls with an error.
func oneIn(n uint64, err error) behaviour {
	var calls atomic.Uint64
	return func(context.Context) error {
		if calls.Add(1)%n == 0 {
			return err
		}
		return nil
	}
}

// hangs is a peer that does not answer until released is closed.
func hangs(released <-chan struct{}) behaviour {
	return func(ctx context.Context) error {
		select {
		case <-released:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
