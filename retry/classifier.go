package retry

import (
	"fmt"
	"reflect"
)

const kindClassifier = "classifier"

// NewClassifier returns the policy that retries errors that one of the matchers matches; without matchers, any error. It
// has no opinion of results: [For] and its conditions do.
func NewClassifier(retry ...Matcher) Policy {
	if len(retry) == 0 {
		retry = []Matcher{AnyError}
	}
	return newClassifier(nil, retry)
}

// newClassifier tells the matchers that name errors from the two that stand for a whole list.
func newClassifier(ignore, retry []Matcher) *classifier {
	c := &classifier{ignore: ignore, retry: retry}
	for _, m := range retry {
		switch m {
		case AnyError:
			c.any = true
		case NoError:
			c.none = true
		default:
			c.named = append(c.named, m)
		}
	}
	c.all = c.any && len(c.named)+len(c.ignore) == 0
	return c
}

// classifier asks in this order, and the first that has an opinion decides: the ignore list; the retry list; the error's
// own Retryable() bool; the predicate on errors. A result is asked about when there was no error.
type classifier struct {
	ignore, retry []Matcher
	named         []Matcher // those of retry that name errors
	any, none     bool      // AnyError, NoError are among retry
	all           bool      // any, and no list names an error: what says nothing of itself is retried
	ifError       []func(*Session) bool
	ifResult      []func(*Session) bool
}

func (*classifier) Kind() string { return kindClassifier }

func (c *classifier) judgesResults() bool { return len(c.ifResult) > 0 }

func (c *classifier) Judge(s *Session) Verdict {
	return c.judge(s, s.failure != nil && isPlain(s.failure))
}

// judge is Judge for a failure that is known to be plain or not.
func (c *classifier) judge(s *Session, plain bool) Verdict {
	if s.failure == nil {
		return anyOf(c.ifResult, s)
	}
	for _, m := range c.ignore {
		if m.Match(s.failure) {
			return Never
		}
	}
	if v := c.judgeError(s.failure, plain); v != Abstain {
		return v
	}
	return anyOf(c.ifError, s)
}

// judgeError asks the retry list and the error itself. A list that names errors comes before what the error says; "any"
// names none, so under it an error may say that it is not worth a retry; and "none" leaves nothing to say.
func (c *classifier) judgeError(err error, plain bool) Verdict {
	for _, m := range c.named {
		if m.Match(err) {
			return Again
		}
	}
	if !plain && (c.any || !c.none) {
		if retryable, says := ownVerdict(err); says {
			if retryable {
				return Again
			}
			return Abstain
		}
	}
	if c.any {
		return Again
	}
	return Abstain
}

func anyOf(predicates []func(*Session) bool, s *Session) Verdict {
	for _, p := range predicates {
		if p(s) {
			return Again
		}
	}
	return Abstain
}

func (c *classifier) check() (problems []string) {
	for _, list := range [][]Matcher{c.retry, c.ignore} {
		for i, m := range list {
			if m == nil {
				problems = append(problems, fmt.Sprintf("matcher %d of a list of errors is nil; write retry.Is, retry.As, retry.MatchFunc or your own", i+1))
			} else if c, ok := m.(checker); ok {
				problems = append(problems, c.check()...)
			}
		}
	}
	return problems
}

// NewExpression returns the policy that retries while f says so. It is asked after each attempt, success included, and
// has to tell success from failure itself.
func NewExpression(f func(*Session) bool) Policy { return &expression{f} }

type expression struct{ f func(*Session) bool }

func (*expression) Kind() string { return "expression" }

func (e *expression) Judge(s *Session) Verdict {
	if e.f(s) {
		return Again
	}
	return Abstain
}

func (e *expression) check() []string {
	if e.f == nil {
		return []string{"the expression is nil; write a func(*retry.Session) bool"}
	}
	return nil
}

// newReturns is the condition that v is returned without an error.
func newReturns[T any](v T) Policy { return &returns[T]{v, reflect.ValueOf(&v).Elem().Comparable()} }

type returns[T any] struct {
	value      T
	comparable bool // a value that is, can be compared with any other: what differs in type is not looked into
}

func (*returns[T]) Kind() string { return kindClassifier }

func (r *returns[T]) Judge(s *Session) Verdict {
	if s.failure == nil && any(s.call.(*chainCall[T]).value) == any(r.value) {
		return Again
	}
	return Abstain
}

func (r *returns[T]) check() []string {
	if !r.comparable {
		return []string{fmt.Sprintf("WhenReturns needs a value that == compares, and a %T is none; write When(func(v %v, err error) bool { ... })", r.value, reflect.TypeFor[T]())}
	}
	return nil
}
