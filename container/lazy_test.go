package container_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// Own calls its own methods through itself.
type Own struct {
	_     annotation.On[aliases.Retry] `method:"Call" maxAttempts:"3"`
	self  container.Lazy[Caller]
	early error
	calls int
}

func (o *Own) Call(context.Context) error {
	if o.calls++; o.calls < 3 {
		return errDown
	}
	return nil
}

func (o *Own) Shut(ctx context.Context) error {
	self, err := o.self.Get()
	if err != nil {
		return err
	}
	return self.Call(ctx)
}

func TestALazyOfItselfIsTheWovenService(t *testing.T) {
	var own *Own
	c := container.New()
	c.Provide(func(self container.Lazy[Caller]) *Own {
		own = &Own{self: self}
		_, own.early = self.Get()
		return own
	}, container.As[Caller](), container.As[Closer]())

	closer := must[Closer](t, c)
	require.Equal(t, "backstay: Own: container.Lazy[container_test.Caller].Get before the service that took it is built; call it in a method, not in the constructor (HERE)", text(own.early))
	require.NoError(t, closer.Shut(t.Context()))
	require.Equal(t, 3, own.calls, "retried, since the call went through the weave")
	self, err := own.self.Get()
	require.NoError(t, err)
	require.True(t, aspect.IsWoven(self))
}

type (
	Left  struct{ right container.Lazy[*Right] }
	Right struct{ left *Left }
)

func TestALazyIsOneHalfOfACycle(t *testing.T) {
	for name, first := range map[string]func(c *container.Container) error{
		"built from the left":  func(c *container.Container) error { return second(container.Get[*Left](c)) },
		"built from the right": func(c *container.Container) error { return second(container.Get[*Right](c)) },
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			c.Provide(func(r container.Lazy[*Right]) *Left { return &Left{r} })
			c.Provide(func(l *Left) *Right { return &Right{l} })
			require.NoError(t, first(c))
			right, err := must[*Left](t, c).right.Get()
			require.NoError(t, err)
			require.Same(t, must[*Right](t, c), right)
			require.Same(t, must[*Left](t, c), right.left)
		})
	}
}

func TestALazyFieldMayBeNamedOrOptional(t *testing.T) {
	type params struct {
		container.In
		Named   container.Lazy[*A] `name:"a"`
		Again   container.Lazy[*A] `name:"a"`
		Missing container.Lazy[*C] `optional:"true"`
	}
	var p params
	c := container.New()
	c.Provide(func() *A { return &A{} }, container.Name("a"))
	c.Provide(func(in params) *B { p = in; return &B{} })
	must[*B](t, c)
	named, err := p.Named.Get()
	require.NoError(t, err)
	require.Same(t, must[*A](t, c, container.Name("a")), named)
	_, err = p.Missing.Get()
	require.Equal(t, "backstay: nothing provides *container_test.C, which is optional here; Provide one (HERE)", text(err))
}

func TestALazyThatCannotBeBuiltSaysWhy(t *testing.T) {
	c := container.New()
	c.Provide(func(r container.Lazy[*Right]) *Left { return &Left{r} })
	c.Provide(func() (*Right, error) { return nil, errDown })
	_, err := must[*Left](t, c).right.Get()
	require.Equal(t, "backstay: container.Lazy.Get (HERE) needs Right (HERE): down", text(err))
	require.ErrorIs(t, err, errDown)
}

func TestTheZeroLazyGivesAnError(t *testing.T) {
	_, err := container.Lazy[*A]{}.Get()
	require.Equal(t, "backstay: a container.Lazy that no container has filled; take it as a parameter of a constructor (HERE)", text(err))
}

func TestALazyOfABuiltServiceWorksInsideAConstructor(t *testing.T) {
	c := container.New()
	c.Provide(func() *A { return &A{} })
	c.Provide(func(l container.Lazy[*A]) *Lazily { return &Lazily{l} })
	c.Provide(func(a *A, l *Lazily) *B {
		got, err := l.a.Get()
		require.NoError(t, err)
		require.Same(t, a, got)
		return &B{}
	})
	must[*A](t, c)
	must[*B](t, c)
}
