package microprofile_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// The services whose fallback is configured.
type (
	declaredFallingBack struct {
		_ annotation.On[declaredRetry] `method:"Replaced" maxAttempts:"1" fallback:"handlerA"`
		*declaredSelectingPlain
	}
	declaredFallingOver struct {
		_ annotation.On[declaredRetry] `method:"Replaced" maxAttempts:"1" fallback:"declaredFallingOver@One"`
		*declaredSelectingPlain
	}
)

func (*declaredFallingOver) One(context.Context) (string, error)   { return "one", nil }
func (*declaredFallingOver) Other(context.Context) (string, error) { return "other", nil }

func declaredHandlerA() (string, error) { return "A", nil }
func declaredHandlerB() (string, error) { return "B", nil }

// declaredReplaced is what Replaced of a service gives that fails with thrown.
func declaredReplaced(t *testing.T, c *container.Container, thrown error, opts ...container.ProvideOption) (string, error) {
	target := &declaredSelectingPlain{thrown: thrown}
	c.Provide(func() *declaredFallingBack { return &declaredFallingBack{declaredSelectingPlain: target} }, append(opts, container.As[declaredSelecting]())...)
	c.Supply(declaredHandlerA, container.Name("handlerA"))
	return declaredGet[declaredSelecting](t, c).Replaced(t.Context())
}

// Which errors lead to the fallback, said outside of the code. MicroProfile has lists for it, applyOn and skipOn. Ours are
// those of the retry: with one attempt the fallback runs for what is worth a retry.
func TestDeclaredConfigurationOfWhatFallsBack(t *testing.T) {
	replaced := func(opts ...annotation.Option) container.ProvideOption {
		return container.Annotate[declaredRetry](declaredSelecting.Replaced, opts...)
	}
	on, skip := annotation.RetryErrors(retry.Is(errDeclaredA), retry.Is(errDeclaredB)), annotation.IgnoreErrors(retry.Is(errDeclaredB1))
	for _, c := range []struct {
		name   string
		of     *container.Container
		opts   []container.ProvideOption
		thrown error
		falls  bool
	}{
		{"mp:F17 applyOn of the method: listed", container.New(), []container.ProvideOption{replaced(on)}, errDeclaredA, true},
		{"mp:F17 applyOn of the method: below one that is listed", container.New(), []container.ProvideOption{replaced(on)}, errDeclaredB1, true},
		{"mp:F17 applyOn of the method: not listed", container.New(), []container.ProvideOption{replaced(on)}, errDeclared, false},
		{"mp:F18 skipOn of the method: listed", container.New(), []container.ProvideOption{replaced(skip)}, errDeclaredB1, false},
		{"mp:F18 skipOn of the method: above one that is listed", container.New(), []container.ProvideOption{replaced(skip)}, errDeclaredB, true},
		{"mp:F18 both, of the method: skipOn wins", container.New(), []container.ProvideOption{replaced(on, skip)}, errDeclaredB1, false},
		{"mp:F19 global applyOn: listed", container.New(container.Defaults(on)), nil, errDeclaredA, true},
		{"mp:F19 global applyOn: not listed", container.New(container.Defaults(on)), nil, errDeclared, false},
		// MicroProfile's method wins over the global. So does ours.
		{"mp:F19 global applyOn, and another one of the method", container.New(container.Defaults(annotation.RetryErrors(retry.Is(errDeclared)))),
			[]container.ProvideOption{replaced(on)}, errDeclared, false},
		{"mp:F20 global skipOn: listed", container.New(container.Defaults(skip)), nil, errDeclaredB1, false},
		{"mp:F20 global skipOn: not listed", container.New(container.Defaults(skip)), nil, errDeclaredB, true},
		// MicroProfile's method replaces the global list. Ours unite: what is ignored for all stays ignored.
		{"mp:F20 global skipOn, and another one of the method (MicroProfile: falls back)", container.New(container.Defaults(skip)),
			[]container.ProvideOption{replaced(annotation.IgnoreErrors(retry.Is(errDeclaredA)))}, errDeclaredB1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := declaredReplaced(t, c.of, c.thrown, c.opts...)
			if c.falls {
				require.NoError(t, err)
				require.Equal(t, "A", got)
				return
			}
			require.Equal(t, c.thrown, err)
			require.Empty(t, got)
		})
	}
}

// A fallback that is choosier than the retry is given the cause, and returns what is not its own.
func TestDeclaredFallbackThatIsChoosier(t *testing.T) {
	t.Run("mp:F18 the fallback skips what is retried", func(t *testing.T) {
		runs := 0
		choosy := func(_ context.Context, cause error) (string, error) {
			if runs++; errors.Is(cause, errDeclaredB) {
				return "", cause
			}
			return "A", nil
		}
		annotated := container.Annotate[declaredRetry](declaredSelecting.Replaced, annotation.MaxAttempts(3), annotation.Fallback(choosy))
		got, err := declaredReplaced(t, container.New(), errDeclaredA, annotated)
		require.NoError(t, err)
		require.Equal(t, "A", got)
		_, err = declaredReplaced(t, container.New(), errDeclaredB1, annotated)
		require.True(t, err == errDeclaredB1, "the caller sees the method's own error")
		require.Equal(t, 2, runs)
	})
}

// Another fallback than the code names.
func TestDeclaredConfigurationOfTheFallback(t *testing.T) {
	t.Run("mp:F21 another handler", func(t *testing.T) {
		got, err := declaredReplaced(t, container.New(), errDeclared)
		require.NoError(t, err)
		require.Equal(t, "A", got)

		named := container.New()
		named.Supply(declaredHandlerB, container.Name("handlerB"))
		for _, x := range []struct {
			of       *container.Container
			fallback any
		}{{container.New(), declaredHandlerB}, {named, "handlerB"}} {
			got, err = declaredReplaced(t, x.of, errDeclared, container.Annotate[declaredRetry](declaredSelecting.Replaced, annotation.Fallback(x.fallback)))
			require.NoError(t, err)
			require.Equal(t, "B", got)
		}
	})
	t.Run("mp:F21 another handler under the same name", func(t *testing.T) {
		c := container.New()
		c.Override(func() func() (string, error) { return declaredHandlerB }, container.Name("handlerA"))
		got, err := declaredReplaced(t, c, errDeclared)
		require.NoError(t, err)
		require.Equal(t, "B", got)
	})
	for _, fallback := range []any{"declaredFallingOver@Other", (*declaredFallingOver).Other} {
		t.Run("mp:F22 another method", func(t *testing.T) {
			for _, x := range []struct {
				opts []container.ProvideOption
				want string
			}{
				{nil, "one"},
				{[]container.ProvideOption{container.Annotate[declaredRetry](declaredSelecting.Replaced, annotation.Fallback(fallback))}, "other"},
				{[]container.ProvideOption{container.Annotate[declaredRetry]("Repl*", annotation.Fallback(declaredHandlerB), annotation.MaxAttempts(1))}, "one"}, // farther
			} {
				c := container.New()
				c.Provide(func() *declaredFallingOver {
					return &declaredFallingOver{declaredSelectingPlain: &declaredSelectingPlain{thrown: errDeclared}}
				}, append(x.opts, container.As[declaredSelecting]())...)
				got, err := declaredGet[declaredSelecting](t, c).Replaced(t.Context())
				require.NoError(t, err)
				require.Equal(t, x.want, got)
			}
		})
	}
}
