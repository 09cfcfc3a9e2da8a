//go:build gc && !purego && (amd64 || arm64)

package dynproxy_test

import (
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/internal/dynproxy"
)

// collecting runs the garbage collector all the time until the function it returns
// is called, which waits for its end.
func collecting() (stop func()) {
	var done atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for !done.Load() {
			runtime.GC()
		}
	})
	return func() {
		done.Store(true)
		wg.Wait()
	}
}

func TestFirstUseByManyGoroutinesAtOnce(t *testing.T) {
	// Interfaces that no other test uses, alone and in lists that share them.
	type fresh interface{ Fresh() *string }
	type crisp interface{ Crisp() *string }
	type anew interface{ Anew() *string }
	lists := [][]reflect.Type{
		{reflect.TypeFor[fresh]()},
		{reflect.TypeFor[crisp](), reflect.TypeFor[fresh]()},
		{reflect.TypeFor[fresh](), reflect.TypeFor[crisp]()},
		{reflect.TypeFor[anew](), reflect.TypeFor[crisp](), reflect.TypeFor[fresh]()},
	}
	defer collecting()()
	var start, done sync.WaitGroup
	start.Add(1)
	types := make([][]*dynproxy.Type, 32)
	for g := range types {
		done.Go(func() {
			start.Wait()
			for i := range lists {
				list := lists[(i+g)%len(lists)]
				typ, err := dynproxy.TypeOf(list...)
				if err != nil {
					t.Error(err)
					return
				}
				types[g] = append(types[g], typ)
				text := fmt.Sprint(g, i)
				handlers := make([]dynproxy.Handler, typ.NumMethod())
				for h := range handlers {
					handlers[h] = func([]reflect.Value) []reflect.Value { return results(&text) }
				}
				v := typ.New(make([]reflect.Value, len(list)), handlers, nil)
				if got := *v.(fresh).Fresh(); got != text {
					t.Errorf("got %q, want %q", got, text)
				}
			}
		})
	}
	start.Done()
	done.Wait()
	for g := range types {
		for i, typ := range types[g] {
			require.Same(t, types[0][(i+g)%len(lists)], typ)
		}
	}
}

func TestCallsWhileTheCollectorRuns(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		stop := collecting()
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for k := range 300 {
					// All that a call needs is new, and held by nothing but the call.
					prefix := strings.Repeat("p", k%50)
					s := proxyOf[signatures](t, &signer{prefix}, m)
					text, err := s.Context(t.Context(), k, prefix+"a", prefix+"b")
					if want := fmt.Sprint(prefix, k, []string{prefix + "a", prefix + "b"}, 2, false); text != want || err != nil {
						t.Errorf("got %q, %v; want %q", text, err, want)
						return
					}
					for i, p := range s.Variadic(&point{Name: prefix + "0"}, &point{Name: prefix + "1"}) {
						growStack(k % 64)
						if p.Name != prefix+fmt.Sprint(i) {
							t.Errorf("got %q", p.Name)
							return
						}
					}
					_, names, _ := s.Array([20]int{}, [1]string{prefix + "n"}, [0]int{})
					if names[0] != prefix+"n"+prefix {
						t.Errorf("got %q", names[0])
						return
					}
				}
			})
		}
		wg.Wait()
		stop()
	})
}

func TestOneProxyIsSharedByGoroutines(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		p := proxyOf[first](t, ordinal(41), m)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 1000 {
					if p.First() != 42 {
						t.Error("wrong result")
						return
					}
				}
			})
		}
		wg.Wait()
	})
}

func TestProxyKeepsItsTargetAliveAndNothingElseDoes(t *testing.T) {
	inBothModes(t, func(t *testing.T, m mode) {
		const n = 100
		var keptTargets, droppedTargets atomic.Int32
		counted := func(collected *atomic.Int32) io.Closer {
			target := new(buffer)
			runtime.AddCleanup(target, func(collected *atomic.Int32) { collected.Add(1) }, collected)
			return proxyOf[io.Closer](t, target, m)
		}
		kept := make([]io.Closer, n)
		for i := range kept {
			kept[i] = counted(&keptTargets)
			counted(&droppedTargets)
		}
		// A dead variable of a frame may hold the last few.
		for droppedTargets.Load() < n/2 {
			runtime.GC()
			runtime.Gosched()
		}
		require.Zero(t, keptTargets.Load())
		for _, p := range kept {
			require.NoError(t, p.Close())
		}
	})
}
