package retry

import (
	"context"
	"errors"
)

// exhausted ends a session whose limit refused: by its fallback, or by exactly what the last attempt returned.
func (h *HybridPolicy) exhausted(s *Session, err error) error {
	if s.limit == limitDeadline && !h.noError {
		err = h.interrupted(s, context.DeadlineExceeded, "the wait would pass the context's deadline")
	}
	if h.hooks.Fallback != nil && s.Context.Err() == nil {
		h.discard(s)
		return h.fallBack(s, err)
	}
	h.raise(s)
	if h.settings.WrapExhausted && !h.noError {
		err = &ExhaustedError{Ref: h.ref, Limit: s.limit.name, Attempts: s.Attempt(), Elapsed: s.Elapsed(), Err: err}
	}
	s.tellOuter(err)
	return err
}

// unexhausted ends a session that failed, or that its context ended.
func (h *HybridPolicy) unexhausted(s *Session, err error) error {
	if s.state == stateCanceled && !h.noError {
		return h.interrupted(s, s.Context.Err(), "ended by its context: "+s.Context.Err().Error())
	}
	h.raise(s)
	return err
}

// raise raises again a panic that RetryPanics has caught and that nothing has made good.
func (h *HybridPolicy) raise(s *Session) {
	if s.panicked {
		if p, ok := s.failure.(*PanicError); ok {
			panic(p.Value)
		}
	}
}

// interrupted is the error of a session that ctxErr has ended. It is the last failure itself where that says all.
func (h *HybridPolicy) interrupted(s *Session, ctxErr error, what string) error {
	last, cause := s.failure, context.Cause(s.Context)
	if cause == nil || errors.Is(ctxErr, cause) {
		cause = nil
	}
	switch {
	case last == nil && cause == nil && s.Context.Err() != nil:
		return ctxErr
	case last != nil && errors.Is(last, ctxErr) && (cause == nil || errors.Is(last, cause)):
		return last
	}
	e := &interruptedError{ref: h.ref, what: what, cause: cause, last: last}
	for _, err := range []error{ctxErr, cause, last} {
		if err != nil {
			e.tree = append(e.tree, err)
		}
	}
	return e
}

// rejected ends a call that a gate refused. s has made no attempt; it is nil where there is no fallback to need one.
func (h *HybridPolicy) rejected(ctx context.Context, s *Session, rejection *RejectedError) error {
	sc, _ := scopeOf(ctx)
	if h.listener != nil {
		h.listener.On(ctx, Rejected{h.ref, rejection.Reason})
	}
	r := sc.reportFor(h.ref)
	if r != nil {
		r.Ended = EndRejected
	}
	if h.hooks.Fallback != nil && ctx.Err() == nil {
		if sc.outer != nil || r != nil {
			s.more.Store(&extension{scope: sc, report: r})
		}
		return h.fallBack(s, rejection)
	}
	if sc.outer != nil && rejection.breaker != nil {
		sc.outer.extend().add(mark{rejection, h, sc.outer.Attempt()})
	}
	return rejection
}

// fallBack runs the fallback under the caller's context: what it calls is beside the session, not inside it.
func (h *HybridPolicy) fallBack(s *Session, cause error) error {
	if r := s.report(); r != nil {
		r.Fallback = true
	}
	err := h.hooks.Fallback(s.Context, s, cause)
	if err == nil {
		if h.listener != nil {
			h.listener.On(s.Context, FallbackSucceeded{h.ref, cause})
		}
		return nil
	}
	if h.listener != nil {
		h.listener.On(s.Context, FallbackFailed{h.ref, cause, err})
	}
	if cause != nil && !errors.Is(err, cause) {
		err = &fallbackError{err, cause}
	}
	if s.state == stateExhausted {
		s.tellOuter(err)
	}
	return err
}
