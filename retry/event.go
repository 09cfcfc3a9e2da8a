package retry

import (
	"context"
	"reflect"
	"slices"
	"time"
)

// Listener is told what happens in sessions, in the goroutine of the call. It must be quick and safe for concurrent use.
// Where there is no listener, nothing is paid for events.
type Listener interface {
	On(ctx context.Context, e Event)
}

// ListenerFunc is a func that listens.
type ListenerFunc func(ctx context.Context, e Event)

// On calls f.
func (f ListenerFunc) On(ctx context.Context, e Event) { f(ctx, e) }

// Event is one of the types below. More may be added: a type switch needs no default.
//
// Of a session come, for each attempt that has returned and was no success, an [AttemptFailed], and a [RetryScheduled] if
// another follows; at its end exactly one of [Succeeded], [Failed], [Exhausted], [Rejected] and [Aborted]; and if a fallback has
// run and returned, a [FallbackSucceeded] or [FallbackFailed]. A session that succeeds at once is told of by one event.
type Event interface {
	// Ref names the method that the event is about.
	Ref() MethodRef
	event()
}

// SessionID tells the sessions that are under way apart, so that a listener can put the events of one together: those of one
// method may run at the same time, under one context. When a session and its fallback have ended, another may get its number.
// Zero is no session's.
type SessionID uintptr

// listeners tells several.
type listeners []Listener

// On tells all of them, also when one panics: who has heard of a session waits for its end.
func (ls listeners) On(ctx context.Context, e Event) {
	each(ls, func(l Listener) { l.On(ctx, e) })
}

// Listeners returns a listener that tells each of ls, in order; nil when there is none. One that is nil is nobody, and one
// that is there twice is told once, where that can be seen: funcs cannot be compared.
func Listeners(ls ...Listener) Listener {
	var all listeners
	for _, l := range ls {
		if several, ok := l.(listeners); ok {
			for _, l := range several {
				all = all.with(l)
			}
		} else if l != nil {
			all = all.with(l)
		}
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return all
}

// with adds a listener that is not among them.
func (ls listeners) with(l Listener) listeners {
	if reflect.ValueOf(l).Comparable() && slices.ContainsFunc(ls, func(other Listener) bool {
		return reflect.ValueOf(other).Comparable() && other == l
	}) {
		return ls
	}
	return append(ls, l)
}

// The events of a session, in the order in which they may come, and those of breakers and budgets.
type (
	// AttemptFailed tells of an attempt that was not a success.
	AttemptFailed struct {
		MethodRef
		Attempt int
		Err     error // nil when the result was the reason
		Final   bool  // not worth a retry, whatever limits say: the peer's answer rather than its failure
		Session SessionID
	}
	// RetryScheduled tells that another attempt will be made.
	RetryScheduled struct {
		MethodRef
		Attempt int // the one to come
		Wait    time.Duration
		Err     error // why; nil when the result was the reason
		Session SessionID
	}
	// Succeeded tells of a session that ended in success.
	Succeeded struct {
		MethodRef
		Attempts int
		Elapsed  time.Duration
		Session  SessionID
	}
	// Failed tells of a session that ended in a failure that was not worth a retry, or that its context ended.
	Failed struct {
		MethodRef
		Attempts int
		Elapsed  time.Duration
		Err      error // of the last attempt; nil when it made none, or its result was the reason
		Canceled bool  // its context ended it
		Session  SessionID
	}
	// Exhausted tells of a session that wanted to go on and that a limit ended.
	Exhausted struct {
		MethodRef
		Limit    string // as in ExhaustedError
		Attempts int
		Elapsed  time.Duration
		Err      error // of the last attempt; nil when its result was the reason
		Reason   error // as in ExhaustedError
		Session  SessionID
	}
	// Rejected tells of a call that a gate refused.
	Rejected struct {
		MethodRef
		Reason  error
		Gate    string    // the kind of the policy that refused
		Session SessionID // zero where no fallback follows
	}
	// Aborted tells of a session that a panic or runtime.Goexit ended: of an attempt, of a hook, or of a listener before the
	// end.
	Aborted struct {
		MethodRef
		Attempts int
		Elapsed  time.Duration
		Session  SessionID
	}
	// FallbackSucceeded tells of a fallback that returned no error.
	FallbackSucceeded struct {
		MethodRef
		Cause   error
		Session SessionID
	}
	// FallbackFailed tells of a fallback that returned one.
	FallbackFailed struct {
		MethodRef
		Cause, Err error
		Session    SessionID
	}
	// BreakerChanged tells of a breaker's new state. It comes when the breaker has changed and is told outside the
	// breaker's lock, so a listener may read the breaker; its context is not that of a call.
	BreakerChanged struct {
		MethodRef
		Breaker  *Breaker
		From, To BreakerState
	}
	// BudgetRefused tells of a retry that a budget did not pay for.
	BudgetRefused struct {
		MethodRef
		Budget  string // its shared name, if it has one
		Session SessionID
	}
)

func (AttemptFailed) event()     {}
func (RetryScheduled) event()    {}
func (Succeeded) event()         {}
func (Failed) event()            {}
func (Exhausted) event()         {}
func (Rejected) event()          {}
func (Aborted) event()           {}
func (FallbackSucceeded) event() {}
func (FallbackFailed) event()    {}
func (BreakerChanged) event()    {}
func (BudgetRefused) event()     {}
