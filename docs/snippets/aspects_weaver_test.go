package snippets_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

func TestAnotherContainerWeavesByAWeaver(t *testing.T) {
	journal := &Journal{}
	calls := 0
	target := station(func(_ context.Context, city string) (string, error) {
		if calls++; calls == 1 {
			return "", errStation
		}
		return "sun in " + city, nil
	})()

	w := aspect.NewWeaver(
		aspect.WithAspect(aspect.Annotated[Audited](), aspect.RetryPriority+1, journal))

	weather, err := aspect.Wrap[Weather](w, target,
		aspect.Annotate[aliases.Retry](Weather.Forecast),
		aspect.Annotate[Audited]("*", annotation.Set(func(a *Audited) { a.Topic = "weather" })))
	if err != nil {
		t.Fatal(err)
	}

	// When all is wrapped: pointcuts that have met nothing, and orders that cannot be kept.
	if err := w.Verify(); err != nil {
		t.Fatal(err)
	}

	forecast, err := weather.Forecast(t.Context(), "Oslo")
	require.NoError(t, err)
	require.Equal(t, "sun in Oslo", forecast)
	require.Equal(t, []string{"weather/0: StationWeather@Forecast err=<nil>"}, journal.lines)

	require.True(t, aspect.IsWoven(weather))
	require.Same(t, target, aspect.Unwrap(weather))
}
