package container_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
)

func TestAScopeIsSuppliedWithWhatIsExpected(t *testing.T) {
	type holder struct {
		tenant Tenant
		ctx    context.Context
		fetch  Fetch
	}
	c := container.New()
	container.Expect[Tenant](c)
	container.Expect[context.Context](c)
	container.Expect[Fetch](c)
	container.Expect[*A](c)
	c.Provide(func(t Tenant, ctx context.Context, f Fetch) *holder { return &holder{t, ctx, f} }, container.Scoped())
	for _, id := range []string{"one", "other"} {
		ctx := context.WithValue(t.Context(), placeOfTest, id)
		fetch := Fetch(func(context.Context, int) (int, error) { return len(id), nil })
		s := ours(t, c, Tenant{id}, ctx, fetch)
		h := in[*holder](t, s)
		require.Equal(t, id, h.tenant.ID)
		require.Equal(t, ctx, h.ctx)
		n, err := h.fetch(ctx, 0)
		require.NoError(t, err)
		require.Equal(t, len(id), n)
		require.Equal(t, Tenant{id}, in[Tenant](t, s))
		require.Equal(t, ctx, in[context.Context](t, s))
		_, err = container.Get[*A](s)
		require.Equal(t, "backstay: container.Get (HERE) needs A (HERE): the scope was not supplied with a *container_test.A; call its Supply before what needs it is asked for", text(err))
		s.Supply(&A{})
		require.NotNil(t, in[*A](t, s), "it comes in time")
	}
}

func TestWhatIsMissingSaysWhoNeedsIt(t *testing.T) {
	runs := 0
	c := container.New()
	container.Expect[Tenant](c)
	container.Expect[Caller](c)
	c.Provide(func() *C { runs++; return &C{} }, container.Scoped())
	c.Provide(func(v *C, _ Tenant) *B { return &B{v} }, container.Scoped())
	c.Provide(func(b *B) *A { return &A{b} }, container.Transient())
	s := ours(t, c)
	_, err := container.Get[*A](s)
	require.Equal(t, "backstay: container.Get (HERE) needs A (HERE) needs B (HERE) needs Tenant (HERE): the scope was not supplied with a container_test.Tenant; call its Supply before what needs it is asked for", text(err))
	err = s.Invoke(func(*B, Caller) {})
	require.Equal(t, "backstay: Scope.Invoke (HERE) needs B (HERE) needs Tenant (HERE): the scope was not supplied with a container_test.Tenant; call its Supply before what needs it is asked for", text(err))
	s.Supply(Tenant{})
	in[*A](t, s)
	require.Equal(t, 1, runs, "what was built stays")
	require.ErrorContains(t, s.Invoke(func(Caller) {}), "the scope was not supplied with a container_test.Caller")
}

// What a scope is supplied with wrongly is an error of every Get that follows.
func TestWrongSuppliesAreErrorsOfTheGetsThatFollow(t *testing.T) {
	type optional struct {
		container.In
		Tenant Tenant `optional:"true"`
	}
	for name, test := range map[string]struct {
		supply func(s *container.Scope)
		want   string
	}{
		"nil":             {func(s *container.Scope) { s.Supply(nil) }, "Scope.Supply of nil; supply a value (HERE)"},
		"a nil pointer":   {func(s *container.Scope) { s.Supply((*A)(nil)) }, "Scope.Supply of a nil *container_test.A; supply a value (HERE)"},
		"a nil func":      {func(s *container.Scope) { s.Supply(Fetch(nil)) }, "Scope.Supply of a nil container_test.Fetch; supply a value (HERE)"},
		"what is unknown": {func(s *container.Scope) { s.Supply(7) }, "Scope.Supply of a int, which is not expected; say container.Expect[int](c) where services are provided (HERE)"},
		"what a constructor provides": {func(s *container.Scope) { s.Supply(&C{}) },
			"Scope.Supply of a *container_test.C, which is not expected; say container.Expect[*container_test.C](c) where services are provided (HERE)"},
		"the value for the pointer": {func(s *container.Scope) { s.Supply(A{}) }, "Scope.Supply of a container_test.A, which is not expected; supply a *container_test.A, which is expected (HERE) (HERE)"},
		"the pointer for the value": {func(s *container.Scope) { s.Supply(&Tenant{}) }, "Scope.Supply of a *container_test.Tenant, which is not expected; supply a container_test.Tenant, which is expected (HERE) (HERE)"},
		"a second one": {func(s *container.Scope) { s.Supply(Tenant{}); s.Supply(Tenant{}) },
			"Scope.Supply of a container_test.Tenant, and the scope has its container_test.Tenant (HERE); call it once in each scope (HERE)"},
		"a second one for an interface": {func(s *container.Scope) { s.Supply(strings.NewReader("")); s.Supply(&strings.Reader{}) },
			"Scope.Supply of a *strings.Reader, and the scope has its io.Reader (HERE); call it once in each scope (HERE)"},
		"what is two things": {func(s *container.Scope) { s.Supply(io.NopCloser(nil)) },
			"Scope.Supply of a io.nopCloser, which is both a io.Reader (HERE) and a io.Closer (HERE) that are expected; expect a struct type of your own that holds one of them (HERE)"},
		"one too late": {func(s *container.Scope) {
			_ = s.Invoke(func(o optional) error { s.Supply(Tenant{"late"}); return nil })
		}, "Scope.Supply of a container_test.Tenant after something was built without its container_test.Tenant (HERE); call it before the first Get (HERE)"},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			container.Expect[Tenant](c)
			container.Expect[*A](c)
			container.Expect[io.Reader](c)
			container.Expect[io.Closer](c)
			c.Provide(func() *C { return &C{} }, container.Scoped())
			c.Provide(func() *B { return &B{} })
			s := ours(t, c)
			in[*C](t, s)
			test.supply(s)
			for range 2 {
				require.Equal(t, "backstay: "+test.want, text(second(container.Get[*C](s))), "built before")
			}
			require.Equal(t, "backstay: "+test.want, text(second(container.Get[*B](s))), "a singleton too")
			require.Equal(t, "backstay: "+test.want, text(s.Invoke(func() {})))
			in[*C](t, ours(t, c))
			s.Supply(nil)
			require.Equal(t, "backstay: "+test.want+"\nbackstay: Scope.Supply of nil; supply a value (HERE)", text(second(container.Get[*C](s))))
		})
	}
}

func TestWhatIsExpectedMayBeOptional(t *testing.T) {
	type optional struct {
		container.In
		Tenant Tenant                 `optional:"true"`
		Caller Caller                 `optional:"true"`
		Lazy   container.Lazy[Tenant] `optional:"true"`
	}
	type holder struct{ p optional }
	c := container.New()
	container.Expect[Tenant](c)
	container.Expect[Caller](c)
	c.Provide(func(p optional) *holder { return &holder{p} }, container.Scoped())
	with, without := ours(t, c, Tenant{"x"}, &Plain{}), ours(t, c)
	h := in[*holder](t, with)
	require.Equal(t, "x", h.p.Tenant.ID)
	require.NotNil(t, h.p.Caller)
	tenant, err := h.p.Lazy.Get()
	require.NoError(t, err)
	require.Equal(t, h.p.Tenant, tenant)
	h = in[*holder](t, without)
	require.Zero(t, h.p.Tenant)
	require.Nil(t, h.p.Caller)
	_, err = h.p.Lazy.Get()
	require.Equal(t, "backstay: container.Lazy.Get (HERE) needs Tenant (HERE): the scope was not supplied with a container_test.Tenant; call its Supply before what needs it is asked for", text(err))
}

func TestMarksOfASuppliedValueAreNotSilentlyUnenforced(t *testing.T) {
	c := container.New()
	container.Expect[Caller](c)
	s := ours(t, c, &Client{})
	for range 2 {
		_, err := container.Get[Caller](s)
		require.Equal(t, "backstay: container.Get (HERE) needs Caller (HERE): aliases.Retry: the scope was supplied with a *container_test.Client, whose mark Client._ was not known when the plan was verified; expect what one is built from, and Provide its constructor with container.Scoped()", text(err))
	}
	require.NotNil(t, in[Caller](t, ours(t, c, &Plain{})))
}

func TestASupplyToNoScopeDoesNothing(t *testing.T) {
	var none *container.Scope
	none.Supply(1)
	require.NoError(t, none.Close(t.Context()))
	var nilContainer *container.Container
	const want = "backstay: the scope is of no container; open it by Scope of a container that container.New has made (HERE)"
	for _, s := range []*container.Scope{none, {}, nilContainer.Scope()} {
		s.Supply(1)
		require.Equal(t, want, text(second(container.Get[*A](s))))
		require.Equal(t, want, text(s.Invoke(func() {})))
		require.NoError(t, s.Close(t.Context()))
	}
	container.Expect[Tenant](nilContainer)
}
