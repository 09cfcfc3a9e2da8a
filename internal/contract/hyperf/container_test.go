package hyperf_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
)

// hyperf:7.8, Container, MakeTest, DefinitionSource, PriorityDefinition, LazyProxyTrait and Inject, as far as a container
// without autowiring has them.

func TestAncestorsContainer(t *testing.T) {
	t.Run("testHas", func(t *testing.T) {
		c := container.New()
		c.Provide(func() *Foo { return &Foo{} })
		_, err := container.Get[Work](c)
		require.ErrorContains(t, err, "nothing provides")
		// The ancestor makes any class that can be made; ours what is provided.
		_, err = container.Get[*Demo](c)
		require.ErrorContains(t, err, "nothing provides")
		require.Same(t, built[*Foo](t, c), built[*Foo](t, c))
	})
	t.Run("testSet", func(t *testing.T) {
		foo := &Foo{}
		c := container.New()
		c.Supply(foo)
		require.Same(t, foo, built[*Foo](t, c))
	})
	t.Run("testDefine", func(t *testing.T) {
		// In the ancestor the later definition silently wins. Ours says that there are two; who means it overrides.
		c := container.New()
		c.Provide(func() *Demo { return &Demo{} }, container.As[Tests]())
		c.Provide(func() *Other { return &Other{} }, container.As[Tests]())
		require.ErrorContains(t, c.Verify(), "hyperf_test.Tests is provided twice")

		c = container.New()
		c.Provide(func() *Demo { return &Demo{} }, container.As[Tests]())
		c.Override(func() Tests { return &Other{} })
		require.IsType(t, &Other{}, built[Tests](t, c))
	})
	t.Run("a constructor that fails", func(t *testing.T) {
		failure := errors.New("no room")
		c := container.New()
		c.Provide(func() (*Foo, error) { return nil, failure })
		_, err := container.Get[*Foo](c)
		require.ErrorIs(t, err, failure)
	})
	t.Run("Inject", func(t *testing.T) {
		type params struct {
			container.In
			Work  Work
			Foo   *Foo  `optional:"true"`
			Other *Demo `name:"other" optional:"true"`
		}
		c := container.New()
		c.Provide(func() *Worker { return &Worker{played{plays: []any{1}}} }, container.As[Work]())
		c.Provide(func() *Foo { return &Foo{} })
		require.NoError(t, c.Invoke(func(p params) {
			require.NotNil(t, p.Work)
			// The ancestor leaves an optional constructor parameter at its default though there is a service.
			require.NotNil(t, p.Foo)
			require.Nil(t, p.Other)
		}))
	})
	t.Run("Inject, missing", func(t *testing.T) {
		c := container.New()
		c.Provide(func(Work) *Foo { return &Foo{} })
		err := c.Verify()
		require.ErrorContains(t, err, "Foo")
		require.ErrorContains(t, err, "hyperf_test.Work")
	})
	t.Run("LazyProxyTrait", func(t *testing.T) {
		made := 0
		var work container.Lazy[Work]
		c := container.New()
		c.Provide(func() *Worker { made++; return &Worker{played{plays: []any{1}}} }, container.As[Work]())
		c.Provide(func(l container.Lazy[Work]) *Foo { work = l; return &Foo{} })
		built[*Foo](t, c)
		require.Zero(t, made)
		w, err := work.Get()
		require.NoError(t, err)
		requireOutcome(t, 1, w)
		require.Equal(t, 1, made)
	})
	t.Run("a cycle", func(t *testing.T) {
		// The ancestor counts to 500, and takes a deep graph for a cycle.
		c := container.New()
		c.Provide(func(*Demo) *Foo { return &Foo{} })
		c.Provide(func(*Foo) *Demo { return &Demo{} })
		require.ErrorContains(t, c.Verify(), "cycle")
	})
}
