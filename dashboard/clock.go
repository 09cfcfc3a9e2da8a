package dashboard

import (
	"sync/atomic"
	"time"
)

// clock tells Unix time in nanoseconds, and does not jump when the wall's clock is set: it is the time at which it was made,
// and what has passed since.
type clock struct {
	start time.Time
	unix  int64
	ahead atomic.Int64 // how far the wall's clock is, as it was last told
}

func newClock() clock {
	now := time.Now()
	return clock{start: now, unix: now.UnixNano()}
}

func (c *clock) now() int64 { return c.unix + int64(time.Since(c.start)) }

// started is when the clock was made.
func (c *clock) started() int64 { return c.unix }

// wallAhead is how far the wall's clock is ahead of this one, in whole seconds: it has been set, or the machine has slept.
// Less than a second is not told, nor is what comes and goes.
func (c *clock) wallAhead() int64 {
	now := time.Now()
	ahead, told := now.UnixNano()-c.unix-int64(now.Sub(c.start)), c.ahead.Load()
	if d := ahead - told; d <= -int64(time.Second) || d >= int64(time.Second) {
		told = int64(time.Duration(ahead).Round(time.Second))
		c.ahead.Store(told)
	}
	return told
}

// secondOf is the Unix second of a time.
func secondOf(unix int64) int64 { return unix / int64(time.Second) }
