package backstayotel

import (
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/backstay/backstay/retry"
)

// The attributes that spans and their events have beside those of metrics.
const (
	attemptKey   = "backstay.attempt"
	attemptsKey  = "backstay.attempts"
	waitKey      = "backstay.wait.duration"
	errorTypeKey = "error.type"
)

// The events of a session's span.
const (
	waitEvent     = "backstay.wait"
	resultEvent   = "backstay.attempt.failed"
	refusedEvent  = "backstay.refused"
	fallbackEvent = "backstay.fallback"
)

// on writes what e tells to the span.
func (s *session) on(e retry.Event) {
	if s.only && !s.isOf(e) {
		return
	}
	switch e := e.(type) {
	case retry.AttemptFailed:
		if e.Err == nil { // else the attempt's own span tells
			s.event(resultEvent, attribute.Int(attemptKey, e.Attempt))
		}
	case retry.RetryScheduled:
		if e.Wait > 0 {
			s.event(waitEvent, attribute.Float64(waitKey, e.Wait.Seconds()), attribute.Int(attemptKey, e.Attempt))
		}
	case retry.BudgetRefused: // the refusal itself is told by Exhausted
		if e.Budget != "" {
			s.span.SetAttributes(attribute.String(budgetKey, valid(e.Budget)))
		}
	case retry.Succeeded:
		s.ended(succeeded, e.Attempts)
	case retry.Failed:
		if e.Canceled {
			s.ended(canceled, e.Attempts)
		} else {
			s.ended(failed, e.Attempts)
		}
	case retry.Aborted:
		s.ended(aborted, e.Attempts)
	case retry.Exhausted:
		s.ended(exhausted, e.Attempts)
		s.refused(e.Limit, refusedRetry)
	case retry.Rejected:
		s.ended(rejected, 0)
		s.refused(e.Gate, refusedCall)
	case retry.FallbackSucceeded:
		s.event(fallbackEvent, attribute.String(resultKey, succeeded.String()))
	case retry.FallbackFailed:
		s.event(fallbackEvent, attribute.String(resultKey, failed.String()), attribute.String(errorTypeKey, errorType(e.Err)))
	}
}

func (s *session) event(name string, attributes ...attribute.KeyValue) {
	s.span.AddEvent(name, trace.WithAttributes(attributes...))
}

func (s *session) ended(r result, attempts int) {
	s.span.SetAttributes(attribute.String(resultKey, r.String()), attribute.Int(attemptsKey, attempts))
}

// refused tells what was refused, a call or a retry, and by which limit.
func (s *session) refused(limit, what string) {
	limit = valid(limit)
	s.span.SetAttributes(attribute.String(limitKey, limit))
	s.event(refusedEvent, attribute.String(limitKey, limit), attribute.String(refusedKey, what))
}

// isOf reports whether e is of the session that was the first to tell. What a fallback calls finds the span too, and two
// chains without a name look alike.
func (s *session) isOf(e retry.Event) bool {
	id := uintptr(sessionID(e))
	return s.told.CompareAndSwap(0, id) || s.told.Load() == id
}

// sessionID is the number of the session that e is of.
func sessionID(e retry.Event) retry.SessionID {
	switch e := e.(type) {
	case retry.AttemptFailed:
		return e.Session
	case retry.RetryScheduled:
		return e.Session
	case retry.BudgetRefused:
		return e.Session
	case retry.Succeeded:
		return e.Session
	case retry.Failed:
		return e.Session
	case retry.Aborted:
		return e.Session
	case retry.Exhausted:
		return e.Session
	case retry.Rejected:
		return e.Session
	case retry.FallbackSucceeded:
		return e.Session
	case retry.FallbackFailed:
		return e.Session
	}
	return 0
}
