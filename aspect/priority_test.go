package aspect_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// trail notes which aspects a call passes.
type trail []string

func (tr *trail) leave(name string) aspect.Func {
	return func(jp aspect.JoinPoint) error {
		*tr = append(*tr, name)
		return jp.Proceed()
	}
}

func (tr *trail) take() string {
	text := strings.Join(*tr, " ")
	*tr = nil
	return text
}

func TestLargerPrioritiesAreFurtherOutAndTiesAreInOrder(t *testing.T) {
	var tr trail
	w := aspect.NewWeaver(
		aspect.WithAspect(aspect.Any(), 0, tr.leave("0a")),
		aspect.WithAspect(aspect.Any(), 5, tr.leave("5a")),
		aspect.WithAspect(aspect.Any(), -5, tr.leave("-5")),
		aspect.WithAspect(aspect.Any(), 5, tr.leave("5b")),
		aspect.WithAspect(aspect.Any(), 0, tr.leave("0b")))
	w.Advise(
		aspect.Advice{Pointcut: aspect.Any(), Priority: 0, Aspect: tr.leave("0c")},
		aspect.Advice{Pointcut: aspect.Any(), Priority: 5, Aspect: tr.leave("5c")})
	_ = wrapped[Gateway](t, w, &Stripe{}).Name()
	require.Equal(t, "5a 5b 5c 0a 0b 0c -5", tr.take())
}

func TestRetryPriorityIsWhereTheRetryIs(t *testing.T) {
	require.Equal(t, 1000, aspect.RetryPriority)
	var tr trail
	w := aspect.NewWeaver(
		aspect.WithAspect(aspect.Method("Charge"), aspect.RetryPriority-1, tr.leave("inside")),
		aspect.WithAspect(aspect.Method("Charge"), aspect.RetryPriority, tr.leave("tie")),
		aspect.WithAspect(aspect.Method("Charge"), aspect.RetryPriority+1, tr.leave("outside")))
	g := wrapped[Gateway](t, w, down(2), aspect.Annotate[Quick](Gateway.Charge))
	_, err := g.Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, "outside tie inside tie inside tie inside", tr.take(), "the weaver's own aspect was there first")
}

func TestAnAspectOutsideTheRetryMayProceedAgainAndStartsANewSession(t *testing.T) {
	s := &Stripe{}
	var attempts []int
	s.charge = func(ctx context.Context, _ string, _ int) (string, error) {
		a, ok := retry.FromContext(ctx)
		require.True(t, ok)
		attempts = append(attempts, a.Number)
		return "", errDown
	}
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Method("Charge"), aspect.RetryPriority+1, aspect.Func(func(jp aspect.JoinPoint) error {
		require.Equal(t, errDown, jp.Proceed())
		return jp.Proceed()
	})))
	g := wrapped[Gateway](t, w, s, aspect.Annotate[Quick](Gateway.Charge, annotation.MaxAttempts(2)))
	_, err := g.Charge(t.Context(), "7", 5)
	require.Equal(t, errDown, err)
	require.Equal(t, []int{1, 2, 1, 2}, attempts)
}
