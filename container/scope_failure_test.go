package container_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

func TestAFailedConstructorInAScopeSaysWhoAskedForWhom(t *testing.T) {
	fail := true
	runs := map[string]int{}
	c := container.New()
	c.Provide(func() *C { runs["C"]++; return &C{} }, container.Scoped())
	c.Provide(func(v *C) (*B, error) {
		if runs["B"]++; fail {
			return nil, errDown
		}
		return &B{v}, nil
	}, container.Transient())
	c.Provide(func(b *B) (*A, error) { runs["A"]++; return &A{b}, nil }, container.Scoped())
	s := ours(t, c)
	_, err := container.Get[*A](s)
	require.Equal(t, "backstay: container.Get (HERE) needs A (HERE) needs B (HERE): down", text(err))
	require.ErrorIs(t, err, errDown)
	require.Equal(t, "backstay: Scope.Invoke (HERE) needs A (HERE) needs B (HERE): down", text(s.Invoke(func(*C, *A) { t.Error("called") })))
	require.Equal(t, map[string]int{"C": 1, "B": 2}, runs, "what was built stays")
	fail = false
	in[*A](t, s)
	require.Equal(t, map[string]int{"C": 1, "B": 3, "A": 1}, runs)
}

func TestAFailedSingletonSaysWhichScopedServiceNeedsIt(t *testing.T) {
	fail := true
	ran := false
	c := container.New()
	c.Provide(func() (*C, error) {
		if fail {
			return nil, errDown
		}
		return &C{}, nil
	})
	c.Provide(func(v *C) *B { return &B{v} })
	c.Provide(func() *Left { ran = true; return &Left{} }, container.Scoped())
	c.Provide(func(l *Left, b *B) *A { return &A{b} }, container.Scoped())
	c.Provide(func(a *A) *Right { return &Right{} }, container.Transient())
	s := ours(t, c)
	_, err := container.Get[*Right](s)
	require.Equal(t, "backstay: container.Get (HERE) needs Right (HERE) needs A (HERE) needs B (HERE) needs C (HERE): down", text(err))
	require.False(t, ran, "no constructor runs in vain")
	_, err = container.Get[*C](s)
	require.Equal(t, "backstay: container.Get (HERE) needs C (HERE): down", text(err))
	fail = false
	in[*Right](t, s)
}

func TestAFailedTransientSaysWhichSingletonNeedsIt(t *testing.T) {
	type group struct {
		container.In
		C []*C `group:"c"`
	}
	c := container.New()
	c.Provide(func() (*C, error) { return nil, errDown }, container.Transient())
	c.Provide(func() (*C, error) { return nil, errDown }, container.Transient(), container.Group("c"))
	c.Provide(func(v *C) *B { return &B{v} }, container.Transient())
	c.Provide(func(b *B) *A { return &A{b} })
	c.Provide(func(group) *Left { return &Left{} })
	c.Provide(func() (*Right, error) { return nil, errDown })
	c.Provide(func(*Right) Caller { return nil }, container.Transient())
	c.Provide(func(Caller) Closer { return nil })
	for want, err := range map[string]error{
		"container.Get (HERE) needs A (HERE) needs B (HERE) needs C (HERE)":               second(container.Get[*A](c)),
		"container.Get (HERE) needs B (HERE) needs C (HERE)":                              second(container.Get[*B](c)),
		"container.Get (HERE) needs Left (HERE) needs C (HERE)":                           second(container.Get[*Left](c)),
		"Lookup (HERE) needs B (HERE) needs C (HERE)":                                     second(c.Lookup("B")),
		"Invoke (HERE) needs B (HERE) needs C (HERE)":                                     c.Invoke(func(*B) {}),
		"Invoke (HERE) needs C (HERE)":                                                    c.Invoke(func(group) {}),
		"container.Get (HERE) needs Caller (HERE) needs Right (HERE)":                     second(container.Get[Caller](c)),
		"container.Get (HERE) needs Closer (HERE) needs Caller (HERE) needs Right (HERE)": second(container.Get[Closer](c)),
	} {
		require.ErrorIs(t, err, errDown, want)
		require.Equal(t, "backstay: "+want+": down", text(err))
	}
}

func TestAPanicOrAnExitLeavesTheScopeUsable(t *testing.T) {
	for name, l := range map[string]container.ProvideOption{"scoped": container.Scoped(), "transient": container.Transient()} {
		t.Run(name, func(t *testing.T) {
			how := "panic"
			c := container.New()
			c.Provide(func() *C {
				switch how {
				case "panic":
					panic("boom")
				case "exit":
					runtime.Goexit()
				}
				return &C{}
			}, l)
			c.Provide(func(v *C) *B { return &B{v} }, container.Scoped())
			c.Provide(func(v *C) *A { return &A{} }, l)
			s := ours(t, c)
			for _, get := range []func(){
				func() { _, _ = container.Get[*B](s) },
				func() { _ = s.Invoke(func(*B) {}) },
			} {
				how = "panic"
				require.PanicsWithValue(t, "boom", get)
				how = "exit"
				var wg sync.WaitGroup
				wg.Go(func() { get(); t.Error("it goes on") })
				wg.Wait()
			}
			how = ""
			require.NotNil(t, in[*B](t, s).c)
		})
	}
}

// What a constructor has returned is refused by the Get that built it, and is built again by the next one.
func TestWhatIsBuiltInAScopeIsChecked(t *testing.T) {
	for name, test := range map[string]struct {
		wire func(c *container.Container, l container.ProvideOption)
		want string
	}{
		"a nil interface": {
			func(c *container.Container, l container.ProvideOption) { c.Provide(func() Caller { return nil }, l) },
			"Caller (HERE): its constructor returned a nil container_test.Caller and no error; return a value, or an error",
		},
		"marks that were not known": {
			func(c *container.Container, l container.ProvideOption) {
				c.Provide(func() Caller { return &Client{} }, l)
			},
			"Caller (HERE): aliases.Retry: its constructor built a *container_test.Client, whose mark Client._ was not known when the plan was verified; say container.Impl[*container_test.Client]() where it is provided",
		},
		"another type than Impl says": {
			func(c *container.Container, l container.ProvideOption) {
				c.Provide(func() Caller { return &Plain{} }, container.Impl[*Client](), l)
			},
			"Client (HERE): its constructor built a *container_test.Plain, and container.Impl says *container_test.Client; say container.Impl[*container_test.Plain]()",
		},
		"a nil target that is to be woven": {
			func(c *container.Container, l container.ProvideOption) {
				c.Provide(func() *Client { return nil }, container.As[Caller](), l)
			},
			"Client (HERE): the service is nil, so there is nothing to weave; return a value, or an error beside it",
		},
		"a policy whose constructor fails": {
			func(c *container.Container, l container.ProvideOption) {
				c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), l,
					container.Annotate[aliases.Retry](Caller.Call, annotation.AddPolicies(unhappy)))
			},
			`Plain (HERE): Plain@Call: make policy "unhappy": down`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, l := range []container.ProvideOption{container.Scoped(), container.Transient()} {
				c := container.New()
				test.wire(c, l)
				require.NoError(t, c.Verify())
				s := ours(t, c)
				for range 2 {
					_, err := container.Get[Caller](s)
					require.Error(t, err)
					require.Equal(t, "backstay: container.Get (HERE) needs "+test.want, text(err))
				}
			}
		})
	}
}

// A constructor that asked its own scope would wait for itself; it is told so, whether or not the service is built.
func TestAConstructorCannotAskTheScopeThatRunsIt(t *testing.T) {
	const advice = " inside a constructor that the same scope runs; make what is needed a parameter of the constructor, or take a container.Lazy of it and call its Get later (HERE)"
	for name, test := range map[string]struct {
		ask  func(s *container.Scope, l *Lazily, p *Pool) error
		want string
	}{
		"Get of what is built": {func(s *container.Scope, _ *Lazily, _ *Pool) error { return second(container.Get[*Lazily](s)) }, "container.Get[*container_test.Lazily]"},
		"Get of what is not":   {func(s *container.Scope, _ *Lazily, _ *Pool) error { return second(container.Get[*A](s)) }, "container.Get[*container_test.A]"},
		"Get of a singleton":   {func(s *container.Scope, _ *Lazily, _ *Pool) error { return second(container.Get[*C](s)) }, "container.Get[*container_test.C]"},
		"Invoke":               {func(s *container.Scope, _ *Lazily, _ *Pool) error { return s.Invoke(func() {}) }, "Scope.Invoke"},
		"Close":                {func(s *container.Scope, _ *Lazily, _ *Pool) error { return s.Close(t.Context()) }, "Scope.Close"},
		"the Lazy of a service that is built": {func(_ *container.Scope, l *Lazily, _ *Pool) error { return second(l.a.Get()) },
			"container.Lazy[*container_test.A].Get builds"},
		"the Provider of one": {func(_ *container.Scope, _ *Lazily, p *Pool) error { return second(p.conns.Get()) },
			"container.Provider[*container_test.Conn].Get"},
	} {
		t.Run(name, func(t *testing.T) {
			var inside, other error
			var s *container.Scope
			c := container.New()
			c.Provide(func() *C { return &C{} })
			c.Provide(func() *A { return &A{} }, container.Scoped())
			c.Provide(NewPool, container.Scoped())
			c.Provide(func() *Conn { return &Conn{} }, container.Transient())
			c.Provide(func(lazy container.Lazy[*A]) *Lazily { return &Lazily{lazy} }, container.Scoped())
			c.Provide(func(l *Lazily, p *Pool) *B {
				inside = test.ask(s, l, p)
				_, other = container.Get[*A](ours(t, c))
				require.NotNil(t, must[*C](t, c), "the container may be asked")
				return &B{}
			}, container.Scoped())
			s = ours(t, c)
			in[*B](t, s)
			require.Equal(t, "backstay: "+test.want+advice, text(inside))
			require.NoError(t, other, "another scope may be asked")
			in[*A](t, s)
		})
	}
}

func TestASupplyInsideAConstructorIsAnError(t *testing.T) {
	var s *container.Scope
	c := container.New()
	container.Expect[Tenant](c)
	c.Provide(func() *B { s.Supply(Tenant{}); return &B{} }, container.Scoped())
	s = ours(t, c)
	in[*B](t, s)
	_, err := container.Get[*B](s)
	require.Equal(t, "backstay: Scope.Supply inside a constructor that the same scope runs; make what is needed a parameter of the constructor, or take a container.Lazy of it and call its Get later (HERE)", text(err))
}

// A scope cannot be asked where the container cannot be.
func TestTheConstructorOfASingletonCannotAskAScope(t *testing.T) {
	var inside error
	c := container.New()
	c.Provide(func() *A { return &A{} }, container.Scoped())
	s := ours(t, c)
	_ = s
	c2 := container.New()
	var s2 *container.Scope
	c2.Provide(func() *A { return &A{} }, container.Scoped())
	c2.Provide(func() *B { _, inside = container.Get[*A](s2); in[*A](t, s); return &B{} })
	s2 = ours(t, c2)
	must[*B](t, c2)
	require.Equal(t, "backstay: container.Get[*container_test.A] inside a constructor that the same container runs; make what is needed a parameter of the constructor, or take a container.Lazy of it and call its Get later (HERE)", text(inside))
	in[*A](t, s2)
}

// A constructor of one scope waits for another scope in which something is being built; it is not taken for its own.
func TestAConstructorMayWaitForAnotherScope(t *testing.T) {
	began, asks, finish := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var session *container.Scope
	c := container.New()
	c.Provide(func() *C { close(began); <-finish; return &C{} }, container.Scoped())
	c.Provide(func() (*B, error) {
		close(asks)
		v, err := container.Get[*C](session)
		return &B{v}, err
	}, container.Scoped())
	session = ours(t, c)
	request := ours(t, c)
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = container.Get[*C](session) })
	<-began
	wg.Go(func() {
		b, err := container.Get[*B](request)
		if err != nil || b.c == nil {
			t.Error(b, err)
		}
	})
	<-asks
	for range 1000 {
		runtime.Gosched() // so that it comes to wait
	}
	close(finish)
	wg.Wait()
}
