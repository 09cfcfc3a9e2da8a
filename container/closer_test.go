package container_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

// log is what tests write to when something is closed.
type log struct{ lines []string }

func (l *log) add(line string) { l.lines = append(l.lines, line) }

type (
	inTime struct {
		*log
		name string
		err  error
	}
	plainly struct{ *log }
	well    struct{ *log }
)

func (c *inTime) Close(ctx context.Context) error {
	c.add(fmt.Sprint(c.name, " ", ctx.Value(placeOfTest)))
	if c.name == "panics" {
		panic("boom")
	}
	if c.name == "exits" {
		runtime.Goexit()
	}
	return c.err
}
func (c *plainly) Close() error { c.add("plainly"); return errDown }
func (c well) Close()           { c.add("well") }

// open is what a constructor returns as an interface that has no Close.
type open interface{ add(string) }

func closing(t *testing.T) context.Context {
	return context.WithValue(t.Context(), placeOfTest, "in time")
}

func TestCloseClosesWhatWasBuiltInReverseOrder(t *testing.T) {
	var l log
	c := container.New()
	c.Provide(func() *inTime { return &inTime{&l, "first", nil} }, container.Scoped())
	c.Provide(func(*inTime) *plainly { return &plainly{&l} }, container.Scoped())
	c.Provide(func(*plainly) well { return well{&l} }, container.Transient())
	c.Provide(func(well, well) open { return &inTime{&l, "last", io.ErrUnexpectedEOF} }, container.Scoped())
	c.Provide(func() *Conn { t.Error("nobody asked for it"); return nil }, container.Scoped())
	c.Provide(func(open) *A { return &A{} }, container.Scoped())
	s := c.Scope()
	in[*A](t, s)
	in[*A](t, s)
	in[well](t, s)
	err := s.Close(closing(t))
	require.Equal(t, []string{"well", "last in time", "well", "well", "plainly", "first in time"}, l.lines)
	require.Equal(t, "backstay: close open (HERE): unexpected EOF\nbackstay: close plainly (HERE): down", text(err))
	require.ErrorIs(t, err, errDown)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.NoError(t, s.Close(closing(t)), "again")
	require.Len(t, l.lines, 6)
}

func TestCloseLeavesAloneWhatTheScopeHasNotBuilt(t *testing.T) {
	type params struct {
		container.In
		Singleton *inTime
	}
	var l log
	supplied := &plainly{&l}
	c := container.New()
	container.Expect[*plainly](c)
	c.Provide(func() *inTime { return &inTime{&l, "singleton", nil} })
	c.Provide(func(v *inTime) open { return v }, container.Scoped())
	c.Provide(func(p params) open { return p.Singleton }, container.Scoped(), container.Name("from a struct"))
	c.Provide(func(p *plainly) io.Closer { return p }, container.Scoped())
	c.Provide(func(o open) (open, io.Closer) { return o, well2{&l} }, container.Transient(), container.Name("again"))
	c.Provide(func() *Conn { return nil }, container.Scoped())
	c.Provide(func() []open { return []open{&inTime{&l, "flat", nil}, nil, &inTime{&l, "flatter", nil}} }, container.Scoped(), container.Group("open,flatten"))
	s := c.Scope()
	s.Supply(supplied)
	in[open](t, s)
	in[open](t, s, container.Name("from a struct"))
	in[open](t, s, container.Name("again"))
	in[io.Closer](t, s)
	require.Nil(t, in[*Conn](t, s))
	require.NoError(t, s.Invoke(func(p struct {
		container.In
		Open []open `group:"open"`
	}) {
		require.Len(t, p.Open, 3)
	}))
	require.NoError(t, s.Close(closing(t)))
	require.Equal(t, []string{"flatter in time", "flat in time", "well2"}, l.lines)
}

type well2 struct{ *log }

func (w well2) Close() error { w.add("well2"); return nil }

// What is declared for Close holds when the scope closes.
func TestCloseGoesThroughTheWeave(t *testing.T) {
	var tries int
	c := container.New()
	c.Provide(func() *flaky { return &flaky{tries: &tries} }, container.As[io.Closer](), container.Scoped())
	s := c.Scope()
	in[io.Closer](t, s)
	require.NoError(t, s.Close(t.Context()))
	require.Equal(t, 3, tries)
}

type flaky struct {
	_     annotation.On[aliases.Retry] `method:"Close" maxAttempts:"3"`
	tries *int
}

func (f *flaky) Close() error {
	if *f.tries++; *f.tries < 3 {
		return errDown
	}
	return nil
}

func TestAPanicOfOneCloseGoesOnAfterTheRest(t *testing.T) {
	for name, test := range map[string]struct {
		culprit string
		run     func(t *testing.T, s *container.Scope)
	}{
		"a panic": {"panics", func(t *testing.T, s *container.Scope) {
			require.PanicsWithValue(t, "boom", func() { _ = s.Close(closing(t)) })
		}},
		"the end of the goroutine": {"exits", func(t *testing.T, s *container.Scope) {
			var wg sync.WaitGroup
			wg.Go(func() { _ = s.Close(closing(t)); t.Error("it goes on") })
			wg.Wait()
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var l log
			c := container.New()
			c.Provide(func() *inTime { return &inTime{&l, "first", nil} }, container.Scoped())
			c.Provide(func(*inTime) (*inTime, *plainly) { return &inTime{&l, test.culprit, nil}, &plainly{&l} }, container.Scoped(), container.Name("culprit"))
			c.Provide(func(p struct {
				container.In
				V *inTime `name:"culprit"`
			}) well {
				return well{&l}
			}, container.Scoped())
			s := c.Scope()
			in[well](t, s)
			test.run(t, s)
			require.Equal(t, []string{"well", "plainly", test.culprit + " in time", "first in time"}, l.lines)
			require.NoError(t, s.Close(closing(t)))
			require.Len(t, l.lines, 4)
		})
	}
}

func TestAfterCloseEveryUseIsAnError(t *testing.T) {
	const want = "backstay: the scope is closed; get what is needed before its Close, or open another scope (HERE)"
	built := 0
	c := container.New()
	container.Expect[Tenant](c)
	c.Provide(func() *A { return &A{} }, container.Scoped())
	c.Provide(func() *B { built++; return &B{} })
	c.Provide(NewPool, container.Scoped())
	c.Provide(func() *Conn { return &Conn{} }, container.Transient())
	c.Provide(func(a container.Lazy[*A]) *Lazily { return &Lazily{a} }, container.Scoped())
	s := c.Scope()
	pool, lazily := in[*Pool](t, s), in[*Lazily](t, s)
	require.NoError(t, s.Close(t.Context()))
	s.Supply(Tenant{})
	for name, err := range map[string]error{
		"what was built":  second(container.Get[*Pool](s)),
		"what was not":    second(container.Get[*A](s)),
		"a singleton":     second(container.Get[*B](s)),
		"a transient":     second(container.Get[*Conn](s)),
		"Invoke":          s.Invoke(func() { t.Error("called") }),
		"a Provider":      second(pool.conns.Get()),
		"a Lazy of it":    second(lazily.a.Get()),
		"what is missing": second(container.Get[Tenant](s)),
	} {
		require.Equal(t, want, text(err), name)
		var d *annotation.DefinitionError
		require.ErrorAs(t, err, &d, name)
	}
	require.Zero(t, built)
	in[*A](t, ours(t, c))
}

// What is built half is closed at once: nobody gets it, and the constructor did its part.
func TestWhatCannotBeAcceptedIsClosedAtOnce(t *testing.T) {
	var l log
	c := container.New()
	c.Provide(func() (*plainly, open, *inTime) { return &plainly{&l}, nil, &inTime{&l, "third", nil} }, container.Scoped())
	s := c.Scope()
	_, err := container.Get[*inTime](s)
	require.ErrorContains(t, err, "its constructor returned a nil container_test.open and no error")
	require.ErrorIs(t, err, errDown, "joined with what closing told")
	require.Equal(t, []string{"third <nil>", "plainly"}, l.lines)
	require.NoError(t, s.Close(closing(t)))
	require.Len(t, l.lines, 2)
}

func TestTheSecondOfTwoClosesAtOnceDoesNothing(t *testing.T) {
	for range 50 {
		var l log
		c := container.New()
		c.Provide(func() well { return well{&l} }, container.Scoped())
		s := c.Scope()
		in[well](t, s)
		together(4, func(int) {
			if err := s.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
		require.Len(t, l.lines, 1)
	}
}
