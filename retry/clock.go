package retry

import (
	"math"
	"time"
)

// clockBase is where this package's time begins. It carries a monotonic reading, so a change of the wall clock moves
// nothing.
var clockBase = time.Now()

// now is the monotonic time in nanoseconds since clockBase. Inside a synctest bubble it is the bubble's time, which
// starts in the year 2000 and so is negative. It never panics; it holds at the ends of the int64 range.
func now() int64 { return int64(time.Since(clockBase)) }

// clockLeap is how far back a clock may go before it is taken for another clock: one moves from the machine's time into
// a synctest bubble, or from one bubble into the next, with state that outlives both. Anything less is a reading that
// its goroutine was slow to use.
const clockLeap = int64(time.Minute)

// between is to - from, held at the ends of the int64 range instead of wrapping round.
func between(from, to int64) int64 {
	d := to - from
	switch {
	case to >= from && d < 0:
		return math.MaxInt64
	case to < from && d >= 0:
		return math.MinInt64
	}
	return d
}
