package retry

import (
	"context"
	"time"
)

// Policy is one part of what a session does. Besides its kind it implements at least one of [Gate], [Starter], [Judge],
// [Limiter], [Waiter], [Taker] and [Ender]; a policy of no phase is a definition error. One value serves all sessions
// of a method, so it must be safe for concurrent use.
type Policy interface {
	// Kind names the policy in events, reports and errors, in lower camel case: "maxAttempts".
	Kind() string
}

// Gate is asked before there is a session, in list order. An error rejects the call: no attempt is made.
type Gate interface {
	// Enter admits the call and may return a ticket of its own choosing.
	Enter(ctx context.Context) (ticket uint64, err error)
	// Leave gives the ticket back, once, when the session has ended, however it ended; s is nil when a later gate
	// rejected the call.
	Leave(ticket uint64, s *Session)
}

// Starter is told that a session begins: all gates have admitted the call.
type Starter interface{ Start(s *Session) }

// Judge classifies the outcome of an attempt; [Session.Failure] and [Session.Result] tell it. The largest verdict of all
// policies holds. In a list without a judge every error is worth a retry and no result is.
type Judge interface{ Judge(s *Session) Verdict }

// Limiter is asked, in list order, whether a retriable outcome may be retried. An error refuses: the session is
// exhausted, and the policy's kind is its limit.
type Limiter interface{ Limit(s *Session) error }

// Waiter proposes how long to wait before the next attempt. The largest proposal holds; below zero is zero.
type Waiter interface {
	Wait(s *Session) time.Duration
}

// Taker pays for a retry that is about to start. Takers are asked in list order, when all limits have agreed and the
// wait is known.
type Taker interface {
	// Take pays, or refuses by an error: the session is exhausted, and the policy's kind is its limit.
	Take(s *Session) error
	// GiveBack undoes Take when the retry does not start after all: a later taker refused, or the wait ended early.
	GiveBack(s *Session)
}

// Ender is told that a session has ended, however it ended: in success, refused, by a panic, by runtime.Goexit. All
// enders are told, also after one of them has panicked.
type Ender interface{ End(s *Session) }

// Verdict is what a [Judge] says of an outcome. The zero value is Abstain.
type Verdict int

// The verdicts, from the weakest to the strongest.
const (
	Abstain Verdict = iota // no opinion
	Again                  // worth a retry
	Never                  // must not be retried
)

// String is the verdict in lower case.
func (v Verdict) String() string {
	switch v {
	case Again:
		return "again"
	case Never:
		return "never"
	}
	return "abstain"
}

// phases names what a policy of the given value may implement, for messages.
const phases = "retry.Gate, retry.Starter, retry.Judge, retry.Limiter, retry.Waiter, retry.Taker or retry.Ender"

// hasPhase reports whether v implements one phase or more.
func hasPhase(v any) bool {
	switch v.(type) {
	case Gate, Starter, Judge, Limiter, Waiter, Taker, Ender:
		return true
	}
	return false
}

// checker is a policy that can say what is wrong with its own settings: each "problem; remedy".
type checker interface{ check() []string }
