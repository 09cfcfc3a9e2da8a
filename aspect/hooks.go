package aspect

import (
	"context"
	"reflect"
	"time"

	"github.com/backstay/backstay/retry"
)

// Adapters from the functions that users write to those that a session calls. The usual types need no reflection.

// plain is the function as a Go value; nil for one of the called service itself, which differs from call to call.
func (fn *function) plain() any {
	if fn.own != "" {
		return nil
	}
	return fn.value.Interface()
}

func (fn *function) predicate() func(*retry.Session) bool {
	switch p := fn.plain().(type) {
	case func(*retry.Session) bool:
		return p
	case func(error) bool:
		if fn.shape[0].kind == fromFailure {
			return func(s *retry.Session) bool { return p(s.Failure()) }
		}
	}
	return func(s *retry.Session) bool { return fn.call(s, s, nil)[0].Bool() }
}

func (fn *function) waitHint() func(*retry.Session) time.Duration {
	if hint, ok := fn.plain().(func(*retry.Session) time.Duration); ok {
		return hint
	}
	return func(s *retry.Session) time.Duration { return time.Duration(fn.call(s, s, nil)[0].Int()) }
}

func (fn *function) beforeRetry() func(*retry.Session) error {
	return func(s *retry.Session) error {
		out := fn.call(s, s, nil)
		if len(out) == 0 {
			return nil
		}
		return errorOf(out[0])
	}
}

func (fn *function) discard() func(*retry.Session) {
	return func(s *retry.Session) { fn.call(s, s, nil) }
}

// fallback sets the results of the frame to those of the function, and returns its error. It runs beside the session:
// the context among its arguments is the caller's, and a request has that too, and a body that nobody has read.
func (fn *function) fallback() func(context.Context, *retry.Session, error) error {
	return func(ctx context.Context, s *retry.Session, cause error) error {
		f := frameOf(s)
		m := f.method()
		if p := f.requestArg(); p != nil {
			r, err := requestFor(ctx, *p, f.sent(s, 0), m.contextAt < 0)
			if err != nil {
				return err
			}
			*p = r
		}
		out := fn.call(ctx, s, cause)
		f.dirty = true
		for i := range out {
			if i != m.errorAt {
				reflect.ValueOf(f.call.Result(i)).Elem().Set(out[i])
			}
		}
		if m.errorAt < 0 {
			return nil
		}
		return errorOf(out[m.errorAt])
	}
}

// errorOf is the error that a function has returned, whose result may be of a narrower type: a nil pointer is no error.
func errorOf(v reflect.Value) error {
	if isNil(v) {
		return nil
	}
	return v.Interface().(error)
}
