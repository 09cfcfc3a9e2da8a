package aspect_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

func TestAWeaverAnnotatesWhatAPointcutMeets(t *testing.T) {
	w := aspect.NewWeaver(aspect.WithAnnotation[Quick](aspect.And(aspect.Interface[Gateway](), aspect.Method("Charge"))))
	one, other := down(2), down(2)
	for _, target := range []*Stripe{one, other} {
		_, err := wrapped[Gateway](t, w, target, aspect.WithName("x"+string(rune('a'+target.calls)))).Charge(context.Background(), "7", 1)
		require.NoError(t, err)
		require.Equal(t, 3, target.calls)
	}
	require.NoError(t, w.Verify())
}

func TestAWeaverTakesTheConfigurationOfADeployment(t *testing.T) {
	for name, x := range map[string]struct {
		opts []annotation.Option
		want int
	}{
		"an attribute": {[]annotation.Option{annotation.MaxAttempts(5)}, 5},
		"a switch":     {[]annotation.Option{annotation.Enabled[Quick](false)}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := aspect.NewWeaver(aspect.WithConfiguration("Stripe@Charge", x.opts...))
			target := down(always)
			_, err := wrapped[Gateway](t, w, target, aspect.Annotate[Quick](Gateway.Charge)).Charge(context.Background(), "7", 1)
			require.ErrorIs(t, err, errDown)
			require.Equal(t, x.want, target.calls)
			require.NoError(t, w.Verify())
		})
	}
}

func TestAWeaverTellsWhatHasMetNothing(t *testing.T) {
	for name, x := range map[string]struct {
		opt  aspect.WeaverOption
		want string
	}{
		"annotation":    {aspect.WithAnnotation[Quick](aspect.Class("Strip")), "annotation aspect_test.Quick of class(Strip) matches nothing"},
		"configuration": {aspect.WithConfiguration("Stripe@Chrage", annotation.MaxAttempts(2)), `Configure of "Stripe@Chrage": it meets no method`},
	} {
		t.Run(name, func(t *testing.T) {
			w := aspect.NewWeaver(x.opt)
			wrapped[Gateway](t, w, &Stripe{}, aspect.Annotate[Quick](Gateway.Charge))
			d := onlyProblem(t, w.Verify())
			require.Equal(t, x.want, d.Problem)
			require.Contains(t, d.Place, "declare_test.go")
		})
	}
}

func TestAnOptionalPointcutOfAnAnnotationMayFindNoMethodForIt(t *testing.T) {
	for name, p := range map[string]aspect.Pointcut{
		"nothing is met":                   aspect.Class("Strip"),
		"what is met carries a nearer one": aspect.Method(Gateway.Charge),
	} {
		t.Run(name, func(t *testing.T) {
			w := aspect.NewWeaver(aspect.WithAnnotation[Quick](aspect.Optional(p)))
			wrapped[Gateway](t, w, &Stripe{}, aspect.Annotate[Quick](Gateway.Charge))
			require.NoError(t, w.Verify())
		})
	}
	d := onlyProblem(t, aspect.NewWeaver(aspect.WithAnnotation[Quick](aspect.Optional(nil))).Verify())
	require.Contains(t, d.Problem, "a pointcut is nil")
}
