package retry

import (
	"context"
	"reflect"
	"sync/atomic"
	"time"
)

// Session is one protected call, as policies, predicates and hooks see it. It is also the context of its attempts: it
// embeds the caller's and adds itself as a value, nothing else, so that contexts made from it are as cheap as those made
// from the caller's. What is read from it holds until the next attempt begins; code that outlives an attempt copies what
// it needs.
//
// The zero value is what [HybridPolicy.Run] takes; a session is used once and never pooled, since contexts outlive calls.
type Session struct {
	context.Context // the caller's

	plan     *HybridPolicy
	call     Call
	failure  error
	more     atomic.Pointer[extension] // what few sessions need
	started  int64
	retries  atomic.Int32 // begun; those who have the session as a context ask at any time
	fixed    fixed
	state    sessionState
	panicked bool // failure is a panic that this session has caught

	refusedBy uint8 // number of the limit, when exhausted
}

// sessionState is what has become of a session.
type sessionState uint8

const (
	stateOpen       sessionState = iota
	stateAttempting              // an attempt is under way
	stateSucceeded               // an outcome that nobody wants repeated, without an error
	stateFailed                  // an error that is not worth a retry
	stateVetoed                  // worth a retry, but OnlyIf forbade it
	stateExhausted               // worth a retry, but a limit refused
	stateUnpaid                  // about to be exhausted: a budget has refused, and who listens is being told
	stateCanceled                // the context ended it
)

// fixed is what is settled about a session before anybody has it as a context, so that all may read it.
type fixed uint8

const (
	begun  fixed = 1 << iota // its first attempt has begun
	single                   // it makes one attempt
)

// limit is what may refuse another attempt.
type limit struct {
	name string // the kind of the policy, or one of the names below

	// ofLayer says that a refusal, even of the first retry, means that the layers above must not retry either.
	ofLayer bool

	number uint8 // among those of its plan: a session remembers it by that
}

// The limits that are no policies. They come first among those of each plan.
var (
	limitDeadline    = &limit{"deadline", true, 0}
	limitNested      = &limit{"nested", true, 1}
	limitOnce        = &limit{"once", true, 2}
	limitBeforeRetry = &limit{"beforeRetry", false, 3}

	noPolicies = []*limit{limitDeadline, limitNested, limitOnce, limitBeforeRetry}
)

// limit is what refused, when the session is exhausted.
func (s *Session) limit() *limit { return s.plan.limits[s.refusedBy] }

// Call is what a session knows of the call that it protects: its arguments and its results. Weavers implement it.
type Call interface {
	// Arg is the i-th argument, boxed; nil when there is none.
	Arg(i int) any
	// Result is the i-th result of the last attempt, boxed; nil when there is none.
	Result(i int) any
	// Judged is a pointer to the result by which falsiness is judged: a trailing bool, else the first result that is
	// not the error; nil when the method has none.
	Judged() any
	// Clear forgets the results: the call returns an error of the session's own, which goes with none.
	Clear()
}

// Value finds the session, and what the caller's context holds.
func (s *Session) Value(key any) any {
	if key == scopeKey {
		return s
	}
	return s.Context.Value(key)
}

// Ref names the method.
func (s *Session) Ref() MethodRef { return s.plan.ref }

// id is the session's number: its address, which costs nothing, since sessions that listeners are told of are on the heap.
func (s *Session) id() SessionID { return SessionID(reflect.ValueOf(s).Pointer()) }

// Settings are those that the session began with. They are shared and must not be changed.
func (s *Session) Settings() *Settings { return &s.plan.settings }

// Call is the protected call, of the type that runs the session: a weaver finds its own frame here.
func (s *Session) Call() Call { return s.call }

// Attempt is the number of the current attempt, counted from 1; 0 before the first.
func (s *Session) Attempt() int {
	if s.fixed&begun == 0 {
		return 0
	}
	return int(s.retries.Load()) + 1
}

// Elapsed is the time since the session began.
func (s *Session) Elapsed() time.Duration { return since(s.started) }

// LastWait is the wait before the current attempt.
func (s *Session) LastWait() time.Duration {
	if x := s.more.Load(); x != nil {
		return x.lastWait
	}
	return 0
}

// waited remembers the wait before the next attempt.
func (s *Session) waited(wait time.Duration) {
	if x := s.more.Load(); x != nil {
		x.lastWait = wait
	} else if wait > 0 {
		s.extend().lastWait = wait
	}
}

// Failure is the error of the last finished attempt, nil when it returned none. Under RetryPanics a panic is a
// *PanicError.
func (s *Session) Failure() error { return s.failure }

// Arg is the i-th argument of the call, the context included; nil in a chain.
func (s *Session) Arg(i int) any { return s.call.Arg(i) }

// Result is the i-th result of the last finished attempt.
func (s *Session) Result(i int) any { return s.call.Result(i) }

// extension holds what a session needs when it is nested, reported, keyed, has waited, or itself has sessions inside.
type extension struct {
	ledger
	scope
	lastWait time.Duration
	key      atomic.Pointer[string] // made on demand
	report   *Report                // claimed by this session, or a child of the outer one's
	reason   error                  // what a user's policy or BeforeRetry said when it refused
}

// extend returns the session's extension and makes it if there is none. Sessions inside may call it at the same time.
func (s *Session) extend() *extension {
	if x := s.more.Load(); x != nil {
		return x
	}
	s.more.CompareAndSwap(nil, new(extension))
	return s.more.Load()
}

// outer is the session around this one, or nil.
func (s *Session) outer() *Session {
	if x := s.more.Load(); x != nil {
		return x.scope.outer
	}
	return nil
}

// once reports whether Once or AttemptOnce forbids retries here.
func (s *Session) once() bool {
	if s.fixed&single != 0 {
		return true
	}
	x := s.more.Load()
	return x != nil && x.scope.once
}

// AttemptOnce lets the session make one attempt, whatever its policies say, since what it sends cannot be sent again.
// Unlike [Once] it says nothing to the sessions inside. It has to be called before Run.
func (s *Session) AttemptOnce() { s.fixed |= single }

// reason is what a user's policy or BeforeRetry said when it refused.
func (s *Session) reason() error {
	if x := s.more.Load(); x != nil {
		return x.reason
	}
	return nil
}

// since is the time since a reading of now, not below zero should the clock have gone back.
func since(t int64) time.Duration { return max(time.Duration(between(t, now())), 0) }
