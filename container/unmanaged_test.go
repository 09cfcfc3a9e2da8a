package container_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
)

// engine has every method that the life cycle would call.
type engine struct{ calls *[]string }

func (e engine) add(what string) error { *e.calls = append(*e.calls, what); return nil }

func (e engine) Start(context.Context) error  { return e.add("Start") }
func (e engine) Stop(context.Context) error   { return e.add("Stop") }
func (e engine) Close() error                 { return e.add("Close") }
func (e engine) Health(context.Context) error { return e.add("Health") }

func TestTheLifeOfAnUnmanagedServiceIsNotOurs(t *testing.T) {
	for name, x := range map[string]struct {
		opts []container.ProvideOption
		want []string
	}{
		"managed":   {nil, []string{"Start", "Health", "Stop", "cleanup"}},
		"unmanaged": {[]container.ProvideOption{container.Unmanaged()}, []string{"cleanup"}},
		"unmanaged, with hooks": {[]container.ProvideOption{
			container.Unmanaged(),
			container.OnStart(func(_ context.Context, e engine) error { return e.add("OnStart") }),
			container.OnStop(func(_ context.Context, e engine) error { return e.add("OnStop") }),
			container.OnHealth(func(_ context.Context, e engine) error { return e.add("OnHealth") }),
		}, []string{"OnStart", "OnHealth", "OnStop", "cleanup"}},
	} {
		t.Run(name, func(t *testing.T) {
			var calls []string
			c := container.New()
			c.Provide(func() (engine, func()) { return engine{&calls}, func() { calls = append(calls, "cleanup") } }, x.opts...)
			require.NoError(t, c.Start(t.Context()))
			require.NoError(t, c.Health(t.Context()).Err())
			require.NoError(t, c.Stop(t.Context()))
			require.Equal(t, x.want, calls)
		})
	}
}

func TestAScopeDoesNotCloseWhatIsUnmanaged(t *testing.T) {
	for name, x := range map[string]struct {
		opts []container.ProvideOption
		want []string
	}{
		"managed":   {nil, []string{"Close", "cleanup"}},
		"unmanaged": {[]container.ProvideOption{container.Unmanaged()}, []string{"cleanup"}},
	} {
		t.Run(name, func(t *testing.T) {
			var calls []string
			c := container.New()
			c.Provide(func() (engine, func()) { return engine{&calls}, func() { calls = append(calls, "cleanup") } },
				append(x.opts, container.Scoped())...)
			s := c.Scope()
			_, err := container.Get[engine](s)
			require.NoError(t, err)
			require.NoError(t, s.Close(t.Context()))
			require.Equal(t, x.want, calls)
		})
	}
}

func TestOverridesAndDecoratorsDoNotSayWhatIsManaged(t *testing.T) {
	c := container.New()
	var calls []string
	c.Provide(func() engine { return engine{&calls} })
	c.Override(func() engine { return engine{&calls} }, container.Unmanaged())
	c.Decorate(func(e engine) engine { return e }, container.Unmanaged())
	require.Equal(t, []string{
		"backstay: engine: Override takes no hook, timeout or container.Unmanaged: those of the service that it replaces stay; say them where the service is provided (HERE)",
		"backstay: engine: Decorate takes no option but container.Name and container.Group: what is said of the service stays; say it where the service is provided (HERE)",
	}, verified(t, c))
}
