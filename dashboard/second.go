package dashboard

import "math"

// detailed is how many seconds are kept in full: the ten before the present one, which all figures are of, and that.
const detailed = window + 1

// window is how many whole seconds the figures of a method are of, beside what has passed of the present one.
const window = 10

// seriesLength is how many seconds the series of a method tells.
const seriesLength = 120

// second is what happened in a method in one second.
type second struct {
	at int64 // the Unix second; another one's counts are no longer of interest
	counts
	latencies latencies
}

// counts are what is counted of a method.
type counts struct {
	calls     uint32 // that ended, in whatever way
	succeeded uint32
	rejected  uint32
	fallbacks uint32 // that succeeded, by the time at which their call had ended before
	attempts  uint32
	failed    uint32 // attempts
	retries   uint32 // attempts that were not the first
	refused   [maxLimits]uint32
}

// errors are the calls whose caller got an error.
func (c *counts) errors() uint32 {
	unsuccessful := c.calls - c.succeeded
	return unsuccessful - min(c.fallbacks, unsuccessful)
}

// tried is what the peer was asked, or was to be asked, and troubles what of that went wrong: attempts that failed, and calls
// that were rejected.
func (c *counts) tried() uint64    { return uint64(c.attempts) + uint64(c.rejected) }
func (c *counts) troubles() uint64 { return uint64(c.failed) + uint64(c.rejected) }

// isBad reports whether at least half of what was tried went wrong; isGood whether less than a quarter did. What is between
// is neither, so that who wavers does not change to and fro, and so is where nothing was tried.
func (c *counts) isBad() bool  { return c.troubles() > 0 && 2*c.troubles() >= c.tried() }
func (c *counts) isGood() bool { return 4*c.troubles() < c.tried() }

// isPlain reports whether at least three quarters went wrong: what is asked of a second that is not over, which may begin with
// a failure and go on well.
func (c *counts) isPlain() bool { return c.troubles() > 0 && 4*c.troubles() >= 3*c.tried() }

// add adds what was counted in another second.
func (c *counts) add(other *counts) {
	c.calls += other.calls
	c.succeeded += other.succeeded
	c.rejected += other.rejected
	c.fallbacks += other.fallbacks
	c.attempts += other.attempts
	c.failed += other.failed
	c.retries += other.retries
	for i, n := range other.refused {
		c.refused[i] += n
	}
}

// point is what stays of a second when it is no longer kept in full.
type point struct {
	at                                                           uint32 // the Unix second
	calls, errors, fallbacks, attempts, failed, retries, refused uint32
	p50, p95                                                     float32 // milliseconds
}

// point draws a second together.
func (s *second) point() point {
	p := point{
		at: uint32(s.at), calls: s.calls, errors: s.errors(), fallbacks: s.fallbacks,
		attempts: s.attempts, failed: s.failed, retries: s.retries,
	}
	for _, n := range s.refused {
		p.refused += n
	}
	var sum latencySum
	sum.addAll(&s.latencies)
	p.p50, p.p95 = float32(inMs(sum.quantile(0.5))), float32(inMs(sum.quantile(0.95)))
	return p
}

// count adds one, and stays where there is no more room.
func count(n *uint32) {
	if *n < math.MaxUint32 {
		*n++
	}
}
