package backstayotel

import (
	"context"
	"reflect"

	"github.com/backstay/backstay/retry"
)

// unwrapsMost bounds how far errorType looks into an error.
const unwrapsMost = 20

// errorType is the value of error.type: what an error says itself by a method ErrorType() string, as the semantic conventions
// have it, else the name of its type. Types that only wrap, such as that of fmt.Errorf, say nothing: then it is what they
// wrap, the first of several. So its values are about as many as a program has types of errors.
func errorType(err error) string {
	for range unwrapsMost {
		switch err {
		case context.Canceled:
			return "context.Canceled"
		case context.DeadlineExceeded:
			return "context.DeadlineExceeded"
		case errAborted:
			return aborted.String()
		}
		if says, ok := err.(interface{ ErrorType() string }); ok {
			if name := saidType(says); name != "" {
				return name
			}
		}
		wrapped := unwrapped(err)
		if wrapped == nil {
			break
		}
		err = wrapped
	}
	return reflect.TypeOf(err).String()
}

// saidType is what an error says of its type; nothing where it panics, as a typed nil may: that fails no call.
func saidType(says interface{ ErrorType() string }) (name string) {
	defer func() { _ = recover() }()
	return valid(says.ErrorType())
}

// unwrapped is what err wraps, if its type only wraps; else nil.
func unwrapped(err error) error {
	switch err.(type) {
	case *retry.RejectedError, *retry.PanicError: // these say more than what they wrap
		return nil
	}
	t := reflect.TypeOf(err)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.PkgPath() {
	case "fmt", "errors", reflect.TypeFor[retry.RejectedError]().PkgPath():
	default:
		return nil
	}
	switch w := err.(type) {
	case interface{ Unwrap() error }:
		return w.Unwrap()
	case interface{ Unwrap() []error }:
		for _, one := range w.Unwrap() {
			if one != nil {
				return one
			}
		}
	}
	return nil
}
