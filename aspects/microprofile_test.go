package aspects_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/aspects"
)

// The cases of MicroProfile's bulkhead; docs/tables.md says what the tokens mean. A call that waits is one whose caller waits:
// what is a queue for asynchronous calls there, is one for goroutines here.

// Desk is a service with more than one method.
type Desk interface {
	Serve(ctx context.Context, id string) (string, error)
	Close(ctx context.Context) error
}

type (
	Counter struct{ *gate }
	// Those whose author has written a bulkhead.
	CounterOf3 struct {
		_ annotation.On[aspects.Bulkhead] `method:"Serve" maxConcurrent:"3"`
		Counter
	}
	CounterOf5 struct {
		_ annotation.On[aspects.Bulkhead] `method:"Serve" maxConcurrent:"5"`
		Counter
	}
	CounterWithQueue struct {
		_ annotation.On[aspects.Bulkhead] `method:"Serve" maxConcurrent:"1" maxQueue:"5"`
		Counter
	}
)

func (c Counter) Serve(ctx context.Context, id string) (string, error) { return c.load(ctx, id) }
func (c Counter) Close(context.Context) error                          { return nil }

// guard puts a bulkhead around a Desk whose calls g holds.
type guard func(t *testing.T, g *gate) Desk

// byDefault is a bulkhead of all that its aspect meets.
func byDefault(p aspect.Pointcut, b aspects.Bulkhead) guard {
	return func(t *testing.T, g *gate) Desk {
		return wrapped[Desk](t, aspect.NewWeaver(aspect.WithAspect(p, 1, aspects.NewBulkhead(aspects.DefaultBulkhead(b)))), Counter{g})
	}
}

// annotating is a bulkhead of methods: all of the class, or one.
func annotating(methods any, concurrent, queue int) guard {
	return func(t *testing.T, g *gate) Desk {
		return where[aspects.Bulkhead, Desk](t, aspects.NewBulkhead(), Counter{g},
			aspect.Annotate[aspects.Bulkhead](methods, annotation.Set(func(b *aspects.Bulkhead) { b.MaxConcurrent, b.MaxQueue = concurrent, queue })))
	}
}

// tuned is what the author of a class has written, changed where it is registered.
func tuned(of func(*gate) Desk, set func(*aspects.Bulkhead)) guard {
	return func(t *testing.T, g *gate) Desk {
		return where[aspects.Bulkhead](t, aspects.NewBulkhead(), of(g), aspect.Annotate[aspects.Bulkhead](Desk.Serve, annotation.Set(set)))
	}
}

// configured is the same, changed by the deployment.
func configured(of func(*gate) Desk, set func(*aspects.Bulkhead)) guard {
	return func(t *testing.T, g *gate) Desk {
		return wrapped(t, aspect.NewWeaver(
			aspect.WithAspect(aspect.Annotated[aspects.Bulkhead](), 1, aspects.NewBulkhead()),
			aspect.WithConfiguration("*@Serve", annotation.Set(set))), of(g))
	}
}

func TestMicroProfileBulkheadsHoldSoManyCalls(t *testing.T) {
	of3 := func(g *gate) Desk { return &CounterOf3{Counter: Counter{g}} }
	of5 := func(g *gate) Desk { return &CounterOf5{Counter: Counter{g}} }
	withQueue := func(g *gate) Desk { return &CounterWithQueue{Counter: Counter{g}} }
	value := func(n int) func(*aspects.Bulkhead) { return func(b *aspects.Bulkhead) { b.MaxConcurrent = n } }
	queue := func(n int) func(*aspects.Bulkhead) { return func(b *aspects.Bulkhead) { b.MaxQueue = n } }
	const class = "*"
	for _, c := range []struct {
		name      string
		run, wait int
		guard     guard
	}{
		// MicroProfile's annotation has a default of 10. Ours has to say how many; a default is one of the aspect.
		{"mp:B1 a default of the class", 10, 0, byDefault(aspect.Class("Counter"), aspects.Bulkhead{MaxConcurrent: 10})},
		{"mp:B2 a default of the method", 10, 0, byDefault(aspect.Method("Desk.Serve"), aspects.Bulkhead{MaxConcurrent: 10})},
		{"mp:B3 three for each method of the class", 3, 0, annotating(class, 3, 0)},
		{"mp:B4 three for the method", 3, 0, annotating(Desk.Serve, 3, 0)},
		{"mp:B5 ten for each method of the class", 10, 0, annotating(class, 10, 0)},
		{"mp:B6 ten for the method", 10, 0, annotating(Desk.Serve, 10, 0)},
		// There a queue is for asynchronous calls alone, and ignored for others. Here every caller can wait.
		{"mp:B7 three with a queue", 3, 2, annotating(Desk.Serve, 3, 2)},
		{"mp:B8 ten and a queue of ten for the class", 10, 10, annotating(class, 10, 10)},
		{"mp:B9 ten and a queue of ten for the method", 10, 10, annotating(Desk.Serve, 10, 10)},
		{"mp:B10 three and a queue of ten for the class", 3, 10, annotating(class, 3, 10)},
		{"mp:B11 three and a queue of ten for the method", 3, 10, annotating(Desk.Serve, 3, 10)},
		{"mp:B12 five and a queue of five for the class", 5, 5, annotating(class, 5, 5)},
		{"mp:B12 five and a queue of five for the method", 5, 5, annotating(Desk.Serve, 5, 5)},
		{"mp:B17 mp:K24 three, and five at the registration", 5, 0, tuned(of3, value(5))},
		{"mp:B17 mp:K24 three, and five in the configuration", 5, 0, configured(of3, value(5))},
		{"mp:B18 mp:K25 five, and one at the registration", 1, 0, tuned(of5, value(1))},
		{"mp:B18 mp:K25 five, and one in the configuration", 1, 0, configured(of5, value(1))},
		{"mp:B19 mp:K26 a queue of five, and of one at the registration", 1, 1, tuned(withQueue, queue(1))},
		{"mp:B19 mp:K26 a queue of five, and of one in the configuration", 1, 1, configured(withQueue, queue(1))},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGate()
				desk := c.guard(t, g)
				all := newCalls(desk.Serve)
				var in []string // who runs or waits, in the order in which they came
				begin := func() {
					t.Helper()
					id := fmt.Sprint(len(in))
					all.begin(t.Context(), id)
					require.Nil(t, all.ended(id), "%s is let in", id)
					in = append(in, id)
				}
				refuse := func(id string) {
					t.Helper()
					all.begin(t.Context(), id)
					e := all.ended(id)
					require.NotNil(t, e, "%s is refused", id)
					require.ErrorIs(t, e.err, aspects.ErrBulkheadFull)
				}

				for range c.run + c.wait {
					begin()
				}
				require.Equal(t, in[:c.run], g.came, "the others wait")
				refuse("one too many")
				require.NoError(t, desk.Close(t.Context()), "another method has permits of its own")

				g.let(in[0], fine)
				require.NotNil(t, all.ended(in[0]))
				begin()
				require.Equal(t, in[:c.run+1], g.came, "one has left, and one has entered")
				refuse("again one too many")

				for _, id := range in[1:] {
					g.let(id, fine)
				}
				all.wg.Wait()
				require.Equal(t, in, g.came)
			})
		})
	}
}

// Begin is a method whose result comes later.
type Begin func(ctx context.Context, id string) (<-chan string, error)

// There the slot is held until the promise is kept, since that ends the call. Here a call ends when the method returns: to
// have all of its work counted, a method waits for it.
func TestMicroProfilePromisesHoldNoPermits(t *testing.T) {
	t.Run("mp:B13 a promise that is not kept yet", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			g := newGate()
			var wg sync.WaitGroup
			begin := around(t, aspects.NewBulkhead(), Begin(func(ctx context.Context, id string) (<-chan string, error) {
				promise := make(chan string, 1)
				wg.Go(func() { kept, _ := g.load(ctx, id); promise <- kept })
				return promise, nil
			}), bulkhead(2, 2, 0))
			var promises []<-chan string
			for i := range 5 {
				promise, err := begin(t.Context(), fmt.Sprint(i))
				require.NoError(t, err)
				promises = append(promises, promise)
			}
			synctest.Wait()
			require.Len(t, g.came, 5)
			for i, promise := range promises {
				g.let(fmt.Sprint(i), fine)
				require.Equal(t, "fine", <-promise)
			}
			wg.Wait()
		})
	})
}

func TestMicroProfileBulkheadsHoldUnderPressure(t *testing.T) {
	const calls = 100
	for _, c := range []struct {
		name      string
		queue     int
		every     time.Duration
		most      int // run at once
		atLeast   int // succeed
		someFails bool
	}{
		{"mp:B15 a call every 25 ms", 0, 25 * time.Millisecond, 3, calls, false},
		{"mp:B15 more than there is place for", 0, time.Millisecond, 5, 5, true},
		{"mp:B16 a call every 25 ms, and a queue", 5, 25 * time.Millisecond, 3, calls, false},
		{"mp:B16 more than there is place for, and a queue", 5, time.Millisecond, 5, 10, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				running, most, succeeded, failed := 0, 0, 0, 0
				count := func(n *int, by int) {
					mu.Lock()
					defer mu.Unlock()
					*n += by
					most = max(most, running)
				}
				load := around(t, aspects.NewBulkhead(), Load(func(context.Context, string) (string, error) {
					count(&running, 1)
					defer count(&running, -1)
					time.Sleep(50 * time.Millisecond)
					return "fine", nil
				}), bulkhead(5, c.queue, 0))
				var wg sync.WaitGroup
				for range calls {
					wg.Go(func() {
						if _, err := load(t.Context(), "7"); err != nil {
							count(&failed, 1)
							if !errors.Is(err, aspects.ErrBulkheadFull) {
								t.Error(err)
							}
							return
						}
						count(&succeeded, 1)
					})
					time.Sleep(c.every)
				}
				wg.Wait()
				require.LessOrEqual(t, most, c.most)
				require.GreaterOrEqual(t, succeeded, c.atLeast)
				require.Equal(t, calls, succeeded+failed)
				require.Equal(t, c.someFails, failed > 0)
				require.Equal(t, c.someFails, most == 5, "all places are taken where there are too few")
			})
		})
	}
}
