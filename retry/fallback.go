package retry

import "context"

const kindFallback = "fallback"

// fallback gives the result of a session that is exhausted or rejected. It has no phase of the loop: it runs after it.
type fallback struct {
	run func(ctx context.Context, s *Session, cause error) error // nil where no fallback was named
}

func (*fallback) Kind() string { return kindFallback }
