//go:build gc && !purego && (amd64 || arm64)

package dynproxy_test

import (
	"bytes"
	"io"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/internal/dynproxy"
)

// runner runs what it is given, below the proxy.
type runner interface{ Run(f func()) int }

type directRunner struct{}

//go:noinline
func (directRunner) Run(f func()) int {
	f()
	return 1
}

func TestPanicsPassThroughUnchanged(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		p := proxyOf[runner](t, directRunner{}, m)
		value := new(int)
		func() {
			defer func() {
				require.Same(t, value, recover())
				require.Contains(t, string(debug.Stack()), "TestPanicsPassThroughUnchanged", "the stack is complete")
			}()
			p.Run(func() { panic(value) })
		}()
		require.PanicsWithError(t, "runtime error: invalid memory address or nil pointer dereference",
			func() { p.Run(nil) })
		require.Equal(t, 1, p.Run(func() {}), "the proxy still works")
	})
}

func TestGoexitPassesThrough(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		p := proxyOf[runner](t, directRunner{}, m)
		var order []string
		var wg sync.WaitGroup
		wg.Go(func() {
			defer func() { order = append(order, "outside") }()
			p.Run(func() {
				defer func() { order = append(order, "inside") }()
				runtime.Goexit()
			})
			order = append(order, "after")
		})
		wg.Wait()
		require.Equal(t, []string{"inside", "outside"}, order)
	})
}

// recoverer is an io.Closer to be deferred.
type recoverer struct{ recovered any }

func (r *recoverer) Close() error {
	r.recovered = recover()
	return nil
}

func TestDeferredStraightMethodCanRecover(t *testing.T) {
	target := new(recoverer)
	func() {
		defer proxyOf[io.Closer](t, target, straight).Close()
		panic("recovered below the proxy")
	}()
	require.Equal(t, "recovered below the proxy", target.recovered)
}

func TestDeferredHandlerCanRecover(t *testing.T) {
	// As with any function made by reflection, recover works in a function that the
	// handler defers, not in the handler.
	p := proxyBy[runner](t, func(_ dynproxy.Method, args []reflect.Value) (out []reflect.Value) {
		defer func() { out = results(len(recover().(string))) }()
		args[0].Call(nil)
		return nil
	})
	require.Equal(t, 3, p.Run(func() { panic("123") }))
}

// callers returns the functions on the stack, from its caller on.
func callers() []string {
	pcs := make([]uintptr, 100)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	var names []string
	for {
		f, more := frames.Next()
		names = append(names, f.Function)
		if !more {
			return names
		}
	}
}

func TestStraightCallAddsNoFrame(t *testing.T) {
	// The call through the interface of the proxy and of the target is one statement.
	var stacks [2][]string
	for i, r := range []runner{&pointerRunner{}, proxyOf[runner](t, &pointerRunner{}, straight)} {
		r.Run(func() { stacks[i] = callers() })
	}
	require.Equal(t, stacks[0], stacks[1])
}

// pointerRunner is a runner without the wrapper that a value receiver gets.
type pointerRunner struct{ _ int }

//go:noinline
func (*pointerRunner) Run(f func()) int {
	f()
	return 1
}

func TestHandlerSeesItsCaller(t *testing.T) {
	var stack []string
	proxyOf[runner](t, directRunner{}, handled).Run(func() { stack = callers() })
	joined := strings.Join(stack, "\n")
	require.Contains(t, joined, "dynproxy_test.TestHandlerSeesItsCaller\ntesting.tRunner")
	require.NotContains(t, joined, "dynproxy.method", "routines have no frame")
}

// growStack makes the stack larger than the goroutine's first ones.
//
//go:noinline
func growStack(depth int) int {
	var frame [256]byte
	frame[depth%256] = 1
	if depth == 0 {
		return int(frame[0])
	}
	return growStack(depth-1) + int(frame[(depth+1)%256])
}

func TestStackGrowsBelowTheProxy(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		p := proxyOf[runner](t, directRunner{}, m)
		s := proxyOf[signatures](t, &signer{}, m)
		for depth := 1; depth < 4096; depth *= 2 {
			var wg sync.WaitGroup
			wg.Go(func() { // a new goroutine has a small stack
				on := point{Name: "on the stack"}
				require.Equal(t, 1, p.Run(func() {
					growStack(depth)
					on.X = float64(depth)
				}))
				require.Equal(t, point{float64(depth), 0, "on the stack"}, on)
				_, found := s.Large([4096]byte{0: 1, 17: 42}, 17)
				require.Equal(t, byte(42), found)
			})
			wg.Wait()
		}
	})
}

func TestStackGrowsWhereTheRoutineJumpsTo(t *testing.T) {
	// Each frame of the recursion is entered through a routine, so that the stack
	// grows in the prologue of a function that a routine has jumped to.
	inBothModes(t, func(t *testing.T, m mode) {
		var p runner
		depth := 0
		var down func()
		down = func() {
			if depth++; depth < 1000 {
				p.Run(down)
			}
		}
		p = proxyOf[runner](t, directRunner{}, m)
		var wg sync.WaitGroup
		wg.Go(func() { p.Run(down) })
		wg.Wait()
		require.Equal(t, 1000, depth)
	})
}

func TestStackIsReadableWhileRoutinesRun(t *testing.T) {
	// The profiler's signal meets goroutines at any instruction, those of the routines
	// included, and stacks are taken all the time.
	var profile bytes.Buffer
	require.NoError(t, pprof.StartCPUProfile(&profile))
	quick, slow := proxyOf[first](t, ordinal(1), straight), proxyOf[runner](t, directRunner{}, handled)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range 1 << 22 {
				quick.First()
			}
		})
		wg.Go(func() {
			for range 1 << 15 {
				slow.Run(func() {})
			}
		})
	}
	stacks := make([]byte, 1<<16)
	for range 200 {
		runtime.Stack(stacks, true)
	}
	wg.Wait()
	pprof.StopCPUProfile()
	require.NotZero(t, profile.Len())
}
