package retry

import (
	"context"
	"fmt"
	"time"
)

const (
	kindTimeout        = "timeout"
	kindAttemptTimeout = "attemptTimeout"
)

// NewTimeout returns the policy that bounds a session by d: no attempt starts after it, and no wait is begun that would
// end after it. It does not interrupt an attempt; [NewAttemptTimeout] does. With no time at all, zero, every call is
// rejected with ErrTimeout. Below zero, and above zero and below a microsecond, it is a definition error.
func NewTimeout(d time.Duration) Policy { return &timeout{d} }

type timeout struct{ d time.Duration }

func (*timeout) Kind() string { return kindTimeout }

// Enter rejects: a timeout is a gate only when there is no time.
func (*timeout) Enter(context.Context) (uint64, error) { return 0, ErrTimeout }
func (*timeout) Leave(uint64, *Session)                {}

func (p *timeout) Limit(s *Session) error {
	if s.Elapsed() >= p.d {
		return ErrTimeout
	}
	return nil
}

func (p *timeout) check() []string { return checkDuration(kindTimeout, p.d, true) }

// NewAttemptTimeout returns the policy that bounds each attempt by d, through a context of the attempt's own that ends
// with context.DeadlineExceeded. The attempt has to heed its context; none is abandoned. Once it has finished, the context
// follows the caller's alone, for as long as somebody holds it, or a func of context.AfterFunc or a context made from it
// waits for its end: a body that the attempt returned can be read. It must be a microsecond or more, else it is a
// definition error.
func NewAttemptTimeout(d time.Duration) Policy { return &attemptTimeout{d} }

type attemptTimeout struct{ d time.Duration }

func (*attemptTimeout) Kind() string { return kindAttemptTimeout }

func (p *attemptTimeout) check() []string { return checkDuration(kindAttemptTimeout, p.d, false) }

// checkDuration says what is wrong with a wait or timeout, if anything is.
func checkDuration(what string, d time.Duration, zero bool) []string {
	switch {
	case d < 0 && !zero:
		return []string{fmt.Sprintf("%s is %v; write how long it may take, or leave it out", what, d)}
	case d < 0:
		return []string{fmt.Sprintf("%s is %v; write a duration that is not below zero", what, d)}
	case d == 0 && !zero:
		return []string{fmt.Sprintf("%s is 0; write how long it may take, or leave it out", what)}
	case subMicrosecond(d):
		return []string{fmt.Sprintf("%s is %d, which is %v; write %d*time.Millisecond", what, int64(d), d, int64(d))}
	}
	return nil
}
