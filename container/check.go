package container

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// check is one thing that tells how a service is.
type check struct {
	service *service
	number  int // among those of its registration
	call    func(context.Context) error
}

// errNotStarted is the answer of what is to be started before it is asked.
var errNotStarted = errors.New("is not started")

// checks are those of a node.
func (n *node) checks() (all []check) {
	add := func(s *service, number int, call func(context.Context) error) {
		if !n.isUp() {
			call = nil
		}
		all = append(all, check{s, number, call})
	}
	for i, p := range n.parts {
		if v, ok := find[healthy](p); ok {
			add(p.service, i, v.Health)
		}
	}
	for i, h := range n.hooksOf(onHealth) {
		add(h.service, len(n.parts)+i, func(ctx context.Context) error { return h.call(ctx, h.value()) })
	}
	return all
}

// checks are those that are being made: each is made once at a time.
type checks struct {
	mu     sync.Mutex
	flying map[checkKey]*flight
}

type checkKey struct {
	registration *registration
	number       int
}

// ask makes all checks and gathers what services answer.
func (k *checks) ask(ctx context.Context, p *plan, nodes []*node) []ServiceHealth {
	asked := make([][]check, p.size) // by index of the registration
	flights := make([][]*flight, p.size)
	for _, n := range nodes {
		all := n.checks()
		asked[n.index] = all
		for _, c := range all {
			flights[n.index] = append(flights[n.index], k.make(ctx, p, n, c))
		}
	}
	services := []ServiceHealth{}
	for i, all := range asked {
		at := map[*service]int{}
		for j, c := range all {
			if _, ok := at[c.service]; !ok {
				at[c.service] = len(services)
				services = append(services, ServiceHealth{Ref: c.service.ref, Place: c.service.registration.place.String()})
			}
			s := &services[at[c.service]]
			took, err := flights[i][j].answer(ctx)
			s.Took = max(s.Took, took)
			switch {
			case s.Err == nil || s.Err == err: // one that is alone stays as it is
				s.Err = err
			case err != nil:
				s.Err = errors.Join(s.Err, err)
			}
		}
	}
	return services
}

// make makes a check, unless it is being made. It returns nil for one that cannot be made.
func (k *checks) make(ctx context.Context, p *plan, n *node, c check) *flight {
	if c.call == nil {
		return nil
	}
	key := checkKey{n.registration, c.number}
	k.mu.Lock()
	defer k.mu.Unlock()
	if f := k.flying[key]; f != nil {
		return f
	}
	if k.flying == nil {
		k.flying = map[checkKey]*flight{}
	}
	f := launch(context.WithoutCancel(ctx), p.timeout(n.registration, healthTimeout), func(ctx context.Context) error {
		defer k.forget(key)
		return c.call(ctx)
	})
	k.flying[key] = f
	return f
}

func (k *checks) forget(key checkKey) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.flying, key)
}

// answer waits for a check that others may wait for too. It is not waited for longer than its timeout, or ctx.
func (f *flight) answer(ctx context.Context) (took time.Duration, err error) {
	if f == nil {
		return 0, errNotStarted
	}
	select {
	case <-f.over:
	case <-f.ctx.Done():
	case <-ctx.Done():
	}
	switch {
	case f.isOver():
		f.cancel()
		return f.took, f.result()
	case f.endedByTimeout():
		return time.Since(f.began), &overrun{f.timeout.timeout, context.DeadlineExceeded}
	}
	return time.Since(f.began), fmt.Errorf("has not answered when the context was done: %w", context.Cause(ctx))
}
