package backstayotel_test

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	backstayotel "github.com/backstay/backstay/otel"
)

// meter is a meter provider, and a reader of what it has.
func meter() (*sdkmetric.MeterProvider, *sdkmetric.ManualReader) {
	reader := sdkmetric.NewManualReader()
	return sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)), reader
}

// refusing is a meter provider that makes no counters.
type refusing struct{ noop.MeterProvider }

func (refusing) Meter(string, ...metric.MeterOption) metric.Meter { return refusingMeter{} }

type refusingMeter struct{ noop.Meter }

func (refusingMeter) Int64ObservableCounter(string, ...metric.Int64ObservableCounterOption) (metric.Int64ObservableCounter, error) {
	return nil, errors.New("no counters today")
}

func TestInstrumentIsOneLineWhateverElseIsRegistered(t *testing.T) {
	for name, options := range map[string][]container.Option{
		"run-time proxies":        nil,
		"generated proxies alone": {container.RequireGenerated()},
	} {
		t.Run("a container without a retried method, "+name, func(t *testing.T) {
			provider, reader := meter()
			c := container.New(options...)
			c.Supply("a word")
			_, err := backstayotel.Instrument(c, backstayotel.WithMeterProvider(provider))
			require.NoError(t, err)
			require.NoError(t, c.Verify())
			require.Empty(t, c.Notes())
			word, err := container.Get[string](c)
			require.NoError(t, err)
			require.Equal(t, "a word", word)
			require.NoError(t, c.Start(t.Context()))
			require.NoError(t, c.Stop(t.Context()))
			require.Empty(t, collect(t, reader).every("backstay.calls"))
		})
	}
	t.Run("an empty container", func(t *testing.T) {
		c := container.New()
		_, err := backstayotel.Instrument(c)
		require.NoError(t, err)
		require.NoError(t, c.Verify())
	})
	t.Run("before the services", func(t *testing.T) {
		provider, reader := meter()
		c := container.New()
		_, err := backstayotel.Instrument(c, backstayotel.WithMeterProvider(provider))
		require.NoError(t, err)
		c.Provide(newOutpost, container.As[Store]())
		store, err := container.Get[Store](c)
		require.NoError(t, err)
		require.NoError(t, store.Ask(with(t.Context(), fine)))
		require.Equal(t, []string{"class=Outpost method=Ask result=succeeded 1"}, collect(t, reader).points("backstay.calls"))
	})
}

func TestTheInstrumentationOfAContainerCanBeInjected(t *testing.T) {
	c := container.New()
	in, err := backstayotel.Instrument(c)
	require.NoError(t, err)
	got, err := container.Get[*backstayotel.Instrumentation](c)
	require.NoError(t, err)
	require.Same(t, in, got)
}

func TestAContainerIsInstrumentedOnceAndBeforeItsFirstUse(t *testing.T) {
	c := container.New()
	_, err := backstayotel.Instrument(c)
	require.NoError(t, err)
	_, err = backstayotel.Instrument(c)
	require.NoError(t, err)
	err = c.Verify()
	require.ErrorContains(t, err, "*backstayotel.Instrumentation is provided twice")
	require.ErrorContains(t, err, "otel/instrument_test.go", "the place is the user's")

	c = container.New()
	require.NoError(t, c.Verify())
	_, err = backstayotel.Instrument(c)
	require.NoError(t, err)
	require.ErrorContains(t, c.Verify(), "which has frozen the plan")
}

func TestCollectingDoesNotFreezeThePlan(t *testing.T) {
	provider, reader := meter()
	c := container.New()
	_, err := backstayotel.Instrument(c, backstayotel.WithMeterProvider(provider))
	require.NoError(t, err)
	require.Empty(t, collect(t, reader), "nothing is known of what is not registered")
	c.Provide(newOutpost, container.As[Store]())
	require.NoError(t, c.Verify())

	all := collect(t, reader)
	require.Len(t, all.every("backstay.calls"), 6, "every method has a series of each result before it is called")
	require.Len(t, all.every("backstay.calls.caller_success"), 1)
	require.Len(t, all.every("backstay.fallbacks"), 2)
	require.Empty(t, all.points("backstay.calls"), "all of them 0")
	require.Equal(t, []string{"breaker=Outpost@Ask breaker.state=closed 1"}, all.points("backstay.breaker.state"))
	require.Len(t, all.every("backstay.breaker.transitions"), 4, "the usual ones, before they happen")
}

// Several containers have one instrumentation; services of one class and name are one series, and so are their breakers.
func TestSeveralContainers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		provider, reader := meter()
		in, err := backstayotel.New(backstayotel.WithMeterProvider(provider))
		require.NoError(t, err)
		for i := range 3 {
			c := container.New()
			in.Instrument(c)
			c.Provide(newOutpost, container.As[Store]())
			store, err := container.Get[Store](c)
			require.NoError(t, err)
			step := fine
			if i == 0 {
				step = down
			}
			_ = store.Ask(with(t.Context(), step))
		}
		time.Sleep(3 * time.Second)
		all := collect(t, reader)
		require.Equal(t, []string{"class=Outpost method=Ask result=exhausted 1", "class=Outpost method=Ask result=succeeded 2"}, all.points("backstay.calls"))
		require.Equal(t, []string{"breaker=Outpost@Ask breaker.state=closed 2", "breaker=Outpost@Ask breaker.state=open 1"}, all.points("backstay.breaker.state"))
		require.Equal(t, []string{"breaker=Outpost@Ask breaker.state=closed 6", "breaker=Outpost@Ask breaker.state=open 3"}, all.points("backstay.breaker.state.duration"))
		require.Equal(t, []string{"breaker=Outpost@Ask breaker.from=closed breaker.to=open 1"}, all.points("backstay.breaker.transitions"))
	})
}

// globalReader reads the global provider, which is set by the first who asks, and can be set once.
var globalReader = sync.OnceValue(func() sdkmetric.Reader {
	provider, reader := meter()
	otel.SetMeterProvider(provider)
	return reader
})

// The global provider may be set after the instrumentation is made.
func TestWithoutOptionsMetricsGoToTheGlobalProvider(t *testing.T) {
	c := container.New()
	c.Provide(newOutpost, container.As[Store]())
	in, err := backstayotel.Instrument(c, nil, backstayotel.WithMeterProvider(nil), backstayotel.WithTracerProvider(nil))
	require.NoError(t, err)
	defer func() { require.NoError(t, in.Close()) }()
	store, err := container.Get[Store](c)
	require.NoError(t, err)
	require.NoError(t, store.Ask(with(t.Context(), fine)))

	reader := globalReader()
	require.NoError(t, store.Ask(with(t.Context(), fine)))
	require.Contains(t, collect(t, reader).points("backstay.calls"), "class=Outpost method=Ask result=succeeded 2", "what came before is counted too")
}

func TestAProviderThatRefusesIsAnError(t *testing.T) {
	_, err := backstayotel.Instrument(container.New(), backstayotel.WithMeterProvider(refusing{}))
	require.ErrorContains(t, err, "backstayotel: no counters today")
	_, err = backstayotel.New(backstayotel.WithChainNames(-1))
	require.EqualError(t, err, "backstayotel: -1 names of chains cannot be told apart; give WithChainNames 0 or more")
}

func TestAfterCloseNothingIsReported(t *testing.T) {
	provider, reader := meter()
	c := container.New()
	c.Provide(newOutpost, container.As[Store]())
	in, err := backstayotel.Instrument(c, backstayotel.WithMeterProvider(provider))
	require.NoError(t, err)
	store, err := container.Get[Store](c)
	require.NoError(t, err)
	require.NoError(t, store.Ask(with(t.Context(), fine)))
	require.NotEmpty(t, collect(t, reader).every("backstay.calls"))
	require.NoError(t, in.Close())
	require.NoError(t, in.Close())
	require.NoError(t, store.Ask(with(t.Context(), fine)))
	all := collect(t, reader)
	require.Empty(t, all.every("backstay.calls"))
	require.Empty(t, all.every("backstay.breaker.state"))
	require.NotEmpty(t, all.every("backstay.call.duration"))
}

func TestOtherAspectsStandWhereTheyAreTold(t *testing.T) {
	var order []string
	c := container.New()
	c.Provide(newOutpost, container.As[Store]())
	note := func(name string) aspect.Func {
		return func(jp aspect.JoinPoint) error { order = append(order, name); return jp.Proceed() }
	}
	retried := aspect.Class("Outpost")
	c.Supply(note("outside"), container.AsAspect(retried, backstayotel.SessionPriority+1))
	c.Supply(note("in between"), container.AsAspect(retried, aspect.RetryPriority+1))
	c.Supply(note("inside"), container.AsAspect(retried, backstayotel.AttemptPriority-1))
	provider, _ := meter()
	_, err := backstayotel.Instrument(c, backstayotel.WithMeterProvider(provider))
	require.NoError(t, err)
	store, err := container.Get[Store](c)
	require.NoError(t, err)
	require.NoError(t, store.Ask(with(t.Context(), down, fine)))
	require.Equal(t, []string{"outside", "in between", "inside", "inside"}, order)
}
