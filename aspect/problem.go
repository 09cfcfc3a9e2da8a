package aspect

import (
	"errors"
	"strings"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// problem makes a definition error of a text "problem; remedy".
func problem(text, place string) *annotation.DefinitionError {
	what, remedy, _ := strings.Cut(text, "; ")
	return &annotation.DefinitionError{Problem: what, Remedy: remedy, Place: place}
}

// joined joins errors, so that Unwrap() []error gives them all; nil when there is none.
func joined[E error](errs []E) error {
	all := make([]error, len(errs))
	for i, e := range errs {
		all[i] = e
	}
	return errors.Join(all...)
}

func appendAll[E error](errs []error, more []E) []error {
	for _, e := range more {
		errs = append(errs, e)
	}
	return errs
}

// complete makes definition errors of err, adding what is not known where it was found.
func complete(err error, ref retry.MethodRef, annotationName, place string) []*annotation.DefinitionError {
	if err == nil {
		return nil
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		var errs []*annotation.DefinitionError
		for _, e := range several.Unwrap() {
			errs = append(errs, complete(e, ref, annotationName, place)...)
		}
		return errs
	}
	d := &annotation.DefinitionError{Problem: err.Error()}
	if known := new(annotation.DefinitionError); errors.As(err, &known) {
		*d = *known
	}
	if d.Ref == (retry.MethodRef{}) {
		d.Ref = ref
	}
	if d.Annotation == "" {
		d.Annotation = annotationName
	}
	if d.Place == "" {
		d.Place = place
	}
	return []*annotation.DefinitionError{d}
}
