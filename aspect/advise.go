package aspect

// Aspects of which there is only one side, where a func says it better than a type with a method Process. Of a nil func
// they are a nil [Func], which is a definition error where it is given.

// Before is an aspect that calls f before the call. An error of f ends the call: it is the error result, what is further
// in does not run, and the other results are zero. f may replace arguments by [SetArg], and the context by
// [JoinPoint.SetContext].
func Before(f func(jp JoinPoint) error) Aspect {
	if f == nil {
		return Func(nil)
	}
	return Func(func(jp JoinPoint) error {
		if err := f(jp); err != nil {
			return err
		}
		return jp.Proceed()
	})
}

// After is an aspect that calls f when the call has returned, with its error, which may be nil and which f cannot change;
// f may read and replace the other results. A call that panics, or ends in runtime.Goexit, has not returned: for these an
// aspect defers.
func After(f func(jp JoinPoint, err error)) Aspect {
	if f == nil {
		return Func(nil)
	}
	return Func(func(jp JoinPoint) error {
		err := jp.Proceed()
		f(jp, err)
		return err
	})
}

// AfterError is an aspect that calls f when the call has returned an error, and returns what f does: the same error,
// another one, or nil, which makes a success of the call, with the results as they are. Inside of the retry it is asked
// after each attempt, and the retry judges what it returns; outside, once, after the last.
func AfterError(f func(jp JoinPoint, err error) error) Aspect {
	if f == nil {
		return Func(nil)
	}
	return Func(func(jp JoinPoint) error {
		if err := jp.Proceed(); err != nil {
			return f(jp, err)
		}
		return nil
	})
}
