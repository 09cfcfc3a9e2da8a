package microprofile_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// declaredBuying is a service of which Buy is called. It gets a fallback at the registration, or none, and then by its mark.
type declaredBuying func(t *testing.T, opts ...annotation.Option) (inContainer, wrapped string)

// declaredBuy is an S that is provided as an I and asked to buy what.
func declaredBuy[S any, I declaredShop[A], A any](what A) declaredBuying {
	return func(t *testing.T, opts ...annotation.Option) (string, string) {
		c := container.New()
		var registered []container.ProvideOption
		var wrapping []aspect.WrapOption
		if len(opts) > 0 {
			registered = append(registered, container.Annotate[declaredRetry]("Buy", opts...))
			wrapping = append(wrapping, aspect.Annotate[declaredRetry]("Buy", opts...))
		}
		c.Provide(declaredMade[S], append(registered, container.As[I]())...)
		require.Empty(t, declaredMistakes(t, c))
		inContainer, err := declaredGet[I](t, c).Buy(t.Context(), what)
		require.NoError(t, err)

		woven, err := aspect.Wrap(aspect.NewWeaver(), any(declaredMade[S]()).(I), wrapping...)
		require.NoError(t, err)
		wrapped, err := woven.Buy(t.Context(), what)
		require.NoError(t, err)
		return inContainer, wrapped
	}
}

// declaredMade is an S, set up.
func declaredMade[S any]() *S {
	s := new(S)
	if up, ok := any(s).(interface{ setUp() }); ok {
		up.setUp()
	}
	return s
}

// Where the method that a fallback names may be declared. MicroProfile looks for a name in the bean's own class and those
// above it. Here a reference names the class of a service, which has the methods that it promotes; or an interface that one
// service is provided as.
func TestDeclaredFallbackIsFound(t *testing.T) {
	own := new(declaredOwn)
	for _, c := range []struct {
		name string
		buy  declaredBuying
		refs []any // beside the mark
		want string
	}{
		{"mp:L1 in the same type", declaredBuy[declaredOwn, declaredShop[string]]("tea"),
			[]any{"declaredOwn@Offline", "microprofile_test.declaredOwn@Offline", (*declaredOwn).Offline, own.Offline}, "offline tea"},
		{"mp:L3 abstract in the base, implemented in what embeds it", declaredBuy[declaredImplementing, declaredStocked]("tea"),
			[]any{"declaredImplementing@Offline", (*declaredImplementing).Offline, declaredStocked.Offline}, "implemented tea"},
		{"mp:L4 overridden in what embeds it", declaredBuy[declaredOverriding, declaredStocked]("tea"),
			[]any{"declaredOverriding@Offline", (*declaredOverriding).Offline, declaredStocked.Offline}, "overridden tea"},
		{"mp:L5 promoted from an embedded struct, and in no interface", declaredBuy[declaredPromoting, declaredShop[string]]("tea"),
			[]any{"declaredPromoting@Offline", (*declaredPromoting).Offline, declaredPromoting.Offline}, "offline tea"},
		{"mp:L6 promoted from an unexported struct of an embedded struct", declaredBuy[declaredLevels, declaredShop[string]]("tea"),
			[]any{"declaredLevels@Offline", (*declaredLevels).Offline}, "offline tea"},
		{"mp:L7 declared by an interface that it is provided as", declaredBuy[declaredOwn, declaredStocked]("tea"),
			[]any{"declaredStocked@Offline", "microprofile_test.declaredStocked@Offline", declaredStocked.Offline}, "offline tea"},
		{"mp:L8 of an embedded interface, which somebody else implements", declaredBuy[declaredDelegating, declaredShop[string]]("tea"),
			[]any{"declaredDelegating@Offline", (*declaredDelegating).Offline, declaredDelegating.Offline}, "offline tea"},
		{"mp:L9 with the type argument of one generic struct", declaredBuy[declaredGeneric[string], declaredShop[string]]("tea"),
			[]any{"declaredGeneric[string]@Offline", (*declaredGeneric[string]).Offline}, "offline tea"},
		{"mp:L10 with the type argument of several generic structs", declaredBuy[declaredLevels, declaredShop[string]]("tea"),
			[]any{"declaredLevels@Offline", (*declaredLevels).Offline}, "offline tea"},
		{"mp:L11 of a slice of the type argument", declaredBuy[declaredArrays, declaredShop[[]string]]([]string{"tea", "milk"}),
			[]any{"declaredArrays@Offline", (*declaredArrays).Offline}, "offline [tea milk]"},
		{"mp:L12 of a nested type of the type argument", declaredBuy[declaredNested, declaredShop[map[string][]int]](map[string][]int{"tea": {1, 2}}),
			[]any{"declaredNested@Offline", (*declaredNested).Offline}, "offline map[tea:[1 2]]"},
		{"mp:L13 abstract in a generic base", declaredBuy[declaredGenericImplementing, declaredShop[int]](7),
			[]any{"declaredGenericImplementing@Offline", (*declaredGenericImplementing).Offline}, "implemented 7"},
		{"mp:L14 of a parameter that takes more", declaredBuy[declaredWildcard, declaredShop[time.Duration]](time.Second),
			[]any{"declaredWildcard@Offline", (*declaredWildcard).Offline}, "offline 1s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			inContainer, wrapped := c.buy(t)
			require.Equal(t, c.want, inContainer, "by the mark")
			require.Equal(t, c.want, wrapped, "by the mark, wrapped")
			for _, ref := range c.refs {
				inContainer, wrapped = c.buy(t, annotation.Fallback(ref))
				require.Equal(t, c.want, inContainer, "%v", annotation.Fallback(ref))
				require.Equal(t, c.want, wrapped, "%v, wrapped", annotation.Fallback(ref))
			}
		})
	}
}

// An unexported method cannot be called by its name, so as a reference it is refused; see below. As a value it is a func.
func TestDeclaredFallbackIsAPrivateMethod(t *testing.T) {
	t.Run("mp:L2 private in the same type", func(t *testing.T) {
		own := new(declaredOwn)
		for _, f := range []any{own.hidden, func(ctx context.Context, what string) (string, error) { return own.hidden(ctx, what) }} {
			got, wrapped := declaredBuy[declaredOwn, declaredShop[string]]("tea")(t, annotation.Fallback(f))
			require.Equal(t, "hidden tea", got)
			require.Equal(t, "hidden tea", wrapped)
		}
	})
}

func TestDeclaredFallbackOfAVariadicMethod(t *testing.T) {
	t.Run("mp:L15 any number of arguments", func(t *testing.T) {
		for _, x := range []struct {
			opts []annotation.Option
			want string
		}{
			{nil, "offline [tea milk]"},
			{[]annotation.Option{annotation.Fallback((*declaredVariadicShop).OfflineAll)}, "offline [tea milk]"},
			{[]annotation.Option{annotation.Fallback("declaredVariadicShop@OfflineList")}, "listed [tea milk]"},
			{[]annotation.Option{annotation.Fallback((*declaredVariadicShop).OfflineList)}, "listed [tea milk]"},
		} {
			c := container.New()
			c.Provide(declaredMade[declaredVariadicShop], container.As[declaredVariadic](),
				container.Annotate[declaredRetry](declaredVariadic.BuyAll, x.opts...))
			got, err := declaredGet[declaredVariadic](t, c).BuyAll(t.Context(), "tea", "milk")
			require.NoError(t, err)
			require.Equal(t, x.want, got)
		}
	})
}
