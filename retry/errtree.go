package retry

import (
	"reflect"
	"time"
)

// An error that unwraps to itself, or leads back to itself, has a tree without end. So a walk looks at mostErrors errors at
// most, which is more than anybody joins. One that joins others counts as joinCost, since it takes stack to go into it.
const (
	mostErrors = 1 << 17
	joinCost   = 8
)

// anyIn reports whether match holds for an error in the tree of err: err itself, what it wraps, what it joins. It stands on
// the path of every failure. The assertions in it and in what it is given are not generic: those ask the runtime anew each
// time, where the others remember the types they have met.
func anyIn(err error, match func(error) bool) bool {
	left := mostErrors
	return anyWithin(err, match, &left)
}

func anyWithin(err error, match func(error) bool, left *int) bool {
	for ; err != nil && *left > 0; *left-- {
		if match(err) {
			return true
		}
		switch x := err.(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			*left -= joinCost
			for _, e := range x.Unwrap() {
				*left--
				if anyWithin(e, match, left) {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
	return false
}

// holds reports whether want is in the tree of err, by identity alone: an Is method is not asked, since the question is
// whether this very value came through.
func holds(err, want error) bool {
	return anyIn(err, func(e error) bool { return same(e, want) })
}

// is reports what errors.Is reports, and has an answer where that has none: it panics over errors that cannot be compared
// though their type can, and goes round for ever in a tree without end.
func is(err, target error) bool {
	if err == nil || target == nil {
		return err == target
	}
	compares := isComparable(target)
	return anyIn(err, func(e error) bool {
		if compares && e == target {
			return true
		}
		x, ok := e.(interface{ Is(error) bool })
		return ok && x.Is(target)
	})
}

// same reports whether a, which is not nil, and b are one value. Comparing interface values that hold an uncomparable type
// would panic; where one of them can be compared, what differs in type is not looked into.
func same(a, b error) bool { return isComparable(a) && a == b }

// isComparable reports whether err can be compared with any other. A pointer, which most errors are, needs no closer look,
// and that would allocate.
func isComparable(err error) bool {
	return reflect.TypeOf(err).Kind() == reflect.Pointer || reflect.ValueOf(err).Comparable()
}

// Permanent marks err as never worth a retry, at any layer: the session in which it appears and all sessions around it
// end at once. The mark changes neither the error's text nor what errors.Is and errors.As find, and the outermost
// session takes it off. Where the callee has wrapped the marked error, the mark stays inside: taking it out would mean to
// rebuild the callee's own error. Permanent(nil) is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	if isPermanent(err) {
		return err
	}
	return &permanentError{err}
}

type permanentError struct{ err error }

func (e *permanentError) Error() string { return e.err.Error() }
func (e *permanentError) Unwrap() error { return e.err }

func isPermanent(err error) bool {
	return anyIn(err, func(e error) bool { _, ok := e.(*permanentError); return ok })
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

// isPlain reports whether err is all of its tree and says nothing about retries, by its type alone. Most errors are, and to
// know that takes one look-up, where the walks that it saves take several each.
func isPlain(err error) bool {
	switch err.(type) {
	case *permanentError, interface{ Unwrap() error }, interface{ Unwrap() []error },
		interface{ Retryable() bool }, interface{ RetryAfter() time.Duration }:
		return false
	}
	return true
}

// ownVerdict is what the first error in the tree of err that has an opinion says of itself.
func ownVerdict(err error) (retryable, says bool) {
	says = anyIn(err, func(e error) bool {
		own, ok := e.(interface{ Retryable() bool })
		if ok {
			retryable = own.Retryable()
		}
		return ok
	})
	return retryable, says
}

// retryAfter is the wait that the first error in the tree of err that has an opinion asks for.
func retryAfter(err error) (wait time.Duration) {
	anyIn(err, func(e error) bool {
		own, ok := e.(interface{ RetryAfter() time.Duration })
		if ok {
			wait = own.RetryAfter()
		}
		return ok
	})
	return wait
}
