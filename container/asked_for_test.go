package container_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// What users of other containers asked for, where no other test of this package shows it. The whole list is in
// docs/container.md.

// permutations are all orders of n things.
func permutations(n int) (all [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, p := range permutations(n - 1) {
		for at := range n {
			all = append(all, slices.Insert(slices.Clone(p), at, n-1))
		}
	}
	return all
}

// dig #397: with scopes, what was registered first made a difference, and a cycle was seen where there is none.
func TestTheOrderOfRegistrationMakesNoDifference(t *testing.T) {
	plain := &Plain{}
	steps := []func(c *container.Container){
		func(c *container.Container) { container.Expect[Tenant](c) },
		func(c *container.Container) { c.Supply(&C{7}) },
		func(c *container.Container) {
			c.Provide(func(Tenant, Caller, *C) *B { return &B{} }, container.Scoped())
		},
		func(c *container.Container) { c.Decorate(func(v Caller, _ *C) Caller { return v }) },
		func(c *container.Container) { c.Provide(func(*C) Caller { return plain }) },
	}
	for _, order := range permutations(len(steps)) {
		c := container.New()
		for _, i := range order {
			steps[i](c)
		}
		require.NoError(t, c.Verify(), "%v", order)
		s := ours(t, c, Tenant{"x"})
		require.NotNil(t, in[*B](t, s), "%v", order)
		require.Same(t, plain, must[Caller](t, c), "%v", order)
	}
}

// keptParams is taken, and kept as it is.
type keptParams struct {
	container.In
	Caller Caller `name:"main"`
	C      *C
}

type keeper struct{ params keptParams }

type OutPart struct {
	container.Out
	A *A
	B *B
}

type InPart struct {
	container.In
	A *A
}

// dig #338, #386, fx #725: structs of parameters and results are copied by nobody, and may be made of others.
func TestStructsAreKeptAndMadeOfOthers(t *testing.T) {
	type parts struct {
		container.Out
		OutPart
		C *C
	}
	plain := &Plain{}
	c := container.New()
	c.Supply(plain, container.As[Caller](), container.Name("main"))
	c.Provide(func() parts { return parts{OutPart: OutPart{A: &A{}, B: &B{}}, C: &C{3}} })
	c.Provide(func(p keptParams) *keeper { return &keeper{p} })

	require.Same(t, plain, must[*keeper](t, c).params.Caller)
	require.Equal(t, 3, must[*keeper](t, c).params.C.n)
	require.NotNil(t, must[*A](t, c))
	require.NoError(t, c.Invoke(func(p struct {
		container.In
		InPart
		B *B
	}) {
		require.NotNil(t, p.A)
		require.NotNil(t, p.B)
	}))
}

// wire #266: what one registration builds, another provides as an interface. With Impl it is woven as what it is.
func TestWhatAnotherRegistrationBuildsIsProvidedAsAnInterface(t *testing.T) {
	plain := &Plain{}
	for name, opts := range map[string][]container.ProvideOption{
		"as it is": nil,
		"woven":    {container.Impl[*Plain](), container.Annotate[aliases.Retry](Caller.Call, annotation.MaxAttempts(2))},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			c.Supply(plain)
			c.Provide(func(p *Plain) Caller { return p }, opts...)
			caller := must[Caller](t, c)
			require.Equal(t, opts != nil, aspect.IsWoven(caller))
			require.Same(t, plain, aspect.Unwrap(caller))
		})
	}
}

// wire #296: which implementation it is, is known when the program runs; the others are not built.
func TestTheImplementationIsChosenAtRunTime(t *testing.T) {
	type config struct{ driver string }
	type drivers struct {
		container.In
		Plain  container.Lazy[Caller] `name:"plain"`
		Client container.Lazy[Caller] `name:"client"`
	}
	type chosen struct {
		config  config
		drivers drivers
	}
	var built []string
	c := container.New()
	c.Supply(config{"client"})
	c.Provide(func() *Plain { built = append(built, "plain"); return &Plain{} }, container.As[Caller](), container.Name("plain"))
	c.Provide(func() *Client { built = append(built, "client"); return &Client{} }, container.As[Caller](), container.Name("client"))
	c.Provide(func(v config, d drivers) *chosen { return &chosen{v, d} })

	caller, err := map[string]container.Lazy[Caller]{
		"plain":  must[*chosen](t, c).drivers.Plain,
		"client": must[*chosen](t, c).drivers.Client,
	}[must[*chosen](t, c).config.driver].Get()
	require.NoError(t, err)
	require.NoError(t, caller.Call(t.Context()))
	require.Equal(t, []string{"client"}, built)
}

// twin is another Caller.
type twin struct{ Plain }

// do #114, wire #242: that a type implements an interface makes nobody take it. Who is taken is said, once.
func TestWhichImplementationIsTakenIsSaid(t *testing.T) {
	plain := &Plain{}
	for name, test := range map[string]struct {
		wire func(c *container.Container)
		want string // of the error
	}{
		"one of two says so": {func(c *container.Container) {
			c.Supply(&twin{})
			c.Supply(plain, container.As[Caller]())
		}, ""},
		"none says so": {func(c *container.Container) {
			c.Supply(plain)
		}, "backstay: nothing provides container_test.Caller; did you mean to provide *container_test.Plain as it, by container.As[container_test.Caller]() (HERE)? (HERE)"},
		"both say so": {func(c *container.Container) {
			c.Supply(&Plain{}, container.As[Caller]())
			c.Supply(plain, container.As[Caller]())
		}, "backstay: Plain: container_test.Caller is provided twice, first at HERE; give one of them another name by container.Name (HERE)"},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			test.wire(c)
			caller, err := container.Get[Caller](c)
			if test.want != "" {
				require.Error(t, err)
				require.Equal(t, test.want, text(err))
				return
			}
			require.NoError(t, err)
			require.Same(t, plain, caller)
		})
	}
}

// dig #236, #324, do's Clone: a container is not copied. Its wiring is a func, run for each.
func TestAWiringIsRunForEachContainer(t *testing.T) {
	wire := func(c *container.Container) {
		c.Provide(func(v *C) *B { return &B{v} })
		c.Provide(func() *C { return &C{1} })
	}
	one, other := container.New(), container.New()
	wire(one)
	wire(other)
	other.Override(func() *C { return &C{2} })
	require.Equal(t, 1, must[*B](t, one).c.n)
	require.Equal(t, 2, must[*B](t, other).c.n)
}

// Lister fills what it is given.
type Lister interface {
	Fill(ctx context.Context, into []string) error
}

type filler struct{}

func (filler) Fill(_ context.Context, into []string) error { into[0] = "new"; return nil }

// IOC-golang #46: an aspect sees the very slice that the caller gave, before and after. Who needs what it was copies it.
func TestAnAspectSeesWhatAMethodWritesIntoItsArguments(t *testing.T) {
	var before, kept, after []string
	c := container.New()
	c.Supply(filler{}, container.As[Lister]())
	c.Supply(aspect.Func(func(jp aspect.JoinPoint) error {
		before = aspect.Arg[[]string](jp, 1)
		kept = slices.Clone(before)
		err := jp.Proceed()
		after = aspect.Arg[[]string](jp, 1)
		return err
	}), container.AsAspect(aspect.Interface[Lister](), 1))

	into := []string{"old"}
	require.NoError(t, must[Lister](t, c).Fill(t.Context(), into))
	require.Equal(t, []string{"old"}, kept)
	require.Equal(t, []string{"new"}, before)
	require.Same(t, &into[0], &after[0])
}

// IOC-golang #90: what is left out of a pointcut, and what nothing is declared for, is not wrapped.
func TestATypeIsLeftOutOfWeaving(t *testing.T) {
	c := container.New()
	c.Supply(&Plain{}, container.As[Caller]())
	c.Supply(filler{}, container.As[Lister]())
	c.Supply(aspect.Func(aspect.JoinPoint.Proceed), container.AsAspect(aspect.Not(aspect.Class("filler")), 1))
	require.True(t, aspect.IsWoven(must[Caller](t, c)))
	require.False(t, aspect.IsWoven(must[Lister](t, c)))
}

// dig #182: what an Invoke lacks is found before anything is built for it.
func TestAnInvokeThatLacksSomethingBuildsNothing(t *testing.T) {
	c := container.New()
	c.Provide(func() *A { t.Error("built"); return &A{} })
	require.NoError(t, c.Verify())
	require.ErrorContains(t, c.Invoke(func(*A, *B) { t.Error("called") }), "backstay: Invoke: nothing provides *container_test.B, which the func takes")
}

// Who takes a group may do anything with it.
func TestTheSliceAndTheMapOfAGroupAreTheTakersOwn(t *testing.T) {
	type group struct {
		container.In
		All    []*C          `group:"cs"`
		ByName map[string]*C `group:"cs"`
	}
	c := container.New()
	c.Provide(func() *C { return &C{1} }, container.Group("cs"), container.Name("one"))
	c.Provide(func(g group) *A { g.All[0], g.ByName["one"] = nil, nil; return &A{} })
	c.Provide(func(g group) *B { require.NotNil(t, g.All[0]); require.NotNil(t, g.ByName["one"]); return &B{} })
	must[*A](t, c)
	must[*B](t, c)
	require.NoError(t, c.Invoke(func(g group) { require.NotNil(t, g.All[0]); require.NotNil(t, g.ByName["one"]) }))
}

// What was asked for and is refused, on purpose: each says what to write instead.
func TestWhatIsRefusedOnPurpose(t *testing.T) {
	type plainStruct struct{ C *C }
	newC := func() *C { return &C{} }
	for name, test := range map[string]struct {
		wire func(c *container.Container)
		want string
	}{
		"dig #120: a variadic parameter": {
			func(c *container.Container) { c.Provide(func(...*C) *A { return nil }) },
			"A: func(...*container_test.C) *container_test.A is variadic, and nothing is injected into a variadic parameter; wrap it in a func without that parameter (HERE)",
		},
		"dig #338, fx #725: a struct of parameters as a service": {
			func(c *container.Container) {
				c.Supply(&C{})
				c.Supply(&Plain{}, container.As[Caller](), container.Name("main"))
				c.Provide(func(p keptParams) *keptParams { return &p })
			},
			"keptParams: result 1 is a struct of parameters; return a struct that embeds container.Out (HERE)",
		},
		"dig #442: a plain struct that is to be filled": {
			func(c *container.Container) { c.Provide(func(plainStruct) *A { return nil }) },
			"A: nothing provides container_test.plainStruct, which its constructor takes; Provide one (HERE)",
		},
		"fx #1144: a decorator that adds what is missing": {
			func(c *container.Container) { c.Decorate(func(v *C) *C { return v }) },
			"C: Decorate decorates *container_test.C, and nothing provides it; Provide it (HERE)",
		},
		"fx #1144: a decorator without a parameter": {
			func(c *container.Container) { c.Supply(&C{}); c.Decorate(newC) },
			"C: it returns a *container_test.C and takes none; take the one that it decorates as a parameter, or say Override to replace it (HERE)",
		},
		"wire #300: one constructor twice": {
			func(c *container.Container) { c.Provide(newC); c.Provide(newC) },
			"C: *container_test.C is provided twice, first at HERE; give one of them another name by container.Name (HERE)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			test.wire(c)
			require.Equal(t, []string{"backstay: " + test.want}, verified(t, c))
		})
	}
}
