package sim

import (
	"iter"
	"math/rand/v2"
	"time"
)

// arrivals yields the calls of a run in order: the tick in which each begins, and its client. In each tick each client begins
// a call or does not, by chance, so the calls of a client come as independent of each other as those of many users do.
func arrivals(m Model) iter.Seq2[time.Duration, int] {
	return func(yield func(time.Duration, int) bool) {
		chances := make([]*rand.Rand, m.Clients)
		for i := range chances {
			chances[i] = chance(m.Seed, streamArrivals, i)
		}
		for at := time.Duration(0); at < m.Length()+tail; at += tick {
			for client, c := range chances {
				if c.IntN(m.Clients*ticksPerSecond) < m.Rate && !yield(at, client) {
					return
				}
			}
		}
	}
}
