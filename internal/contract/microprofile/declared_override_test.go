package microprofile_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// declaredTwoSided is provided as two interfaces, and its Other is retried.
type declaredTwoSided struct {
	_ annotation.On[declaredRetry] `method:"Other"`
	declaredPlainBase
}

type (
	declaredServes interface{ Serve(context.Context) error }
	declaredOthers interface{ Other(context.Context) error }
)

// A reference reaches the methods of all interfaces that a service is provided as, and always the woven ones.
func TestDeclaredFallbackOfASecondInterface(t *testing.T) {
	both := []container.ProvideOption{container.As[declaredServes](), container.As[declaredOthers]()}
	for _, c := range []struct {
		name    string
		provide func(c *container.Container)
	}{
		{"mp:L7 of a concrete type", func(c *container.Container) {
			c.Provide(func() *declaredTwoSided { return new(declaredTwoSided) }, both...)
		}},
		{"mp:L7 of an overridden one, by its concrete type", func(c *container.Container) {
			c.Provide(func() *declaredTwoSided { t.Error("it is built"); return nil }, both...)
			c.Override(func() *declaredPlainBase { return new(declaredPlainBase) }, both...)
		}},
		{"mp:L7 of an overridden one, by an interface", func(c *container.Container) {
			c.Provide(func() *declaredTwoSided { t.Error("it is built"); return nil }, both...)
			c.Override(func() declaredServes { return new(declaredPlainBase) })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, ref := range []any{"declaredTwoSided@Other", (*declaredTwoSided).Other, declaredOthers.Other, "declaredOthers@Other"} {
				services := container.New()
				c.provide(services)
				services.Provide(func() *declaredPlainBase { return new(declaredPlainBase) }, container.As[declaredServes](), container.Name("caller"),
					container.Annotate[declaredRetry](declaredServes.Serve, annotation.MaxAttempts(1), annotation.Fallback(ref)))
				require.Empty(t, declaredMistakes(t, services), "%v", annotation.Fallback(ref))
				ctx, runs := declaredCounting(t)
				require.ErrorIs(t, declaredGet[declaredServes](t, services, container.Name("caller")).Serve(ctx), errDeclared)
				require.Equal(t, 1+4, *runs, "%v", annotation.Fallback(ref))
			}
		})
	}
	t.Run("mp:L7 of a type that only its constructor knows", func(t *testing.T) {
		type twoSided interface {
			declaredServes
			declaredOthers
		}
		for _, ref := range []any{"twoSided@Other", declaredOthers.Other, "declaredOthers@Other"} {
			services := container.New()
			services.Provide(func() twoSided { return new(declaredPlainBase) }, append(both, container.Annotate[declaredRetry]("Other"))...)
			services.Provide(func() *declaredPlainBase { return new(declaredPlainBase) }, container.As[declaredServes](), container.Name("caller"),
				container.Annotate[declaredRetry](declaredServes.Serve, annotation.MaxAttempts(1), annotation.Fallback(ref)))
			require.Empty(t, declaredMistakes(t, services), "%v", annotation.Fallback(ref))
			ctx, runs := declaredCounting(t)
			require.ErrorIs(t, declaredGet[declaredServes](t, services, container.Name("caller")).Serve(ctx), errDeclared)
			require.Equal(t, 1+4, *runs, "%v", annotation.Fallback(ref))
		}
	})
}

// declaredStandIn stands in for a declaredOwn, with all that this has.
type declaredStandIn struct{ declaredDown[string] }

func (*declaredStandIn) Offline(context.Context, string) (string, error) { return "stand-in", nil }

// The fallback of a service that is a method of its own, in no interface, is one of what an Override puts in its place. Where
// it is not known to be there, that is a mistake before anything is built.
func TestDeclaredFallbackOfAnOverriddenService(t *testing.T) {
	provided := func() *container.Container {
		c := container.New()
		c.Provide(func() *declaredOwn { t.Error("it is built"); return nil }, container.As[declaredShop[string]]())
		return c
	}
	t.Run("mp:L1 what stands in has the method", func(t *testing.T) {
		c := provided()
		c.Override(func() *declaredStandIn { return new(declaredStandIn) }, container.As[declaredShop[string]]())
		got, err := declaredGet[declaredShop[string]](t, c).Buy(t.Context(), "tea")
		require.NoError(t, err)
		require.Equal(t, "stand-in", got)
	})
	for name, override := range map[string]func(c *container.Container){
		"mp:L1 what stands in is known by its interface": func(c *container.Container) {
			c.Override(func() declaredShop[string] { t.Error("it is built"); return nil })
		},
		"mp:L1 what stands in does not have the method": func(c *container.Container) {
			c.Override(func() *declaredDown[string] { t.Error("it is built"); return nil }, container.As[declaredShop[string]]())
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := provided()
			override(c)
			all := declaredMistakes(t, c)
			require.Len(t, all, 1)
			require.Equal(t, "declaredOwn@Buy", all[0].Ref.String())
			require.Contains(t, all[0].Problem, "has no exported method Offline, and that is all that is known of what stands in for the *microprofile_test.declaredOwn")
			require.Equal(t, "let the constructor of what stands in return a type that has it", all[0].Remedy)
		})
	}
}

// declaredUnmarked has a fallback that no mark names.
type declaredUnmarked struct {
	declaredDown[string]
	declaredBackup[string]
}

// A weaver knows what it has wrapped before. Where that provides the interface, the interface means that; where nothing does,
// the service that is being wrapped.
func TestDeclaredFallbackByAnInterfaceOfWhatIsWrapped(t *testing.T) {
	wrap := func(w *aspect.Weaver, target declaredStocked, ref any, opts ...aspect.WrapOption) (declaredStocked, error) {
		return aspect.Wrap(w, target, append(opts, aspect.Annotate[declaredRetry](declaredStocked.Buy, annotation.Fallback(ref)))...)
	}
	for _, ref := range []any{declaredStocked.Offline, "declaredStocked@Offline"} {
		t.Run("mp:L7 nothing is wrapped before", func(t *testing.T) {
			s, err := wrap(aspect.NewWeaver(), new(declaredUnmarked), ref)
			require.NoError(t, err)
			got, err := s.Buy(t.Context(), "tea")
			require.NoError(t, err)
			require.Equal(t, "offline tea", got)
		})
		t.Run("mp:L7 another one is wrapped before", func(t *testing.T) {
			w := aspect.NewWeaver()
			_, err := aspect.Wrap[declaredStocked](w, new(declaredOverriding))
			require.NoError(t, err)
			s, err := wrap(w, new(declaredUnmarked), ref)
			require.NoError(t, err)
			got, err := s.Buy(t.Context(), "tea")
			require.NoError(t, err)
			require.Equal(t, "overridden tea", got)
		})
		t.Run("mp:L7 two are wrapped before", func(t *testing.T) {
			w := aspect.NewWeaver()
			for _, name := range []string{"one", "two"} {
				_, err := aspect.Wrap[declaredStocked](w, new(declaredUnmarked), aspect.WithName(name))
				require.NoError(t, err)
			}
			_, err := wrap(w, new(declaredUnmarked), ref)
			require.ErrorContains(t, err, "there are 2 of ")
		})
	}
	for _, ref := range []any{declaredStocked.Buy, "declaredStocked@Buy"} {
		t.Run("mp:L7 the method itself", func(t *testing.T) {
			_, err := wrap(aspect.NewWeaver(), new(declaredUnmarked), ref)
			require.ErrorContains(t, err, "Buy is the method itself; name another one")
		})
	}
	t.Run("mp:L7 under another name", func(t *testing.T) {
		_, err := wrap(aspect.NewWeaver(), new(declaredUnmarked), "declaredStocked#other@Offline", aspect.WithName("one"))
		require.ErrorContains(t, err, "there is no class declaredStocked")
		s, err := wrap(aspect.NewWeaver(), new(declaredUnmarked), "declaredStocked#one@Offline", aspect.WithName("one"))
		require.NoError(t, err)
		got, err := s.Buy(t.Context(), "tea")
		require.NoError(t, err)
		require.Equal(t, "offline tea", got)
	})
}
