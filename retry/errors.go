package retry

import (
	"errors"
	"fmt"
	"time"
)

// Why a call was rejected; matched with errors.Is.
var (
	ErrCircuitOpen = errors.New("circuit breaker is open")
	ErrTimeout     = errors.New("no time left")
)

// RejectedError is returned when a gate refused the call and there is no fallback: the method did not run. There is one
// value per method, so that refusing allocates nothing.
type RejectedError struct {
	Ref    MethodRef
	Reason error // ErrCircuitOpen, ErrTimeout, or a user's gate's own

	gate    string   // the kind of the policy that refused
	breaker *Breaker // whose time RetryAfter tells; nil for other gates
}

// Error names the method and the reason.
func (e *RejectedError) Error() string {
	if ref := e.Ref.String(); ref != "" {
		return ref + ": rejected: " + e.Reason.Error()
	}
	return "rejected: " + e.Reason.Error()
}

// Unwrap is the reason.
func (e *RejectedError) Unwrap() error { return e.Reason }

// RetryAfter is the time until the gate may admit a call again, counted from now; 0 when the gate does not know.
func (e *RejectedError) RetryAfter() time.Duration {
	if e.breaker != nil {
		return e.breaker.RetryAfter()
	}
	return retryAfter(e.Reason)
}

// ExhaustedError is returned under WrapExhausted when a limit refused another attempt and there is no fallback.
type ExhaustedError struct {
	Ref      MethodRef
	Limit    string // the kind of the policy that refused; or "deadline", "nested", "once", "beforeRetry"
	Attempts int
	Elapsed  time.Duration
	Err      error // of the last attempt; nil when its result was the reason
	Reason   error // what a policy of yours or BeforeRetry said when it refused; nil for a built-in limit
}

// Error says what refused, after how much, and the last attempt's error.
func (e *ExhaustedError) Error() string {
	ref := e.Ref.String()
	if ref != "" {
		ref += ": "
	}
	limit := e.Limit
	if e.Reason != nil {
		limit += " (" + e.Reason.Error() + ")"
	}
	s := fmt.Sprintf("%sexhausted by %s after %s in %v", ref, limit, attempts(e.Attempts), e.Elapsed)
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func attempts(n int) string {
	if n == 1 {
		return "1 attempt"
	}
	return fmt.Sprintf("%d attempts", n)
}

// Unwrap is the last attempt's error.
func (e *ExhaustedError) Unwrap() error { return e.Err }

// Is lets errors.Is find the reason as well.
func (e *ExhaustedError) Is(target error) bool { return e.Reason != nil && is(e.Reason, target) }

// PanicError is the throwable that a panic becomes under RetryPanics.
type PanicError struct {
	Value any    // what was given to panic
	Stack []byte // as debug.Stack tells it, from the panicking attempt
}

// Error says what was given to panic.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap is what was given to panic, when that was an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// interruptedError is the error of a session that its context ended, or whose context's deadline is too near for the
// next wait. It matches the context's error, its cause, and the last failure.
type interruptedError struct {
	ref   MethodRef
	what  string // what the context did to the session
	tree  []error
	cause error // nil when it is the context's error itself
	last  error // at the end of the tree, unless it is nil
}

func (e *interruptedError) Error() string {
	s := e.what
	if ref := e.ref.String(); ref != "" {
		s = ref + ": " + s
	}
	if e.cause != nil {
		s += " (" + e.cause.Error() + ")"
	}
	if e.last != nil {
		s += ", last failure: " + e.last.Error()
	}
	return s
}

func (e *interruptedError) Unwrap() []error { return e.tree }

// withLast is e with another last failure.
func (e *interruptedError) withLast(last error) *interruptedError {
	n := *e
	n.last = last
	n.tree = append(e.tree[:len(e.tree)-1:len(e.tree)-1], last)
	return &n
}

// fallbackError is the error of a fallback that failed. It matches the fallback's error and the cause for which it ran.
type fallbackError struct{ err, cause error }

func (e *fallbackError) Error() string {
	return fmt.Sprintf("fallback: %v (it ran because of: %v)", e.err, e.cause)
}

func (e *fallbackError) Unwrap() []error { return []error{e.err, e.cause} }
