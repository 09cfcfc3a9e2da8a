package annotation

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/backstay/backstay/retry"
)

// matcher is one of a list: the matcher itself, or the name of one, by a tag.
type matcher struct {
	literal retry.Matcher
	name    string
}

// retried and ignored are lists of matchers. A list that says none and something else beside it contradicts itself; one
// that ignores any error leaves none to be retried.
var (
	retried = domain[[]matcher]{parse: parseMatchers, check: checkRetried, show: showMatchers}
	ignored = domain[[]matcher]{parse: parseMatchers, check: checkIgnored, show: showMatchers}
)

func checkRetried(list []matcher) *flaw {
	nones := 0
	for _, m := range list {
		if m.literal != nil && isNone(m.literal) {
			nones++
		}
	}
	if nones == 0 || nones == len(list) {
		return nil
	}
	return &flaw{problem: "none stands beside what is retried", advice: "none alone, or leave it out"}
}

func checkIgnored(list []matcher) *flaw {
	if slices.ContainsFunc(list, func(m matcher) bool { return m.literal != nil && isAny(m.literal) }) {
		return &flaw{problem: "any ignores every error, so none is retried", advice: "the errors to ignore, or maxAttempts 1 for no retry at all"}
	}
	return nil
}

// namedMatchers are those that a tag can name without anybody having supplied them.
var namedMatchers = map[string]retry.Matcher{"any": retry.AnyError, "none": retry.NoError}

func parseMatchers(text string) ([]matcher, *flaw) {
	var list []matcher
	for _, item := range splitList(text) {
		if literal, ok := namedMatchers[item]; ok {
			list = append(list, matcher{literal: literal})
			continue
		}
		if fl := wrongCase(item, "matchers", matcherNames); fl != nil {
			return nil, fl
		}
		if !isName(item) {
			return nil, &flaw{problem: fmt.Sprintf("%q is no name of a matcher", item), advice: "any, none, or names that matchers are supplied under, by comma"}
		}
		list = append(list, matcher{name: item})
	}
	return list, nil
}

func showMatchers(list []matcher) string {
	shown := make([]string, len(list))
	for i, m := range list {
		if shown[i] = m.name; m.literal != nil {
			shown[i] = m.literal.String()
		}
	}
	return strings.Join(shown, ", ")
}

// sameMatcher compares matchers that are comparable; others are never the same.
func sameMatcher(a, b retry.Matcher) bool {
	return reflect.TypeOf(a) == reflect.TypeOf(b) && reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}

// cannotMatch tells why a matcher would never match, or panic; "" where it can match, as far as that can be seen. What
// only package retry can see of its own matchers, it says when it compiles one.
func cannotMatch(m retry.Matcher) string {
	if sameMatcher(m, retry.Is(nil)) {
		return "retry.Is(nil) matches no error"
	}
	if own, ok := m.(interface{ Check() []string }); ok {
		for _, p := range own.Check() {
			problem, _, _ := strings.Cut(p, "; ")
			return problem
		}
	}
	var d *DefinitionError
	if _, err := retry.NewHybridPolicy(retry.NewClassifier(m)); errors.As(err, &d) {
		return d.Problem
	}
	return ""
}

// isAny reports whether a matcher is retry.AnyError.
func isAny(m retry.Matcher) bool { return reflect.TypeOf(m) == reflect.TypeOf(retry.AnyError) }

// isNone reports whether a matcher is retry.NoError.
func isNone(m retry.Matcher) bool { return reflect.TypeOf(m) == reflect.TypeOf(retry.NoError) }

// keepMatchers adds a list, each matcher once.
func keepMatchers(literals *[]retry.Matcher, refs *[]Reference, list []matcher, key string, from Origin) {
	for _, m := range list {
		if m.literal == nil {
			if !slices.ContainsFunc(*refs, func(r Reference) bool { return r.Name == m.name }) {
				*refs = append(*refs, (&Reference{Name: m.name}).as(key, from))
			}
			continue
		}
		if !slices.ContainsFunc(*literals, func(other retry.Matcher) bool { return sameMatcher(other, m.literal) }) {
			*literals = append(*literals, m.literal)
		}
	}
}

func keepRetryErrors(d *MethodDefinition, list []matcher, from Origin) {
	keepMatchers(&d.Settings.RetryErrors, &d.RetryErrorRefs, list, "retryErrors", from)
}

func keepIgnoreErrors(d *MethodDefinition, list []matcher, from Origin) {
	keepMatchers(&d.Settings.IgnoreErrors, &d.IgnoreErrorRefs, list, "ignoreErrors", from)
}

func tellRetryErrors(d *MethodDefinition) string {
	return tellMatchers(d.Settings.RetryErrors, d.RetryErrorRefs)
}

func tellIgnoreErrors(d *MethodDefinition) string {
	return tellMatchers(d.Settings.IgnoreErrors, d.IgnoreErrorRefs)
}

func tellMatchers(literals []retry.Matcher, named []Reference) string {
	var all []matcher
	for _, m := range literals {
		all = append(all, matcher{literal: m})
	}
	for _, r := range named {
		all = append(all, matcher{name: r.Name})
	}
	return showMatchers(all)
}

// literals are the matchers of an option.
func literals(list []retry.Matcher) ([]matcher, *flaw) {
	wrapped := make([]matcher, len(list))
	for i, m := range list {
		if m == nil {
			return nil, &flaw{problem: fmt.Sprintf("matcher %d is nil", i+1), advice: "retry.Is, retry.As, retry.MatchFunc or a matcher of your own"}
		}
		if problem := cannotMatch(m); problem != "" {
			return nil, &flaw{problem: problem, advice: "a matcher that can match, such as retry.Is(io.EOF)"}
		}
		wrapped[i].literal = m
	}
	return wrapped, nil
}
