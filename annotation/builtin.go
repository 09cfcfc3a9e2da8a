package annotation

import (
	"fmt"
	"slices"
	"strings"
)

// The names that a tag knows without anybody having supplied anything, in the order in which messages list them.
var (
	matcherNames   = []string{"any", "none"}
	strategyNames  = []string{"flat", "backoff", "decorrelatedJitter"}
	predicateNames = []string{falsyName}
)

// BuiltinNames lists the names that an attribute knows in a tag without anybody having supplied them, such as flat, backoff
// and decorrelatedJitter for "sleepStrategy"; nil where it knows none. A name that nobody has supplied may be a near miss of
// one of them. For those who weave.
func BuiltinNames(attribute string) []string {
	switch attribute {
	case sleepStrategy.key:
		return slices.Clone(strategyNames)
	case retryErrors.key, ignoreErrors.key:
		return slices.Clone(matcherNames)
	case retryIfResult.key:
		return slices.Clone(predicateNames)
	}
	return nil
}

// wrongCase is the flaw of a name that differs from a built-in one in case alone. One that is near in letters may be
// somebody's own.
func wrongCase(name, of string, builtin []string) *flaw {
	for _, b := range builtin {
		if name != b && strings.EqualFold(name, b) {
			return &flaw{
				problem: fmt.Sprintf("%q is none of the built-in %s, did you mean %s?", name, of, b),
				advice:  b + ", or give what you have supplied another name",
			}
		}
	}
	return nil
}
