package retry

import (
	"errors"
	"strings"
)

// DefinitionError is one mistake in what was declared: a policy list, an attribute, a mark, a registration. Errors that
// hold several are joined, so errors.As finds one, and Unwrap() []error all.
type DefinitionError struct {
	Ref        MethodRef // what of it is known
	Annotation string    // the annotation's type as it is written, if the mistake is in one
	Place      string    // file:line of the call, or Type.field of the mark
	Problem    string    // what is wrong
	Remedy     string    // what to write instead
}

// Error is one line that holds all of the fields that are known: what, where, problem and remedy.
func (e *DefinitionError) Error() string {
	var b strings.Builder
	b.WriteString("backstay: ")
	for _, part := range []string{e.Ref.String(), e.Annotation} {
		if part != "" {
			b.WriteString(part)
			b.WriteString(": ")
		}
	}
	b.WriteString(e.Problem)
	if e.Remedy != "" {
		b.WriteString("; ")
		b.WriteString(e.Remedy)
	}
	if e.Place != "" {
		b.WriteString(" (")
		b.WriteString(e.Place)
		b.WriteString(")")
	}
	return strings.ReplaceAll(b.String(), "\n", " ")
}

// definitionErrors joins what checks have found about ref, each "problem; remedy" in words.
func definitionErrors(ref MethodRef, problems []string) error {
	var errs []error
	for _, p := range problems {
		problem, remedy, _ := strings.Cut(p, "; ")
		errs = append(errs, &DefinitionError{Ref: ref, Problem: problem, Remedy: remedy})
	}
	return errors.Join(errs...)
}
