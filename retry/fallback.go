package retry

import "context"

const kindFallback = "fallback"

// fallback gives the result of a session that is exhausted or rejected. It has no phase of the loop: it runs after it.
type fallback struct {
	run     func(ctx context.Context, s *Session, cause error) error // nil where no fallback was named
	missing bool                                                     // a chain was given a nil func
}

func (*fallback) Kind() string { return kindFallback }

func (p *fallback) check() []string {
	if p.missing {
		return []string{"the fallback is nil; give it a func, or leave it out"}
	}
	return nil
}
