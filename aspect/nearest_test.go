package aspect_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

func TestAPointcutThatMeetsNothingIsToldWithWhatWasMeant(t *testing.T) {
	const leave = "correct it, or leave it out; only services that are provided as an interface or a func can be met"
	for text, want := range map[string]string{
		"class(Strpe)":                    "did you mean class(Stripe)?",
		"class(stripe)":                   "did you mean class(Stripe)?",
		"class(Gateway)":                  "did you mean interface(Gateway)?",
		"interface(Stripe)":               "did you mean class(Stripe)?",
		"method(Chrage)":                  "did you mean method(Charge)?",
		"method(Stripe.Chrage)":           "did you mean method(Stripe.Charge)?",
		"annotated(Adited)":               "did you mean annotated(Audited)?",
		"Stripe@Chrage":                   "did you mean Stripe@Charge?",
		"Stripe#mian@Charge":              "did you mean Stripe#main@Charge?",
		"Strpe@*":                         "did you mean Stripe@*?",
		"and(class(Stripe), method(Pay))": leave,
		"and(any, class(Strpe))":          "did you mean class(Stripe)?",
		"class(Nobody)":                   leave,
	} {
		t.Run(text, func(t *testing.T) {
			p, err := aspect.ParsePointcut(text)
			require.NoError(t, err)
			w := aspect.NewWeaver(aspect.WithAspect(p, 1, aspect.Func(proceed)))
			wrapped[Gateway](t, w, &Stripe{}, aspect.WithName("main"), aspect.Annotate[Audited]("Charge"))
			require.Equal(t, want, onlyProblem(t, w.Verify()).Remedy)
		})
	}
}

func TestAConfigurationThatMeetsNothingIsToldWithWhatWasMeant(t *testing.T) {
	for ref, want := range map[string]string{
		"Stripe@Chrage": "did you mean Stripe@Charge?",
		"Strpe@*":       "did you mean Stripe@*?",
		"Other@Do":      "write Class@Method of a service that is provided as an interface or a func",
	} {
		w := aspect.NewWeaver(aspect.WithConfiguration(ref, annotation.MaxAttempts(2)))
		wrapped[Gateway](t, w, &Stripe{}, aspect.Annotate[Quick]("Charge"))
		require.Equal(t, want, onlyProblem(t, w.Verify()).Remedy, ref)
	}
}

func TestAPointcutIsMetByWhatADeploymentHasTurnedOff(t *testing.T) {
	for name, off := range map[string]annotation.Option{
		"the annotation": annotation.Enabled[Audited](false),
		"every retry":    annotation.Enabled[annotation.AbstractRetry](false),
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			count := aspect.Func(func(jp aspect.JoinPoint) error { calls++; return jp.Proceed() })
			w := aspect.NewWeaver(
				aspect.WithAspect(aspect.Annotated[Audited](), 2, count), aspect.WithAspect(aspect.Annotated[Quick](), 1, count),
				aspect.WithConfiguration("*@*", off))
			g := wrapped[Gateway](t, w, &Stripe{}, aspect.Annotate[Audited]("Charge"), aspect.Annotate[Quick]("Charge"))
			require.NoError(t, w.Verify())
			_, err := g.Charge(context.Background(), "7", 1)
			require.NoError(t, err)
			require.Equal(t, 1, calls, "the aspect of what is off does not run")
		})
	}
}

// Counter is an aspect that others read.
type Counter struct{ calls int }

func (c *Counter) Process(jp aspect.JoinPoint) error { c.calls++; return jp.Proceed() }

func (c *Counter) Name() string { return "counter" }

func TestAnAspectIsNotWovenWhateverItIsProvidedAs(t *testing.T) {
	counter := &Counter{}
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1, counter))
	require.False(t, aspect.IsWoven(wrapped[namer](t, w, counter)))
	require.Equal(t, "stripe", wrapped[Gateway](t, w, &Stripe{}).Name())
	require.Equal(t, 1, counter.calls)
}

func TestAKeptJoinPointSaysSoWhateverItIsAskedFor(t *testing.T) {
	var kept aspect.JoinPoint
	g := around(t, &Stripe{}, func(jp aspect.JoinPoint) error { kept = jp; return jp.Proceed() })
	require.Equal(t, "stripe", g.Name())
	const want = "aspect: a join point of Stripe@Name is used after its call has ended"
	require.PanicsWithValue(t, want, func() { _ = kept.Proceed() })
	require.PanicsWithValue(t, want, func() { kept.Clone() })
	require.PanicsWithValue(t, want, func() { kept.Context() })
	require.PanicsWithValue(t, want, func() { kept.Args() })
}
