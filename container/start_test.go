package container_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

func TestStartAndStopFollowTheGraph(t *testing.T) {
	var j journal
	c := container.New()
	chainOf(c, quiet[one](&j, "1"), quiet[two](&j, "2"), quiet[three](&j, "3"))
	require.Equal(t, container.StateNew, c.State())
	require.NoError(t, c.Start(t.Context()))
	require.Equal(t, container.StateRunning, c.State())
	require.Equal(t, []string{"start 1", "start 2", "start 3"}, j.all())
	require.NoError(t, c.Stop(t.Context()))
	require.Equal(t, container.StateStopped, c.State())
	require.Equal(t, []string{"start 1", "start 2", "start 3", "stop 3", "stop 2", "stop 1"}, j.all())
	require.NoError(t, c.Stop(t.Context()), "again")
	require.Len(t, j.all(), 6)
}

func TestStartBuildsEverySingletonAndNothingElse(t *testing.T) {
	built := map[string]int{}
	c := container.New()
	c.Provide(func() *A { built["A"]++; return &A{} })
	c.Provide(func() *B { built["B"]++; return &B{} }, container.Group("b"))
	c.Provide(func() (*C, error) { built["C"]++; return &C{}, nil }, container.Scoped())
	c.Provide(func() *Left { built["Left"]++; return &Left{} }, container.Transient())
	require.NoError(t, c.Start(t.Context()))
	require.Equal(t, map[string]int{"A": 1, "B": 1}, built)
	must[*A](t, c)
	require.Equal(t, 1, built["A"])
	require.NoError(t, c.Stop(t.Context()))
}

func TestWhatDoesNotNeedEachOtherIsStartedAndStoppedAtTheSameTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		c := container.New()
		c.Provide(func() *unit[one] { return &unit[one]{&j, "1", sleeps(time.Second), sleeps(4 * time.Second)} })
		c.Provide(func() *unit[two] { return &unit[two]{&j, "2", sleeps(2 * time.Second), sleeps(time.Second)} })
		c.Provide(func(*unit[one], *unit[two]) *unit[three] {
			return &unit[three]{&j, "3", sleeps(time.Second), sleeps(time.Second)}
		})
		c.Provide(func(*unit[one]) *unit[four] {
			return &unit[four]{&j, "4", sleeps(time.Second), sleeps(2 * time.Second)}
		})
		began := time.Now()
		require.NoError(t, c.Start(t.Context()))
		require.Equal(t, 3*time.Second, time.Since(began))
		require.Less(t, j.at("start 4"), j.at("start 2 is over"), "4 waits for 1 alone")
		began = time.Now()
		require.NoError(t, c.Stop(t.Context()))
		require.Equal(t, 6*time.Second, time.Since(began))
		require.Less(t, j.at("stop 2"), j.at("stop 4 is over"), "2 waits for 3 alone")
	})
}

// What a service gets later it may ask for in its Start.
func TestWhatIsTakenLazilyIsStartedBeforeWhereThatMakesNoCycle(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func(container.Lazy[*unit[four]]) *unit[one] { return quiet[one](&j, "1") })
	c.Provide(func(*unit[one], container.Provider[*A]) *unit[two] { return quiet[two](&j, "2") })
	c.Provide(func(*unit[three]) *A { return &A{} }, container.Transient())
	c.Provide(func() *unit[three] { return quiet[three](&j, "3") })
	c.Provide(func(*unit[two]) *unit[four] { return quiet[four](&j, "4") }) // so 1 cannot wait for it
	require.NoError(t, c.Start(t.Context()))
	require.NoError(t, c.Stop(t.Context()))
	require.Less(t, j.at("start 3"), j.at("start 2"), "through the Provider")
	require.Less(t, j.at("start 1"), j.at("start 2"))
	require.Less(t, j.at("start 2"), j.at("start 4"))
	require.Less(t, j.at("stop 2"), j.at("stop 3"))
	require.Less(t, j.at("stop 4"), j.at("stop 2"))
	require.Less(t, j.at("stop 2"), j.at("stop 1"))
}

func TestALazyWithoutACycleDecides(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func(container.Lazy[*unit[two]]) *unit[one] { return quiet[one](&j, "1") })
	c.Provide(func() *unit[two] { return quiet[two](&j, "2") })
	require.NoError(t, c.Start(t.Context()))
	require.NoError(t, c.Stop(t.Context()))
	require.Equal(t, []string{"start 2", "start 1", "stop 1", "stop 2"}, j.all())
}

// alarm is a listener with a life.
type alarm struct{ *unit[one] }

func (alarm) On(context.Context, retry.Event) {}

func TestListenersLiveLongerThanThoseOfWhichTheyAreTold(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func() *unit[three] { return quiet[three](&j, "3") })
	c.Provide(func(*unit[two]) *alarm { return &alarm{quiet[one](&j, "alarm")} }, container.As[retry.Listener]())
	c.Provide(func() *unit[two] { return quiet[two](&j, "2") })
	require.NoError(t, c.Start(t.Context()))
	require.NoError(t, c.Stop(t.Context()))
	require.Equal(t, []string{"start 2", "start alarm", "start 3", "stop 3", "stop alarm", "stop 2"}, j.all())
}

// groupOfUnits is a service that takes a group.
type groupOfUnits struct {
	container.In
	All []*unit[one] `group:"units"`
}

func TestMembersOfGroupsAndAspectsAndFallbacksAreStartedBeforeWhoNeedsThem(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func(groupOfUnits) *unit[two] { return quiet[two](&j, "2") })
	c.Provide(func() *unit[one] { return quiet[one](&j, "member") }, container.Group("units"))
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](),
		container.Annotate[aliases.Retry](Caller.Call, annotation.Fallback("spare@Call")),
		container.OnStart(func(context.Context, *Plain) error { j.add("start plain"); return nil }))
	c.Provide(func() *spare { return &spare{quiet[three](&j, "spare")} })
	c.Provide(func() *watch { return &watch{quiet[four](&j, "aspect")} }, container.AsAspect(aspect.Class("Plain"), 1))
	require.NoError(t, c.Start(t.Context()))
	require.Less(t, j.at("start member"), j.at("start 2"))
	require.Less(t, j.at("start spare"), j.at("start plain"))
	require.Less(t, j.at("start aspect"), j.at("start plain"))
	require.NotEqual(t, -1, j.at("start aspect"))
	require.NotEqual(t, -1, j.at("start spare"))
	require.NoError(t, c.Stop(t.Context()))
}

type (
	spare struct{ *unit[three] }
	watch struct{ *unit[four] }
)

func (*spare) Call(context.Context) error        { return nil }
func (*watch) Process(jp aspect.JoinPoint) error { return jp.Proceed() }

func TestAFailedStartStopsWhatWasStarted(t *testing.T) {
	var j journal
	c := container.New()
	chainOf(c, &unit[one]{&j, "1", nil, fails(errDown)}, &unit[two]{&j, "2", fails(errBroken), nil}, quiet[three](&j, "3"))
	err := c.Start(t.Context())
	require.Equal(t, []string{
		"backstay: start unit[two] (HERE): broken",
		"backstay: stop unit[one] (HERE): down",
	}, each(t, err))
	require.ErrorIs(t, err, errBroken)
	require.ErrorIs(t, err, errDown)
	require.Equal(t, []string{"start 1", "start 2", "start 2 is over", "stop 1", "stop 1 is over"}, j.all())
	require.Equal(t, container.StateFailed, c.State())
	require.NoError(t, c.Stop(t.Context()))
	require.Len(t, j.all(), 5)
	require.Equal(t, "backstay: Start of a container that is failed; make another container (HERE)", text(c.Start(t.Context())))
}

func TestWhatIsBeingStartedWhenAnotherFailsIsEndedAndStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		c := container.New()
		c.Provide(func() *unit[one] { return &unit[one]{&j, "heeds", sleeps(10 * time.Second), nil} })
		c.Provide(func() *unit[two] { return &unit[two]{&j, "succeeds", stubborn(1500 * time.Millisecond), nil} })
		c.Provide(func() *unit[three] {
			return &unit[three]{&j, "fails", func(context.Context) error { time.Sleep(time.Second); return errDown }, nil}
		})
		c.Provide(func(*unit[two]) *unit[four] { return quiet[four](&j, "never") })
		began := time.Now()
		err := c.Start(t.Context())
		require.Equal(t, 1500*time.Millisecond, time.Since(began))
		require.Equal(t, []string{"backstay: start unit[three] (HERE): down"}, texts(t, err), "what was ended for it is no failure of its own")
		require.NotEqual(t, -1, j.at("stop succeeds"))
		require.Equal(t, -1, j.at("stop heeds"))
		require.Equal(t, -1, j.at("start never"))
	})
}

func TestAConstructorThatFailsInStartSaysWhoAskedForWhom(t *testing.T) {
	var l log
	c := container.New()
	c.Provide(func(b *B) *A { return &A{b} })
	c.Provide(func(*plainly) (*B, error) { return nil, errBroken })
	c.Provide(func() *plainly { return &plainly{&l} })
	err := c.Start(t.Context())
	require.Equal(t, []string{
		"backstay: Start (HERE) needs A (HERE) needs B (HERE): broken",
		"backstay: close plainly (HERE): down",
	}, texts(t, err), "what was built is closed")
	require.ErrorIs(t, err, errBroken)
	require.Equal(t, []string{"plainly"}, l.lines)
	require.Equal(t, container.StateFailed, c.State())
}

func TestStartReportsDefinitionErrorsAndCanBeCalledAgain(t *testing.T) {
	c := container.New()
	c.Provide(func(*B) *A { t.Error("built"); return nil })
	require.Equal(t, c.Verify(), c.Start(t.Context()))
	require.Equal(t, container.StateNew, c.State())
	require.Equal(t, c.Verify(), c.Start(t.Context()))
	require.NoError(t, c.Stop(t.Context()), "nothing was built")
}

func TestAStartThatOverrunsItsTime(t *testing.T) {
	for name, test := range map[string]struct {
		start   func(context.Context) error
		timeout []container.ProvideOption
		want    []string
		took    time.Duration
		stopped bool
	}{
		"and heeds its context": {
			start: sleeps(time.Hour),
			want:  []string{"backstay: start unit[two] (HERE): has not returned within 15s"},
			took:  15 * time.Second,
		},
		"and returns an error of its own then": {
			start: func(ctx context.Context) error { <-ctx.Done(); time.Sleep(time.Second); return errDown },
			want:  []string{"backstay: start unit[two] (HERE): has not returned within 15s"},
			took:  16 * time.Second,
		},
		"and returns nil while it is waited for": {
			start: stubborn(20 * time.Second), stopped: true,
			want: []string{"backstay: start unit[two] (HERE): has not returned within 15s"},
			took: 20 * time.Second,
		},
		"and never returns": {
			start: stubborn(time.Hour), timeout: []container.ProvideOption{container.StartTimeout(time.Second), container.StopTimeout(2 * time.Second)},
			want: []string{
				"backstay: start unit[two] (HERE): has not returned within 1s",
				"backstay: stop unit[two] (HERE): it has still not returned from starting, so it is not stopped",
			},
			took: 3 * time.Second,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var j journal
				c := container.New()
				chainOf(c, quiet[one](&j, "1"), &unit[two]{&j, "2", test.start, nil}, quiet[three](&j, "3"), test.timeout...)
				began := time.Now()
				err := c.Start(t.Context())
				require.Equal(t, test.want, each(t, err))
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, test.took, time.Since(began))
				require.Equal(t, test.stopped, j.at("stop 2") >= 0)
				require.Equal(t, -1, j.at("start 3"))
				require.GreaterOrEqual(t, j.at("stop 1"), 0)
				time.Sleep(time.Hour) // until it has returned
			})
		})
	}
}

// each are the messages of errors that may be joined twice.
func each(t *testing.T, err error) (all []string) {
	t.Helper()
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range joined.Unwrap() {
			all = append(all, each(t, err)...)
		}
		return all
	}
	return []string{text(err)}
}

func TestStartGivesEachServiceAContextOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		var seen []context.Context
		look := func(d time.Duration) func(context.Context) error {
			return func(ctx context.Context) error {
				deadline, ok := ctx.Deadline()
				require.True(t, ok)
				require.Equal(t, d, time.Until(deadline))
				require.Equal(t, "value", ctx.Value(key{}))
				require.NoError(t, ctx.Err())
				seen = append(seen, ctx)
				return nil
			}
		}
		var j journal
		c := container.New(container.StartTimeout(time.Minute), container.StopTimeout(2*time.Minute))
		c.Provide(func() *unit[one] { return &unit[one]{&j, "1", look(time.Minute), look(2 * time.Minute)} })
		c.Provide(func(*unit[one]) *unit[two] { return &unit[two]{&j, "2", look(time.Hour), look(2 * time.Hour)} },
			container.StartTimeout(time.Hour), container.StopTimeout(2*time.Hour))
		ctx := context.WithValue(t.Context(), key{}, "value")
		require.NoError(t, c.Start(ctx))
		require.NoError(t, c.Stop(ctx))
		require.Len(t, seen, 4)
		for _, ctx := range seen {
			require.Error(t, ctx.Err(), "it ends with the call")
		}
	})
}

func TestStartEndsWithItsContext(t *testing.T) {
	t.Run("before anything is built", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errBroken)
		c := container.New()
		c.Provide(func() *A { t.Error("built"); return nil })
		err := c.Start(ctx)
		require.Equal(t, "backstay: Start (HERE): ended before everything was started: broken", text(err))
		require.ErrorIs(t, err, errBroken)
	})
	t.Run("while something is being started", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var j journal
			ctx, cancel := context.WithTimeoutCause(t.Context(), 2*time.Second, errBroken)
			defer cancel()
			c := container.New()
			chainOf(c, &unit[one]{&j, "1", stubborn(time.Second), nil}, &unit[two]{&j, "2", stubborn(1500 * time.Millisecond), nil}, quiet[three](&j, "3"))
			began := time.Now()
			err := c.Start(ctx)
			require.Equal(t, 2500*time.Millisecond, time.Since(began), "what returns soon is waited for")
			require.ErrorIs(t, err, errBroken)
			require.Equal(t, []string{"start 1", "start 1 is over", "start 2", "start 2 is over", "stop 2", "stop 1"}, j.all())
		})
	})
	t.Run("and waits for a second, not longer", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var j journal
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			c := container.New(container.StopTimeout(time.Second))
			c.Provide(func() *unit[one] { return &unit[one]{&j, "1", stubborn(10 * time.Second), nil} })
			began := time.Now()
			require.Equal(t, []string{
				"backstay: start unit[one] (HERE): has not returned when its context was done: context deadline exceeded",
				"backstay: stop unit[one] (HERE): it has still not returned from starting, so it is not stopped",
			}, each(t, c.Start(ctx)))
			require.Equal(t, 3*time.Second, time.Since(began))
			time.Sleep(time.Minute)
		})
	})
}

func TestAPanicInAStartIsRaisedAgainWhenAllIsStopped(t *testing.T) {
	var j journal
	c := container.New()
	chainOf(c, quiet[one](&j, "1"), &unit[two]{&j, "2", panickingStart, nil}, quiet[three](&j, "3"))
	func() {
		defer func() {
			p := panicked(t, recover(), "backstay: start unit[two] (HERE): panic: broken")
			require.Equal(t, errBroken, p.Value)
			require.Contains(t, string(p.Stack), "panickingStart")
		}()
		_ = c.Start(t.Context())
		t.Error("no panic")
	}()
	require.Equal(t, []string{"start 1", "start 2", "stop 1"}, j.all())
	require.Equal(t, container.StateFailed, c.State())
	require.NoError(t, c.Stop(t.Context()))
}

func panickingStart(context.Context) error { panic(errBroken) }

// panicked is the panic that Start or Stop has raised again. Its text, which is all that the runtime prints, begins with the
// line that says what has panicked, and goes on with the stack.
func panicked(t *testing.T, recovered any, line string) *retry.PanicError {
	t.Helper()
	err, ok := recovered.(error)
	require.True(t, ok, "%v", recovered)
	var p *retry.PanicError
	require.ErrorAs(t, err, &p)
	first, rest, _ := strings.Cut(err.Error(), "\n\n")
	require.Equal(t, line, placeOfTest.ReplaceAllString(first, "HERE"))
	require.Equal(t, string(p.Stack), rest)
	require.True(t, strings.HasPrefix(rest, "goroutine "))
	return p
}

func TestAPanicOfAHookIsRaisedAgainWithItsName(t *testing.T) {
	boom := func(context.Context, *A) error { panic("boom") }
	for name, test := range map[string]struct {
		opts []container.ProvideOption
		want string
	}{
		"OnStart": {[]container.ProvideOption{container.OnStart(boom)}, "backstay: OnStart of A (HERE): panic: boom"},
		"OnStop":  {[]container.ProvideOption{container.OnStop(boom)}, "backstay: OnStop of A (HERE): panic: boom"},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			c.Provide(func() *A { return &A{} }, test.opts...)
			func() {
				defer func() { panicked(t, recover(), test.want) }()
				if err := c.Start(t.Context()); err == nil {
					_ = c.Stop(t.Context())
				}
				t.Error("no panic")
			}()
		})
	}
}

func TestAPanicOfACleanupIsRaisedAgainWithItsService(t *testing.T) {
	c := container.New()
	c.Provide(func() (*A, func()) { return &A{}, func() { panic("boom") } })
	require.NoError(t, c.Start(t.Context()))
	defer func() { panicked(t, recover(), "backstay: clean up A (HERE): panic: boom") }()
	_ = c.Stop(t.Context())
	t.Error("no panic")
}

// One that panics after it has overrun does so while the container stops.
func TestAPanicOfAStartThatHasOverrunIsTheStarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		c := container.New(container.StartTimeout(time.Second))
		c.Provide(func() *unit[one] {
			return &unit[one]{&j, "1", func(context.Context) error { time.Sleep(2 * time.Second); panic("late") }, nil}
		})
		defer func() { panicked(t, recover(), "backstay: start unit[one] (HERE): panic: late") }()
		_ = c.Start(t.Context())
		t.Error("no panic")
	})
}

func TestAPanicOfAConstructorPassesThroughStart(t *testing.T) {
	var l log
	c := container.New()
	c.Provide(func() well { return well{&l} })
	c.Provide(func(well) *A { panic("boom") })
	require.PanicsWithValue(t, "boom", func() { _ = c.Start(t.Context()) })
	require.Equal(t, []string{"well"}, l.lines, "what was built is closed")
	require.Equal(t, container.StateFailed, c.State())
}

func TestTheEndOfAGoroutineInAStartIsAnError(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func() *unit[one] {
		return &unit[one]{&j, "1", func(context.Context) error { runtime.Goexit(); return nil }, nil}
	})
	require.Equal(t, []string{"backstay: start unit[one] (HERE): its goroutine was ended by runtime.Goexit"}, each(t, c.Start(t.Context())))
	require.Equal(t, []string{"start 1"}, j.all())
}

func TestAContainerIsStartedOnce(t *testing.T) {
	c := container.New()
	c.Provide(func() *A { return &A{} })
	require.NoError(t, c.Start(t.Context()))
	require.Equal(t, "backstay: Start of a container that is running; call it once (HERE)", text(c.Start(t.Context())))
	require.ErrorAs(t, c.Start(t.Context()), new(*annotation.DefinitionError))
	require.Equal(t, container.StateRunning, c.State())
	require.NoError(t, c.Stop(t.Context()))
	require.Equal(t, "backstay: Start of a container that is stopped; make another container (HERE)", text(c.Start(t.Context())))
}

func TestANilContainerSaysSo(t *testing.T) {
	var c *container.Container
	require.Equal(t, container.StateNew, c.State())
	const want = "backstay: the container is nil; make one by container.New (HERE)"
	require.Equal(t, want, text(c.Start(t.Context())))
	require.Equal(t, want, text(c.Stop(t.Context())))
	require.Equal(t, want, text(c.Run(t.Context())))
	require.Equal(t, want, text(c.Health(t.Context()).Err()))
}

// Whoever waits for itself would wait for ever.
func TestStartAndStopAreRefusedInsideWhatTheyWaitFor(t *testing.T) {
	type call func(*container.Container) error
	start := func(c *container.Container) error { return c.Start(context.Background()) }
	stop := func(c *container.Container) error { return c.Stop(context.Background()) }
	for name, test := range map[string]struct {
		call call
		name string
	}{"Start": {start, "Start"}, "Stop": {stop, "Stop"}} {
		t.Run(name, func(t *testing.T) {
			var inConstructor, inStart, inStop error
			c := container.New()
			c.Provide(func() *A { inConstructor = test.call(c); return &A{} },
				container.OnStart(func(context.Context, *A) error { inStart = test.call(c); return nil }),
				container.OnStop(func(context.Context, *A) error { inStop = test.call(c); return nil }))
			require.NoError(t, c.Start(t.Context()))
			require.NoError(t, c.Stop(t.Context()))
			require.Equal(t, "backstay: "+test.name+" inside a constructor that the same container runs; call it when the container is built, or return an error (HERE)", text(inConstructor))
			for _, err := range []error{inStart, inStop} {
				require.Equal(t, "backstay: "+test.name+" inside a hook that the same container runs, which it would wait for; return an error, or call it in a goroutine of its own (HERE)", text(err))
			}
		})
	}
}
