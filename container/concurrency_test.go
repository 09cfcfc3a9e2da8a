package container_test

import (
	"context"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// together runs f in many goroutines at once.
func together(n int, f func(i int)) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			f(i)
		})
	}
	close(start)
	wg.Wait()
}

func TestManyGoroutinesUseEverythingForTheFirstTimeAtOnce(t *testing.T) {
	for range 20 {
		var built [6]atomic.Int32
		c := container.New()
		c.Provide(func(b *B, l container.Lazy[Caller]) *A { built[0].Add(1); return &A{b} })
		c.Provide(func(v *C) *B { built[1].Add(1); return &B{v} })
		c.Provide(func() *C { built[2].Add(1); return &C{} })
		c.Provide(func() (*Client, error) { built[3].Add(1); return &Client{}, nil }, container.As[Caller](), container.As[Closer]())
		c.Provide(func() *Ears { built[4].Add(1); return &Ears{} })
		c.Provide(func() retry.Listener {
			built[5].Add(1)
			return retry.ListenerFunc(func(context.Context, retry.Event) {})
		})
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
		together(32, func(i int) {
			switch i % 8 {
			case 0:
				v, err := container.Get[*A](c)
				saw(v, err)
			case 1:
				v, err := container.Get[Caller](c)
				saw(v, err)
			case 2:
				v, err := container.Get[Closer](c)
				saw(v, err)
			case 3:
				v, err := c.Lookup("Client")
				saw(v, err)
			case 4:
				saw(nil, c.Invoke(func(a *A, b *B, e *Ears) {
					if a.b != b {
						t.Error("another B")
					}
				}))
			case 5:
				saw(nil, c.Verify())
			case 6:
				c.Notes()
				c.Breakers()
				c.Registry()
			case 7:
				saw(nil, c.Invoke(func(l container.Lazy[*C]) error { _, err := l.Get(); return err }))
			}
		})
		for i := range built {
			require.EqualValues(t, 1, built[i].Load(), "service %d", i)
		}
		require.Len(t, seen, 3, "nil, one A, one woven Client")
	}
}

func TestManyGoroutinesRegisterAtOnce(t *testing.T) {
	c := container.New()
	together(16, func(i int) { c.Supply(i, container.Group("n")) })
	type all struct {
		container.In
		N []int `group:"n"`
	}
	require.NoError(t, c.Invoke(func(p all) { require.Len(t, p.N, 16) }))
}

// While one goroutine builds, others wait for what is not built and get at once what is.
func TestOthersWaitForWhatIsBeingBuiltAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, finish := make(chan struct{}), make(chan struct{})
		c := container.New()
		c.Provide(func() *A { return &A{} })
		c.Provide(func(*A) *B { close(began); <-finish; return &B{} })
		c.Provide(func() Caller { return &Plain{} })
		must[*A](t, c)

		var built atomic.Bool
		go func() { must[*B](t, c); built.Store(true) }()
		<-began
		require.NotNil(t, must[*A](t, c), "built before")
		require.NoError(t, c.Verify())

		finish <- struct{}{}
		synctest.Wait()
		require.True(t, built.Load())
		must[Caller](t, c)
	})
}

func TestAFailedBuildDoesNotHoldUpOthers(t *testing.T) {
	var calls atomic.Int32
	c := container.New()
	c.Provide(func() (*A, error) {
		if calls.Add(1) <= 8 {
			return nil, errDown
		}
		return &A{}, nil
	})
	var failed atomic.Int32
	together(16, func(int) {
		if _, err := container.Get[*A](c); err != nil {
			failed.Add(1)
		}
	})
	require.EqualValues(t, 8, failed.Load())
	require.EqualValues(t, 9, calls.Load())
}

func TestARegistrationDuringUseIsReportedAndNothingBreaks(t *testing.T) {
	c := container.New()
	c.Provide(func() *A { return &A{} })
	must[*A](t, c)
	together(16, func(i int) {
		if i%4 == 0 {
			c.Supply(i)
			return
		}
		_, _ = container.Get[*A](c)
	})
	require.Len(t, verified(t, c), 4)
}

// It works in a synctest bubble, where a goroutine of its own would show.
func TestTheContainerStartsNoGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := &Client{fail: 2}
		c := container.New()
		c.Provide(func() *Client { return client }, container.As[Caller]())
		begin := time.Now()
		require.NoError(t, must[Caller](t, c).Call(t.Context()))
		require.Zero(t, time.Since(begin))
	})
}

func TestGetOfABuiltServiceAllocatesNothing(t *testing.T) {
	c := container.New()
	c.Provide(func() *Client { return &Client{} }, container.As[Caller](), container.Name("x"))
	c.Provide(func() *A { return &A{} })
	c.Provide(func() Fetch { return func(context.Context, int) (int, error) { return 0, nil } })
	must[Caller](t, c, container.Name("x"))
	must[*A](t, c)
	must[Fetch](t, c)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		_, _ = container.Get[Caller](c, container.Name("x"))
		_, _ = container.Get[*A](c)
		_, _ = container.Get[Fetch](c)
	}))
}

func TestWovenServicesAreSharedByAllWhoTakeThem(t *testing.T) {
	type holder struct{ caller Caller }
	c := container.New()
	c.Provide(func() *Client { return &Client{} }, container.As[Caller]())
	c.Provide(func(x Caller) *holder { return &holder{x} })
	h := must[*holder](t, c)
	require.True(t, aspect.IsWoven(h.caller))
	require.True(t, reflect.DeepEqual(h.caller, must[Caller](t, c)))
	require.Equal(t, h.caller, must[Caller](t, c))
}
