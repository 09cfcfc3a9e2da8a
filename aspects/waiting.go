package aspects

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/backstay/backstay/retry"
)

// waitError is the error of a call whose context ended while it waited, before the method ran. It matches the context's
// error and its cause.
type waitError struct {
	ref        retry.MethodRef
	what       string // what it waited for
	err, cause error
}

func waitEnded(ctx context.Context, ref retry.MethodRef, what string) error {
	return &waitError{ref, what, ctx.Err(), context.Cause(ctx)}
}

func (e *waitError) Error() string {
	s := fmt.Sprintf("%v: waiting for %s: %v", e.ref, e.what, e.err)
	if !errors.Is(e.cause, e.err) {
		s += " (" + e.cause.Error() + ")"
	}
	return s
}

func (e *waitError) Unwrap() []error { return []error{e.err, e.cause} }

// checkDuration says what is wrong with a duration of an annotation that may not be below zero. Below a microsecond it is a
// number whose unit was forgotten.
func checkDuration(key string, d time.Duration) error {
	switch {
	case d < 0:
		return fmt.Errorf("%s %v is below zero", key, d)
	case d > 0 && d < time.Microsecond:
		return fmt.Errorf("%s %d is %v; write %[2]d*time.Millisecond, or %[2]dms in a tag", key, int64(d), d)
	}
	return nil
}

// joined puts mistakes in one line.
func joined(errs ...error) error {
	text := ""
	for _, err := range errs {
		switch {
		case err == nil:
		case text == "":
			text = err.Error()
		default:
			text += "; " + err.Error()
		}
	}
	if text == "" {
		return nil
	}
	return errors.New(text)
}
