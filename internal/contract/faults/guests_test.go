package faults_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/backstay/backstay/retry"
)

// The error of the peer. All that a session may ask of an error strikes. It is not worth a retry by itself.
type sour struct{ r *rig }

func (*sour) Error() string { return "sour" }

func (e *sour) Retryable() bool {
	e.r.strike("error.Retryable")
	return false
}

func (e *sour) RetryAfter() time.Duration {
	e.r.strike("error.RetryAfter")
	return time.Millisecond
}

func (e *sour) Is(error) bool {
	e.r.strike("error.Is")
	return false
}

func (e *sour) As(any) bool {
	e.r.strike("error.As")
	return false
}

func (e *sour) Unwrap() error {
	e.r.strike("error.Unwrap")
	return nil
}

// receipt is the result. It says itself whether it is falsy.
type receipt struct {
	r  *rig
	no int
}

func (x receipt) Falsy() bool {
	if x.r != nil {
		x.r.strike("result.Falsy")
	}
	return x.no < 0
}

// Guests are policies of one phase each.
type (
	outerGate struct{ r *rig }
	innerGate struct{ r *rig }
	starter   struct{ r *rig }
	judge     struct{ r *rig }
	limiter   struct{ r *rig }
	waiter    struct{ r *rig }
	taker     struct{ r *rig }
	lastTaker struct{ r *rig }
	ender     struct{ r *rig }
	lastEnder struct{ r *rig }
)

func (outerGate) Kind() string { return "outerGate" }
func (innerGate) Kind() string { return "innerGate" }
func (starter) Kind() string   { return "starter" }
func (judge) Kind() string     { return "judge" }
func (limiter) Kind() string   { return "limiter" }
func (waiter) Kind() string    { return "waiter" }
func (taker) Kind() string     { return "taker" }
func (lastTaker) Kind() string { return "lastTaker" }
func (ender) Kind() string     { return "ender" }
func (lastEnder) Kind() string { return "lastEnder" }

var errFull, errPoor = errors.New("full"), errors.New("poor")

func (g outerGate) Enter(context.Context) (uint64, error) {
	g.r.strike("outerGate.Enter")
	g.r.count(&g.r.outerIn)
	return 7, nil
}

func (g outerGate) Leave(ticket uint64, _ *retry.Session) {
	if ticket != 7 {
		panic(fmt.Sprintf("ticket %d is another's", ticket))
	}
	g.r.count(&g.r.outerOut)
	g.r.strike("outerGate.Leave")
}

func (g innerGate) Enter(context.Context) (uint64, error) {
	g.r.strike("innerGate.Enter")
	if g.r.refusesEntry {
		return 0, errFull
	}
	g.r.count(&g.r.innerIn)
	return 0, nil
}

func (g innerGate) Leave(uint64, *retry.Session) {
	g.r.count(&g.r.innerOut)
	g.r.strike("innerGate.Leave")
}

func (x starter) Start(*retry.Session) {
	x.r.count(&x.r.started)
	x.r.strike("starter.Start")
}

func (x judge) Judge(*retry.Session) retry.Verdict {
	x.r.strike("judge.Judge")
	return retry.Abstain
}

func (x limiter) Limit(*retry.Session) error {
	x.r.strike("limiter.Limit")
	return nil
}

func (x waiter) Wait(*retry.Session) time.Duration {
	x.r.strike("waiter.Wait")
	return time.Millisecond
}

func (x taker) Take(*retry.Session) error {
	x.r.strike("taker.Take")
	x.r.count(&x.r.paid)
	return nil
}

func (x taker) GiveBack(*retry.Session) {
	x.r.count(&x.r.givenBack)
	x.r.strike("taker.GiveBack")
}

func (x lastTaker) Take(*retry.Session) error {
	x.r.strike("lastTaker.Take")
	if x.r.refusesToPay {
		return errPoor
	}
	return nil
}

func (lastTaker) GiveBack(*retry.Session) {}

func (x ender) End(*retry.Session) {
	x.r.count(&x.r.ended)
	x.r.strike("ender.End")
}

// lastEnder is told although the one before it has failed.
func (x lastEnder) End(*retry.Session) { x.r.strike("lastEnder.End") }

// matcher matches nothing.
type matcher struct{ r *rig }

func (m matcher) Match(error) bool {
	m.r.strike("matcher.Match")
	return false
}

func (m matcher) String() string {
	m.r.strike("matcher.String")
	return "nothing"
}

// strategy is a sleep strategy.
type strategy struct{ r *rig }

func (x strategy) Wait(*retry.Session) time.Duration {
	x.r.strike("strategy.Wait")
	return time.Millisecond
}

// ears listen. The place of an event is its type's name, that of a breaker's change also its states.
type ears struct{ r *rig }

func (l ears) On(_ context.Context, e retry.Event) {
	switch e := e.(type) {
	case retry.BreakerChanged:
		l.r.strike(fmt.Sprintf("listener %s to %s", e.From, e.To))
	default:
		l.r.strike(fmt.Sprintf("listener %T", e))
	}
}

// stubborn is a context that the user has made.
type stubborn struct {
	context.Context
	r *rig
}

func (c stubborn) Value(key any) any {
	c.r.strike("context.Value")
	return c.Context.Value(key)
}

func (c stubborn) Err() error {
	c.r.strike("context.Err")
	return c.Context.Err()
}

func (c stubborn) Done() <-chan struct{} {
	c.r.strike("context.Done")
	return c.Context.Done()
}

func (c stubborn) Deadline() (time.Time, bool) {
	c.r.strike("context.Deadline")
	return c.Context.Deadline()
}
