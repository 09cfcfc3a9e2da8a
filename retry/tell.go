package retry

import "time"

// What happened is told to the listener and to the call's report, in one place each, so that they cannot disagree.

func (h *HybridPolicy) tellAttemptFailed(s *Session, final bool) {
	if h.listener != nil {
		h.listener.On(s.Context, AttemptFailed{h.ref, s.Attempt(), s.failure, final, s.id()})
	}
	if r := s.report(); r != nil {
		r.Errors = append(r.Errors, s.failure)
	}
}

func (h *HybridPolicy) tellRetryScheduled(s *Session, wait time.Duration) {
	if h.listener != nil {
		h.listener.On(s.Context, RetryScheduled{h.ref, s.Attempt() + 1, wait, s.failure, s.id()})
	}
}

func (h *HybridPolicy) tellSucceeded(s *Session) {
	if h.listener != nil {
		h.listener.On(s.Context, Succeeded{h.ref, s.Attempt(), s.Elapsed(), s.id()})
	}
	s.reportEnd(EndSucceeded)
}

func (h *HybridPolicy) tellFailed(s *Session) {
	if h.listener != nil {
		h.listener.On(s.Context, Failed{h.ref, s.Attempt(), s.Elapsed(), s.failure, s.state == stateCanceled, s.id()})
	}
	if s.state == stateCanceled {
		s.reportEnd(EndCanceled)
	} else {
		s.reportEnd(EndFailed)
	}
}

func (h *HybridPolicy) tellExhausted(s *Session) {
	if h.listener != nil {
		h.listener.On(s.Context, Exhausted{h.ref, s.limit().name, s.Attempt(), s.Elapsed(), s.failure, s.reason(), s.id()})
	}
	if r := s.report(); r != nil {
		r.Limit, r.Reason = s.limit().name, s.reason()
	}
	s.reportEnd(EndExhausted)
}

// tellAborted tells of a session that is left without an end: something in it panics or exits its goroutine.
func (h *HybridPolicy) tellAborted(s *Session) {
	if s.state != stateOpen && s.state != stateAttempting {
		return
	}
	s.reportEnd(EndAborted)
	if h.listener != nil {
		h.listener.On(s.Context, Aborted{h.ref, s.Attempt(), s.Elapsed(), s.id()})
	}
}

func (s *Session) reportEnd(e Ending) {
	if r := s.report(); r != nil {
		r.Ended = e
	}
}
