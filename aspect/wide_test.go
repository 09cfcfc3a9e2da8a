package aspect_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
)

type point struct {
	X, Y int32
	Name string
}

// Wide has a method with twenty parameters of mixed kinds, some in registers and some on the stack.
type Wide interface {
	Mix(a int8, b uint16, c float32, d float64, e complex128, f string, g []byte, h map[string]int, i *int, j chan int,
		k func() int, l error, m any, n [3]int, o point, p bool, q uintptr, r rune, s struct{}, t ...string) (
		string, float64, []byte, map[string]int, *int, any, point, [3]int, error)
}

// wide fails at the first attempt of each call.
type wide struct{ calls atomic.Int64 }

func (w *wide) Mix(a int8, b uint16, c float32, d float64, e complex128, f string, g []byte, h map[string]int, i *int, j chan int,
	k func() int, l error, m any, n [3]int, o point, p bool, q uintptr, r rune, _ struct{}, t ...string) (
	string, float64, []byte, map[string]int, *int, any, point, [3]int, error) {
	w.calls.Add(1)
	if p {
		return "", 0, nil, nil, nil, nil, point{}, [3]int{}, errDown
	}
	j <- k()
	text := fmt.Sprint(a, b, c, d, e, f, string(g), h["k"], *i, <-j, l, m, n, o, p, q, r, t)
	return text, d + float64(c), append(g, f...), h, i, m, o, n, nil
}

// caller calls with arguments made of its number, and says what is wrong with the results.
type caller int

func (n caller) call(w Wide) error {
	x := int(n)
	i, name := &x, fmt.Sprint("caller ", x)
	h := map[string]int{"k": x}
	text, sum, g, hh, ii, m, o, arr, err := w.Mix(int8(x%100), uint16(x), float32(x), 2*float64(x), complex(float64(x), 1), name, []byte("bytes"), h, i, make(chan int, 1),
		func() int { return x }, errFull, tag(x), [3]int{x, x, x}, point{int32(x), 2, name}, false, uintptr(x), 'r', struct{}{}, name, "last")
	want := fmt.Sprint(int8(x%100), uint16(x), float32(x), 2*float64(x), complex(float64(x), 1), name, "bytes", x, x, x, errFull, tag(x), [3]int{x, x, x}, point{int32(x), 2, name}, false, uintptr(x), 'r', []string{name, "last"})
	switch {
	case err != nil:
		return err
	case text != want:
		return fmt.Errorf("got %s\nwant %s", text, want)
	case sum != 3*float64(x), string(g) != "bytes"+name, hh["k"] != x, ii != i, m != any(tag(x)), o.Name != name, arr[2] != x:
		return fmt.Errorf("results are wrong: %v %s %v %v %v %v %v", sum, g, hh, *ii, m, o, arr)
	}
	return nil
}

type tag int

// flip lets the first attempt of each call fail, by an argument that it replaces.
func flip(jp aspect.JoinPoint) error {
	aspect.SetArg(jp, 15, firstAttempt(jp))
	return jp.Proceed()
}

// firstAttempt reports whether this is the first attempt, which it knows by a counter that the outer aspect has put in.
func firstAttempt(jp aspect.JoinPoint) bool {
	n := aspect.Arg[any](jp, 12).(*counter)
	n.attempts++
	aspect.SetArg[any](jp, 12, n.value)
	return n.attempts == 1
}

type counter struct {
	value    any
	attempts int
}

func count(jp aspect.JoinPoint) error {
	aspect.SetArg[any](jp, 12, &counter{value: aspect.Arg[any](jp, 12)})
	return jp.Proceed()
}

func wovenWide(t testing.TB, target *wide) Wide {
	w := aspect.NewWeaver(
		aspect.WithAspect(aspect.Any(), aspect.RetryPriority+1, aspect.Func(count)),
		aspect.WithAspect(aspect.Any(), aspect.RetryPriority-1, aspect.Func(flip)))
	return wrapped[Wide](t, w, target, aspect.Annotate[Quick](Wide.Mix))
}

func TestTwentyParametersOfMixedKindsUnderARetry(t *testing.T) {
	target := &wide{}
	require.NoError(t, caller(7).call(wovenWide(t, target)))
	require.EqualValues(t, 2, target.calls.Load())
}

func TestCallsUnderLoadWithABusyGarbageCollector(t *testing.T) {
	const goroutines, calls = 4, 100
	target := &wide{}
	w := wovenWide(t, target)
	stop := make(chan struct{})
	var collector, callers sync.WaitGroup
	collector.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	for g := range goroutines {
		callers.Go(func() {
			for c := range calls {
				if err := caller(g*calls+c).deep(w, c%50); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	callers.Wait()
	close(stop)
	collector.Wait()
	require.EqualValues(t, 2*goroutines*calls, target.calls.Load())
}

// deep calls from far down a stack that grows on the way.
func (n caller) deep(w Wide, depth int) error {
	if depth == 0 {
		return n.call(w)
	}
	room := strings.Repeat("x", 64)
	err := n.deep(w, depth-1)
	if len(room) != 64 {
		return errFull
	}
	return err
}
