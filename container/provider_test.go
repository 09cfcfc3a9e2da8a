package container_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// Pool makes connections.
type Pool struct {
	conns container.Provider[*Conn]
	early error
}

type Conn struct {
	pool   *Pool
	client *C
	closed int
}

func (c *Conn) Close() { c.closed++ }

func NewPool(conns container.Provider[*Conn]) *Pool {
	p := &Pool{conns: conns}
	_, p.early = conns.Get()
	return p
}

func TestAProviderBuildsATransientAtEachGet(t *testing.T) {
	for name, opts := range map[string][]container.ProvideOption{
		"in a singleton":        nil,
		"in a scoped service":   {container.Scoped()},
		"in a transient itself": {container.Transient()},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			c.Provide(NewPool, opts...)
			c.Provide(func(v *C) *Conn { return &Conn{client: v} }, container.Transient())
			c.Provide(func() *C { return &C{} })
			s := ours(t, c)
			pool := in[*Pool](t, s)
			require.Equal(t, "backstay: Pool: container.Provider[*container_test.Conn].Get before the service that took it is built; call it in a method, not in the constructor (HERE)", text(pool.early))
			one, err := pool.conns.Get()
			require.NoError(t, err)
			other, err := pool.conns.Get()
			require.NoError(t, err)
			require.NotSame(t, one, other)
			require.Same(t, must[*C](t, c), one.client)
			require.NoError(t, s.Close(t.Context()))
			closed := 0
			if opts != nil {
				closed = 1
			}
			require.Equal(t, closed, one.closed, "closed by the scope that it was built in, if there is one")
		})
	}
}

func TestAProviderInAScopeTakesWhatTheScopeHas(t *testing.T) {
	c := container.New()
	container.Expect[Tenant](c)
	c.Provide(NewPool, container.Scoped())
	c.Provide(func(p *Pool, v *C) *Conn { return &Conn{pool: p, client: v} }, container.Transient())
	c.Provide(func(t Tenant) *C { return &C{len(t.ID)} }, container.Scoped())
	s := ours(t, c, Tenant{"xyz"})
	pool := in[*Pool](t, s)
	conn, err := pool.conns.Get()
	require.NoError(t, err)
	require.Same(t, pool, conn.pool)
	require.Same(t, in[*C](t, s), conn.client)
	require.Equal(t, 3, conn.client.n)
}

func TestAProviderMayBeNamedOptionalAndWoven(t *testing.T) {
	type params struct {
		container.In
		Named   container.Provider[Caller] `name:"x"`
		Again   container.Provider[Caller] `name:"x"`
		Missing container.Provider[*C]     `optional:"true"`
	}
	var p params
	c := container.New()
	c.Provide(func() *Client { return &Client{fail: 2} }, container.As[Caller](), container.Name("x"), container.Transient())
	c.Provide(func(in params) *B { p = in; return &B{} })
	must[*B](t, c)
	for _, provider := range []container.Provider[Caller]{p.Named, p.Again} {
		caller, err := provider.Get()
		require.NoError(t, err)
		require.True(t, aspect.IsWoven(caller))
		require.NoError(t, caller.Call(t.Context()))
		require.Equal(t, 3, aspect.Unwrap(caller).(*Client).calls)
	}
	_, err := p.Missing.Get()
	require.Equal(t, "backstay: nothing provides *container_test.C, which is optional here; Provide one (HERE)", text(err))
	_, err = container.Provider[*A]{}.Get()
	require.Equal(t, "backstay: a container.Provider that no container has filled; take it as a parameter of a constructor (HERE)", text(err))
}

func TestAProviderThatFailsSaysWhy(t *testing.T) {
	for name, opts := range map[string][]container.ProvideOption{"in a singleton": nil, "in a scoped service": {container.Scoped()}} {
		t.Run(name, func(t *testing.T) {
			fail := true
			c := container.New()
			c.Provide(NewPool, opts...)
			c.Provide(func(v *C) *Conn { return &Conn{client: v} }, container.Transient())
			c.Provide(func() (*C, error) {
				if fail {
					return nil, errDown
				}
				return &C{}, nil
			}, container.Transient())
			pool := in[*Pool](t, ours(t, c))
			_, err := pool.conns.Get()
			require.Equal(t, "backstay: container.Provider.Get (HERE) needs Conn (HERE) needs C (HERE): down", text(err))
			require.ErrorIs(t, err, errDown)
			fail = false
			_, err = pool.conns.Get()
			require.NoError(t, err)
		})
	}
}

// A method of what is built may use its Provider anywhere, if that builds no singleton inside a constructor.
func TestAProviderUsedInsideAnotherConstructor(t *testing.T) {
	var inside error
	c := container.New()
	c.Provide(NewPool)
	c.Provide(func(*C) *Conn { return &Conn{} }, container.Transient())
	c.Provide(func() *C { return &C{} })
	c.Provide(func(p *Pool) *A { _, inside = p.conns.Get(); return &A{} })
	c.Provide(func(p *Pool) *B { _, inside = p.conns.Get(); return &B{} })
	must[*A](t, c)
	require.Equal(t, "backstay: container.Provider[*container_test.Conn].Get builds inside a constructor that the same container runs; make what is needed a parameter of the constructor, or take a container.Lazy of it and call its Get later (HERE)", text(inside))
	must[*C](t, c)
	require.NoError(t, second(must[*Pool](t, c).conns.Get()))
	must[*B](t, c)
	require.NoError(t, inside)
}
