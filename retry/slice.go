package retry

// A window of time is cut into slices of a tenth of its length. It spans windowSlices full slices and the one that is
// running, so what is in it stays for the window's length at least and a tenth longer at most, whatever the phase.
const (
	windowSlices = 10
	ringSlices   = windowSlices + 1
)

// instant maps a time to an unsigned number and keeps the order, so that neither a negative time nor the distance
// between two far ones needs care.
func instant(t int64) uint64 { return uint64(t) ^ 1<<63 }

// sliceClock tells in which slice the time is. It does not run backwards: a reading older than the latest counts as the
// latest. It is not safe for concurrent use.
type sliceClock struct {
	width  uint64 // nanoseconds in a slice
	leap   uint64 // how far back is another clock
	latest uint64 // the newest instant seen
}

// newSliceClock returns the clock of a window of so many nanoseconds, at least windowSlices.
func newSliceClock(window int64) sliceClock {
	width := uint64(window) / windowSlices
	return sliceClock{width: width, leap: max(uint64(clockLeap), ringSlices*width)}
}

// advance moves to t and returns the slice that it is in and how many nanoseconds have passed since the latest reading.
// It reports a leap when t is so far back that it must be another clock's: then that clock is followed, and what was
// remembered of the old one means nothing any more.
func (c *sliceClock) advance(t int64) (slice, passed uint64, leapt bool) {
	at := instant(t)
	switch {
	case at >= c.latest:
		passed = at - c.latest
		c.latest = at
	case c.latest-at > c.leap:
		c.latest = at
		leapt = true
	}
	return c.latest / c.width, passed, leapt
}
