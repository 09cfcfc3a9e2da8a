package dashboard

import (
	"slices"
	"time"
)

// outcome is how a session or a fallback ended.
type outcome string

const (
	succeeded outcome = "succeeded"
	failed    outcome = "failed"
	canceled  outcome = "canceled"
	exhausted outcome = "exhausted"
	rejected  outcome = "rejected"
	aborted   outcome = "aborted"
)

// Of a long session the first and the last attempts are kept, and as many waits.
const (
	firstSteps = 8
	lastSteps  = 4
)

// session is the timeline of one. Times are in Unix nanoseconds.
type session struct {
	attempts []attempt
	waits    []wait
	resumes  int64 // when the attempt that is under way began; 0 where that is the first one

	// What the end tells.
	ended       int64
	elapsed     time.Duration
	end         outcome
	limit       string
	limitNumber int
	fallback    outcome // empty where there is none, or none yet
	err         string
	made        int // attempts, those that are not kept included
}

type attempt struct {
	from, to int64 // from 0: since the session began
	err      string
}

type wait struct {
	from int64
	long time.Duration
}

// attemptFailed adds an attempt that is over.
func (s *session) attemptFailed(now int64, text string) {
	s.attempts = addStep(s.attempts, attempt{s.resumes, now, text})
	s.resumes, s.err = now, text
	s.made++
}

// retryScheduled adds a wait that begins, unless there is none to speak of.
func (s *session) retryScheduled(now int64, long time.Duration) {
	if long > 0 {
		s.waits = addStep(s.waits, wait{now, long})
	}
	s.resumes = now + int64(max(long, 0))
}

// lastAttempt adds the attempt that ended the session, where nobody has told of it, and reports whether there was one. Of a
// session of which attempts are missing it is not known when that began.
func (s *session) lastAttempt(attempts int, text string) bool {
	if attempts != s.made+1 {
		return false
	}
	s.attempts = addStep(s.attempts, attempt{s.resumes, s.ended, text})
	s.err = text
	return true
}

// close completes the timeline, once the end is known.
func (s *session) close(attempts int) {
	s.made = attempts
	if n := len(s.waits); n > 0 { // the last one may have been cut short
		last := &s.waits[n-1]
		last.long = min(last.long, time.Duration(s.ended-last.from))
	}
}

// began is when a session that has ended began.
func (s *session) began() int64 { return s.ended - int64(s.elapsed) }

// addStep adds to the end, and drops one from the middle where there are too many.
func addStep[S any](all []S, s S) []S {
	if len(all) == firstSteps+lastSteps {
		all = slices.Delete(all, firstSteps, firstSteps+1)
	}
	return append(all, s)
}
