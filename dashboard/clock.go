package dashboard

import "time"

// clock tells Unix time in nanoseconds, and does not jump when the wall's clock is set: it is the time at which it was made,
// and what has passed since.
type clock struct {
	start time.Time
	unix  int64
}

func newClock() clock {
	now := time.Now()
	return clock{now, now.UnixNano()}
}

func (c *clock) now() int64 { return c.unix + int64(time.Since(c.start)) }

// started is when the clock was made.
func (c *clock) started() int64 { return c.unix }

// secondOf is the Unix second of a time.
func secondOf(unix int64) int64 { return unix / int64(time.Second) }

// milliseconds is a Unix time as the page reads it.
func milliseconds(unix int64) int64 { return unix / int64(time.Millisecond) }
