package microprofile_test

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

// sGetter is a generic class, for a fallback whose type argument is another.
type sGetter[T any] struct{}

// Get does not fit a method that returns a string.
func (*sGetter[T]) Get() (value T, err error) { return value, nil }

// sBase has fallbacks, and sDerived one more.
type (
	sBase    struct{ *sPeer }
	sDerived struct{ sBase }
)

// sBuffered has the unexported methods of a class of another package.
type sBuffered struct{ bytes.Buffer }

func (sBase) hidden() (string, error) { return "", errors.ErrUnsupported }

// Wider belongs to the outer class alone.
func (sDerived) Wider() (string, error) { return "", nil }

func TestSessionFallbacksThatDoNotFit(t *testing.T) {
	fallback := func(reference any) []annotation.Option { return []annotation.Option{annotation.Fallback(reference)} }
	var _ = sBase.hidden // the method that a reference cannot reach

	for _, c := range []struct {
		name      string
		reference any
		problem   string
	}{
		{"mp:D18 a handler of another type", func(cause error) (int, error) { return 0, cause }, "does not fit ServiceA"},
		{"mp:D19 another result", func(context.Context) string { return "" }, "does not fit ServiceA"},
		{"mp:D19 an error alone", func(context.Context) error { return nil }, "does not fit ServiceA"},
		{"mp:D20 other parameters", func(context.Context, int) (string, error) { return "", nil }, "does not fit ServiceA"},
		{"mp:D20 another order of parameters", func(error, context.Context) (string, error) { return "", nil }, "does not fit ServiceA"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sRefusedEverywhere[aliases.Retry](t, sService.ServiceA, fallback(c.reference), c.problem)
		})
	}

	provided := func(t *testing.T, reference any, problem string) {
		t.Helper()
		c := container.New()
		c.Provide(func() *sPeer { t.Error("Verify builds nothing"); return nil }, container.As[sService](), container.Annotate[aliases.Retry]("ServiceA", fallback(reference)...))
		c.Provide(func() *sBase { return nil })
		c.Provide(func() *sBuffered { return nil })
		c.Provide(func() *sGetter[int] { return nil })
		c.Provide(func() *sGetter[string] { return nil })
		if problem == "" {
			require.NoError(t, c.Verify())
			return
		}
		sRefused(t, c.Verify(), sPlaceHere, problem)
	}
	t.Run("mp:D21 a method that is missing", func(t *testing.T) {
		provided(t, "sPeer@ServiceC", "did you mean")
		provided(t, "sPear@ServiceB", "did you mean")
	})
	t.Run("mp:D22 a private method of a super-class", func(t *testing.T) { provided(t, "sBase@hidden", "hidden") })
	t.Run("mp:D23 a private method of a super-class of another package", func(t *testing.T) { provided(t, "sBuffered@grow", "grow") })
	t.Run("mp:D24 a method of a sub-class", func(t *testing.T) {
		provided(t, "sBase@Wider", "Wider")
		provided(t, sDerived.Wider, "sDerived")
	})
	t.Run("mp:D24 another type argument", func(t *testing.T) {
		provided(t, "sGetter[int]@Get", "does not fit ServiceA")
		provided(t, (*sGetter[int]).Get, "does not fit ServiceA")
		provided(t, "sGetter[string]@Get", "")
		provided(t, (*sGetter[string]).Get, "")
	})
}

func TestSessionTwoFallbacks(t *testing.T) {
	type (
		twice struct {
			_ annotation.On[aliases.Retry] `method:"ServiceA" fallback:"twice@ServiceB" fallback:"sHandler@Handle"`
			*sPeer
		}
		inTwoMarks struct {
			_ annotation.On[aliases.Retry]          `method:"ServiceA" fallback:"inTwoMarks@ServiceB"`
			_ annotation.On[aliases.CircuitBreaker] `method:"ServiceA" fallback:"sHandler@Handle"`
			*sPeer
		}
	)
	t.Run("mp:D17 in one mark", func(t *testing.T) { sMarkRefused[twice](t, "fallback") })
	t.Run("mp:D17 in two marks", func(t *testing.T) {
		c := container.New()
		c.Supply(&sCounter{})
		c.Provide(func(counter *sCounter) *sHandler { return &sHandler{counter} })
		c.Provide(func() *inTwoMarks { t.Error("Verify builds nothing"); return nil }, container.As[sService]())
		sRefused(t, c.Verify(), regexp.MustCompile(`inTwoMarks\._`), "fallback")
	})
	t.Run("mp:D17 at two registrations", func(t *testing.T) {
		c := container.New()
		one := func(context.Context) (string, error) { return "one", nil }
		c.Provide(func() *sPeer { t.Error("Verify builds nothing"); return nil }, container.As[sService](),
			container.Annotate[aliases.Retry]("ServiceA", annotation.Fallback(one)),
			container.Annotate[aliases.CircuitBreaker]("ServiceA", annotation.Fallback("sPeer@ServiceB")))
		sRefused(t, c.Verify(), regexp.MustCompile(`microprofile/session_\w+_test\.go:\d+`), "fallback")
	})
}
