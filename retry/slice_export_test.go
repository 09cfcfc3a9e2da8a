package retry

import "time"

// IntoSlice is how much of the current slice of a budget's window has passed. Slices are counted from the start of the
// process, so a test whose figures must not depend on that begins where it is zero.
func IntoSlice(ttl time.Duration) time.Duration {
	return time.Duration(instant(now()) % newSliceClock(int64(ttl)).width)
}
