package microprofile_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// declaredInstance falls back to its own Offline, which says which instance it is.
type declaredInstance struct {
	_ annotation.On[declaredRetry] `method:"Buy" fallback:"declaredInstance@Offline"`
	declaredDown[string]
	name string
}

func (s *declaredInstance) Offline(context.Context, string) (string, error) {
	return "offline " + s.name, nil
}

// A fallback to a method of the service's own is one of the very instance that was called, however many there are. Of several
// registrations of one class, which have names, a reference by the class alone means none.
func TestDeclaredFallbackOfSeveralInstances(t *testing.T) {
	type shop = declaredShop[string]
	buys := func(t *testing.T, s shop, want string) {
		t.Helper()
		got, err := s.Buy(t.Context(), "tea")
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	forms := map[string][]annotation.Option{
		"by the mark":            nil,
		"by a method expression": {annotation.Fallback((*declaredInstance).Offline)},
	}
	for form, opts := range forms {
		t.Run("mp:L1 two of one weaver, "+form, func(t *testing.T) {
			w := aspect.NewWeaver()
			for _, name := range []string{"one", "two"} {
				s, err := aspect.Wrap[shop](w, &declaredInstance{name: name}, aspect.Annotate[declaredRetry](shop.Buy, opts...))
				require.NoError(t, err)
				buys(t, s, "offline "+name)
			}
		})
	}
	t.Run("mp:L1 the only one of a weaver, which has a name", func(t *testing.T) {
		s, err := aspect.Wrap[shop](aspect.NewWeaver(), &declaredInstance{name: "one"}, aspect.WithName("one"))
		require.NoError(t, err)
		buys(t, s, "offline one")
	})
	for name, ref := range map[string]func(name string) any{
		"a method expression": func(string) any { return (*declaredInstance).Offline },
		"its name":            func(name string) any { return "declaredInstance#" + name + "@Offline" },
	} {
		t.Run("mp:L1 two registrations, by "+name, func(t *testing.T) {
			c := container.New()
			for _, name := range []string{"one", "two"} {
				c.Provide(func() *declaredInstance { return &declaredInstance{name: name} }, container.As[shop](), container.Name(name),
					container.Annotate[declaredRetry](shop.Buy, annotation.Fallback(ref(name))))
			}
			require.Empty(t, declaredMistakes(t, c))
			buys(t, declaredGet[shop](t, c, container.Name("one")), "offline one")
			buys(t, declaredGet[shop](t, c, container.Name("two")), "offline two")
		})
	}
	t.Run("mp:L1 another one, by its name", func(t *testing.T) {
		c := container.New()
		for _, name := range []string{"one", "two"} {
			c.Provide(func() *declaredInstance { return &declaredInstance{name: name} }, container.As[shop](), container.Name(name),
				container.Annotate[declaredRetry](shop.Buy, annotation.Fallback("declaredInstance#two@Offline")))
		}
		buys(t, declaredGet[shop](t, c, container.Name("one")), "offline two")
		buys(t, declaredGet[shop](t, c, container.Name("two")), "offline two")
	})
}
