package retry

import "time"

// What happened is told to the listener and to the call's report, in one place each, so that they cannot disagree.

func (h *HybridPolicy) tellAttemptFailed(s *Session) {
	if h.listener != nil {
		h.listener.On(s.Context, AttemptFailed{h.ref, s.Attempt(), s.failure})
	}
	if r := s.report(); r != nil {
		r.Errors = append(r.Errors, s.failure)
	}
}

func (h *HybridPolicy) tellRetryScheduled(s *Session, wait time.Duration) {
	if h.listener != nil {
		h.listener.On(s.Context, RetryScheduled{h.ref, s.Attempt() + 1, wait, s.failure})
	}
}

func (h *HybridPolicy) tellSucceeded(s *Session) {
	if h.listener != nil {
		h.listener.On(s.Context, Succeeded{h.ref, s.Attempt(), s.Elapsed()})
	}
	s.reportEnd(EndSucceeded)
}

func (h *HybridPolicy) tellFailed(s *Session) {
	if h.listener != nil {
		h.listener.On(s.Context, Failed{h.ref, s.Attempt(), s.Elapsed(), s.failure})
	}
	if s.state == stateCanceled {
		s.reportEnd(EndCanceled)
	} else {
		s.reportEnd(EndFailed)
	}
}

func (h *HybridPolicy) tellExhausted(s *Session) {
	if h.listener != nil {
		h.listener.On(s.Context, Exhausted{h.ref, s.limit().name, s.Attempt(), s.Elapsed(), s.failure, s.reason()})
	}
	if r := s.report(); r != nil {
		r.Limit, r.Reason = s.limit().name, s.reason()
	}
	s.reportEnd(EndExhausted)
}

func (s *Session) reportEnd(e Ending) {
	if r := s.report(); r != nil {
		r.Ended = e
	}
}
