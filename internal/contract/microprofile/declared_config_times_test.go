package microprofile_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// declaredTimed is a service whose calls take a while and whose mark sets times.
type (
	declaredTimed interface {
		Work(ctx context.Context) error
	}
	declaredWork struct {
		takes  time.Duration
		starts []time.Time
	}
	declaredBounded struct {
		_ annotation.On[declaredRetry] `method:"Work" maxAttempts:"91" timeout:"3s"`
		*declaredWork
	}
	declaredDelayed struct {
		_ annotation.On[declaredRetry] `method:"Work" maxAttempts:"10001" timeout:"10s" base:"200ms"`
		*declaredWork
	}
	declaredSlow struct {
		_ annotation.On[declaredRetry] `method:"Work" maxAttempts:"6" base:"2s"`
		*declaredWork
	}
	declaredUnjittered struct {
		_ annotation.On[declaredRetry] `method:"Work" maxAttempts:"11" base:"0s"`
		*declaredWork
	}
)

func (w *declaredWork) Work(context.Context) error {
	w.starts = append(w.starts, time.Now())
	time.Sleep(w.takes)
	return errDeclared
}

// gaps are the times between the starts of attempts.
func (w *declaredWork) gaps() (all []time.Duration) {
	for i := range w.starts[1:] {
		all = append(all, w.starts[i+1].Sub(w.starts[i]))
	}
	return all
}

func TestDeclaredConfigurationOfTimes(t *testing.T) {
	for _, c := range []struct {
		name  string
		of    func(w *declaredWork) any
		takes time.Duration
		opts  []annotation.Option
		check func(t *testing.T, w *declaredWork, took time.Duration)
	}{
		{"mp:K4 3 s, and 1 s for the method", func(w *declaredWork) any { return func() *declaredBounded { return &declaredBounded{declaredWork: w} } },
			100 * time.Millisecond, []annotation.Option{annotation.Timeout(time.Second)}, func(t *testing.T, w *declaredWork, took time.Duration) {
				require.Len(t, w.starts, 10)
				require.Equal(t, time.Second, took)
			}},
		{"mp:K6 10 s with a delay of 200 ms, and 1 s for the method", func(w *declaredWork) any { return func() *declaredDelayed { return &declaredDelayed{declaredWork: w} } },
			0, []annotation.Option{annotation.Timeout(time.Second)}, func(t *testing.T, w *declaredWork, took time.Duration) {
				require.Len(t, w.starts, 5, "a wait that would end with the session is not begun")
				require.Equal(t, 800*time.Millisecond, took)
			}},
		{"mp:K7 a delay of 2 s, and 2000 µs for the method", func(w *declaredWork) any { return func() *declaredSlow { return &declaredSlow{declaredWork: w} } },
			0, []annotation.Option{annotation.Base(2000 * time.Microsecond)}, func(t *testing.T, w *declaredWork, took time.Duration) {
				require.Len(t, w.starts, 6)
				require.Equal(t, 10*time.Millisecond, took)
			}},
		// MicroProfile's jitter is an attribute of the wait; here it is the strategy's, and never below its base.
		{"mp:K10 no jitter, and one of 1 s for the method", func(w *declaredWork) any {
			return func() *declaredUnjittered { return &declaredUnjittered{declaredWork: w} }
		},
			0, []annotation.Option{annotation.SleepStrategy(retry.DecorrelatedJitter), annotation.Base(time.Second)}, func(t *testing.T, w *declaredWork, _ time.Duration) {
				gaps := w.gaps()
				require.Len(t, gaps, 10)
				for _, gap := range gaps {
					require.GreaterOrEqual(t, gap, time.Second)
					require.LessOrEqual(t, gap, time.Minute)
				}
				require.NotEqual(t, gaps[0], gaps[1], "they are random")
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &declaredWork{takes: c.takes}
				services := container.New()
				services.Provide(c.of(w), container.As[declaredTimed](), container.Annotate[declaredRetry](declaredTimed.Work, c.opts...))
				s := declaredGet[declaredTimed](t, services)
				begin := time.Now()
				require.Same(t, errDeclared, s.Work(t.Context()))
				c.check(t, w, time.Since(begin))
			})
		})
	}
}
