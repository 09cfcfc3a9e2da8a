package faults_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/retry"
)

// Errors that are not what errors should be.
type (
	ouroboros struct{ deep int }        // unwraps to itself
	hydra     struct{ deep int }        // joins itself, twice
	byType    []string                  // can never be compared
	byValue   struct{ detail any }      // its type can be compared, this value cannot
	unset     struct{ text string }     // is returned as a nil pointer
	wrapping  struct{ err error }       // one of ten thousand
	joining   struct{ errs []error }    // holds a hundred thousand
	twin      struct{ other *twin }     // unwraps to another, which unwraps to this one
	denying   struct{ byValue }         // says by Is that it is everything
	nothing   struct{ several []error } // joins nil errors
	unwrapped struct{ unset *unset }    // unwraps to a nil pointer
)

func (*ouroboros) Error() string   { return "ouroboros" }
func (e *ouroboros) Unwrap() error { return e }

func (*hydra) Error() string     { return "hydra" }
func (e *hydra) Unwrap() []error { return []error{e, e} }

func (byType) Error() string  { return "by type" }
func (byValue) Error() string { return "by value" }

func (e *unset) Error() string {
	if e == nil {
		return "unset"
	}
	return e.text
}

func (e *wrapping) Error() string { return "wrapping" }
func (e *wrapping) Unwrap() error { return e.err }

func (*joining) Error() string     { return "joining" }
func (e *joining) Unwrap() []error { return e.errs }

func (*twin) Error() string   { return "twin" }
func (e *twin) Unwrap() error { return e.other }

func (denying) Is(error) bool { return true }

func (nothing) Error() string     { return "nothing" }
func (e nothing) Unwrap() []error { return e.several }

func (unwrapped) Error() string   { return "unwrapped" }
func (e unwrapped) Unwrap() error { return e.unset }

// oddErrors makes one of each.
func oddErrors() map[string]error {
	a := &twin{}
	a.other = &twin{a}
	deep := error(&unset{"at the bottom"})
	for range 10_000 {
		deep = &wrapping{deep}
	}
	nested := error(&unset{"at the bottom"})
	for range 10_000 {
		nested = &joining{[]error{nested, errPoor}}
	}
	wide := &joining{}
	for range 100_000 {
		wide.errs = append(wide.errs, errPoor)
	}
	return map[string]error{
		"unwraps to itself":                        &ouroboros{1},
		"unwraps to what unwraps to it":            a,
		"joins itself":                             &hydra{1},
		"wraps what joins itself":                  fmt.Errorf("wrapped: %w", &hydra{1}),
		"ten thousand deep":                        deep,
		"ten thousand joins deep":                  nested,
		"a hundred thousand wide":                  wide,
		"of a type that cannot be compared":        byType{"a"},
		"a value that cannot be compared":          byValue{[]string{"a"}},
		"one that says it is everything":           denying{byValue{[]string{"a"}}},
		"a nil pointer":                            (*unset)(nil),
		"joins nothing":                            nothing{[]error{nil, nil}},
		"unwraps to a nil pointer":                 unwrapped{},
		"wraps a value that cannot be compared":    fmt.Errorf("wrapped: %w", byValue{[]string{"a"}}),
		"joins several that cannot be compared":    errors.Join(byValue{[]int{1}}, byType{"b"}, byValue{map[string]int{}}),
		"what errors.Join makes of one, and a nil": errors.Join(nil, byType{"a"}),
	}
}

// sameError requires that got is want. Not all of these can be compared.
func sameError(t *testing.T, want, got error) {
	t.Helper()
	require.IsType(t, want, got)
	require.Equal(t, want.Error(), got.Error())
}

// Without a word about matching, an annotation changes nothing for a caller, whatever the error is.
func TestOddErrorsArriveAsTheyAre(t *testing.T) {
	for name, odd := range oddErrors() {
		attempts, inner := 0, retry.WhenThrows().Max(2)
		fail := func(context.Context) error { attempts++; return odd }
		for what, c := range map[string]struct {
			run      func(ctx context.Context) error
			attempts int
		}{
			"exhausted":   {func(ctx context.Context) error { return retry.WhenThrows().Max(3).Run(ctx, fail) }, 3},
			"not retried": {func(ctx context.Context) error { return retry.WhenThrows(retry.NoError).Run(ctx, fail) }, 1},
			"under a budget": {func(ctx context.Context) error {
				return retry.With(retry.NewBudget(budgetSettings)).Max(3).Run(ctx, fail)
			}, 3},
			"permanent": {func(ctx context.Context) error {
				return retry.WhenThrows().Max(3).Run(ctx, func(ctx context.Context) error { return retry.Permanent(fail(ctx)) })
			}, 1},
			"after a wait": {func(ctx context.Context) error { return retry.WhenThrows().Max(3).Sleep(time.Second).Run(ctx, fail) }, 3},
			"after two layers": {func(ctx context.Context) error {
				return retry.WhenThrows().Max(3).Run(ctx, func(ctx context.Context) error { return inner.Run(ctx, fail) })
			}, 2},
		} {
			t.Run(name+", "+what, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					attempts = 0
					sameError(t, odd, c.run(t.Context()))
					if what == "after two layers" && name != "unwraps to a nil pointer" {
						require.LessOrEqual(t, attempts, 2+1+1, "what cannot be known again costs an attempt of each outer one at most")
						return
					}
					require.Equal(t, c.attempts, attempts)
				})
			})
		}
	}
}

func TestOddErrorsAreMatched(t *testing.T) {
	never := func(*retry.DefinitionError) bool { return false }
	for name, odd := range oddErrors() {
		t.Run(name, func(t *testing.T) {
			everything := name == "one that says it is everything"
			require.Equal(t, everything, retry.Is(errFull).Match(odd))
			require.Equal(t, everything, retry.Is(byValue{[]string{"a"}}).Match(odd), "with a target that cannot be compared")
			require.Equal(t, everything, retry.Is(byType{"a"}).Match(odd))
			require.False(t, retry.As[*retry.DefinitionError]().Match(odd))
			require.False(t, retry.AsWhere(never).Match(odd))
			require.True(t, retry.AnyError.Match(odd))
		})
	}
	all := oddErrors()
	require.True(t, retry.As[*unset]().Match(all["ten thousand deep"]))
	require.True(t, retry.As[*unset]().Match(all["ten thousand joins deep"]))
	require.True(t, retry.Is(errPoor).Match(all["ten thousand joins deep"]))
	require.True(t, retry.AsWhere(func(e *unset) bool { return e == nil }).Match(all["a nil pointer"]))
	require.True(t, retry.As[byValue]().Match(all["wraps a value that cannot be compared"]))
	require.True(t, retry.Is(byValue{3}).Match(fmt.Errorf("wrapped: %w", byValue{3})), "this one can be compared")
	last := &joining{append(make([]error, 99_999), errFull)}
	require.True(t, retry.Is(errFull).Match(last), "the last of a hundred thousand")
	sameError(t, last, retry.WhenThrows().Max(3).Run(t.Context(), func(context.Context) error { return retry.Permanent(last) }))
}

// A fallback that gives up returns the cause that it was given.
func TestAFallbackMayReturnAnOddCause(t *testing.T) {
	for name, odd := range oddErrors() {
		t.Run(name, func(t *testing.T) {
			err := retry.WhenThrows().Max(2).Fallback(func(_ context.Context, cause error) error { return cause }).
				Run(t.Context(), func(context.Context) error { return odd })
			require.Error(t, err)
			require.Contains(t, err.Error(), odd.Error())

			err = retry.WhenThrows().Max(2).Fallback(func(context.Context, error) error { return odd }).
				Run(t.Context(), func(context.Context) error { return errFull })
			require.Error(t, err)
			if name != "one that says it is everything" { // it would say that it is the cause
				require.ErrorContains(t, err, "fallback: "+odd.Error())
				require.ErrorContains(t, err, "full")
			}
		})
	}
}

// The cause of a context's end is the user's too, and an attempt may return it.
func TestAContextMayEndForAnOddCause(t *testing.T) {
	for name, odd := range oddErrors() {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			err := retry.WhenThrows().Max(3).Run(ctx, func(ctx context.Context) error {
				cancel(odd)
				return context.Cause(ctx)
			})
			if name != "one that says it is everything" {
				require.ErrorContains(t, err, "canceled")
			}
			require.Contains(t, err.Error(), odd.Error())
		})
	}
}

// Policies and hooks refuse by errors of the user's.
func TestRefusalsMayBeOdd(t *testing.T) {
	for name, odd := range oddErrors() {
		t.Run(name, func(t *testing.T) {
			fail := func(context.Context) error { return errFull }
			for limit, p := range map[string]retry.Policy{
				"limit": refusing{limit: odd}, "take": refusing{take: odd},
			} {
				err := retry.WhenThrows().With(p).WrapExhausted().Run(t.Context(), fail)
				var exhausted *retry.ExhaustedError
				require.ErrorAs(t, err, &exhausted, limit)
				require.ErrorIs(t, err, errFull)
				require.Contains(t, err.Error(), odd.Error())
			}
			for range 2 { // there is one value for each method
				err := retry.WhenThrows().With(refusingGate{odd}).Max(2).Run(t.Context(), fail)
				var rejection *retry.RejectedError
				require.ErrorAs(t, err, &rejection)
				sameError(t, odd, rejection.Reason)
				require.Zero(t, rejection.RetryAfter())
			}
		})
	}
}

type refusing struct{ limit, take error }

func (refusing) Kind() string                 { return "refusing" }
func (p refusing) Limit(*retry.Session) error { return p.limit }
func (p refusing) Take(*retry.Session) error  { return p.take }
func (refusing) GiveBack(*retry.Session)      {}

type refusingGate struct{ reason error }

func (refusingGate) Kind() string                            { return "refusing" }
func (g refusingGate) Enter(context.Context) (uint64, error) { return 0, g.reason }
func (refusingGate) Leave(uint64, *retry.Session)            { panic("it has admitted nobody") }

// What an error is asked while sessions inside are looked up may begin such a session itself.
func TestAnErrorMayCallWhileItIsUnwrapped(t *testing.T) {
	inner := retry.WhenThrows().Max(2).Named("inner")
	e := &calling{}
	calls := 0
	err := retry.WhenThrows().Max(3).Named("outer").Run(t.Context(), func(ctx context.Context) error {
		calls++
		e.call = func() { _ = inner.Run(ctx, func(context.Context) error { return errPoor }) }
		_ = inner.Run(ctx, func(context.Context) error { return errFull })
		return e
	})
	require.Same(t, e, err)
	require.Equal(t, 3, calls, "its error is its own")
}

type calling struct{ call func() }

func (*calling) Error() string { return "calling" }
func (e *calling) Unwrap() error {
	e.call()
	return nil
}
