package snippets_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// Weather is what the services here take.
type Weather interface {
	Forecast(ctx context.Context, city string) (string, error)
	Cities(ctx context.Context) ([]string, error)
}

// StationWeather asks a station over the network.
type StationWeather struct {
	forecast func(ctx context.Context, city string) (string, error) // nil: it is sunny
}

func NewStationWeather() *StationWeather { return &StationWeather{} }

func (w *StationWeather) Forecast(ctx context.Context, city string) (string, error) {
	if w.forecast != nil {
		return w.forecast(ctx, city)
	}
	return "sunny in " + city, nil
}

func (w *StationWeather) Cities(context.Context) ([]string, error) { return []string{"Oslo"}, nil }

var errStation = errors.New("station is down")

// station is a StationWeather that does what a test says.
func station(forecast func(ctx context.Context, city string) (string, error)) func() *StationWeather {
	return func() *StationWeather { return &StationWeather{forecast} }
}

// SlowCalls logs calls that take longer than they should.
type SlowCalls struct {
	Limit time.Duration
	Log   *slog.Logger
}

func (a SlowCalls) Process(jp aspect.JoinPoint) error {
	begin := time.Now()
	err := jp.Proceed()
	if took := time.Since(begin); took > a.Limit {
		a.Log.WarnContext(jp.Context(), "slow call", "method", jp.Ref(), "took", took)
	}
	return err
}

// logTo is a logger without the time, and what it has written.
func logTo() (*slog.Logger, *bytes.Buffer) {
	out := &bytes.Buffer{}
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})), out
}

func TestAnAspectInTenLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logger, out := logTo()
		newWeather := station(func(_ context.Context, city string) (string, error) {
			time.Sleep(2 * time.Second)
			return "rain in " + city, nil
		})

		c := container.New()
		c.Provide(newWeather, container.As[Weather]())
		c.Supply(SlowCalls{time.Second, logger},
			container.AsAspect(aspect.Interface[Weather](), aspect.RetryPriority+1))

		weather, err := container.Get[Weather](c)
		require.NoError(t, err)
		forecast, err := weather.Forecast(t.Context(), "Bergen")
		require.NoError(t, err)
		require.Equal(t, "rain in Bergen", forecast)
		_, err = weather.Cities(t.Context())
		require.NoError(t, err)
		require.Equal(t, "level=WARN msg=\"slow call\" method=StationWeather@Forecast took=2s\n", out.String())
	})
}

func TestAFuncIsAnAspect(t *testing.T) {
	var out strings.Builder
	c := container.New()
	c.Provide(NewStationWeather, container.As[Weather]())

	c.Supply(aspect.Func(func(jp aspect.JoinPoint) error {
		fmt.Fprintln(&out, "asked for", aspect.Arg[string](jp, 1))
		return jp.Proceed()
	}), container.AsAspect(aspect.At("StationWeather@Forecast"), aspect.RetryPriority+1))

	weather, err := container.Get[Weather](c)
	require.NoError(t, err)
	_, err = weather.Forecast(t.Context(), "Oslo")
	require.NoError(t, err)
	require.Equal(t, "asked for Oslo\n", out.String())
}

// Metrics is a service that an aspect needs.
type Metrics struct{ calls map[string]int }

func NewMetrics() *Metrics { return &Metrics{map[string]int{}} }

// Counting counts calls.
type Counting struct{ metrics *Metrics }

func NewCounting(m *Metrics) *Counting { return &Counting{m} }

func (a *Counting) Process(jp aspect.JoinPoint) error {
	a.metrics.calls[jp.Ref().String()]++
	return jp.Proceed()
}

func TestAnAspectIsAService(t *testing.T) {
	c := container.New()
	c.Provide(NewStationWeather, container.As[Weather]())

	c.Provide(NewMetrics)
	c.Provide(NewCounting, container.AsAspect(aspect.Class("Station*"), aspect.RetryPriority+1))

	require.NoError(t, c.Invoke(func(w Weather, m *Metrics) {
		_, err := w.Cities(t.Context())
		require.NoError(t, err)
		require.Equal(t, map[string]int{"StationWeather@Cities": 1}, m.calls)
	}))
}

var (
	errNoCity  = errors.New("no city")
	errUnasked = errors.New("nobody asked")
)

func TestHelpersForOneSide(t *testing.T) {
	var count int
	refuse := aspect.Before(func(jp aspect.JoinPoint) error {
		if aspect.Arg[string](jp, 1) == "" {
			return errNoCity // the call ends here
		}
		return nil
	})
	tally := aspect.After(func(jp aspect.JoinPoint, err error) {
		if err == nil {
			count++
		}
	})
	translate := aspect.AfterError(func(jp aspect.JoinPoint, err error) error {
		return fmt.Errorf("%v: %w", jp.Ref(), err)
	})

	c := container.New()
	c.Provide(station(func(_ context.Context, city string) (string, error) {
		if city == "Atlantis" {
			return "", errUnasked
		}
		return "wind in " + city, nil
	}), container.As[Weather]())
	for _, a := range []aspect.Aspect{translate, tally, refuse} {
		c.Supply(a, container.AsAspect(aspect.Method(Weather.Forecast), aspect.RetryPriority+1))
	}
	weather, err := container.Get[Weather](c)
	require.NoError(t, err)
	_, err = weather.Forecast(t.Context(), "Oslo")
	require.NoError(t, err)
	_, err = weather.Forecast(t.Context(), "")
	require.ErrorIs(t, err, errNoCity)
	_, err = weather.Forecast(t.Context(), "Atlantis")
	require.EqualError(t, err, "StationWeather@Forecast: nobody asked")
	require.Equal(t, 1, count)
}

func TestAServiceThatWantsItsOwnCallsWovenTakesItselfAsALazy(t *testing.T) {
	c := container.New()
	c.Provide(NewDigest, container.As[Digest](), container.Annotate[aliases.Retry](Digest.Daily, annotation.MaxAttempts(2)))
	digest, err := container.Get[Digest](c)
	require.NoError(t, err)
	require.NoError(t, digest.Weekly(t.Context()), "its own call is retried")
}

// Digest is sent daily and weekly.
type Digest interface {
	Daily(ctx context.Context) error
	Weekly(ctx context.Context) error
}

// MailDigest calls its own woven methods.
type MailDigest struct {
	self  container.Lazy[Digest]
	calls int
}

func NewDigest(self container.Lazy[Digest]) *MailDigest { return &MailDigest{self: self} }

func (d *MailDigest) Daily(context.Context) error {
	if d.calls++; d.calls == 1 {
		return errStation
	}
	return nil
}

func (d *MailDigest) Weekly(ctx context.Context) error {
	self, err := d.self.Get()
	if err != nil {
		return err
	}
	return self.Daily(ctx) // d.Daily(ctx) would meet no aspect
}
