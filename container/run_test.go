//go:build unix

package container_test

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
)

// raise sends this process a signal.
func raise(t *testing.T, s os.Signal) {
	p, err := os.FindProcess(os.Getpid())
	require.NoError(t, err)
	require.NoError(t, p.Signal(s))
}

// running runs a container of one service, until it is started. What run returns comes as the result.
func running(j *journal, stop func(context.Context) error, run func(c *container.Container) error) (c *container.Container, result chan error) {
	c, result = container.New(), make(chan error, 1)
	c.Provide(func() *unit[one] { return &unit[one]{j, "1", nil, stop} })
	go func() { result <- run(c) }()
	for c.State() != container.StateRunning {
		runtime.Gosched()
	}
	return c, result
}

func TestRunStopsWhenItsContextIsDone(t *testing.T) {
	var j journal
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), placeOfTest, "in time"))
	_, result := running(&j, func(ctx context.Context) error {
		j.add("with " + ctx.Value(placeOfTest).(string))
		return ctx.Err() // Stop's context is not the one that is done
	}, func(c *container.Container) error { return c.Run(ctx) })
	cancel()
	require.NoError(t, <-result)
	require.Equal(t, []string{"start 1", "stop 1", "with in time", "stop 1 is over"}, j.all())
}

func TestRunStopsAtASignal(t *testing.T) {
	for name, test := range map[string]struct {
		signals []os.Signal
		signal  os.Signal
	}{
		"an interrupt, unless said otherwise": {nil, os.Interrupt},
		"SIGTERM, unless said otherwise":      {nil, syscall.SIGTERM},
		"another one that is named":           {[]os.Signal{os.Interrupt, syscall.SIGHUP}, syscall.SIGHUP},
	} {
		t.Run(name, func(t *testing.T) {
			var j journal
			_, result := running(&j, fails(errDown), func(c *container.Container) error { return c.Run(t.Context(), test.signals...) })
			raise(t, test.signal)
			require.Equal(t, []string{"backstay: stop unit[one] (HERE): down"}, texts(t, <-result), "what Stop returns")
			require.Equal(t, "stop 1 is over", j.all()[2])
		})
	}
}

// Run hears one signal only: from then on a signal does what it would do without Run.
func TestAfterTheFirstSignalOthersHaveTheirUsualEffect(t *testing.T) {
	var j journal
	others := make(chan os.Signal, 2)
	signal.Notify(others, syscall.SIGHUP) // so that the usual effect is not the end of the test
	defer signal.Stop(others)
	stopping := make(chan struct{})
	_, result := running(&j, func(ctx context.Context) error {
		close(stopping)
		<-others
		<-others // the second one has not ended Stop
		return ctx.Err()
	}, func(c *container.Container) error { return c.Run(t.Context(), syscall.SIGHUP) })
	raise(t, syscall.SIGHUP)
	<-stopping
	raise(t, syscall.SIGHUP)
	require.NoError(t, <-result)
}

func TestASignalWhileRunStartsEndsTheStart(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func() *unit[one] { return quiet[one](&j, "1") })
	c.Provide(func(*unit[one]) *unit[two] {
		return &unit[two]{&j, "2", func(ctx context.Context) error { raise(t, syscall.SIGHUP); <-ctx.Done(); return context.Cause(ctx) }, nil}
	})
	err := c.Run(t.Context(), syscall.SIGHUP)
	require.Equal(t, []string{"backstay: start unit[two] (HERE): hangup: context canceled"}, texts(t, err))
	require.Equal(t, []string{"start 1", "start 2", "start 2 is over", "stop 1"}, j.all())
}

func TestRunReturnsWhenSomebodyElseStopsTheContainer(t *testing.T) {
	var j journal
	c, result := running(&j, fails(errDown), func(c *container.Container) error { return c.Run(t.Context()) })
	require.ErrorIs(t, c.Stop(t.Context()), errDown)
	require.NoError(t, <-result, "the error is told to who has stopped it")
}

func TestRunReturnsTheErrorOfItsStart(t *testing.T) {
	c := container.New()
	c.Provide(func() (*A, error) { return nil, errDown })
	require.Equal(t, []string{"backstay: Run (HERE) needs A (HERE): down"}, each(t, c.Run(t.Context())))
	require.Equal(t, "backstay: Run of a container that is failed; make another container (HERE)", text(c.Run(t.Context())))
}

func TestRunReturnsTheCauseOfItsContext(t *testing.T) {
	cut := fmt.Errorf("query: %w", context.Canceled)
	for name, test := range map[string]struct {
		cause, want error
	}{
		"an error":                        {errBroken, errBroken},
		"an error that wraps Canceled":    {cut, cut},
		"none":                            {nil, nil},
		"Canceled":                        {context.Canceled, nil},
		"DeadlineExceeded, as of timeout": {context.DeadlineExceeded, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var j journal
			ctx, fail := context.WithCancelCause(t.Context())
			_, result := running(&j, nil, func(c *container.Container) error { return c.Run(ctx) })
			fail(test.cause)
			require.Equal(t, test.want, <-result)
			require.Equal(t, []string{"start 1", "stop 1"}, j.all())
		})
	}
}

func TestRunJoinsTheCauseWithWhatStopReturns(t *testing.T) {
	var j journal
	ctx, fail := context.WithCancelCause(t.Context())
	_, result := running(&j, fails(errDown), func(c *container.Container) error { return c.Run(ctx) })
	fail(errBroken)
	require.Equal(t, []string{"broken", "backstay: stop unit[one] (HERE): down"}, texts(t, <-result))
}

func TestASignalOfNotifyContextIsNoErrorOfRun(t *testing.T) {
	var j journal
	ctx, stop := signal.NotifyContext(t.Context(), syscall.SIGHUP)
	defer stop()
	_, result := running(&j, nil, func(c *container.Container) error { return c.Run(ctx) })
	raise(t, syscall.SIGHUP)
	require.NoError(t, <-result)
}

func TestACauseThatComesAfterASignalIsNoErrorOfRun(t *testing.T) {
	var j journal
	ctx, fail := context.WithCancelCause(t.Context())
	_, result := running(&j, func(context.Context) error { fail(errBroken); return nil },
		func(c *container.Container) error { return c.Run(ctx, syscall.SIGHUP) })
	raise(t, syscall.SIGHUP)
	require.NoError(t, <-result)
}

// A service that fails while others start: the error says so once, also where the others hide it.
func TestRunReturnsTheCauseThatHasEndedItsStart(t *testing.T) {
	for name, start := range map[string]func(context.Context) error{
		"told by a service":     func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) },
		"hidden by a service":   func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
		"told by the container": func(ctx context.Context) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			var j journal
			ctx, fail := context.WithCancelCause(t.Context())
			c := container.New()
			c.Supply(fail)
			c.Provide(func(fail context.CancelCauseFunc) *unit[one] {
				return &unit[one]{&j, "1", func(ctx context.Context) error { fail(errBroken); return start(ctx) }, nil}
			})
			c.Provide(func(*unit[one]) *unit[two] { return quiet[two](&j, "2") })
			err := c.Run(ctx)
			require.ErrorIs(t, err, errBroken)
			require.Equal(t, 1, strings.Count(err.Error(), "broken"))
			require.NotContains(t, j.all(), "start 2")
		})
	}
}
