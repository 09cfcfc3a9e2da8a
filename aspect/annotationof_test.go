package aspect_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// Limited is an annotation of a user's own aspect, and Strict an alias of it.
type Limited struct{ Per string }

// Strict is Limited with a field of its own.
type Strict struct {
	Limited
	Rate int
}

type limits struct{ Rate int }

// Hidden embeds a type that is not exported.
type Hidden struct{ limits }

func TestAnnotationOf(t *testing.T) {
	check := func(t *testing.T, see aspect.Func, opts ...aspect.WrapOption) {
		w := aspect.NewWeaver(aspect.WithAspect(aspect.Method("Charge"), 0, see))
		called := false
		w.Advise(aspect.Advice{Pointcut: aspect.Method("Charge"), Priority: -1, Aspect: aspect.Func(func(jp aspect.JoinPoint) error {
			called = true
			return jp.Proceed()
		})})
		_, err := wrapped[Gateway](t, w, &Stripe{}, opts...).Charge(t.Context(), "7", 5)
		require.NoError(t, err)
		require.True(t, called)
	}
	t.Run("its own type", func(t *testing.T) {
		check(t, func(jp aspect.JoinPoint) error {
			a, ok := aspect.AnnotationOf[Limited](jp)
			require.True(t, ok)
			require.Equal(t, Limited{"user"}, a)
			return jp.Proceed()
		}, aspect.Annotate[Limited]("Charge", annotation.Set(func(l *Limited) { l.Per = "user" })))
	})
	t.Run("what it embeds", func(t *testing.T) {
		check(t, func(jp aspect.JoinPoint) error {
			a, ok := aspect.AnnotationOf[Limited](jp)
			require.True(t, ok)
			require.Equal(t, Limited{"tenant"}, a)
			_, ok = aspect.AnnotationOf[annotation.AbstractRetry](jp)
			require.False(t, ok)
			return jp.Proceed()
		}, aspect.Annotate[Strict]("Charge", annotation.Set(func(l *Strict) { l.Per = "tenant" })))
	})
	t.Run("what it embeds is not exported", func(t *testing.T) {
		check(t, func(jp aspect.JoinPoint) error {
			a, ok := aspect.AnnotationOf[limits](jp)
			require.True(t, ok)
			require.Equal(t, limits{3}, a)
			return jp.Proceed()
		}, aspect.Annotate[Hidden]("Charge", annotation.Set(func(h *Hidden) { h.Rate = 3 })))
	})
	t.Run("the nearest", func(t *testing.T) {
		check(t, func(jp aspect.JoinPoint) error {
			a, ok := aspect.AnnotationOf[Limited](jp)
			require.True(t, ok)
			require.Equal(t, Limited{"user"}, a)
			return jp.Proceed()
		},
			aspect.Annotate[Limited]("*", annotation.Set(func(l *Limited) { l.Per = "all" })),
			aspect.Annotate[Limited]("Charge", annotation.Set(func(l *Limited) { l.Per = "user" })))
	})
	t.Run("none", func(t *testing.T) {
		check(t, func(jp aspect.JoinPoint) error {
			a, ok := aspect.AnnotationOf[Limited](jp)
			require.False(t, ok)
			require.Zero(t, a)
			return jp.Proceed()
		})
	})
	t.Run("a retry annotation", func(t *testing.T) {
		check(t, func(jp aspect.JoinPoint) error {
			_, ok := aspect.AnnotationOf[Quick](jp)
			require.True(t, ok)
			return jp.Proceed()
		}, aspect.Annotate[Quick]("Charge"))
	})
}
