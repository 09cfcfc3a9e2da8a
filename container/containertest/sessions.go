package containertest

import "github.com/backstay/backstay/retry"

// sessions makes sessions of events.
type sessions struct {
	open  map[retry.SessionID]*session // those that are told of and not at their end
	ended []*session                   // in order
}

// session is one that has been told of.
type session struct {
	Session
	id retry.SessionID
}

// on adds what an event tells.
func (s *sessions) on(e retry.Event) {
	ref := e.Ref()
	switch e := e.(type) {
	case retry.AttemptFailed:
		s.of(ref, e.Session).Attempts = e.Attempt
	case retry.RetryScheduled:
		of := s.of(ref, e.Session)
		of.Waits = append(of.Waits, e.Wait)
	case retry.Succeeded:
		s.end(ref, e.Session, retry.EndSucceeded, nil).Attempts = e.Attempts
	case retry.Failed:
		how := retry.EndFailed
		if e.Canceled {
			how = retry.EndCanceled
		}
		s.end(ref, e.Session, how, e.Err).Attempts = e.Attempts
	case retry.Exhausted:
		of := s.end(ref, e.Session, retry.EndExhausted, e.Err)
		of.Attempts, of.Limit = e.Attempts, e.Limit
	case retry.Rejected:
		s.end(ref, e.Session, retry.EndRejected, e.Reason)
	case retry.Aborted:
		s.end(ref, e.Session, retry.EndAborted, nil).Attempts = e.Attempts
	case retry.FallbackSucceeded:
		s.fellBack(e.Session, nil)
	case retry.FallbackFailed:
		s.fellBack(e.Session, e.Err)
	}
}

// of is the session of a number: a new one if this is the first that is told of it.
func (s *sessions) of(ref retry.MethodRef, id retry.SessionID) *session {
	of := s.open[id]
	if of == nil {
		of = &session{id: id}
		of.Ref = ref
		if s.open == nil {
			s.open = map[retry.SessionID]*session{}
		}
		s.open[id] = of
	}
	return of
}

// end ends a session.
func (s *sessions) end(ref retry.MethodRef, id retry.SessionID, how retry.Ending, err error) *session {
	of := s.of(ref, id)
	of.End, of.Err = how, err
	delete(s.open, id)
	s.ended = append(s.ended, of)
	return of
}

// fellBack adds a fallback to the session that it was for: the last one that ended with this number.
func (s *sessions) fellBack(id retry.SessionID, err error) {
	for i := len(s.ended) - 1; i >= 0; i-- {
		if of := s.ended[i]; of.id == id {
			of.Fallback, of.FallbackErr = true, err
			return
		}
	}
}
