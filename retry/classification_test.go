package retry_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"testing"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// opinionated says itself whether it is worth a retry.
type opinionated bool

func (opinionated) Error() string     { return "opinionated" }
func (o opinionated) Retryable() bool { return bool(o) }

func saysAgain(*retry.Session) bool { return true }
func saysNo(*retry.Session) bool    { return false }

func predicates(f ...func(*retry.Session) bool) []func(*retry.Session) bool { return f }

func TestErrorsAreClassifiedByIgnoreThenListThenErrorThenPredicate(t *testing.T) {
	boom, other := []retry.Matcher{retry.Is(errBoom)}, []retry.Matcher{retry.Is(errOther)}
	anyError, none := []retry.Matcher{retry.AnyError}, []retry.Matcher{retry.NoError}
	for _, c := range []struct {
		name          string
		ignore, retry []retry.Matcher
		predicate     func(*retry.Session) bool
		err           error
		again         bool
	}{
		{"in the list", nil, boom, nil, errBoom, true},
		{"matched by a func", nil, []retry.Matcher{retry.MatchFunc("boom", func(err error) bool { return err == errBoom })}, nil, errBoom, true},
		{"matched by type and func", nil, []retry.Matcher{retry.AsWhere(func(o opinionated) bool { return !bool(o) })}, nil, opinionated(false), true},
		{"wrapped", nil, boom, nil, fmt.Errorf("w: %w", errBoom), true},
		{"joined", nil, boom, nil, errors.Join(errOther, errBoom), true},
		{"not in the list", nil, boom, nil, errOther, false},
		{"any of the list is enough", nil, append(boom, other...), nil, errOther, true},
		{"empty list", nil, nil, nil, errBoom, false},
		{"any", nil, anyError, nil, errBoom, true},
		{"none", nil, none, nil, errBoom, false},

		{"ignore wins over the list", boom, boom, nil, errBoom, false},
		{"ignore wins over any", boom, anyError, nil, errBoom, false},
		{"ignore wins over the predicate", boom, none, saysAgain, errBoom, false},
		{"ignore wins over the error itself", []retry.Matcher{retry.As[opinionated]()}, nil, nil, opinionated(true), false},
		{"ignored inside a joined error", boom, other, nil, errors.Join(errOther, errBoom), false},
		{"ignored inside a wrapped error", boom, anyError, nil, fmt.Errorf("w: %w", errBoom), false},

		{"the list wins over the predicate", nil, boom, saysNo, errBoom, true},
		{"the predicate is asked of what the list leaves", nil, boom, saysAgain, errOther, true},
		{"the predicate alone", nil, nil, saysAgain, errBoom, true},
		{"the predicate alone says no", nil, nil, saysNo, errBoom, false},
		{"the predicate beside none", nil, none, saysAgain, errBoom, true},

		{"the error says yes", nil, nil, nil, opinionated(true), true},
		{"the error says yes, wrapped", nil, boom, nil, fmt.Errorf("w: %w", opinionated(true)), true},
		{"the error says no under any", nil, anyError, nil, opinionated(false), false},
		{"the error says no under any beside none", nil, append(anyError, none...), nil, opinionated(false), false},
		{"the error says no, joined, under any", nil, anyError, nil, errors.Join(errBoom, opinionated(false)), false},
		{"a list that names it wins over the error", nil, []retry.Matcher{retry.As[opinionated]()}, nil, opinionated(false), true},
		{"none wins over the error", nil, none, nil, opinionated(true), false},
		{"the predicate is asked of what the error refuses", nil, nil, saysAgain, opinionated(false), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := settings(retry.Classifier, retry.MaxAttempts)
			set.IgnoreErrors, set.RetryErrors = c.ignore, c.retry
			d := retry.Definition{Settings: set}
			if c.predicate != nil {
				d.Hooks.RetryIfError = predicates(c.predicate)
			}
			op := scripted(c.err)
			err := run(t.Context(), compiled(t, d), op.run)
			require.Equal(t, c.err, err)
			if c.again {
				require.Equal(t, set.MaxAttempts, op.calls)
			} else {
				require.Equal(t, 1, op.calls)
			}
		})
	}
}

func TestPredicatesAreORed(t *testing.T) {
	for name, c := range map[string]struct {
		predicates []func(*retry.Session) bool
		calls      int
	}{
		"no, no":     {predicates(saysNo, saysNo), 1},
		"no, again":  {predicates(saysNo, saysAgain), 3},
		"again, no":  {predicates(saysAgain, saysNo), 3},
		"none there": {nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			set := settings(retry.Classifier, retry.MaxAttempts)
			set.RetryErrors = nil

			op := scripted(errBoom)
			_ = run(t.Context(), compiled(t, retry.Definition{Settings: set, Hooks: retry.Hooks{RetryIfError: c.predicates}}), op.run)
			require.Equal(t, c.calls, op.calls, "of errors")

			op = scripted(nil)
			_ = run(t.Context(), compiled(t, retry.Definition{Settings: set, Hooks: retry.Hooks{RetryIfResult: c.predicates}}), op.run)
			require.Equal(t, c.calls, op.calls, "of results")
		})
	}
}

func TestPredicatesOnErrorsAndOnResultsAreEachAskedOfTheirOwn(t *testing.T) {
	var ofErrors, ofResults int
	h := compiled(t, retry.Definition{
		Settings: func() retry.Settings {
			s := settings(retry.Classifier, retry.MaxAttempts)
			s.RetryErrors = nil
			return s
		}(),
		Hooks: retry.Hooks{
			RetryIfError: predicates(func(s *retry.Session) bool {
				ofErrors++
				require.Same(t, errBoom, s.Failure())
				return true
			}),
			RetryIfResult: predicates(func(s *retry.Session) bool {
				ofResults++
				require.NoError(t, s.Failure())
				require.Nil(t, s.Result(0), "asked of nil results too")
				return false
			}),
		},
	})
	require.NoError(t, run(t.Context(), h, scripted(errBoom, errBoom, nil).run))
	require.Equal(t, 2, ofErrors)
	require.Equal(t, 1, ofResults)
}

func TestConditionsOfSeveralPoliciesAreORedAndAnIgnoreInAnyWins(t *testing.T) {
	set := settings(retry.Classifier, retry.MaxAttempts)
	set.RetryErrors, set.IgnoreErrors = []retry.Matcher{retry.Is(io.EOF)}, []retry.Matcher{retry.Is(fs.ErrNotExist)}
	ignoring := compiled(t, retry.Definition{Settings: set}).Policies()[0]
	chain := retry.WhenThrows(retry.Is(errBoom)).WhenThrows(retry.AnyError).With(ignoring).Max(3)
	for _, c := range []struct {
		err   error
		calls int
	}{
		{errBoom, 3}, {io.EOF, 3}, {errOther, 3},
		{fs.ErrNotExist, 1},
		{errors.Join(errBoom, fs.ErrNotExist), 1},
	} {
		op := scripted(c.err)
		require.Equal(t, c.err, chain.Run(t.Context(), op.run))
		require.Equal(t, c.calls, op.calls, "%v", c.err)
	}
}

func TestConditionsOnResultsAndErrorsAreORed(t *testing.T) {
	chain := retry.WhenReturns(false).WhenThrows(retry.Is(errBoom)).Max(3)
	for _, c := range []struct {
		name  string
		value bool
		err   error
		calls int
	}{
		{"the value", false, nil, 3},
		{"another value", true, nil, 1},
		{"the error", true, errBoom, 3},
		{"another error", true, errOther, 1},
		{"the value beside another error", false, errOther, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			calls := 0
			v, err := chain.Call(t.Context(), func(context.Context) (bool, error) { calls++; return c.value, c.err })
			require.Equal(t, c.err, err)
			require.Equal(t, c.value, v)
			require.Equal(t, c.calls, calls)
		})
	}
}

func TestANilMatcherIsADefinitionError(t *testing.T) {
	defined(t, retry.WhenThrows(retry.AnyError, nil).Run(t.Context(), scripted(nil).run), "matcher 2", "nil", "retry.Is")

	set := settings(retry.Classifier)
	set.IgnoreErrors = []retry.Matcher{nil}
	_, err := retry.Compile(retry.Definition{Settings: set})
	defined(t, err, "StripeGateway@Charge", "matcher 1")
}

func TestAMatcherWhoseTypeCannotBeComparedIsAsked(t *testing.T) {
	op := scripted(errBoom)
	_ = retry.WhenThrows(anyOf{retry.Is(errOther), retry.Is(errBoom)}).Max(2).Run(t.Context(), op.run)
	require.Equal(t, 2, op.calls)
}

// anyOf is a user's matcher of an uncomparable type.
type anyOf []retry.Matcher

func (list anyOf) String() string { return "any of" }

func (list anyOf) Match(err error) bool {
	for _, m := range list {
		if m.Match(err) {
			return true
		}
	}
	return false
}
