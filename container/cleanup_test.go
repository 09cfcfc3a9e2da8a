package container_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
)

// A named func type is a service, not a cleanup.
type namedFunc func()

func TestTheResultsThatAreCleanups(t *testing.T) {
	var j journal
	add := func(line string) func() { return func() { j.add(line) } }
	value := func(ctx context.Context, line string) { j.add(line + " " + ctx.Value(placeOfTest).(string)) }
	c := container.New()
	c.Provide(func() (*A, func(), func() error, func(context.Context), func(context.Context) error, error) {
		return &A{}, add("plain"),
			func() error { j.add("with an error"); return errDown },
			func(ctx context.Context) { value(ctx, "with a context") },
			func(ctx context.Context) error { value(ctx, "with both"); return errBroken },
			nil
	})
	c.Provide(func() (*B, func()) { return &B{}, nil })
	c.Provide(func() (*C, namedFunc) { return &C{}, func() { t.Error("it is a service") } })
	require.NoError(t, c.Invoke(func(*A, *B, *C, namedFunc) {}))
	err := c.Stop(closing(t))
	require.Equal(t, []string{"with both in time", "with a context in time", "with an error", "plain"}, j.all())
	require.Equal(t, []string{"backstay: clean up A (HERE): broken", "backstay: clean up A (HERE): down"}, texts(t, err))
}

func TestAFuncThatIsTheFirstResultIsAService(t *testing.T) {
	called := 0
	c := container.New()
	c.Provide(func() (func(), func()) { return func() { called++ }, func() { called += 10 } })
	must[func()](t, c)()
	require.NoError(t, c.Stop(t.Context()))
	require.Equal(t, 11, called)
}

func TestCleanupsComeAfterTheServicesOwnStopAndInReverseOrder(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func(*unit[one]) (*unit[two], func()) { return quiet[two](&j, "2"), func() { j.add("clean up 2") } })
	c.Provide(func() (*unit[one], func()) { return quiet[one](&j, "1"), func() { j.add("clean up 1") } },
		container.OnStop(tells[*unit[one]](&j, "OnStop 1", nil)))
	require.NoError(t, c.Start(t.Context()))
	require.NoError(t, c.Stop(t.Context()))
	require.Equal(t, []string{"stop 2", "clean up 2", "OnStop 1", "stop 1", "clean up 1"}, j.all()[2:])
}

func TestScopesCleanUp(t *testing.T) {
	var l log
	c := container.New()
	c.Provide(func() (*inTime, func(), func(context.Context) error) {
		return &inTime{&l, "first", nil}, func() { l.add("clean up first") },
			func(ctx context.Context) error { l.add("before " + ctx.Value(placeOfTest).(string)); return errDown }
	}, container.Scoped())
	c.Provide(func(*inTime) (*A, func()) { return &A{}, func() { l.add("clean up A") } }, container.Scoped())
	c.Provide(func(*A) (*B, func()) { return &B{}, func() { l.add("clean up B") } }, container.Transient())
	s := c.Scope()
	in[*B](t, s)
	in[*B](t, s)
	require.Equal(t, []string{"backstay: clean up inTime (HERE): down"}, texts(t, s.Close(closing(t))))
	require.Equal(t, []string{"clean up B", "clean up B", "clean up A", "first in time", "before in time", "clean up first"}, l.lines)
	require.NoError(t, s.Close(closing(t)))
	require.Len(t, l.lines, 6)
	require.NoError(t, c.Stop(t.Context()))
	require.Len(t, l.lines, 6)
}

func TestACleanupThatNobodyWouldCallIsADefinitionError(t *testing.T) {
	c := container.New()
	c.Provide(func() (*A, func()) { return nil, nil }, container.Transient())
	require.Equal(t, []string{"backstay: A: its constructor returns a cleanup, and a transient belongs to whoever gets it; say container.Scoped(), or give the service a Close for those who get it (HERE)"}, verified(t, c))
}

// What is refused, nobody gets: it is closed and cleaned up at once.
func TestWhatIsRefusedIsClosedAndCleanedUpAtOnce(t *testing.T) {
	for name, lifetime := range map[string][]container.ProvideOption{
		"a singleton":              nil,
		"a scoped service":         {container.Scoped()},
		"a transient of a scope":   {container.Transient()},
		"a transient of container": nil,
	} {
		t.Run(name, func(t *testing.T) {
			var l log
			c := container.New()
			c.Provide(func() *C { return &C{} }, container.Scoped())
			first := func() (*inTime, open, func(), func() error) {
				return &inTime{&l, "built", nil}, nil, func() { l.add("clean up") }, func() error { l.add("clean up first"); return errDown }
			}
			switch name {
			case "a transient of a scope":
				c.Provide(func(*C) (*inTime, open, func(), func() error) { return first() }, lifetime...)
			case "a transient of container":
				c.Provide(func() (*plainly, open) { return &plainly{&l}, nil }, container.Transient())
			default:
				c.Provide(first, lifetime...)
			}
			require.NoError(t, c.Verify())
			for range 2 { // it is built again, and refused again
				l.lines = nil
				s := c.Scope()
				var err error
				switch name {
				case "a singleton":
					err = second(container.Get[*inTime](c))
				case "a transient of container":
					err = second(container.Get[*plainly](c))
					require.Equal(t, []string{"plainly"}, l.lines)
				default:
					err = second(container.Get[*inTime](s))
				}
				require.ErrorContains(t, err, "its constructor returned a nil container_test.open and no error")
				require.ErrorIs(t, err, errDown, "what cleaning up has told is joined")
				if name != "a transient of container" {
					require.Equal(t, []string{"built <nil>", "clean up first", "clean up"}, l.lines)
				}
				require.NoError(t, s.Close(closing(t)))
			}
			require.NoError(t, c.Stop(closing(t)))
		})
	}
}

// A constructor that fails has cleaned up itself; where a decorator fails, it has not.
func TestWhoCleansUpAfterAFailure(t *testing.T) {
	for name, test := range map[string]struct {
		opts []container.ProvideOption
		get  func(c *container.Container) error
	}{
		"a singleton":      {nil, func(c *container.Container) error { return second(container.Get[lively](c)) }},
		"a scoped service": {[]container.ProvideOption{container.Scoped()}, func(c *container.Container) error { return second(container.Get[lively](c.Scope())) }},
	} {
		t.Run(name, func(t *testing.T) {
			var j journal
			constructor, decorator := errDown, error(nil)
			c := container.New()
			c.Provide(func() (lively, func(), error) {
				return closingUnit{&j}, func() { j.add("clean up") }, constructor
			}, test.opts...)
			c.Decorate(func(v lively) (lively, error) { return v, decorator })
			require.ErrorIs(t, test.get(c), errDown)
			require.Empty(t, j.all())

			constructor, decorator = nil, errBroken
			require.ErrorIs(t, test.get(c), errBroken)
			require.Equal(t, []string{"close", "clean up"}, j.all())
		})
	}
}

type closingUnit struct{ *journal }

func (c closingUnit) Close() error { c.add("close"); return nil }

func TestACleanupOfAFailedConstructionCannotAskWhoRunsIt(t *testing.T) {
	for name, opts := range map[string][]container.ProvideOption{"container": nil, "scope": {container.Scoped()}} {
		t.Run(name, func(t *testing.T) {
			var inside error
			var from container.Source
			c := container.New()
			c.Provide(func() *A { return &A{} }, opts...)
			c.Provide(func() (lively, func()) { return nil, func() { inside = second(container.Get[*A](from)) } }, opts...)
			from = c
			if name == "scope" {
				from = c.Scope()
			}
			require.Error(t, second(container.Get[lively](from)))
			require.ErrorContains(t, inside, "inside a constructor that the same "+name+" runs")
		})
	}
}

func TestAPanicWhileWhatIsBuiltIsWovenCleansUp(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func() (*Plain, func()) { return &Plain{}, func() { j.add("clean up") } }, container.As[Caller](), retriedBy(panicky))
	require.PanicsWithValue(t, "boom", func() { _, _ = container.Get[Caller](c) })
	require.Equal(t, []string{"clean up"}, j.all())
	require.NoError(t, c.Stop(t.Context()))
	require.Len(t, j.all(), 1)
}

func TestAnOverrideBringsItsOwnCleanup(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func() (*A, func() error) { return &A{}, func() error { return errors.New("of what was replaced") } })
	c.Override(func() (*A, func()) { return &A{}, func() { j.add("clean up") } })
	must[*A](t, c)
	require.NoError(t, c.Stop(t.Context()))
	require.Equal(t, []string{"clean up"}, j.all())
}

func TestACleanupOfADecoratedServiceIsCalled(t *testing.T) {
	var j journal
	c := container.New()
	c.Provide(func() (lively, func()) { return closingUnit{&j}, func() { j.add("clean up") } })
	c.Decorate(func(v lively) lively { return decorated{v} })
	must[lively](t, c)
	require.NoError(t, c.Stop(t.Context()))
	require.Equal(t, []string{"close", "clean up"}, j.all())
}
