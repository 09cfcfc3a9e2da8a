package backstayotel_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/metric"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	backstayotel "github.com/backstay/backstay/otel"
	"github.com/backstay/backstay/retry"
)

// The cases of MicroProfile's metrics that need what is measured; docs/tables.md says what the tokens mean. Those of single
// calls and fallbacks are beside the other cases of MicroProfile: events and reports prove them.

// Till is a service with methods of one class.
type Till interface {
	Ask(ctx context.Context) error
	Count(ctx context.Context) error
}

type (
	// FusedTill is MicroProfile's requestVolumeThreshold 2, failureRatio 1, delay 1 s, successThreshold 2, failOn T, skipOn Sk.
	FusedTill struct {
		_ annotation.On[aliases.CircuitBreaker] `method:"Ask" maxAttempts:"1" retryErrors:"T" ignoreErrors:"Sk" breaker:"window=2,failureRatio=1,resetTimeout=1s,probes=2"`
		scriptedTill
	}
	// HurriedTill has half a second for each attempt, and one attempt.
	HurriedTill struct {
		_ annotation.On[aliases.Retry] `method:"Ask" maxAttempts:"1" attemptTimeout:"500ms"`
		scriptedTill
	}
	// PatientTill has two seconds for each attempt.
	PatientTill struct {
		_ annotation.On[aliases.Retry] `method:"Ask" maxAttempts:"1" attemptTimeout:"2s"`
		scriptedTill
	}
	// StubbornTill has two seconds for each of two attempts.
	StubbornTill struct {
		_ annotation.On[aliases.Retry] `method:"Ask" maxAttempts:"2" attemptTimeout:"2s"`
		scriptedTill
	}
	// WholeTill is annotated as a class.
	WholeTill struct {
		_ annotation.On[aliases.CircuitBreaker] `method:"*" maxAttempts:"1"`
		scriptedTill
	}
)

// scriptedTill does what the context says.
type scriptedTill struct{}

func (scriptedTill) Ask(ctx context.Context) error   { return play(ctx) }
func (scriptedTill) Count(ctx context.Context) error { return play(ctx) }

var (
	errT       = errors.New("T")
	errSk      = errors.New("Sk")
	errRuntime = errors.New("runtime")
)

// failsWith is a step that fails with err.
func failsWith(err error) func(context.Context) error {
	return func(context.Context) error { return err }
}

// works is a step that succeeds after so long, unless its context ends before that: MicroProfile interrupts its thread.
func works(d time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		select {
		case <-time.After(d):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// worksOn is works for one that does not heed its context.
func worksOn(d time.Duration) func(context.Context) error {
	return func(context.Context) error { time.Sleep(d); return nil }
}

// tillIn is a Till in a container of its own, whose metrics p keeps.
func tillIn[C any](t *testing.T, p metric.MeterProvider) (Till, *container.Container) {
	t.Helper()
	c := container.New()
	for name, err := range map[string]error{"T": errT, "Sk": errSk} {
		c.Supply(retry.Is(err), container.Name(name))
	}
	c.Provide(func() *C { return new(C) }, container.As[Till]())
	_, err := backstayotel.Instrument(c, backstayotel.WithMeterProvider(p), backstayotel.WithTracerProvider(tracenoop.NewTracerProvider()))
	require.NoError(t, err)
	till, err := container.Get[Till](c)
	require.NoError(t, err)
	return till, c
}

// measured is a Till, and what is measured of its method Ask: of each metric the points that are not 0, without the names of
// class, method and breaker, which are always the same.
func measured[C any](t *testing.T) (till Till, c *container.Container, points func(metric string) []string) {
	t.Helper()
	provider, reader := meter()
	till, c = tillIn[C](t, provider)
	class := reflect.TypeFor[C]().Name()
	short := strings.NewReplacer("class="+class+" ", "", "method=Ask ", "", "breaker="+class+"@Ask ", "", "breaker.", "")
	return till, c, func(metric string) (lines []string) {
		for _, line := range collect(t, reader).points(metric) {
			lines = append(lines, short.Replace(line))
		}
		return lines
	}
}

// added is what counters, as points, have more than they had before.
func added(t *testing.T, before, after []string) (lines []string) {
	t.Helper()
	had := map[string]int{}
	each := func(points []string, f func(series string, n int)) {
		for _, point := range points {
			space := strings.LastIndexByte(point, ' ')
			n, err := strconv.Atoi(point[space+1:])
			require.NoError(t, err)
			f(point[:max(space, 0)], n)
		}
	}
	each(before, func(series string, n int) { had[series] = n })
	each(after, func(series string, n int) {
		if n != had[series] {
			lines = append(lines, fmt.Sprintf("%s +%d", series, n-had[series]))
		}
		delete(had, series)
	})
	require.Empty(t, had, "a counter is lost")
	return lines
}

// There a breaker has counters of the calls that it took for successes and for failures, of those that it prevented, and of
// how often it opened. Here calls are counted by how they ended, refusals by what refused, and each change of state by itself:
// "opened" is one of them, and a change from half-open to open another.
func TestMicroProfileCountersOfABreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		till, c, points := measured[FusedTill](t)
		var before [3][]string
		succeeded, failed := 0, 0
		for _, step := range []struct {
			name  string // and what theirs have counted by then: success, failure, prevented, opened
			call  func(context.Context) error
			wait  time.Duration
			calls []string // what ours add
			// A failure that is worth a retry exhausts the session of its one call: a limit has refused the retry.
			refusals []string
			changes  []string
			state    string // then
		}{
			{name: "mp:M9 a failure: 0 1 0 0", call: failsWith(errT),
				calls: []string{"result=exhausted +1"}, refusals: []string{"limit=maxAttempts refused=retry +1"}, state: "closed"},
			{name: "mp:M10 a failure that opens: 0 2 0 1", call: failsWith(errT),
				calls: []string{"result=exhausted +1"}, refusals: []string{"limit=circuitBreaker refused=retry +1"},
				changes: []string{"from=closed to=open +1"}, state: "open"},
			{name: "mp:M11 a call that is prevented: 0 2 1 1", call: fine,
				calls: []string{"result=rejected +1"}, refusals: []string{"limit=circuitBreaker refused=call +1"}, state: "open"},
			{name: "mp:M12 the delay is over: 0 2 1 1", wait: 1500 * time.Millisecond, state: "half-open"},
			{name: "mp:M13 the first probe: 1 2 1 1", call: fine,
				calls: []string{"result=succeeded +1"}, changes: []string{"from=open to=half-open +1"}, state: "half-open"},
			{name: "mp:M14 the second probe: 2 2 1 1", call: fine,
				calls: []string{"result=succeeded +1"}, changes: []string{"from=half-open to=closed +1"}, state: "closed"},
			// Errors that are not in failOn, or are in skipOn, are successes of their breaker, though the caller gets an error. Here
			// such a call is counted as what it is, one that failed and was not worth a retry, and by the breaker not at all.
			{name: "mp:M15 an error of neither list: 3 2 1 1", call: failsWith(errRuntime), calls: []string{"result=failed +1"}, state: "closed"},
			{name: "mp:M16 an error that is skipped: 4 2 1 1", call: failsWith(errSk), calls: []string{"result=failed +1"}, state: "closed"},
		} {
			time.Sleep(step.wait)
			if step.call != nil {
				if till.Ask(with(t.Context(), step.call)) == nil {
					succeeded++
				} else {
					failed++
				}
			}
			after := [3][]string{points("backstay.calls"), points("backstay.refusals"), points("backstay.breaker.transitions")}
			for i, want := range [3][]string{step.calls, step.refusals, step.changes} {
				require.Equal(t, want, added(t, before[i], after[i]), step.name)
			}
			before = after
			require.Equal(t, []string{"state=" + step.state + " 1"}, points("backstay.breaker.state"), step.name)
		}
		require.Equal(t, []int{2, 5}, []int{succeeded, failed})
		require.Equal(t, []string{"2"}, points("backstay.calls.caller_success"))
		breakers := c.Status().Breakers
		require.Len(t, breakers, 1)
		require.Zero(t, breakers[0].Calls, "nothing since it closed")
	})
}

// There executions are counted by whether they timed out, and a histogram has the time of each. Here the histograms are of
// calls, and attempts that were too long are among the exhausted ones: spans have the reason of each.
func TestMicroProfileTimesOfCallsThatTimeOut(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name               string
		build              func(t *testing.T) (Till, *container.Container, func(string) []string)
		calls              [][]func(context.Context) error // the attempts of each
		results            []string
		durations, attempt []string
	}{
		{"mp:M17 two that are too long and one that is not", measured[HurriedTill],
			[][]func(context.Context) error{{works(2000 * ms)}, {works(2000 * ms)}, {works(10 * ms)}},
			[]string{"result=exhausted 2", "result=succeeded 1"},
			[]string{"result=exhausted 2 up to 0.5; 1 in all", "result=succeeded 1 up to 0.01; 0.01 in all"},
			[]string{"3 up to 1; 3 in all"}},
		// Nobody interrupts a goroutine. Its caller waits for it, and the result that comes late is one.
		{"mp:M17 one that does not heed its context", measured[HurriedTill],
			[][]func(context.Context) error{{worksOn(2000 * ms)}},
			[]string{"result=succeeded 1"},
			[]string{"result=succeeded 1 up to 2.5; 2 in all"},
			[]string{"1 up to 1; 1 in all"}},
		{"mp:M18 one that is too long is in the histogram too", measured[PatientTill],
			[][]func(context.Context) error{{works(300 * ms)}, {works(5000 * ms)}},
			[]string{"result=exhausted 1", "result=succeeded 1"},
			[]string{"result=exhausted 1 up to 2.5; 2 in all", "result=succeeded 1 up to 0.5; 0.3 in all"},
			[]string{"2 up to 1; 2 in all"}},
		// There each execution is one of the histogram, here both are one call.
		{"mp:M18 a retry of one that is too long", measured[StubbornTill],
			[][]func(context.Context) error{{works(5000 * ms), works(300 * ms)}},
			[]string{"result=succeeded 1"},
			[]string{"result=succeeded 1 up to 2.5; 2.3 in all"},
			[]string{"1 up to 2; 2 in all"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				till, _, points := c.build(t)
				for _, attempts := range c.calls {
					if err := till.Ask(with(t.Context(), attempts...)); err != nil {
						require.ErrorIs(t, err, context.DeadlineExceeded)
					}
				}
				require.Equal(t, c.results, points("backstay.calls"))
				require.Equal(t, c.durations, points("backstay.call.duration"))
				require.Equal(t, c.attempt, points("backstay.call.attempts"))
			})
		})
	}
}

// mp:M31. What is annotated as a class is measured by its methods: there is no series of the class alone.
func TestMicroProfileMetricsOfAClassNameTheMethod(t *testing.T) {
	provider, reader := meter()
	till, _ := tillIn[WholeTill](t, provider)
	require.NoError(t, till.Ask(with(t.Context(), fine)))
	require.Error(t, till.Count(with(t.Context(), failsWith(errT))))
	all := collect(t, reader)
	require.Equal(t, []string{
		"class=WholeTill method=Ask result=succeeded 1",
		"class=WholeTill method=Count result=exhausted 1",
	}, all.points("backstay.calls"))
	require.Equal(t, []string{
		"breaker=WholeTill@Ask breaker.state=closed 1",
		"breaker=WholeTill@Count breaker.state=open 1",
	}, all.points("backstay.breaker.state"))
	for _, m := range all {
		for _, p := range (collected{m}).every(m.Name) {
			require.Regexp(t, `class=WholeTill .*method=(Ask|Count)\b|(breaker|budget)=WholeTill@(Ask|Count)\b`, p.attributes, m.Name)
		}
	}
}

// mp:M33. Metrics are on where a container is instrumented, and off where that is not so or where they go nowhere. There is
// nothing of the services then, not even a 0, and spans are made all the same.
func TestMicroProfileMetricsThatAreSwitchedOff(t *testing.T) {
	global := globalReader()
	spans := tracetest.NewSpanRecorder()
	for name, c := range map[string]struct {
		instrument func(*container.Container) error
		spans      int
	}{
		"not instrumented": {func(*container.Container) error { return nil }, 0},
		"a provider that does nothing": {func(c *container.Container) error {
			_, err := backstayotel.Instrument(c, backstayotel.WithMeterProvider(metricnoop.NewMeterProvider()),
				backstayotel.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))))
			return err
		}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			services := container.New()
			services.Provide(func() *WholeTill { return &WholeTill{} }, container.As[Till]())
			require.NoError(t, c.instrument(services))
			till, err := container.Get[Till](services)
			require.NoError(t, err)
			require.NoError(t, till.Ask(with(t.Context(), fine)))
			require.Error(t, till.Count(with(t.Context(), failsWith(errT))))
			for _, m := range collect(t, global) {
				for _, p := range (collected{m}).every(m.Name) {
					require.NotContains(t, p.attributes, "WholeTill", m.Name)
				}
			}
			require.Len(t, spans.Ended(), c.spans)
			spans.Reset()
		})
	}
}
