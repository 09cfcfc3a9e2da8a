package retry

import (
	"context"
	"runtime/debug"
)

// guard makes an attempt under a context or a recover of its own.
func (h *HybridPolicy) guard(s *Session, p *progress, attempt func(context.Context) error) error {
	s.panicked = false
	ctx := context.Context(s)
	if h.attemptTimeout > 0 {
		p.bound = newAttemptContext(s, h.attemptTimeout)
		ctx = p.bound
		returned := false
		defer func() {
			p.bound.release()
			if !returned || s.panicked {
				p.bound.cancel(context.Canceled) // nobody will read what a panic has left
			}
		}()
		err := h.recovering(ctx, s, attempt)
		returned = true
		return err
	}
	return h.recovering(ctx, s, attempt)
}

// recovering makes a panic of attempt a throwable, where RetryPanics says so.
func (h *HybridPolicy) recovering(ctx context.Context, s *Session, attempt func(context.Context) error) (err error) {
	if !h.settings.RetryPanics {
		return attempt(ctx)
	}
	defer func() {
		if v := recover(); v != nil { // nil also under runtime.Goexit, which goes on
			s.panicked = true
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return attempt(ctx)
}
