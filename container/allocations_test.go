package container_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// Both is what a service with two methods is woven as.
type Both interface {
	Caller
	Closer
}

// reader takes a Lazy of what is there already.
type reader struct{ both container.Lazy[Both] }

// stocked is a container of built services, woven and not.
func stocked(t *testing.T, opts ...container.Option) *container.Container {
	c := container.New(opts...)
	c.Provide(func() *Plain { return &Plain{} }, container.As[Both](), container.Annotate[aliases.Retry](Both.Call))
	c.Provide(func() *Plain { return &Plain{} }, container.As[Both](), container.Name("breaker"),
		container.Annotate[aliases.Retry](Both.Call), container.Annotate[aliases.CircuitBreaker](Both.Call))
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller]())
	c.Provide(func() *A { return &A{} })
	c.Provide(func() Fetch { return func(_ context.Context, n int) (int, error) { return n, nil } },
		container.Annotate[aliases.Retry]("Call"))
	c.Provide(func(both container.Lazy[Both]) *reader { return &reader{both} })
	must[Both](t, c)
	must[Both](t, c, container.Name("breaker"))
	must[Caller](t, c)
	must[*A](t, c)
	must[Fetch](t, c)
	must[*reader](t, c)
	return c
}

// TestAllocations has a ceiling for what a built container is asked for while it serves. Calls of woven services are those
// of proxies made at run time, which contain what reflect allocates.
func TestAllocations(t *testing.T) {
	ctx := t.Context()
	c := stocked(t)
	told := 0
	listened := stocked(t, container.WithListener(retry.ListenerFunc(func(context.Context, retry.Event) { told++ })))
	lazy := must[*reader](t, c).both
	both, broken, fetch := must[Both](t, c), must[Both](t, c, container.Name("breaker")), must[Fetch](t, c)
	heard := must[Both](t, listened)
	for _, x := range []struct {
		name string
		do   func() error
		max  float64
	}{
		{"get a woven interface", func() error { _, err := container.Get[Both](c); return err }, 0},
		{"get a named one", func() error { _, err := container.Get[Both](c, container.Name("breaker")); return err }, 0},
		{"get an interface that is not woven", func() error { _, err := container.Get[Caller](c); return err }, 0},
		{"get a pointer", func() error { _, err := container.Get[*A](c); return err }, 0},
		{"get a func", func() error { _, err := container.Get[Fetch](c); return err }, 0},
		{"get from a Lazy", func() error { _, err := lazy.Get(); return err }, 0},
		{"a method straight through", func() error { return both.Shut(ctx) }, 0},
		{"a method with a Retry", func() error { return both.Call(ctx) }, 6},
		{"a method with a breaker", func() error { return broken.Call(ctx) }, 6},
		{"a func with a Retry", func() error { _, err := fetch(ctx, 300); return err }, 7},
		{"a method with a listener: an event more", func() error { return heard.Call(ctx) }, 7},
	} {
		t.Run(x.name, func(t *testing.T) {
			require.NoError(t, x.do())
			require.LessOrEqual(t, testing.AllocsPerRun(200, func() { _ = x.do() }), x.max)
		})
	}
	require.NotZero(t, told)
}
