package peer

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"time"
)

// fault is what happens to one attempt.
type fault int

const (
	healthy fault = iota
	refused       // the outage, as the load balancer tells it: 503
	dropped       // the outage, as the network tells it: a reset connection
	busy
	overloaded
	pending
	reset
	slow
)

// fault draws what happens to an attempt. The same seed, key and number draw the same, in whatever order attempts arrive;
// only the outage goes by the clock.
func (p Plan) fault(seed uint64, key string, attempt int, at time.Duration) fault {
	x := draw(seed, key, attempt)
	if p.down(at) {
		if x < .5 {
			return refused
		}
		return dropped
	}
	for _, c := range []struct {
		share float64
		fault fault
	}{
		{p.Busy, busy}, {p.Overloaded, overloaded}, {p.Pending, pending}, {p.Reset, reset}, {p.Slow, slow},
	} {
		if x < c.share {
			return c.fault
		}
		x -= c.share
	}
	return healthy
}

// draw returns a number in [0, 1) that depends on its arguments alone.
func draw(seed uint64, key string, attempt int) float64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s#%d", key, attempt)
	return rand.New(rand.NewPCG(seed, h.Sum64())).Float64()
}
