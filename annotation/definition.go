package annotation

import "github.com/backstay/backstay/retry"

// DefinitionError is one mistake in what was declared. Errors that hold several are joined, so errors.As finds one, and
// Unwrap() []error all. Its Place is the file:line of the call, or Type.field of the mark.
type DefinitionError = retry.DefinitionError

// mistake is what is wrong with a declaration, before it is known whose declaration it is.
type mistake struct {
	problem string
	remedy  string
	place   string // where it differs from the declaration's
}

// flaw is what is wrong with one value of an attribute or own field. What to write instead is told as the right value in
// each form, or, where there is no telling, as advice.
type flaw struct {
	problem string
	code    string // the right value in code
	tag     string // the right value in a tag
	advice  string // without "write"
}
