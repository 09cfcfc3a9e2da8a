//go:build unix

package container_test

import (
	"context"
	"os"
	"os/signal"
	"runtime"
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
