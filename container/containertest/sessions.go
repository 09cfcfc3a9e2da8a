package containertest

import (
	"bytes"
	"context"
	"runtime"

	"github.com/backstay/backstay/retry"
)

// sessions makes sessions of events. Events do not say which session they are of, and several of one method run at once, with
// one context too; but each is told in the goroutine of its call, where the sessions of one method come one after the other or
// inside each other.
type sessions struct {
	open  map[thread][]*session // those that are told of and not at their end, the innermost last
	ended []*session            // in order
}

// thread is the sessions of one method in one goroutine.
type thread struct {
	ref       retry.MethodRef
	goroutine string
}

// session is one that has been told of.
type session struct {
	Session
	thread thread
}

// on adds what an event tells.
func (s *sessions) on(ctx context.Context, e retry.Event) {
	at := thread{ref: e.Ref(), goroutine: goroutine()}
	switch e := e.(type) {
	case retry.AttemptFailed:
		s.current(at, e.Attempt == 1).Attempts = e.Attempt
	case retry.RetryScheduled:
		of := s.current(at, false)
		of.Waits = append(of.Waits, e.Wait)
	case retry.Succeeded:
		s.end(at, e.Attempts == 1, retry.EndSucceeded, nil).Attempts = e.Attempts
	case retry.Failed:
		how := retry.EndFailed
		if ctx.Err() != nil {
			how = retry.EndCanceled
		}
		s.end(at, e.Attempts == 0, how, e.Err).Attempts = e.Attempts
	case retry.Exhausted:
		of := s.end(at, e.Attempts == 0, retry.EndExhausted, e.Err)
		of.Attempts, of.Limit = e.Attempts, e.Limit
	case retry.Rejected:
		s.end(at, true, retry.EndRejected, e.Reason)
	case retry.FallbackSucceeded:
		s.fellBack(at, nil)
	case retry.FallbackFailed:
		s.fellBack(at, e.Err)
	}
}

// current is the session that an event is of: a new one if that is the first that is told of it. One that a panic has ended
// stays below for ever, and is in nobody's way: what comes after it in the goroutine begins with its own first event.
func (s *sessions) current(at thread, first bool) *session {
	if all := s.open[at]; len(all) > 0 && !first {
		return all[len(all)-1]
	}
	of := &session{thread: at}
	of.Ref = at.ref
	if s.open == nil {
		s.open = map[thread][]*session{}
	}
	s.open[at] = append(s.open[at], of)
	return of
}

// end ends the session that an event is of.
func (s *sessions) end(at thread, first bool, how retry.Ending, err error) *session {
	of := s.current(at, first)
	of.End, of.Err = how, err
	if all := s.open[at]; len(all) > 1 {
		s.open[at] = all[:len(all)-1]
	} else {
		delete(s.open, at)
	}
	s.ended = append(s.ended, of)
	return of
}

// fellBack adds a fallback to the session that it was for. Sessions inside the fallback have ended later, and have had their own.
func (s *sessions) fellBack(at thread, err error) {
	for i := len(s.ended) - 1; i >= 0; i-- {
		of := s.ended[i]
		if of.thread == at && !of.Fallback && (of.End == retry.EndExhausted || of.End == retry.EndRejected) {
			of.Fallback, of.FallbackErr = true, err
			return
		}
	}
}

// goroutine is the number of the calling goroutine, from the first line of its stack: "goroutine 12 [running]:".
func goroutine() string {
	var buf [40]byte
	line := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	number, _, _ := bytes.Cut(line, []byte(" "))
	return string(number)
}
