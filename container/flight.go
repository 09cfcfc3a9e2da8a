package container

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/backstay/backstay/retry"
)

// patience is how long a call is waited for when the context of who waits is done: what is quick, such as a Close that
// takes no context, is to be over before what it needs is closed.
const patience = time.Second

// flight is one call of what the user wrote for the life cycle. It has a goroutine of its own, so that nobody has to wait
// for it for ever.
type flight struct {
	ctx     context.Context // the call's own
	cancel  context.CancelFunc
	timeout *overrun // the cause by which its timeout ends the context
	began   time.Time
	end     time.Time // when the timeout is over
	over    chan struct{}

	// Set when it is over.
	err      error
	panicked *retry.PanicError
	took     time.Duration
}

// launch calls f with a context that the timeout ends.
func launch(ctx context.Context, timeout time.Duration, f func(context.Context) error) *flight {
	now := time.Now()
	fl := &flight{timeout: &overrun{timeout, nil}, began: now, end: now.Add(timeout), over: make(chan struct{})}
	fl.ctx, fl.cancel = context.WithTimeoutCause(ctx, timeout, fl.timeout)
	go fl.run(f)
	return fl
}

func (f *flight) run(call func(context.Context) error) {
	returned := false
	defer close(f.over)
	defer func() {
		f.took = time.Since(f.began)
		if returned {
			return
		}
		if v := recover(); v != nil {
			f.panicked = &retry.PanicError{Value: v, Stack: debug.Stack()}
			f.err = f.panicked
			return
		}
		f.err = errors.New("its goroutine was ended by runtime.Goexit")
	}()
	f.err = call(f.ctx)
	returned = true
}

// wait waits for the call until its timeout or, not much longer than that is done, until the context of who made it. over
// tells whether the call has come to its end: one that is not waited for goes on.
func (f *flight) wait() (over bool, err error) {
	select {
	case <-f.over:
	case <-f.ctx.Done():
		if f.endedByTimeout() {
			break
		}
		hurry := time.NewTimer(min(patience, time.Until(f.end)))
		defer hurry.Stop()
		select {
		case <-f.over:
		case <-hurry.C:
		}
	}
	switch {
	case f.isOver():
		defer f.cancel()
		return true, f.result()
	case f.endedByTimeout():
		return false, &overrun{f.timeout.timeout, context.DeadlineExceeded}
	}
	return false, fmt.Errorf("has not returned when its context was done: %w", context.Cause(f.ctx))
}

// endedByTimeout reports whether it is the timeout that has ended the call's context.
func (f *flight) endedByTimeout() bool { return context.Cause(f.ctx) == error(f.timeout) }

// waitOn waits once more for a call whose timeout is over, and reports whether it has come to its end.
func (f *flight) waitOn(ctx context.Context, timeout time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	select {
	case <-f.over:
	case <-ctx.Done():
	}
	return f.isOver()
}

// isOver reports whether the call has come to its end, so that there is a result.
func (f *flight) isOver() bool {
	select {
	case <-f.over:
		return true
	default:
		return false
	}
}

// result is the error of a call that is over. An error that comes after the timeout is an overrun as well.
func (f *flight) result() error {
	if f.err != nil && f.panicked == nil && f.endedByTimeout() {
		return &overrun{f.timeout.timeout, f.err}
	}
	return f.err
}

// overrun is the error of a call that its timeout has ended.
type overrun struct {
	timeout time.Duration
	err     error
}

// Error is one line.
func (o *overrun) Error() string {
	text := fmt.Sprintf("has not returned within %v", o.timeout)
	if o.err != nil && o.err != context.DeadlineExceeded && !isOverrun(o.err) {
		text += ": " + o.err.Error()
	}
	return text
}

func isOverrun(err error) bool { _, ok := err.(*overrun); return ok }

// Unwrap is what the call has returned, else context.DeadlineExceeded.
func (o *overrun) Unwrap() error { return o.err }

// Is lets errors.Is find context.DeadlineExceeded, whatever the call has returned.
func (o *overrun) Is(target error) bool { return target == context.DeadlineExceeded }
