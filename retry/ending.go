package retry

import (
	"cmp"
	"context"
	"errors"
)

// exhausted ends a session whose limit refused: by its fallback, or by exactly what the last attempt returned.
func (h *HybridPolicy) exhausted(s *Session, err error) error {
	if s.limit() == limitDeadline && !h.noError {
		err = h.interrupted(s, context.DeadlineExceeded, "the wait would pass the context's deadline")
	}
	if h.hooks.Fallback != nil && s.Context.Err() == nil {
		h.discard(s)
		return h.fallBack(s, err)
	}
	if s.panicked {
		s.tellOuter(errors.Unwrap(s.failure)) // what a session around finds in the panic, if that is an error
		h.raise(s)
	}
	if s.limit() == limitDeadline && !h.noError {
		h.clear(s)
	}
	if h.settings.WrapExhausted && !h.noError {
		err = &ExhaustedError{Ref: h.ref, Limit: s.limit().name, Attempts: s.Attempt(), Elapsed: s.Elapsed(), Err: err, Reason: s.reason()}
	}
	s.tellOuter(err)
	return err
}

// unexhausted ends a session that failed, or that its context ended.
func (h *HybridPolicy) unexhausted(s *Session, err error) error {
	if s.state == stateCanceled && !h.noError {
		h.clear(s)
		ctxErr := cmp.Or(s.Context.Err(), context.Canceled) // a context that takes its end back has ended the session all the same
		return h.interrupted(s, ctxErr, "ended by its context: "+ctxErr.Error())
	}
	h.raise(s)
	return err
}

// clear throws a result away that would go beside an error of the session's own, where Discard has been told how: a
// response whose body stays open, beside the context's error, is more than most callers expect.
func (h *HybridPolicy) clear(s *Session) {
	if h.hooks.Discard != nil && s.failure == nil && s.Attempt() > 0 {
		h.hooks.Discard(s)
		s.call.Clear()
	}
}

// raise raises again a panic that RetryPanics has caught and that nothing has made good.
func (h *HybridPolicy) raise(s *Session) {
	if s.panicked {
		panic(s.failure.(*PanicError).Value)
	}
}

// interrupted is the error of a session that ctxErr has ended. It is the last failure itself where that says all.
func (h *HybridPolicy) interrupted(s *Session, ctxErr error, what string) error {
	last, cause := s.failure, context.Cause(s.Context)
	if is(ctxErr, cause) {
		cause = nil
	}
	switch {
	case last == nil && cause == nil && (s.state == stateCanceled || s.Context.Err() != nil):
		return ctxErr
	case is(last, ctxErr) && (cause == nil || is(last, cause)):
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
func (h *HybridPolicy) rejected(ctx context.Context, s *Session, p *progress, rejection *RejectedError) error {
	if p.said == nil && h.listener == nil && h.hooks.Fallback == nil {
		return rejection // there is nobody to tell
	}
	sc := scopeFrom(p.said)
	r := sc.reportFor(h.ref)
	if r != nil {
		r.Ended = EndRejected
	}
	if h.listener != nil {
		e := Rejected{MethodRef: h.ref, Reason: rejection.Reason, Gate: rejection.gate}
		if h.hooks.Fallback != nil && ctx.Err() == nil {
			e.Session = s.id()
		}
		h.listener.On(ctx, e)
	}
	err := error(rejection)
	if h.hooks.Fallback != nil && ctx.Err() == nil {
		if p.said != nil {
			s.more.Store(&extension{scope: sc, report: r})
		}
		err = h.fallBack(s, rejection)
	}
	if err != nil && rejection.breaker != nil {
		giveUp(sc.outer, h, err)
	}
	if sc.outer == nil {
		err = withoutMark(err)
	}
	return err
}

// fallBack runs the fallback under the caller's context: what it calls is beside the session, not inside it.
func (h *HybridPolicy) fallBack(s *Session, cause error) error {
	if r := s.report(); r != nil {
		r.Fallback = true
	}
	err := h.hooks.Fallback(s.Context, s, cause)
	if err == nil {
		if h.listener != nil {
			h.listener.On(s.Context, FallbackSucceeded{h.ref, cause, s.id()})
		}
		return nil
	}
	if h.listener != nil {
		h.listener.On(s.Context, FallbackFailed{h.ref, cause, err, s.id()})
	}
	if cause != nil && !is(err, cause) {
		err = &fallbackError{err, cause}
	}
	s.tellOuter(err)
	return err
}
