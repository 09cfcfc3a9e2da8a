package microprofile_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

// The services whose fallbacks are refused.
type (
	declaredSecret    struct{ declaredDown[string] }
	declaredSecretive struct{ declaredSecret }
	declaredForeign   struct {
		declaredDown[string]
		bytes.Buffer
	}
	declaredBelow struct{ declaredDown[string] }
	declaredAbove struct{ declaredBelow }
	declaredList  struct{ declaredDown[[]string] }
	declaredWrong struct{ declaredDown[string] }
)

func (*declaredSecret) hidden(context.Context, string) (string, error)         { return "", nil }
func (*declaredAbove) Only(context.Context, string) (string, error)            { return "", nil }
func (*declaredList) Anything(context.Context, []any) (string, error)          { return "", nil }
func (*declaredList) Readers(context.Context, []fmt.Stringer) (string, error)  { return "", nil }
func (*declaredList) Array(context.Context, [2]string) (string, error)         { return "", nil }
func (*declaredWrong) Number(context.Context, string) (int, error)             { return 0, nil }
func (*declaredWrong) Alone(context.Context, string) string                    { return "" }
func (*declaredWrong) NoValue(context.Context, string) error                   { return nil }
func (*declaredWrong) Swapped(context.Context, string) (error, string)         { return nil, "" }
func (*declaredWrong) Anything(context.Context, string) (any, error)           { return nil, nil }
func (*declaredWrong) More(context.Context, string, string) (string, error)    { return "", nil }
func (*declaredWrong) Fewer(string) (string, error)                            { return "", nil }
func (*declaredWrong) Other(context.Context, int) (string, error)              { return "", nil }
func (*declaredWrong) Order(string, context.Context) (string, error)           { return "", nil }
func (*declaredWrong) Bytes(context.Context, []byte) (string, error)           { return "", nil }
func (*declaredWrong) Many(context.Context, ...string) (string, error)         { return "", nil }
func (*declaredWrong) CauseFirst(error, context.Context) (string, error)       { return "", nil }
func (*declaredWrong) TwoCauses(context.Context, error, error) (string, error) { return "", nil }
func (*declaredWrong) Either(context.Context, any) (string, error)             { return "", nil }

// What a reference may not name. Verify says so before anything is built, whatever the form, and names the method that has
// the fallback and what to write instead.
func TestDeclaredFallbackIsRefused(t *testing.T) {
	const export = "export it, or write a func that calls it"
	secret := declaredRefused[declaredSecret, declaredShop[string]]
	secretive := declaredRefused[declaredSecretive, declaredShop[string]]
	below := declaredRefused[declaredBelow, declaredShop[string]]
	above := declaredRefused[declaredAbove, declaredShop[string]]
	own := declaredRefused[declaredOwn, declaredStocked]
	list := declaredRefused[declaredList, declaredShop[[]string]]
	wrong := declaredRefused[declaredWrong, declaredShop[string]]
	const fits = "write func(context.Context, string) (string, error) or func(context.Context, string, error) (string, error) or func(context.Context, error) (string, error) or func(error) (string, error) or func() (string, error)"
	for _, c := range []struct {
		name            string
		refused         func(t *testing.T, ref any) *annotation.DefinitionError
		refs            []any
		problem, remedy string
	}{
		{"mp:L2 private in the same type (MicroProfile: accepted)", secret, []any{"declaredSecret@hidden", (*declaredSecret).hidden},
			"has no exported method hidden", export},
		{"mp:L16 private in an embedded struct", secretive, []any{"declaredSecretive@hidden", (*declaredSecretive).hidden},
			"has no exported method hidden", export},
		{"mp:L16 private in an embedded struct that is no service", secretive, []any{(*declaredSecret).hidden},
			"nothing provides *microprofile_test.declaredSecret", "Provide one"},
		// The method expression of another package's private method is refused by the compiler.
		{"mp:L17 private in an embedded struct of another package", declaredRefused[declaredForeign, declaredShop[string]], []any{"declaredForeign@empty"},
			"has no exported method empty", export},
		{"mp:L18 declared by what embeds the service", below, []any{"declaredBelow@Only"},
			"has no exported method Only", "write one that it has"},
		{"mp:L18 declared by what embeds the service, and is no service", below, []any{"declaredAbove@Only"},
			"there is no service of class declaredAbove", "Provide one"},
		{"mp:L18 the same as a method expression", below, []any{(*declaredAbove).Only},
			"nothing provides *microprofile_test.declaredAbove", "Provide one"},
		{"after mp:L18 of an embedded struct that is no service", above, []any{(*declaredBelow).Buy},
			"nothing provides *microprofile_test.declaredBelow", "Provide one"},
		{"after mp:L18 of an interface that it is not provided as", own, []any{declaredAbstract[string].Offline},
			"nothing provides microprofile_test.declaredAbstract[string]", "container.As[microprofile_test.declaredAbstract[string]]()"},
		{"mp:L19 a slice of another type", list, []any{"declaredList@Anything", (*declaredList).Anything, "declaredList@Readers", (*declaredList).Readers,
			func(context.Context, []io.Reader) (string, error) { return "", nil }, "declaredList@Array", (*declaredList).Array},
			"does not fit Buy, a func(context.Context, []string) (string, error)", "write func(context.Context, []string) (string, error) or "},
		{"mp:L20 another result", wrong, []any{"declaredWrong@Number", (*declaredWrong).Number, "declaredWrong@Alone", (*declaredWrong).Alone,
			"declaredWrong@NoValue", (*declaredWrong).NoValue, "declaredWrong@Swapped", (*declaredWrong).Swapped, "declaredWrong@Anything", (*declaredWrong).Anything,
			func(context.Context, string) {}},
			"does not fit Buy, a func(context.Context, string) (string, error)", fits},
		{"mp:L21 other parameters", wrong, []any{"declaredWrong@More", (*declaredWrong).More, "declaredWrong@Fewer", (*declaredWrong).Fewer,
			"declaredWrong@Other", (*declaredWrong).Other, "declaredWrong@Order", (*declaredWrong).Order, "declaredWrong@Bytes", (*declaredWrong).Bytes,
			"declaredWrong@Many", (*declaredWrong).Many, "declaredWrong@CauseFirst", (*declaredWrong).CauseFirst, "declaredWrong@TwoCauses", (*declaredWrong).TwoCauses,
			func(context.Context) (string, error) { return "", nil }},
			"does not fit Buy, a func(context.Context, string) (string, error)", fits},
		{"after mp:L21 a parameter for which the argument fits and the cause too", wrong, []any{"declaredWrong@Either", (*declaredWrong).Either},
			"can be read in two ways for Buy", "write one that takes all parameters and the cause: func(context.Context, string, error) (string, error)"},
		{"after mp:L21 the method itself", own, []any{"declaredOwn@Buy", (*declaredOwn).Buy, declaredStocked.Buy, "declaredStocked@Buy"},
			"Buy is the method itself", "name another one"},
		{"after mp:L21 a method that nobody has", own, []any{"declaredOwn@Ofline"}, "has no exported method Ofline", "did you mean Offline?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, ref := range c.refs {
				d := c.refused(t, ref)
				require.Equal(t, "Buy", d.Ref.Method, "%v", d)
				require.Equal(t, "microprofile_test.declaredRetry", d.Annotation, "%v", d)
				require.Contains(t, d.Problem, c.problem, "%v", d)
				require.Contains(t, d.Remedy, c.remedy, "%v", d)
			}
		})
	}
}

// declaredRefused is the one mistake of an S whose Buy is given that fallback. Nothing of it is ever built.
func declaredRefused[S, I any](t *testing.T, ref any) *annotation.DefinitionError {
	t.Helper()
	c := container.New()
	c.Provide(func() *S { t.Error("it is built"); return new(S) }, container.As[I](),
		container.Annotate[declaredRetry]("Buy", annotation.Fallback(ref)))
	all := declaredMistakes(t, c)
	require.Len(t, all, 1, "%v", annotation.Fallback(ref))
	_, err := container.Get[I](c)
	require.ErrorIs(t, err, all[0])
	return all[0]
}

// A mark is refused as a registration is, and says where it is.
func TestDeclaredFallbackOfAMarkIsRefused(t *testing.T) {
	type private struct {
		_ annotation.On[declaredRetry] `method:"Buy" fallback:"declaredSecret@hidden"`
		declaredDown[string]
	}
	type mismatch struct {
		_ annotation.On[declaredRetry] `method:"Buy" fallback:"declaredWrong@Number"`
		declaredDown[string]
	}
	for _, c := range []struct {
		name    string
		provide func(c *container.Container)
		problem string
	}{
		{"mp:L16 private", func(c *container.Container) {
			c.Provide(func() *private { t.Error("it is built"); return nil }, container.As[declaredShop[string]]())
			c.Provide(func() *declaredSecret { t.Error("it is built"); return nil })
		}, "has no exported method hidden"},
		{"mp:L20 another result", func(c *container.Container) {
			c.Provide(func() *mismatch { t.Error("it is built"); return nil }, container.As[declaredShop[string]]())
			c.Provide(func() *declaredWrong { t.Error("it is built"); return nil })
		}, "does not fit Buy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			services := container.New()
			c.provide(services)
			all := declaredMistakes(t, services)
			require.Len(t, all, 1)
			require.Equal(t, "Buy", all[0].Ref.Method)
			require.Contains(t, all[0].Problem, c.problem)
			require.Regexp(t, `^(private|mismatch)\._$`, all[0].Place)
		})
	}
}

// An annotation cannot be attached to a private method either.
func TestDeclaredAnnotationOfAPrivateMethodIsRefused(t *testing.T) {
	t.Run("after mp:L16 annotated by its method expression", func(t *testing.T) {
		c := container.New()
		c.Provide(func() *declaredSecret { t.Error("it is built"); return nil }, container.As[declaredShop[string]](),
			container.Annotate[declaredRetry]((*declaredSecret).hidden))
		all := declaredMistakes(t, c)
		require.Len(t, all, 1)
		require.Equal(t, "(*microprofile_test.declaredSecret).hidden is not exported, so its calls are not woven", all[0].Problem)
		require.Equal(t, "export it, or attach the annotation to the exported method that calls it", all[0].Remedy)
	})
}

// A func is a func, however much its name looks like that of a private method.
func TestDeclaredFallbackIsAClosureInAMethod(t *testing.T) {
	for _, f := range []any{declaredClosure(nil).declaredPurchase(), (*declaredClosure)(nil).buyer()} {
		c := container.New()
		c.Provide(func() *declaredClosures { return &declaredClosures{} }, container.As[declaredCloser](),
			container.Annotate[declaredRetry](declaredCloser.Shut, annotation.Fallback(f)))
		require.NoError(t, declaredGet[declaredCloser](t, c).Shut(declaredPurchase{}))
	}
}

type (
	declaredCloser interface {
		Shut(of declaredPurchase) error
	}
	declaredClosures struct{}
	declaredClosure  []int
	declaredPurchase struct{}
)

func (*declaredClosures) Shut(declaredPurchase) error { return errors.New("it is stuck") }

// The closures of these have a type of the method's name as their first parameter.
func (declaredClosure) declaredPurchase() any { return func(declaredPurchase) error { return nil } }
func (*declaredClosure) buyer() any           { return func(declaredPurchase) error { return nil } }
