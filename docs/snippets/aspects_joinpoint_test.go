package snippets_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// wovenWeather is a Weather with one aspect around Forecast.
func wovenWeather(t *testing.T, forecast func(ctx context.Context, city string) (string, error), a aspect.Aspect) Weather {
	t.Helper()
	c := container.New()
	c.Provide(station(forecast), container.As[Weather]())
	c.Supply(a, container.AsAspect(aspect.Method(Weather.Forecast), aspect.RetryPriority+1))
	weather, err := container.Get[Weather](c)
	require.NoError(t, err)
	return weather
}

func TestAnAspectReadsAndReplacesArgumentsAndResults(t *testing.T) {
	weather := wovenWeather(t, nil, aspect.Func(func(jp aspect.JoinPoint) error {
		city := aspect.Arg[string](jp, 1) // 0 is the context
		aspect.SetArg(jp, 1, strings.ToUpper(city))
		err := jp.Proceed()
		aspect.SetResult(jp, 0, aspect.Result[string](jp, 0)+"!")
		return err
	}))
	forecast, err := weather.Forecast(t.Context(), "Oslo")
	require.NoError(t, err)
	require.Equal(t, "sunny in OSLO!", forecast)
}

type tenantKey struct{}

func TestAnAspectReplacesTheContext(t *testing.T) {
	weather := wovenWeather(t, func(ctx context.Context, city string) (string, error) {
		return "fog in " + city + " for " + ctx.Value(tenantKey{}).(string), nil
	}, aspect.Func(func(jp aspect.JoinPoint) error {
		jp.SetContext(context.WithValue(jp.Context(), tenantKey{}, "acme")) // for what is further in
		return jp.Proceed()
	}))
	forecast, err := weather.Forecast(t.Context(), "Oslo")
	require.NoError(t, err)
	require.Equal(t, "fog in Oslo for acme", forecast)
}

func TestAJoinPointDescribesTheCall(t *testing.T) {
	met := false
	var proxy any
	weather := wovenWeather(t, nil, aspect.Func(func(jp aspect.JoinPoint) error {
		met = true
		proxy = jp.Proxy()
		require.Equal(t, "StationWeather@Forecast", jp.Ref().String())
		require.Equal(t, "StationWeather", jp.Class().Short)
		require.Equal(t, "github.com/backstay/backstay/docs/snippets_test.StationWeather", jp.Class().Full)
		require.Equal(t, "Forecast", jp.Method().Name)
		require.Equal(t, "func(context.Context, string) (string, error)", jp.Method().Type.String())
		require.IsType(t, &StationWeather{}, jp.Target())
		require.Equal(t, []any{jp.Context(), "Oslo"}, jp.Args())
		err := jp.Proceed()
		require.Equal(t, []any{"sunny in Oslo", nil}, jp.Results())
		require.Equal(t, 2, jp.NumArg())
		require.Equal(t, 2, jp.NumResult())
		require.Empty(t, jp.Annotations())
		return err
	}))
	_, err := weather.Forecast(t.Context(), "Oslo")
	require.NoError(t, err)
	require.True(t, met)
	require.True(t, any(weather) == proxy, "it is what consumers hold")
}

// Remembered answers from what it has seen. It does not proceed then.
type Remembered struct {
	mu   sync.Mutex
	seen map[string]string
}

func (r *Remembered) Process(jp aspect.JoinPoint) error {
	city := aspect.Arg[string](jp, 1)
	r.mu.Lock()
	known, ok := r.seen[city]
	r.mu.Unlock()
	if ok {
		aspect.SetResult(jp, 0, known)
		return nil
	}
	err := jp.Proceed()
	if err == nil {
		r.mu.Lock()
		r.seen[city] = aspect.Result[string](jp, 0)
		r.mu.Unlock()
	}
	return err
}

func TestACachingAspectDoesNotProceed(t *testing.T) {
	calls := 0
	weather := wovenWeather(t, func(_ context.Context, city string) (string, error) {
		calls++
		return "snow in " + city, nil
	}, &Remembered{seen: map[string]string{}})
	for range 3 {
		forecast, err := weather.Forecast(t.Context(), "Oslo")
		require.NoError(t, err)
		require.Equal(t, "snow in Oslo", forecast)
	}
	require.Equal(t, 1, calls)
}

// Hedged calls a second time when the first call takes long, and takes what comes first.
type Hedged struct{ After time.Duration }

func (h Hedged) Process(jp aspect.JoinPoint) error {
	type outcome struct {
		call aspect.JoinPoint
		err  error
	}
	ctx, cancel := context.WithCancel(jp.Context())
	defer cancel() // who comes second may give up
	outcomes := make(chan outcome, 2)
	start := func() {
		call := jp.Clone() // arguments and results of its own
		call.SetContext(ctx)
		go func() { outcomes <- outcome{call, call.Proceed()} }()
	}
	start()
	var first outcome
	select {
	case first = <-outcomes:
	case <-time.After(h.After):
		start()
		first = <-outcomes
	}
	for i, v := range first.call.Results() {
		aspect.SetResult(jp, i, v)
	}
	return first.err
}

func TestAHedgingAspectTakesWhatComesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		calls, given := 0, 0
		weather := wovenWeather(t, func(ctx context.Context, city string) (string, error) {
			mu.Lock()
			calls++
			wait := time.Minute / time.Duration(calls*calls*calls*calls)
			mu.Unlock()
			select {
			case <-time.After(wait):
				return "hail in " + city, nil
			case <-ctx.Done():
				mu.Lock()
				given++
				mu.Unlock()
				return "", ctx.Err()
			}
		}, Hedged{5 * time.Second})
		begin := time.Now()
		forecast, err := weather.Forecast(t.Context(), "Oslo")
		require.NoError(t, err)
		require.Equal(t, "hail in Oslo", forecast)
		require.Equal(t, 5*time.Second+time.Minute/16, time.Since(begin))
		synctest.Wait()
		require.Equal(t, 1, given)
		require.Equal(t, 2, calls)
	})
}
