package container_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
)

func TestManyGoroutinesUseOneScopeAtOnce(t *testing.T) {
	for range 20 {
		var built [4]atomic.Int32
		c := container.New()
		container.Expect[Tenant](c)
		c.Provide(func(b *B, _ Tenant) *A { built[0].Add(1); return &A{b} }, container.Scoped())
		c.Provide(func(v *C) *B { built[1].Add(1); return &B{v} }, container.Scoped())
		c.Provide(func() *C { built[2].Add(1); return &C{} })
		c.Provide(func(a *A) *Client { built[3].Add(1); return &Client{} }, container.As[Caller](), container.Scoped())
		c.Provide(NewPool, container.Scoped())
		c.Provide(func(v *C) *Conn { return &Conn{client: v} }, container.Transient())
		s := ours(t, c, Tenant{"x"})
		var mu sync.Mutex
		seen := map[any]bool{}
		saw := func(v any, err error) {
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			seen[v] = true
		}
		together(30, func(i int) {
			switch i % 6 {
			case 0:
				v, err := container.Get[*A](s)
				saw(v, err)
			case 1:
				v, err := container.Get[Caller](s)
				saw(v, err)
			case 2:
				v, err := container.Get[*B](s)
				saw(v, err)
			case 3:
				saw(nil, s.Invoke(func(a *A, b *B, l container.Lazy[Caller]) error {
					if a.b != b {
						t.Error("another B")
					}
					_, err := l.Get()
					return err
				}))
			case 4:
				p, err := container.Get[*Pool](s)
				saw(p, err)
				conn, err := p.conns.Get()
				saw(nil, err)
				if conn.client == nil {
					t.Error("half built")
				}
			case 5:
				v, err := container.Get[*C](c)
				saw(v, err)
			}
		})
		for i := range built {
			require.EqualValues(t, 1, built[i].Load(), "service %d", i)
		}
		require.Len(t, seen, 6)
	}
}

func TestScopesDoNotWaitForEachOther(t *testing.T) {
	began, finish := make(chan struct{}), make(chan struct{})
	var first atomic.Bool
	c := container.New()
	c.Provide(func() *C {
		if first.CompareAndSwap(false, true) {
			close(began)
			<-finish
		}
		return &C{}
	}, container.Scoped())
	c.Provide(func() *B { return &B{} })
	slow, quick := ours(t, c), ours(t, c)
	in[*B](t, slow)
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = container.Get[*C](slow) })
	<-began
	in[*C](t, quick)
	in[*B](t, slow) // what is built is found meanwhile
	require.NoError(t, quick.Close(t.Context()))
	close(finish)
	wg.Wait()
}

func TestManyScopesAtOnce(t *testing.T) {
	var built, closed atomic.Int32
	c := container.New()
	container.Expect[Tenant](c)
	c.Provide(func() *C { built.Add(1); return &C{} })
	c.Provide(func(v *C) *B { return &B{v} }, container.Scoped())
	c.Provide(func(b *B, t Tenant) *counted { return &counted{closed: &closed} }, container.Scoped())
	c.Provide(func(*counted) *Client { return &Client{} }, container.As[Caller](), container.Transient())
	together(32, func(i int) {
		for range 20 {
			s := c.Scope()
			s.Supply(Tenant{})
			caller, err := container.Get[Caller](s)
			if err != nil {
				t.Error(err)
				return
			}
			if err := caller.Call(context.Background()); err != nil {
				t.Error(err)
			}
			if err := s.Close(context.Background()); err != nil {
				t.Error(err)
			}
		}
	})
	require.EqualValues(t, 1, built.Load())
	require.EqualValues(t, 640, closed.Load())
}

type counted struct{ closed *atomic.Int32 }

func (c *counted) Close() { c.closed.Add(1) }

// Whoever is faster: what was built is closed, once, and what comes later is an error.
func TestGetAndCloseAtOnce(t *testing.T) {
	for range 200 {
		var built, closed atomic.Int32
		c := container.New()
		container.Expect[Tenant](c)
		c.Provide(func() *counted { built.Add(1); return &counted{&closed} }, container.Transient())
		c.Provide(func(*counted) *A { return &A{} }, container.Scoped())
		s := c.Scope()
		together(6, func(i int) {
			switch i {
			case 0:
				_ = s.Close(context.Background())
			case 1:
				s.Supply(Tenant{})
			case 2:
				_ = s.Invoke(func(*A) {})
			default:
				_, _ = container.Get[*counted](s)
			}
		})
		require.Equal(t, built.Load(), closed.Load())
		_, err := container.Get[*A](s)
		require.ErrorContains(t, err, "the scope is closed")
	}
}

func TestCloseWaitsForAConstructorThatRuns(t *testing.T) {
	var closed atomic.Int32
	began, finish := make(chan struct{}), make(chan struct{})
	c := container.New()
	c.Provide(func() *counted { close(began); <-finish; return &counted{&closed} }, container.Scoped())
	s := c.Scope()
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = container.Get[*counted](s) })
	<-began
	wg.Go(func() {
		_ = s.Close(context.Background())
		if closed.Load() != 1 {
			t.Error("it has not waited")
		}
	})
	for range 1000 {
		runtime.Gosched() // so that it comes to wait
	}
	close(finish)
	wg.Wait()
}

// Nothing outlives a closed scope: neither the scope nor what was built in it, nor what it was supplied with.
func TestNothingOfAClosedScopeIsRetained(t *testing.T) {
	var freed atomic.Int32
	gone := func(string) { freed.Add(1) }
	c := container.New()
	container.Expect[*Tenant](c)
	c.Provide(func() *C { return &C{} })
	c.Provide(NewPool, container.Scoped())
	c.Provide(func(v *C) *Conn { v2 := &Conn{client: v}; runtime.AddCleanup(v2, gone, "transient"); return v2 }, container.Transient())
	c.Provide(func(t *Tenant, p *Pool, self container.Lazy[Caller]) *Spare {
		s := &Spare{}
		runtime.AddCleanup(s, gone, "scoped")
		return s
	}, container.As[Caller](), container.As[Closer](), container.Scoped())
	const scopes = 10
	for i := range scopes {
		s := c.Scope()
		runtime.AddCleanup(s, gone, "scope")
		tenant := &Tenant{ID: "x"}
		runtime.AddCleanup(tenant, gone, "supplied")
		s.Supply(tenant)
		require.NoError(t, in[Caller](t, s).Call(t.Context()))
		require.NoError(t, second(in[*Pool](t, s).conns.Get()))
		if i%2 == 0 { // one that is given up is garbage too
			require.NoError(t, s.Close(t.Context()))
		}
	}
	for range 100 {
		runtime.GC()
		if freed.Load() == 4*scopes {
			break
		}
		runtime.Gosched()
	}
	require.EqualValues(t, 4*scopes, freed.Load())
	runtime.KeepAlive(c)
}

func TestAHundredThousandScopesLeaveNothing(t *testing.T) {
	c := container.New()
	container.Expect[*Tenant](c)
	c.Provide(func(v *Tenant) *C { return &C{} }, container.Scoped())
	c.Provide(func(v *C) *Spare { return &Spare{} }, container.As[Caller](), container.As[Closer](), container.Scoped())
	tenant := &Tenant{}
	use := func(n int) {
		for i := range n {
			s := c.Scope()
			s.Supply(tenant)
			var err error
			if i%10 == 0 { // a woven one
				_, err = container.Get[Caller](s)
			} else {
				_, err = container.Get[*C](s)
			}
			if err = errors.Join(err, s.Close(context.Background())); err != nil {
				t.Fatal(err)
			}
		}
	}
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	use(100)
	before := heap()
	use(100_000)
	require.Less(t, heap()-before, int64(100_000), "less than a byte for each")
	runtime.KeepAlive(c)
}
