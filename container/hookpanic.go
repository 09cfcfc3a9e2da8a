package container

import "github.com/backstay/backstay/retry"

// hookPanic is what [Container.Start] and [Container.Stop] raise again. A panic of what they call happens in a goroutine of
// its own, of which the runtime would show nothing: so the text has its stack.
type hookPanic struct {
	err   error // says which service, and wraps the *retry.PanicError
	stack []byte
}

// raised is a panic to be raised again, where told makes the error of the call that has panicked.
func raised(p *retry.PanicError, told func(error) error) *hookPanic {
	return &hookPanic{told(p), p.Stack}
}

// Error is a line that says what has panicked, and the stack of its goroutine.
func (p *hookPanic) Error() string { return p.err.Error() + "\n\n" + string(p.stack) }

// Unwrap leads to the *retry.PanicError.
func (p *hookPanic) Unwrap() error { return p.err }
