package retry

import (
	"context"
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
type Event interface {
	// Ref names the method that the event is about.
	Ref() MethodRef
	event()
}

// listeners tells several.
type listeners []Listener

func (ls listeners) On(ctx context.Context, e Event) {
	for _, l := range ls {
		l.On(ctx, e)
	}
}

// Listeners returns a listener that tells each of ls, in order; nil when there is none. One that is nil is nobody.
func Listeners(ls ...Listener) Listener {
	var all listeners
	for _, l := range ls {
		if several, ok := l.(listeners); ok {
			all = append(all, several...)
		} else if l != nil {
			all = append(all, l)
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

// The events of a session, in the order in which they may come, and those of breakers and budgets.
type (
	// AttemptFailed tells of an attempt that was not a success.
	AttemptFailed struct {
		MethodRef
		Attempt int
		Err     error // nil when the result was the reason
	}
	// RetryScheduled tells that another attempt will be made.
	RetryScheduled struct {
		MethodRef
		Attempt int // the one to come
		Wait    time.Duration
		Err     error // why; nil when the result was the reason
	}
	// Succeeded tells of a session that ended in success.
	Succeeded struct {
		MethodRef
		Attempts int
		Elapsed  time.Duration
	}
	// Failed tells of a session that ended in a failure that was not worth a retry, or that its context ended.
	Failed struct {
		MethodRef
		Attempts int
		Elapsed  time.Duration
		Err      error
	}
	// Exhausted tells of a session that wanted to go on and that a limit ended.
	Exhausted struct {
		MethodRef
		Limit    string // as in ExhaustedError
		Attempts int
		Elapsed  time.Duration
		Err      error // of the last attempt; nil when its result was the reason
		Reason   error // as in ExhaustedError
	}
	// Rejected tells of a call that a gate refused.
	Rejected struct {
		MethodRef
		Reason error
	}
	// FallbackSucceeded tells of a fallback that returned no error.
	FallbackSucceeded struct {
		MethodRef
		Cause error
	}
	// FallbackFailed tells of a fallback that returned one.
	FallbackFailed struct {
		MethodRef
		Cause, Err error
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
		Budget string // its shared name, if it has one
	}
)

func (AttemptFailed) event()     {}
func (RetryScheduled) event()    {}
func (Succeeded) event()         {}
func (Failed) event()            {}
func (Exhausted) event()         {}
func (Rejected) event()          {}
func (FallbackSucceeded) event() {}
func (FallbackFailed) event()    {}
func (BreakerChanged) event()    {}
func (BudgetRefused) event()     {}
