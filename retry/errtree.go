package retry

import (
	"reflect"
	"time"
)

// find returns the first error in the tree of err that is a T: err itself, what it wraps, what it joins. Unlike
// errors.As it needs no target pointer and no reflection, so it may stand on the path of every failure.
func find[T any](err error) (found T, ok bool) {
	for err != nil {
		if found, ok = err.(T); ok {
			return found, true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			for _, e := range x.Unwrap() {
				if found, ok = find[T](e); ok {
					return found, true
				}
			}
			return found, false
		default:
			return found, false
		}
	}
	return found, false
}

// holds reports whether want is in the tree of err, by identity alone: an Is method is not asked, since the question is
// whether this very value came through.
func holds(err, want error) bool {
	if err == nil || want == nil {
		return false
	}
	if same(err, want) {
		return true
	}
	switch x := err.(type) {
	case interface{ Unwrap() error }:
		return holds(x.Unwrap(), want)
	case interface{ Unwrap() []error }:
		for _, e := range x.Unwrap() {
			if holds(e, want) {
				return true
			}
		}
	}
	return false
}

// same reports whether a and b are one value. Comparing interface values that hold an uncomparable type would panic; a
// pointer, which most errors are, needs no closer look, and that would allocate.
func same(a, b error) bool {
	if a == nil || b == nil {
		return a == b
	}
	t := reflect.TypeOf(a)
	return t == reflect.TypeOf(b) && (t.Kind() == reflect.Pointer || reflect.ValueOf(a).Comparable()) && a == b
}

// Permanent marks err as never worth a retry, at any layer: the session in which it appears and all sessions around it
// end at once. The mark changes neither the error's text nor what errors.Is and errors.As find, and the outermost
// session takes it off. Where the callee has wrapped the marked error, the mark stays inside: taking it out would mean to
// rebuild the callee's own error. Permanent(nil) is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := find[*permanentError](err); ok {
		return err
	}
	return &permanentError{err}
}

type permanentError struct{ err error }

func (e *permanentError) Error() string { return e.err.Error() }
func (e *permanentError) Unwrap() error { return e.err }

func isPermanent(err error) bool {
	_, ok := find[*permanentError](err)
	return ok
}

// withoutMark takes the mark of Permanent off err, and out of the errors that sessions make. A mark inside an error of
// the callee's that wraps it stays: it is invisible there, and the callee's own error value is not rebuilt.
func withoutMark(err error) error {
	switch e := err.(type) {
	case *permanentError:
		return e.err
	case *fallbackError:
		if isPermanent(e) {
			return &fallbackError{withoutMark(e.err), withoutMark(e.cause)}
		}
	case *interruptedError:
		if isPermanent(e) {
			return e.withLast(withoutMark(e.last))
		}
	}
	return err
}

// retryAfter is the wait that the first error in the tree of err that has an opinion asks for.
func retryAfter(err error) time.Duration {
	if e, ok := find[interface{ RetryAfter() time.Duration }](err); ok {
		return e.RetryAfter()
	}
	return 0
}
