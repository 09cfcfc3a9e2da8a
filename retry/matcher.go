package retry

import (
	"fmt"
	"reflect"
)

// Matcher matches errors and prints itself. A matcher must be safe for concurrent use.
type Matcher interface {
	Match(err error) bool
	String() string
}

// The matchers that need no argument.
var (
	AnyError Matcher = anyError{} // matches every error
	NoError  Matcher = noError{}  // matches none: "no errors" written by hand
)

type anyError struct{}

func (anyError) Match(err error) bool { return err != nil }
func (anyError) String() string       { return "any" }

type noError struct{}

func (noError) Match(error) bool { return false }
func (noError) String() string   { return "none" }

// Is matches what errors.Is finds to be target, through wrapped and joined errors. A nil target, such as a sentinel that
// is not initialised yet, is a definition error.
func Is(target error) Matcher { return isMatcher{target} }

type isMatcher struct{ target error }

func (m isMatcher) Match(err error) bool { return is(err, m.target) }
func (m isMatcher) String() string       { return fmt.Sprintf("is(%v)", m.target) }

func (m isMatcher) check() []string {
	if m.target == nil {
		return []string{"retry.Is(nil) matches no error; write the error that it is to match"}
	}
	return nil
}

// As matches what errors.As finds to be an E, through wrapped and joined errors.
func As[E error]() Matcher { return asMatcher[E]{} }

type asMatcher[E error] struct{}

func (asMatcher[E]) Match(err error) bool {
	return anyIn(err, func(err error) bool { return isA(err, func(E) bool { return true }) })
}
func (asMatcher[E]) String() string { return fmt.Sprintf("as(%v)", reflect.TypeFor[E]()) }

// AsWhere matches an error in whose tree there is an E for which where reports true; all of a joined error's are asked.
func AsWhere[E error](where func(E) bool) Matcher { return &asWhereMatcher[E]{where} }

type asWhereMatcher[E error] struct{ where func(E) bool }

func (m *asWhereMatcher[E]) Match(err error) bool {
	return anyIn(err, func(err error) bool { return isA(err, m.where) })
}

// isA reports whether err itself is an E, or says by a method As that it can be one, for which where holds.
func isA[E error](err error, where func(E) bool) bool {
	if e, ok := err.(E); ok && where(e) {
		return true
	}
	if x, ok := err.(interface{ As(any) bool }); ok {
		if e := new(E); x.As(e) && where(*e) {
			return true
		}
	}
	return false
}

func (m *asWhereMatcher[E]) String() string  { return fmt.Sprintf("as(%v) where", reflect.TypeFor[E]()) }
func (m *asWhereMatcher[E]) check() []string { return checkFunc(m, m.where == nil) }

// MatchFunc matches what match reports; name is what the matcher prints.
func MatchFunc(name string, match func(error) bool) Matcher { return &funcMatcher{name, match} }

type funcMatcher struct {
	name  string
	match func(error) bool
}

func (m *funcMatcher) Match(err error) bool { return m.match(err) }
func (m *funcMatcher) String() string       { return m.name }
func (m *funcMatcher) check() []string      { return checkFunc(m, m.match == nil) }

func checkFunc(m Matcher, missing bool) []string {
	if !missing {
		return nil
	}
	return []string{fmt.Sprintf("the func of matcher %q is nil; give it one", m)}
}
