package container_test

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

func TestAFailedConstructorSaysWhoAskedForWhom(t *testing.T) {
	cause := &fs.PathError{Op: "open", Path: "key", Err: fs.ErrNotExist}
	fail := true
	c := container.New()
	c.Provide(func(b *B) (*A, error) { return &A{b}, nil })
	c.Provide(func(v *C) *B { return &B{v} })
	built := 0
	c.Provide(func() (*C, error) {
		if built++; fail {
			return nil, cause
		}
		return &C{}, nil
	})

	_, err := container.Get[*A](c)
	require.Equal(t, "backstay: container.Get (HERE) needs A (HERE) needs B (HERE) needs C (HERE): open key: file does not exist", text(err))
	require.ErrorIs(t, err, fs.ErrNotExist)
	var path *fs.PathError
	require.ErrorAs(t, err, &path)
	require.Same(t, cause, path)

	err = c.Invoke(func(*B) { t.Error("called without its parameter") })
	require.Equal(t, "backstay: Invoke (HERE) needs B (HERE) needs C (HERE): open key: file does not exist", text(err))
	_, err = c.Lookup("C")
	require.Equal(t, "backstay: Lookup (HERE) needs C (HERE): open key: file does not exist", text(err))

	fail = false
	must[*A](t, c)
	require.Equal(t, 4, built, "run again by each request, until it succeeds")
	must[*C](t, c)
	require.Equal(t, 4, built)
}

func TestAFailureInAFallbackNamesTheServiceThatNeedsIt(t *testing.T) {
	ran := false
	c := container.New()
	c.Provide(func() *Client { ran = true; return &Client{} }, container.As[Caller](),
		container.Annotate[aliases.Retry](Caller.Call, annotation.Fallback("Plain@Call")))
	c.Provide(func() (*Plain, error) { return nil, errDown })
	_, err := container.Get[Caller](c)
	require.Equal(t, "backstay: container.Get (HERE) needs Client (HERE) needs Plain (HERE): down", text(err))
	require.ErrorIs(t, err, errDown)
	require.False(t, ran, "no constructor runs in vain")
}

func TestAFailureInAGroupNamesTheMember(t *testing.T) {
	type all struct {
		container.In
		All []*B `group:"b"`
	}
	c := container.New()
	c.Provide(func(all) *A { return &A{} })
	c.Provide(func() (*B, error) { return nil, errDown }, container.Group("b"))
	_, err := container.Get[*A](c)
	require.Equal(t, "backstay: container.Get (HERE) needs A (HERE) needs B (HERE): down", text(err))
}

func TestAPanicPassesThroughAndLeavesTheContainerUsable(t *testing.T) {
	for name, provide := range map[string]func(c *container.Container, panics *bool){
		"a simple constructor": func(c *container.Container, panics *bool) {
			c.Provide(func() *C {
				if *panics {
					panic("boom")
				}
				return &C{}
			})
		},
		"one that may fail": func(c *container.Container, panics *bool) {
			c.Provide(func() (*C, error) {
				if *panics {
					panic("boom")
				}
				return &C{}, nil
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			panics := true
			c := container.New()
			c.Provide(func(v *C) *B { return &B{v} })
			provide(c, &panics)
			require.PanicsWithValue(t, "boom", func() { _, _ = container.Get[*B](c) })
			panics = false
			require.NotNil(t, must[*B](t, c).c)
		})
	}
}

type unhappyPolicy struct{}

func (unhappyPolicy) Kind() string               { return "unhappy" }
func (unhappyPolicy) Limit(*retry.Session) error { return nil }

var unhappy = retry.PolicyFrom("unhappy", func() (unhappyPolicy, error) { return unhappyPolicy{}, errDown })

// What a constructor has returned is refused by the Get that built it, and is built again by the next one.
func TestWhatIsBuiltIsChecked(t *testing.T) {
	for name, test := range map[string]struct {
		wire func(c *container.Container)
		want string
	}{
		"a nil interface": {
			func(c *container.Container) { c.Provide(func() Caller { return nil }) },
			"Caller (HERE): its constructor returned a nil container_test.Caller and no error; return a value, or an error",
		},
		"marks that were not known": {
			func(c *container.Container) { c.Provide(func() Caller { return &Client{} }) },
			"Caller (HERE): aliases.Retry: its constructor built a *container_test.Client, whose mark Client._ was not known when the plan was verified; say container.Impl[*container_test.Client]() where it is provided",
		},
		"another type than Impl says": {
			func(c *container.Container) {
				c.Provide(func() Caller { return &Plain{} }, container.Impl[*Client]())
			},
			"Client (HERE): its constructor built a *container_test.Plain, and container.Impl says *container_test.Client; say container.Impl[*container_test.Plain]()",
		},
		"a nil target that is to be woven": {
			func(c *container.Container) { c.Provide(func() *Client { return nil }, container.As[Caller]()) },
			"Client (HERE): the service is nil, so there is nothing to weave; return a value, or an error beside it",
		},
		"a policy whose constructor fails": {
			func(c *container.Container) {
				c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](),
					container.Annotate[aliases.Retry](Caller.Call, annotation.AddPolicies(unhappy)))
			},
			`Plain (HERE): Plain@Call: make policy "unhappy": down`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			test.wire(c)
			require.NoError(t, c.Verify())
			for range 2 {
				_, err := container.Get[Caller](c)
				require.Error(t, err)
				require.Equal(t, "backstay: container.Get (HERE) needs "+test.want, text(err))
			}
		})
	}
}

func TestANilFuncIsRefused(t *testing.T) {
	c := container.New()
	c.Provide(func() Fetch { return nil })
	_, err := container.Get[Fetch](c)
	require.ErrorContains(t, err, "its constructor returned a nil container_test.Fetch and no error")
}

func TestANilPointerThatIsNotWovenIsTheServiceItself(t *testing.T) {
	c := container.New()
	c.Provide(func() *A { return nil })
	require.Nil(t, must[*A](t, c))
}

// A constructor that asked its own container would wait for itself; it is told so, whether or not the service is built.
func TestAConstructorCannotAskTheContainerThatRunsIt(t *testing.T) {
	const advice = " inside a constructor that the same container runs; make what is needed a parameter of the constructor, or take a container.Lazy of it and call its Get later (HERE)"
	for name, test := range map[string]struct {
		ask  func(c *container.Container, lazy container.Lazy[*A]) error
		want string
	}{
		"Get":    {func(c *container.Container, _ container.Lazy[*A]) error { _, err := container.Get[*A](c); return err }, "container.Get[*container_test.A]"},
		"Lookup": {func(c *container.Container, _ container.Lazy[*A]) error { _, err := c.Lookup("A"); return err }, "Lookup"},
		"Invoke": {func(c *container.Container, _ container.Lazy[*A]) error { return c.Invoke(func(*A) {}) }, "Invoke"},
		"the Lazy of a service that is built": {func(_ *container.Container, lazy container.Lazy[*A]) error { _, err := lazy.Get(); return err },
			"container.Lazy[*container_test.A].Get builds"},
	} {
		t.Run(name, func(t *testing.T) {
			var inside error
			c := container.New()
			c.Provide(func() *A { return &A{} })
			c.Provide(func(lazy container.Lazy[*A]) *Lazily { return &Lazily{lazy} })
			c.Provide(func(l *Lazily) *B {
				inside = test.ask(c, l.a)
				return &B{}
			})
			must[*B](t, c)
			require.Equal(t, "backstay: "+test.want+advice, text(inside))
			if name == "Get" {
				must[*A](t, c)
				c2 := container.New()
				c2.Provide(func() *C { must[*A](t, c); return &C{} })
				must[*C](t, c2) // another container may be asked
			}
		})
	}
}

type Lazily struct{ a container.Lazy[*A] }

func TestAskingForWhatIsBuiltIsRefusedInAConstructorAsWell(t *testing.T) {
	var inside error
	c := container.New()
	c.Provide(func() *A { return &A{} })
	c.Provide(func(*A) *B { _, inside = container.Get[*A](c); return &B{} })
	must[*A](t, c)
	must[*B](t, c)
	require.ErrorContains(t, inside, "inside a constructor")
}

func TestGetOfWhatNobodyProvides(t *testing.T) {
	c := container.New()
	c.Provide(func() *Client { return &Client{} }, container.As[Caller](), container.Name("main"))
	for _, test := range []struct {
		err  error
		want string
	}{
		{second(container.Get[*Client](c)), "backstay: nothing provides *container_test.Client; did you mean the container_test.Caller named \"main\", by container.Name(\"main\"), which *container_test.Client is provided as (HERE)? (HERE)"},
		{second(container.Get[Caller](c)), "backstay: nothing provides container_test.Caller; did you mean the container_test.Caller named \"main\", by container.Name(\"main\")? (HERE)"},
		{second(container.Get[Caller](c, container.Name("mian"))), "backstay: nothing provides container_test.Caller named \"mian\"; did you mean the container_test.Caller named \"main\", by container.Name(\"main\")? (HERE)"},
		{second(container.Get[inParams](c)), "backstay: nothing provides container_test.inParams; it embeds container.In: Invoke a func that takes it (HERE)"},
		{second(c.Lookup("Cleint")), "backstay: there is no service of class Cleint; did you mean Client? (HERE)"},
		{second(c.Lookup("Client#x")), `backstay: no service of class Client is named "x"; write Client#main (HERE)`},
	} {
		require.Equal(t, test.want, text(test.err))
		require.ErrorAs(t, test.err, new(*annotation.DefinitionError))
	}
}

func second[T any](_ T, err error) error { return err }

func TestInvokeRefusesWhatItCannotCall(t *testing.T) {
	c := container.New()
	for name, test := range map[string]struct {
		function any
		want     []string
	}{
		"nil":              {nil, []string{"backstay: Invoke: nil cannot be called; give it a func (HERE)"}},
		"no func":          {3, []string{"backstay: Invoke: int cannot be called; give it a func (HERE)"}},
		"a nil func":       {(func())(nil), []string{"backstay: Invoke: func() cannot be called; give it a func (HERE)"}},
		"results":          {func() int { return 0 }, []string{"backstay: Invoke: a func() int returns what nobody would get; let it return an error or nothing (HERE)"}},
		"variadic":         {func(...int) {}, []string{"backstay: Invoke: func(...int) is variadic, and nothing is injected into a variadic parameter; wrap it in a func without that parameter (HERE)"}},
		"missing services": {func(*A, container.Lazy[*B]) {}, []string{"backstay: Invoke: nothing provides *container_test.A, which the func takes; Provide one (HERE)", "backstay: Invoke: nothing provides *container_test.B, which the func takes as a container.Lazy; Provide one (HERE)"}},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.Invoke(test.function)
			joined, ok := err.(interface{ Unwrap() []error })
			require.True(t, ok)
			var all []string
			for _, err := range joined.Unwrap() {
				require.ErrorAs(t, err, new(*annotation.DefinitionError))
				all = append(all, text(err))
			}
			require.Equal(t, test.want, all)
		})
	}
}

func TestARegistrationAfterTheFirstUseIsAnErrorOfEveryUseThatFollows(t *testing.T) {
	for name, use := range map[string]func(c *container.Container) error{
		"Verify":        func(c *container.Container) error { return c.Verify() },
		"Invoke":        func(c *container.Container) error { return c.Invoke(func() {}) },
		"container.Get": func(c *container.Container) error { return second(container.Get[*A](c)) },
		"Lookup":        func(c *container.Container) error { return second(c.Lookup("A")) },
		"Start":         func(c *container.Container) error { _ = c.Start(t.Context()); return c.Verify() },
		"Notes":         func(c *container.Container) error { c.Notes(); return c.Verify() },
		"Registry":      func(c *container.Container) error { c.Registry(); return c.Verify() },
		"Scope":         func(c *container.Container) error { return second(container.Get[*A](c.Scope())) },
		"Explain":       func(c *container.Container) error { c.Explain(); return c.Verify() },
		"Health":        func(c *container.Container) error { c.Health(t.Context()); return c.Verify() },
		"Proxies":       func(c *container.Container) error { c.Proxies(); return c.Verify() },
		"Breaker":       func(c *container.Container) error { _, _ = c.Breaker("x"); return c.Verify() },
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			c.Provide(func() *A { return &A{} })
			require.NoError(t, use(c))
			must[*A](t, c)
			c.Provide(func() *B { return &B{} })
			c.Supply(1)
			c.Override(func() *A { return &A{} })
			require.Error(t, use(c))
			require.Equal(t, []string{
				"backstay: B: it comes after " + name + " (HERE), which has frozen the plan; call Provide before the first use (HERE)",
				"backstay: int: it comes after " + name + " (HERE), which has frozen the plan; call Supply before the first use (HERE)",
				"backstay: A: it comes after " + name + " (HERE), which has frozen the plan; call Override before the first use (HERE)",
			}, verified(t, c))
			for _, other := range []error{c.Invoke(func() {}), second(container.Get[*A](c)), second(c.Lookup("A")), second(c.Breaker("x"))} {
				require.ErrorContains(t, other, "has frozen the plan")
			}
		})
	}
}

func TestDefinitionErrorsAreInOrderOfRegistration(t *testing.T) {
	c := container.New()
	c.Provide(func(*B) *A { return nil }) // missing, found late
	c.Provide(nil)                        // found early
	c.Provide(func() *Client { return nil }, container.Name("x"))
	all := verified(t, c)
	require.Len(t, all, 3)
	require.Contains(t, all[0], "nothing provides *container_test.B")
	require.Contains(t, all[1], "the constructor is nil")
	require.Contains(t, all[2], "Client#x")
}

// unprepared is an interface that nobody generates a proxy for.
type unprepared interface{ Caller }

func TestRequireGeneratedRefusesRunTimeProxies(t *testing.T) {
	c := container.New(container.RequireGenerated())
	c.Provide(func() *Client { return &Client{} }, container.As[unprepared]())
	all := verified(t, c)
	require.Len(t, all, 1)
	require.Contains(t, all[0], "Client")
	require.Contains(t, all[0], "go tool backstay")
}

func TestDefaultsOutOfRangeAreReportedWithTheirPlace(t *testing.T) {
	c := container.New(container.Defaults(annotation.MaxAttempts(0)))
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), container.Annotate[aliases.Retry]("Call"))
	c.Provide(func() *Client { return &Client{} }, container.As[Caller](), container.Name("another"))
	all := verified(t, c)
	require.Len(t, all, 1)
	require.Contains(t, all[0], "MaxAttempts(0)")
	require.Contains(t, all[0], "(HERE)")
}
