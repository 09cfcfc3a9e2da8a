package snippets_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// Almanac has the weather of the past.
type Almanac interface {
	Look(ctx context.Context, year int) (string, error)
}

type PaperAlmanac struct {
	_ annotation.On[aliases.Retry] `method:"Look"`
}

func (*PaperAlmanac) Look(context.Context, int) (string, error) { return "wet", nil }

// metBy is what a pointcut meets of some services.
func metBy(t *testing.T, p aspect.Pointcut) string {
	t.Helper()
	var refs []string
	c := container.New()
	c.Provide(NewStationWeather, container.As[Weather](), container.Name("north"), container.Annotate[Audited]("Forecast"))
	c.Provide(func() *PaperAlmanac { return &PaperAlmanac{} }, container.As[Almanac]())
	c.Supply(aspect.Func(func(jp aspect.JoinPoint) error {
		refs = append(refs, jp.Ref().Class+"@"+jp.Ref().Method)
		return jp.Proceed()
	}), container.AsAspect(p, 1))
	require.NoError(t, c.Verify())
	w, err := container.Get[Weather](c, container.Name("north"))
	require.NoError(t, err)
	a, err := container.Get[Almanac](c)
	require.NoError(t, err)
	_, _ = w.Forecast(t.Context(), "Oslo")
	_, _ = w.Cities(t.Context())
	_, _ = a.Look(t.Context(), 1816)
	return strings.Join(refs, " ")
}

func TestPointcutsInCodeAndAsText(t *testing.T) {
	const forecast, cities, look = "StationWeather@Forecast", "StationWeather@Cities", "PaperAlmanac@Look"
	for _, c := range []struct {
		p          aspect.Pointcut
		text, want string
	}{
		{aspect.Any(), "any", forecast + " " + cities + " " + look},
		{aspect.Annotated[Audited](), "annotated(snippets_test.Audited)", forecast},
		{aspect.Annotated[annotation.AbstractRetry](), "annotated(annotation.AbstractRetry)", look},
		{aspect.Class("Station*"), "class(Station*)", forecast + " " + cities},
		{aspect.Class("github.com/backstay/**"), "class(github.com/backstay/**)", forecast + " " + cities + " " + look},
		{aspect.Interface[Almanac](), "interface(snippets_test.Almanac)", look},
		{aspect.Method("Forecast,Lo*"), "method(Forecast,Lo*)", forecast + " " + look},
		{aspect.Method(Weather.Cities), "method(snippets_test.Weather.Cities)", cities},
		{aspect.At("StationWeather@Forecast"), "StationWeather@Forecast", forecast},
		{aspect.At("*Weather#north@*"), "*Weather#north@*", forecast + " " + cities},
		{aspect.And(aspect.Class("Station*"), aspect.Not(aspect.Method(Weather.Cities))), "and(class(Station*), not(method(snippets_test.Weather.Cities)))", forecast},
		{aspect.Or(aspect.At("Station*@Cities,Forecast"), aspect.Interface[Almanac]()), `or("Station*@Cities,Forecast", interface(snippets_test.Almanac))`, forecast + " " + cities + " " + look},
	} {
		require.Equal(t, c.text, c.p.String())
		require.Equal(t, c.want, metBy(t, c.p), c.text)
		read, err := aspect.ParsePointcut(c.text)
		require.NoError(t, err)
		require.Equal(t, c.want, metBy(t, read), c.text)
	}
}

func TestComposedPointcuts(t *testing.T) {
	p := aspect.And(
		aspect.Interface[Weather](),
		aspect.Not(aspect.Method(Weather.Cities)))
	require.Equal(t, "StationWeather@Forecast", metBy(t, p))
}

func TestAPointcutOfAConfiguration(t *testing.T) {
	setting := "and(class(Station*), not(method(Cities)))"

	p, err := aspect.ParsePointcut(setting)
	if err != nil {
		t.Fatal(err) // such as: pointcut "clas(Station*)", character 1: clas(...) is no pointcut; did you mean class?
	}

	require.Equal(t, "StationWeather@Forecast", metBy(t, p))
	_, err = aspect.ParsePointcut("clas(Station*)")
	require.ErrorContains(t, err, `pointcut "clas(Station*)", character 1: clas(...) is no pointcut; did you mean class?`)
}

func TestWhatMeetsNothingIsFoundByVerify(t *testing.T) {
	c := container.New()
	c.Provide(NewStationWeather, container.As[Weather]())
	c.Supply(aspect.Func(aspect.JoinPoint.Proceed),
		container.AsAspect(aspect.And(aspect.Class("Station*"), aspect.Not(aspect.Method("Citys"))), 1))
	require.ErrorContains(t, c.Verify(), "method(Citys) in pointcut and(class(Station*), not(method(Citys))) matches nothing")
}
