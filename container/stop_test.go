package container_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

func TestStopWithoutStartClosesWhatWasBuilt(t *testing.T) {
	var l log
	var j journal
	c := container.New()
	c.Provide(func() *inTime { return &inTime{&l, "first", nil} })
	c.Provide(func(*inTime) *plainly { return &plainly{&l} })
	c.Provide(func(*plainly) well { return well{&l} })
	c.Provide(func() *unit[one] { return quiet[one](&j, "never started") })
	c.Provide(func() *unit[two] { t.Error("built"); return nil })
	must[well](t, c)
	must[*unit[one]](t, c)
	require.Equal(t, []string{"backstay: close plainly (HERE): down"}, texts(t, c.Stop(closing(t))))
	require.Equal(t, []string{"well", "plainly", "first in time"}, l.lines)
	require.Empty(t, j.all(), "what has a Start is stopped only where that has returned nil")
	require.Equal(t, container.StateStopped, c.State())
}

// A service that was built, and asked for by nobody but its consumer, is closed as well: in the simplest form too.
func TestStopClosesWhatWasBuiltForAConstructorThatFailed(t *testing.T) {
	var l log
	c := container.New()
	c.Provide(func() *inTime { return &inTime{&l, "built", nil} })
	c.Provide(func(*inTime) (*A, error) { return nil, errDown })
	require.ErrorIs(t, second(container.Get[*A](c)), errDown)
	require.NoError(t, c.Stop(closing(t)))
	require.Equal(t, []string{"built in time"}, l.lines)
}

func TestStopOfAContainerThatWasNotUsedDoesNothing(t *testing.T) {
	c := container.New()
	c.Provide(func() *A { t.Error("built"); return nil })
	require.NoError(t, c.Stop(t.Context()))
	require.Equal(t, container.StateStopped, c.State())
	require.Equal(t, "backstay: Start of a container that is stopped; make another container (HERE)", text(c.Start(t.Context())))
}

// ways are a service with all the methods that end it, and some of the methods that do not.
type (
	stopAndClose  struct{ *journal }
	startAndClose struct {
		*journal
		err error
	}
	otherForms struct{ *journal }
)

func (s stopAndClose) Stop(context.Context) error { s.add("stop"); return nil }
func (s stopAndClose) Close() error               { s.add("close"); return nil }

func (s *startAndClose) Start(context.Context) error { s.add("start"); return s.err }
func (s *startAndClose) Stop(context.Context) error  { s.add("stop"); return nil }
func (s *startAndClose) Close()                      { s.add("close") }

func (s otherForms) Start() error   { s.add("start"); return nil }
func (s otherForms) Stop()          { s.add("stop") }
func (s otherForms) Close(int) bool { s.add("close"); return true }

func TestHowAServiceIsStopped(t *testing.T) {
	for name, test := range map[string]struct {
		provide func(c *container.Container, j *journal)
		never   bool // started
		want    []string
	}{
		"Stop comes before Close": {
			provide: func(c *container.Container, j *journal) { c.Provide(func() stopAndClose { return stopAndClose{j} }) },
			want:    []string{"stop"},
		},
		"without a Start there is nothing to wait for": {
			provide: func(c *container.Container, j *journal) { c.Provide(func() stopAndClose { return stopAndClose{j} }) },
			never:   true, want: []string{"stop"},
		},
		"started": {
			provide: func(c *container.Container, j *journal) {
				c.Provide(func() *startAndClose { return &startAndClose{j, nil} })
			},
			want: []string{"start", "stop"},
		},
		"closed when it was never started": {
			provide: func(c *container.Container, j *journal) {
				c.Provide(func() *startAndClose { return &startAndClose{j, nil} })
			},
			never: true, want: []string{"close"},
		},
		"closed when its Start has failed": {
			provide: func(c *container.Container, j *journal) {
				c.Provide(func() *startAndClose { return &startAndClose{j, errDown} })
			},
			want: []string{"start", "close"},
		},
		"other forms of the methods are not meant": {
			provide: func(c *container.Container, j *journal) { c.Provide(func() otherForms { return otherForms{j} }) },
		},
		"what is supplied is started and stopped": {
			provide: func(c *container.Container, j *journal) { c.Supply(&startAndClose{j, nil}) },
			want:    []string{"start", "stop"},
		},
		"what is supplied is not closed": {
			provide: func(c *container.Container, j *journal) { c.Supply(&startAndClose{j, errDown}) },
			want:    []string{"start"},
		},
		"the elements of a slice that is flattened": {
			provide: func(c *container.Container, j *journal) {
				c.Provide(func() []stopAndClose { return []stopAndClose{{j}, {j}} }, container.Group("x,flatten"))
			},
			want: []string{"stop", "stop"},
		},
		"the fields of a struct of results": {
			provide: func(c *container.Container, j *journal) {
				c.Provide(func() outOfUnits { return outOfUnits{One: quiet[one](j, "1"), Two: quiet[two](j, "2")} })
			},
			want: []string{"start 1", "start 2", "stop 2", "stop 1"},
		},
		"nil is nothing": {
			provide: func(c *container.Container, j *journal) { c.Provide(func() *startAndClose { return nil }) },
		},
		"what an override has built": {
			provide: func(c *container.Container, j *journal) {
				c.Supply(&startAndClose{nil, nil}) // it would panic
				c.Override(func() *startAndClose { return &startAndClose{j, nil} })
			},
			want: []string{"start", "stop"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var j journal
			c := container.New()
			test.provide(c, &j)
			c.Provide(func(p struct {
				container.In
				All []stopAndClose `group:"x"`
			}) *A {
				return &A{}
			})
			if test.never {
				_, _ = container.Get[stopAndClose](c)
				_, _ = container.Get[*startAndClose](c)
			} else {
				_ = c.Start(t.Context())
			}
			require.NoError(t, c.Stop(t.Context()))
			require.Equal(t, test.want, j.all())
		})
	}
}

type outOfUnits struct {
	container.Out
	One *unit[one]
	Two *unit[two] `name:"two"`
}

// lively is what a unit is provided as.
type lively interface{ add(string) }

func TestAValueOfSeveralRegistrationsIsStartedAndStoppedOnce(t *testing.T) {
	for name, provide := range map[string]func(c *container.Container, j *journal){
		"handed on": func(c *container.Container, j *journal) {
			c.Provide(func(u *unit[one]) lively { return u })
			c.Provide(func() *unit[one] { return quiet[one](j, "1") })
		},
		"handed on, woven": func(c *container.Container, j *journal) {
			c.Provide(func(v living) startable { return v })
			c.Provide(func() *wovenUnit { return &wovenUnit{unit: quiet[one](j, "1"), every: 1} }, container.As[living]())
		},
		"supplied twice": func(c *container.Container, j *journal) {
			u := quiet[one](j, "1")
			c.Supply(u)
			c.Supply(u, container.Name("again"))
		},
		"supplied, and returned by a constructor": func(c *container.Container, j *journal) {
			u := quiet[one](j, "1")
			c.Provide(func() lively { return u })
			c.Supply(u)
		},
		"kept as itself": func(c *container.Container, j *journal) {
			c.Provide(func() *unit[one] { return quiet[one](j, "1") }, container.As[lively](), container.AsSelf())
		},
	} {
		t.Run(name, func(t *testing.T) {
			var j journal
			c := container.New()
			provide(c, &j)
			require.NoError(t, c.Start(t.Context()))
			require.NoError(t, c.Stop(t.Context()))
			require.Equal(t, []string{"start 1", "stop 1"}, j.all())
		})
	}
}

// living is an interface with a life.
type living interface {
	startable
	Stop(context.Context) error
	Health(context.Context) error
}

type startable interface{ Start(context.Context) error }

// wovenUnit is retried. Only every so many calls succeed.
type wovenUnit struct {
	_ annotation.On[aliases.Retry] `method:"*" maxAttempts:"3"`
	*unit[one]
	calls, every int
}

func (w *wovenUnit) Start(ctx context.Context) error  { return w.try(w.unit.Start(ctx)) }
func (w *wovenUnit) Stop(ctx context.Context) error   { return w.try(w.unit.Stop(ctx)) }
func (w *wovenUnit) Health(ctx context.Context) error { w.add("health"); return w.try(nil) }

func (w *wovenUnit) try(err error) error {
	if w.calls++; w.calls%w.every != 0 {
		return errDown
	}
	return err
}

func TestAWovenLifeGoesThroughTheWeave(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func() *wovenUnit { return &wovenUnit{unit: quiet[one](&j, "1"), every: 3} }, container.As[living]())
	require.NoError(t, c.Start(t.Context()))
	require.NoError(t, c.Health(t.Context()).Err())
	require.NoError(t, c.Stop(t.Context()))
	require.Equal(t, []string{"start 1", "start 1", "start 1", "health", "health", "health", "stop 1", "stop 1", "stop 1"}, j.all())
}

// Where the woven interface does not have the methods, they are the target's.
func TestALifeThatTheWeaveHidesIsFound(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func() *spare { return &spare{quiet[three](&j, "1")} }, container.As[Caller](), container.Annotate[aliases.Retry](Caller.Call))
	require.NoError(t, c.Start(t.Context()))
	require.NoError(t, c.Stop(t.Context()))
	require.Equal(t, []string{"start 1", "stop 1"}, j.all())
}

// decorated hides everything but what it is declared to be.
type decorated struct{ lively }

func TestALifeThatADecoratorHidesIsFound(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func() *unit[one] { return quiet[one](&j, "1") }, container.As[lively]())
	c.Decorate(func(v lively) lively { return decorated{v} })
	c.Decorate(func(v lively) lively { return &outermost{decorated{v}, &j} })
	require.NoError(t, c.Start(t.Context()))
	require.NoError(t, c.Stop(t.Context()))
	require.Equal(t, []string{"start 1", "outermost stops"}, j.all(), "the outermost that has a method is responsible for those inside")
}

type outermost struct {
	decorated
	*journal
}

func (*outermost) add(string)                   {}
func (o *outermost) Stop(context.Context) error { o.journal.add("outermost stops"); return nil }

func TestAScopeClosesWhatADecoratorHides(t *testing.T) {
	var l log
	c := container.New()
	c.Provide(func() open { return &inTime{&l, "inner", nil} }, container.Scoped())
	c.Provide(func() []open { return []open{&inTime{&l, "flat", nil}, nil} }, container.Scoped(), container.Group("open,flatten"))
	c.Decorate(func(v open) open { return hiding{v} })
	c.Decorate(func(v open) open { return hiding{v} }, container.Group("open"))
	s := c.Scope()
	in[open](t, s)
	require.NoError(t, s.Invoke(func(p struct {
		container.In
		Open []open `group:"open"`
	}) {
		require.IsType(t, hiding{}, p.Open[0])
	}))
	require.NoError(t, s.Close(closing(t)))
	require.Equal(t, []string{"flat in time", "inner in time"}, l.lines)
}

type hiding struct{ open }

func TestStopGoesOnAfterErrorsAndOverruns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		c := container.New()
		chainOf(c,
			&unit[one]{&j, "1", nil, fails(errDown)},
			&unit[two]{&j, "2", nil, stubborn(time.Hour)},
			&unit[three]{&j, "3", nil, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }})
		require.NoError(t, c.Start(t.Context()))
		began := time.Now()
		err := c.Stop(t.Context())
		require.Equal(t, 30*time.Second, time.Since(began))
		require.Equal(t, []string{
			"backstay: stop unit[three] (HERE): has not returned within 15s",
			"backstay: stop unit[two] (HERE): has not returned within 15s",
			"backstay: stop unit[one] (HERE): down",
		}, texts(t, err))
		require.ErrorIs(t, err, errDown)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		time.Sleep(time.Hour)
	})
}

// What takes no context and is quick is over before what it needs is stopped, even when nobody has time any more.
func TestStopWithAContextThatIsDoneStopsEverythingInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		c := container.New()
		chainOf(c, quiet[one](&j, "1"), &unit[two]{&j, "2", nil, stubborn(time.Hour)}, &unit[three]{&j, "3", nil, stubborn(time.Millisecond)})
		require.NoError(t, c.Start(t.Context()))
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errBroken)
		began := time.Now()
		require.Equal(t, []string{"backstay: stop unit[two] (HERE): has not returned when its context was done: broken"}, texts(t, c.Stop(ctx)))
		require.Equal(t, time.Second+time.Millisecond, time.Since(began))
		require.Equal(t, []string{"stop 3", "stop 3 is over", "stop 2", "stop 1"}, j.all()[3:])
		time.Sleep(time.Hour)
	})
}

func TestAPanicInAStopIsRaisedAgainWhenAllIsStopped(t *testing.T) {
	var j journal
	c := container.New()
	chainOf(c, quiet[one](&j, "1"), &unit[two]{&j, "2", nil, panickingStart}, &unit[three]{&j, "3", nil, func(context.Context) error { panic("later") }})
	require.NoError(t, c.Start(t.Context()))
	func() {
		defer func() {
			p := panicked(t, recover(), "backstay: stop unit[three] (HERE): panic: later")
			require.Equal(t, "later", p.Value, "the first one")
		}()
		_ = c.Stop(t.Context())
		t.Error("no panic")
	}()
	require.Equal(t, []string{"stop 3", "stop 2", "stop 1"}, j.all()[3:])
	require.Equal(t, container.StateStopped, c.State())
}

func TestTheEndOfAGoroutineInAStopIsAnError(t *testing.T) {
	var j journal
	c := container.New()
	chainOf(c, quiet[one](&j, "1"), &unit[two]{&j, "2", nil, func(context.Context) error { runtime.Goexit(); return nil }}, quiet[three](&j, "3"))
	require.NoError(t, c.Start(t.Context()))
	require.Equal(t, []string{"backstay: stop unit[two] (HERE): its goroutine was ended by runtime.Goexit"}, texts(t, c.Stop(t.Context())))
	require.Equal(t, "stop 1", j.all()[5])
}

func TestStopEndsAStartAndWaitsForIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		c := container.New()
		chainOf(c, quiet[one](&j, "1"), &unit[two]{&j, "2", sleeps(10 * time.Second), nil}, quiet[three](&j, "3"))
		started := make(chan error)
		go func() { started <- c.Start(t.Context()) }()
		time.Sleep(time.Second)
		require.Equal(t, container.StateStarting, c.State())
		go func() {
			require.NoError(t, c.Stop(t.Context()))
			require.Equal(t, container.StateFailed, c.State())
		}()
		err := <-started
		require.Equal(t, []string{"backstay: start unit[two] (HERE): Stop was called: context canceled"}, texts(t, err))
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, "stop 1", j.all()[3])
		synctest.Wait()
	})
}

func TestTheSecondOfTwoStopsWaitsForTheFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		c := container.New()
		c.Provide(func() *unit[one] { return &unit[one]{&j, "1", nil, stubborn(10 * time.Second)} })
		require.NoError(t, c.Start(t.Context()))
		go func() { require.NoError(t, c.Stop(t.Context())) }()
		synctest.Wait()
		require.Equal(t, container.StateStopping, c.State())

		impatient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.Equal(t, "backstay: Stop (HERE): another Start or Stop has not returned: context deadline exceeded", text(c.Stop(impatient)))

		began := time.Now()
		require.NoError(t, c.Stop(t.Context()))
		require.Equal(t, 9*time.Second, time.Since(began))
		require.Equal(t, []string{"start 1", "stop 1", "stop 1 is over"}, j.all())
	})
}

func TestAfterStopNothingIsBuiltThatNobodyWouldStop(t *testing.T) {
	var l log
	built := 0
	c := container.New()
	c.Provide(func() well { return well{&l} })
	c.Provide(func() *plainly { t.Error("built"); return nil })
	c.Provide(func(*plainly) *B { t.Error("built"); return nil })
	c.Provide(func() *A { built++; return &A{} })
	c.Provide(func() open { t.Error("built"); return nil }) // it may have a Close
	must[well](t, c)
	require.NoError(t, c.Stop(t.Context()))
	must[well](t, c)
	must[*A](t, c)
	require.Equal(t, 1, built, "what has nothing to stop is built")
	const late = "the container is stopped, and nothing would stop what is built now; get what is needed before Stop"
	require.Equal(t, "backstay: container.Get (HERE) needs plainly (HERE): "+late, text(second(container.Get[*plainly](c))))
	require.Equal(t, "backstay: container.Get (HERE) needs B (HERE) needs plainly (HERE): "+late, text(second(container.Get[*B](c))))
	require.ErrorContains(t, second(container.Get[open](c)), "nothing would stop")
	require.ErrorAs(t, second(container.Get[*B](c)), new(*annotation.DefinitionError))
}

func TestScopesAreClosedByWhoOpenedThem(t *testing.T) {
	var l log
	c := container.New()
	c.Provide(func() well { return well{&l} }, container.Scoped())
	s := c.Scope()
	in[well](t, s)
	require.NoError(t, c.Start(t.Context()))
	require.NoError(t, c.Stop(t.Context()))
	require.Empty(t, l.lines)
	require.NoError(t, s.Close(t.Context()))
	require.Equal(t, []string{"well"}, l.lines)
}

func TestStopWaitsForAConstructorThatRunsAndClosesWhatItBuilds(t *testing.T) {
	for range 20 {
		var l log
		inside, goOn := make(chan struct{}), make(chan struct{})
		c := container.New()
		c.Provide(func() well { close(inside); <-goOn; return well{&l} })
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = container.Get[well](c) })
		<-inside
		wg.Go(func() {
			if err := c.Stop(context.Background()); err != nil {
				t.Error(err)
			}
		})
		for c.State() != container.StateStopping {
			runtime.Gosched()
		}
		close(goOn)
		wg.Wait()
		require.Equal(t, []string{"well"}, l.lines)
	}
}

// Whatever is asked at the same time, what is built is closed once, and what is not is not built any more.
func TestStartStopHealthAndGetAtOnce(t *testing.T) {
	for range 20 {
		var j journal
		c := container.New()
		chainOf(c, quiet[one](&j, "1"), quiet[two](&j, "2"), quiet[three](&j, "3"))
		provides[four](c, func(context.Context) error { return nil })
		together(8, func(i int) {
			switch i % 4 {
			case 0:
				_ = c.Start(context.Background())
			case 1:
				c.Health(context.Background())
			case 2:
				_, _ = container.Get[*unit[three]](c)
			case 3:
				runtime.Gosched()
				_ = c.Stop(context.Background())
			}
		})
		require.NoError(t, c.Stop(t.Context()))
		for _, name := range []string{"1", "2", "3"} {
			require.Equal(t, j.at("start "+name) >= 0, j.at("stop "+name) >= 0, j.all())
		}
	}
}
