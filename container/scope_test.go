package container_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

type Tenant struct{ ID string }

// ours is how tests open a scope: it is closed when the test ends.
func ours(t *testing.T, c *container.Container, supplied ...any) *container.Scope {
	t.Helper()
	s := c.Scope()
	t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
	for _, v := range supplied {
		s.Supply(v)
	}
	return s
}

// in returns the T of the scope.
func in[T any](t *testing.T, s *container.Scope, opts ...container.GetOption) T {
	t.Helper()
	v, err := container.Get[T](s, opts...)
	require.NoError(t, err)
	return v
}

func TestAScopedServiceIsBuiltOnceInEachScope(t *testing.T) {
	built := 0
	c := container.New()
	c.Provide(func(v *C) *B { return &B{v} }, container.Scoped())
	c.Provide(func(b *B, again *B) *A { require.Same(t, b, again); return &A{b} }, container.Scoped())
	c.Provide(func() *C { built++; return &C{} })
	one, other := ours(t, c), ours(t, c)
	require.Zero(t, built, "lazily")

	a := in[*A](t, one)
	require.Same(t, a, in[*A](t, one))
	require.Same(t, a.b, in[*B](t, one))
	require.NotSame(t, a, in[*A](t, other))
	require.NotSame(t, a.b, in[*B](t, other))
	require.Same(t, a.b.c, in[*B](t, other).c, "the singleton is everybody's")
	require.Same(t, a.b.c, must[*C](t, c))
	require.Same(t, a.b.c, in[*C](t, one))
	require.Equal(t, 1, built)
}

func TestATransientIsBuiltForEachThatAsks(t *testing.T) {
	type pair struct{ one, two *C }
	c := container.New()
	c.Provide(func() *C { return &C{1} }, container.Transient())
	c.Provide(func(one, two *C) *pair { return &pair{one, two} })
	c.Provide(func(v *C) *B { return &B{v} }, container.Scoped())
	c.Provide(func(b *B, v *C) *A { require.NotSame(t, b.c, v); return &A{b} }, container.Scoped())

	p := must[*pair](t, c)
	require.NotSame(t, p.one, p.two)
	require.Same(t, p, must[*pair](t, c), "a singleton keeps those that it was built with")
	require.NotSame(t, must[*C](t, c), must[*C](t, c))
	s := ours(t, c)
	require.NotSame(t, in[*C](t, s), in[*C](t, s))
	require.Same(t, in[*A](t, s).b, in[*B](t, s))
	require.NoError(t, c.Invoke(func(one, two *C) { require.NotSame(t, one, two) }))
	require.NoError(t, s.Invoke(func(one, two *C, b *B) {
		require.NotSame(t, one, two)
		require.Same(t, in[*B](t, s), b)
	}))
	one, err := c.Lookup("C")
	require.NoError(t, err)
	require.NotSame(t, one, second2(c.Lookup("C")))
}

func second2(v any, _ error) any { return v }

// What a singleton takes anew for itself: under all forms of a parameter.
func TestASingletonTakesTransientsInEveryForm(t *testing.T) {
	type params struct {
		container.In
		Plain   *C
		Named   *C     `name:"named"`
		Missing *Right `optional:"true"`
		Caller  Caller
		Grouped []Closer `group:"closers"`
		Soft    []Closer `group:"closers,soft"`
		Value   Tenant
	}
	type holder struct{ p params }
	var needed int
	c := container.New()
	c.Provide(func() *C { return &C{1} }, container.Transient())
	c.Provide(func(l *Left) (*C, error) { return &C{2}, nil }, container.Transient(), container.Name("named"))
	c.Provide(func() *Left { needed++; return &Left{} })
	c.Provide(func() *Client { return &Client{} }, container.As[Caller](), container.Transient())
	c.Provide(func() *Plain { return &Plain{} }, container.As[Closer](), container.Transient(), container.Group("closers"))
	c.Provide(func() *Plain { return &Plain{} }, container.As[Closer](), container.Group("closers"))
	c.Provide(func() Tenant { return Tenant{"x"} }, container.Transient())
	c.Provide(func(p params) *holder { return &holder{p} })
	c.Provide(func(p params) *B { return &B{p.Plain} })

	h := must[*holder](t, c)
	require.Equal(t, 1, h.p.Plain.n)
	require.Equal(t, 2, h.p.Named.n)
	require.Nil(t, h.p.Missing)
	require.True(t, aspect.IsWoven(h.p.Caller))
	require.Len(t, h.p.Grouped, 2)
	require.NotSame(t, h.p.Grouped[0], h.p.Grouped[1])
	require.Len(t, h.p.Soft, 1, "a transient is never built anyway")
	require.Equal(t, "x", h.p.Value.ID)
	require.Equal(t, 1, needed)
	require.NotSame(t, h.p.Plain, must[*B](t, c).c)
}

func TestScopedServicesTakeEverythingInEveryForm(t *testing.T) {
	type params struct {
		container.In
		Tenant  Tenant
		Named   *C `name:"named"`
		Fetch   Fetch
		Caller  Caller
		Lazy    container.Lazy[*B]
		Missing *Right   `optional:"true"`
		All     []Closer `group:"closers"`
		Soft    []Closer `group:"closers,soft"`
		Flat    []int    `group:"flat"`
		Nested  struct {
			container.In
			Single *Left
			Again  Caller
		}
	}
	type holder struct{ p params }
	scoped := container.Scoped()
	c := container.New()
	container.Expect[Tenant](c)
	c.Provide(func() *C { return &C{7} }, container.Name("named"), scoped)
	c.Provide(func() Fetch { return func(context.Context, int) (int, error) { return 3, nil } }, scoped)
	c.Provide(func() *Client { return &Client{} }, container.As[Caller](), scoped)
	c.Provide(func(*A) *B { return &B{} }, scoped)
	c.Provide(func() *Left { return &Left{} })
	c.Provide(func() *Plain { return &Plain{} }, container.As[Closer](), container.Group("closers"), scoped)
	c.Provide(func() Closer { return &Plain{} }, container.Group("closers"), scoped)
	c.Provide(func() Closer { return &Plain{} }, container.Group("closers"))
	c.Provide(func() []int { return []int{1, 2} }, container.Group("flat,flatten"), scoped)
	c.Supply(3, container.Group("flat"))
	c.Provide(func(p params) *holder { return &holder{p} }, scoped)
	c.Provide(func(*holder) *A { return &A{} }, scoped)

	check := func(t *testing.T, h *holder) {
		require.Equal(t, "x", h.p.Tenant.ID)
		require.Equal(t, 7, h.p.Named.n)
		n, err := h.p.Fetch(t.Context(), 1)
		require.NoError(t, err)
		require.Equal(t, 3, n)
		require.True(t, aspect.IsWoven(h.p.Caller))
		require.Nil(t, h.p.Missing)
		require.Len(t, h.p.All, 3)
		require.Equal(t, []int{1, 2, 3}, h.p.Flat)
		require.NotNil(t, h.p.Nested.Single)
		require.True(t, aspect.IsWoven(h.p.Nested.Again))
	}
	h, other := in[*holder](t, ours(t, c, Tenant{"x"})), in[*holder](t, ours(t, c, Tenant{"x"}))
	check(t, h)
	check(t, other)
	require.Equal(t, h.p.Caller, h.p.Nested.Again)
	require.NotSame(t, h.p.Named, other.p.Named)
	require.Same(t, h.p.Nested.Single, other.p.Nested.Single)
	require.NotSame(t, h.p.All[0], other.p.All[0])
	require.Same(t, h.p.All[2], other.p.All[2])
	b, err := h.p.Lazy.Get()
	require.NoError(t, err)
	again, err := other.p.Lazy.Get()
	require.NoError(t, err)
	require.NotSame(t, b, again)
	h.p.All[0] = nil
	require.NotNil(t, other.p.All[0], "the slice is the taker's own")
}

func TestASoftGroupHasWhatTheScopeHasBuilt(t *testing.T) {
	type soft struct {
		container.In
		All []Closer `group:"closers,soft"`
	}
	type holder struct{ all []Closer }
	c := container.New()
	c.Provide(func() *Plain { return &Plain{} }, container.As[Closer](), container.Group("closers"), container.Name("one"), container.Scoped())
	c.Provide(func() *Plain { return &Plain{} }, container.As[Closer](), container.Group("closers"), container.Name("two"))
	c.Provide(func(s soft) *holder { return &holder{s.All} }, container.Scoped())
	require.Empty(t, in[*holder](t, ours(t, c)).all)
	s := ours(t, c)
	one := in[Closer](t, s, container.Name("one"))
	require.Equal(t, []Closer{one}, in[*holder](t, s).all)
	two := must[Closer](t, c, container.Name("two"))
	require.NoError(t, s.Invoke(func(p soft) { require.Equal(t, []Closer{one, two}, p.All) }))
	require.Equal(t, []Closer{two}, in[*holder](t, ours(t, c)).all)
}

func TestOneConstructorBuildsSeveralScopedServices(t *testing.T) {
	type out struct {
		container.Out
		A *A
		C *C `name:"c"`
		G *B `group:"b"`
	}
	type all struct {
		container.In
		B []*B `group:"b"`
	}
	for name, provide := range map[string]func(c *container.Container, l container.ProvideOption){
		"a struct": func(c *container.Container, l container.ProvideOption) {
			c.Provide(func() out { return out{A: &A{}, C: &C{}, G: &B{}} }, l)
		},
		"several results": func(c *container.Container, l container.ProvideOption) {
			c.Provide(func() (out, error) { return out{A: &A{}, C: &C{}, G: &B{}}, nil }, l)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			provide(c, container.Scoped())
			s := ours(t, c)
			require.Same(t, in[*A](t, s), in[*A](t, s))
			require.Same(t, in[*C](t, s, container.Name("c")), in[*C](t, s, container.Name("c")))
			require.NoError(t, s.Invoke(func(p all) { require.Len(t, p.B, 1) }))
			require.NotSame(t, in[*A](t, s), in[*A](t, ours(t, c)))
			_, err := container.Get[*B](s)
			require.ErrorContains(t, err, "nothing provides *container_test.B")

			c = container.New()
			provide(c, container.Transient())
			require.NotSame(t, must[*A](t, c), must[*A](t, c))
		})
	}
}

// What is declared belongs to the registration: its instances share the breaker, and each has its own target.
func TestInstancesShareTheBreakerOfTheirRegistration(t *testing.T) {
	for _, l := range []container.ProvideOption{container.Scoped(), container.Transient()} {
		failing := true
		calls := 0
		c := container.New()
		c.Provide(func() *Plain {
			calls++
			if failing {
				return &Plain{err: errDown}
			}
			return &Plain{}
		}, container.As[Caller](), l, container.Annotate[aliases.CircuitBreaker](Caller.Call, annotation.MaxAttempts(2)))
		one := in[Caller](t, ours(t, c))
		require.ErrorIs(t, one.Call(t.Context()), errDown)
		failing = false
		other := in[Caller](t, ours(t, c))
		require.NotEqual(t, one, other)
		require.ErrorIs(t, other.Call(t.Context()), retry.ErrCircuitOpen)
		require.Equal(t, 2, calls)

		b, err := c.Breaker("Plain@Call")
		require.NoError(t, err)
		require.Len(t, c.Breakers(), 1)
		b.Reset()
		require.NoError(t, other.Call(t.Context()))
		require.Equal(t, 1, aspect.Unwrap(other).(*Plain).calls)
		require.Equal(t, 2, aspect.Unwrap(one).(*Plain).calls)
		require.NotEmpty(t, annotation.AllOf[aliases.CircuitBreaker](c.Registry()))
	}
}

// Spare falls back on a method of its own.
type Spare struct {
	_     annotation.On[aliases.Retry] `method:"Call" maxAttempts:"1" fallback:"Spare@Shut"`
	calls int
	shut  int
}

func (s *Spare) Call(context.Context) error { s.calls++; return errDown }
func (s *Spare) Shut(context.Context) error { s.shut++; return nil }

func TestAScopedServiceMayReferToItself(t *testing.T) {
	c := container.New()
	c.Provide(func() *Spare { return &Spare{} }, container.As[Caller](), container.As[Closer](), container.Scoped())
	one, other := in[Caller](t, ours(t, c)), in[Caller](t, ours(t, c))
	require.NoError(t, one.Call(t.Context()))
	require.NoError(t, other.Call(t.Context()))
	require.NoError(t, other.Call(t.Context()))
	require.Equal(t, 1, aspect.Unwrap(one).(*Spare).shut, "each falls back on itself")
	require.Equal(t, 2, aspect.Unwrap(other).(*Spare).shut)
}

// A fallback that is a singleton is built before what refers to it.
func TestAScopedServiceMayReferToASingleton(t *testing.T) {
	spare := &Plain{}
	c := container.New()
	c.Provide(func() *Plain { return spare }, container.As[Closer]())
	c.Provide(func() *Client { return &Client{fail: 9} }, container.As[Caller](), container.Scoped(),
		container.Annotate[aliases.Retry](Caller.Call, annotation.Fallback("Plain@Call")))
	require.NoError(t, in[Caller](t, ours(t, c)).Call(t.Context()))
	require.NoError(t, in[Caller](t, ours(t, c)).Call(t.Context()))
	require.Equal(t, 2, spare.calls)
}

func TestAnAspectMeetsScopedAndSuppliedServices(t *testing.T) {
	var around []string
	c := container.New()
	c.Supply(aspect.Func(func(jp aspect.JoinPoint) error {
		around = append(around, jp.Ref().String())
		return jp.Proceed()
	}), container.AsAspect(aspect.Any(), 1))
	c.Provide(func(Closer) *Plain { return &Plain{} }, container.As[Caller](), container.Scoped())
	container.Expect[Closer](c)
	given := &Plain{}
	s := ours(t, c, given)
	require.NoError(t, in[Caller](t, s).Call(t.Context()))
	require.NoError(t, in[Closer](t, s).Shut(t.Context()))
	require.Equal(t, []string{"Plain@Call", "Closer@Shut"}, around)
	require.Same(t, given, aspect.Unwrap(in[Closer](t, s)))
}

func TestAnOverrideKeepsTheLifetime(t *testing.T) {
	c := container.New()
	c.Provide(func() *Client { t.Error("overridden"); return nil }, container.As[Caller](), container.Scoped())
	c.Provide(func() *C { t.Error("overridden"); return nil }, container.Transient())
	c.Override(func(Tenant) Caller { return &Plain{err: errDown} })
	c.Override(func() *C { return &C{9} })
	container.Expect[Tenant](c)
	one, other := in[Caller](t, ours(t, c, Tenant{})), in[Caller](t, ours(t, c, Tenant{}))
	require.NotEqual(t, one, other)
	require.ErrorIs(t, one.Call(t.Context()), errDown)
	require.Equal(t, 3, aspect.Unwrap(one).(*Plain).calls, "the marks of the Client hold")
	require.NotSame(t, must[*C](t, c), must[*C](t, c))
	require.Equal(t, 9, must[*C](t, c).n)
}

func TestALazyBreaksACycleWithinAScope(t *testing.T) {
	c := container.New()
	c.Provide(func(r container.Lazy[*Right]) *Left { return &Left{r} }, container.Scoped())
	c.Provide(func(l *Left) *Right { return &Right{l} }, container.Scoped())
	one, other := ours(t, c), ours(t, c)
	right, err := in[*Left](t, one).right.Get()
	require.NoError(t, err)
	require.Same(t, in[*Right](t, one), right)
	require.Same(t, in[*Left](t, one), right.left)
	require.NotSame(t, right, in[*Right](t, other))
	again, err := in[*Left](t, other).right.Get()
	require.NoError(t, err)
	require.Same(t, in[*Right](t, other), again)
}

func TestALazyOfASingletonInAScopedServiceIsTheSingleton(t *testing.T) {
	var early error
	built := 0
	c := container.New()
	c.Provide(func() *A { built++; return &A{} })
	c.Provide(func(l container.Lazy[*A]) *Lazily { _, early = l.Get(); return &Lazily{l} }, container.Scoped())
	lazily := in[*Lazily](t, ours(t, c))
	require.Equal(t, "backstay: Lazily: container.Lazy[*container_test.A].Get before the service that took it is built; call it in a method, not in the constructor (HERE)", text(early))
	require.Zero(t, built)
	a, err := lazily.a.Get()
	require.NoError(t, err)
	require.Same(t, must[*A](t, c), a)
}

func TestInvokeOfAScope(t *testing.T) {
	type params struct {
		container.In
		Tenant Tenant
		B      *B
		Lazy   container.Lazy[*A]
		New    container.Provider[*C]
	}
	c := container.New()
	container.Expect[Tenant](c)
	c.Provide(func(Tenant) *B { return &B{} }, container.Scoped())
	c.Provide(func() *A { return &A{} }, container.Scoped())
	c.Provide(func(Tenant) *C { return &C{} }, container.Transient())
	s := ours(t, c, Tenant{"x"})
	err := s.Invoke(func(p params, again *B) error {
		require.Equal(t, "x", p.Tenant.ID)
		require.Same(t, p.B, again)
		require.Same(t, p.B, in[*B](t, s), "it may use the scope")
		a, err := p.Lazy.Get()
		require.NoError(t, err)
		require.Same(t, in[*A](t, s), a)
		one, err := p.New.Get()
		require.NoError(t, err)
		other, err := p.New.Get()
		require.NoError(t, err)
		require.NotSame(t, one, other)
		return errDown
	})
	require.ErrorIs(t, err, errDown)
	require.NoError(t, s.Invoke(func() {}))
	require.ErrorContains(t, s.Invoke(func(*Right) {}), "backstay: Invoke: nothing provides *container_test.Right, which the func takes; ")
	require.ErrorContains(t, s.Invoke(7), "Invoke: int cannot be called; give it a func")
	require.PanicsWithValue(t, "boom", func() { _ = s.Invoke(func(*B) { panic("boom") }) })
}

func TestNotesAndVerifyTellOfScopedServices(t *testing.T) {
	c := container.New()
	c.Provide(func() *Ears { return &Ears{} }, container.Scoped())
	require.NoError(t, c.Verify())
	require.Len(t, c.Notes(), 1, "a listener that is provided as none")
}

func TestListenersAreToldOfTheFirstCallInAScope(t *testing.T) {
	ears := &Ears{}
	c := container.New()
	c.Provide(func() *Ears { return ears }, container.As[retry.Listener]())
	c.Provide(func() *Client { return &Client{} }, container.As[Caller](), container.Scoped())
	require.NoError(t, in[Caller](t, ours(t, c)).Call(t.Context()))
	require.Equal(t, []string{"Client@Call"}, ears.heard)
}

func TestAScopeOpensWithFewAllocations(t *testing.T) {
	c := container.New()
	c.Provide(func() *A { return &A{} }, container.Scoped())
	c.Provide(func() *B { return &B{} })
	in[*A](t, ours(t, c))
	must[*B](t, c)
	require.LessOrEqual(t, testing.AllocsPerRun(100, func() { _ = c.Scope().Close(context.Background()) }), 2.0)
	s := ours(t, c)
	in[*A](t, s)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		_, _ = container.Get[*A](s)
		_, _ = container.Get[*B](s)
	}), "what is built is found without any")
}

func TestConstructorsOfAThousandScopedServicesInAChain(t *testing.T) {
	constructors, last := links(1000)
	c := container.New()
	for _, f := range constructors {
		c.Provide(f, container.Scoped())
	}
	require.NoError(t, ours(t, c).Invoke(last))
}
