package aspects

import (
	"context"
	"reflect"
	"runtime/debug"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// PanicError is the error that a panic becomes: what was given to panic, and the stack. It is the one that a retry under
// RetryPanics tells, so that one errors.As finds both. It unwraps to what was given to panic, when that is an error.
type PanicError = retry.PanicError

// RecoverAspect makes an error of a panic: the caller gets a [*PanicError] and zero results.
//
// A method without an error result cannot tell it: its panics pass through unchanged. So does runtime.Goexit, always. A
// panic in another goroutine, which the method has started, cannot be recovered by anybody else.
//
// Inside a retry the error would be retried like any other; [RecoverPriority] is outside.
type RecoverAspect struct {
	report func(ctx context.Context, ref retry.MethodRef, p *PanicError)
}

var _ aspect.Aspect = (*RecoverAspect)(nil)

// RecoverOption configures a [RecoverAspect].
type RecoverOption func(*RecoverAspect)

// OnPanic tells f of each panic that has become an error, with its stack, before the caller gets it. f must be safe for
// concurrent use; nil tells nobody.
func OnPanic(f func(ctx context.Context, ref retry.MethodRef, p *PanicError)) RecoverOption {
	return func(a *RecoverAspect) { a.report = f }
}

// NewRecover returns an aspect that makes errors of panics.
func NewRecover(opts ...RecoverOption) *RecoverAspect {
	a := &RecoverAspect{}
	configure(a, opts)
	return a
}

// Process recovers from a panic of the call.
func (a *RecoverAspect) Process(jp aspect.JoinPoint) (err error) {
	returned := false
	defer func() {
		if returned || !hasError(jp.Method()) {
			return // recover is not even asked, so that a panic goes on with its own stack
		}
		v := recover()
		if v == nil {
			return // runtime.Goexit, which goes on
		}
		clearResults(jp)
		p := &PanicError{Value: v, Stack: debug.Stack()}
		err = p
		if a.report != nil {
			a.report(jp.Context(), jp.Ref(), p)
		}
	}()
	err = jp.Proceed()
	returned = true
	return err
}

// clearResults takes back what an aspect further in has let the method return before it panicked.
func clearResults(jp aspect.JoinPoint) {
	t := jp.Method().Type
	for i := range t.NumOut() - 1 { // the last is the error
		aspect.SetResult(jp, i, reflect.Zero(t.Out(i)).Interface())
	}
}
