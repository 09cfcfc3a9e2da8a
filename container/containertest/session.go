package containertest

import (
	"fmt"
	"strings"
	"time"

	"github.com/backstay/backstay/retry"
)

// Session is what a [Recorder] knows of one finished session.
type Session struct {
	Ref      retry.MethodRef
	Attempts int             // the first one included
	Waits    []time.Duration // those begun, one after each attempt that was to be repeated
	End      retry.Ending
	Limit    string // what refused another attempt, when it was exhausted: "maxAttempts", "budget", "deadline" ...
	Err      error  // of the last attempt, or why it was rejected; nil after a success, and where a result was the reason

	Fallback    bool  // whether a fallback has run
	FallbackErr error // what it has returned
}

// String tells of the session in a line: "Stripe@Charge: 3 attempts, waits 100ms 200ms, exhausted by maxAttempts: busy".
func (s Session) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %d attempts", s.Ref, s.Attempts)
	if s.Attempts == 1 {
		b.Reset()
		fmt.Fprintf(&b, "%v: 1 attempt", s.Ref)
	}
	for i, w := range s.Waits {
		if i == 0 {
			b.WriteString(", waits")
		}
		fmt.Fprintf(&b, " %v", w)
	}
	fmt.Fprintf(&b, ", %s", s.End)
	if s.Limit != "" {
		fmt.Fprintf(&b, " by %s", s.Limit)
	}
	if s.Err != nil {
		fmt.Fprintf(&b, ": %v", s.Err)
	}
	switch {
	case s.FallbackErr != nil:
		fmt.Fprintf(&b, "; fallback: %v", s.FallbackErr)
	case s.Fallback:
		b.WriteString("; fallback succeeded")
	}
	return b.String()
}
