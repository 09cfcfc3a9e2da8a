package retry

import "time"

// What happened is told to the call's report and to the listener, in one place each, so that they cannot disagree. The
// listener comes last: it may panic.

func (h *HybridPolicy) tellAttemptFailed(s *Session, final bool) {
	if r := s.report(); r != nil {
		r.Errors = append(r.Errors, s.failure)
	}
	if h.listener != nil {
		h.listener.On(s.Context, AttemptFailed{h.ref, s.Attempt(), s.failure, final, s.id()})
	}
}

func (h *HybridPolicy) tellRetryScheduled(s *Session, wait time.Duration) {
	if h.listener != nil {
		h.listener.On(s.Context, RetryScheduled{h.ref, s.Attempt() + 1, wait, s.failure, s.id()})
	}
}

func (h *HybridPolicy) tellSucceeded(s *Session) {
	s.reportEnd(EndSucceeded)
	if h.listener != nil {
		h.listener.On(s.Context, Succeeded{h.ref, s.Attempt(), s.Elapsed(), s.id()})
	}
}

func (h *HybridPolicy) tellFailed(s *Session) {
	canceled := s.state == stateCanceled
	if canceled {
		s.reportEnd(EndCanceled)
	} else {
		s.reportEnd(EndFailed)
	}
	if h.listener != nil {
		h.listener.On(s.Context, Failed{h.ref, s.Attempt(), s.Elapsed(), s.failure, canceled, s.id()})
	}
}

func (h *HybridPolicy) tellExhausted(s *Session) {
	if r := s.report(); r != nil {
		r.Limit, r.Reason = s.limit().name, s.reason()
	}
	s.reportEnd(EndExhausted)
	if h.listener != nil {
		h.listener.On(s.Context, Exhausted{h.ref, s.limit().name, s.Attempt(), s.Elapsed(), s.failure, s.reason(), s.id()})
	}
}

// tellAborted tells of a session that is left without an end: something in it panics or exits its goroutine.
func (h *HybridPolicy) tellAborted(s *Session) {
	switch s.state {
	case stateOpen, stateAttempting, stateUnpaid:
	default:
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

// each calls f with all of several, also when it panics or exits its goroutine for one.
func each[T any](all []T, f func(T)) {
	done := 0
	defer func() {
		if done < len(all) {
			each(all[done+1:], f)
		}
	}()
	for ; done < len(all); done++ {
		f(all[done])
	}
}
