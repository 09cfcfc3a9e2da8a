package main

import (
	"context"
	"errors"
	"sync"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/benchmarks/harness"
	"github.com/backstay/backstay/container"
)

// guarded is what the methods have that many goroutines call: a budget and a breaker.
func guarded() []container.ProvideOption {
	return []container.ProvideOption{container.Annotate[aliases.Retry]("Load"), container.Annotate[aliases.CircuitBreaker]("Load")}
}

// shared is one store for so many goroutines.
func shared(from source, constructor any) func(int) (harness.Op, error) {
	return func(n int) (harness.Op, error) {
		stores, err := from(1, constructor, guarded()...)
		if err != nil {
			return harness.Op{}, err
		}
		each := make([]Store, n)
		for i := range each {
			each[i] = stores[0]
		}
		return crowd(each), nil
	}
}

// own is a store for each of so many goroutines.
func own(from source, constructor any) func(int) (harness.Op, error) {
	return func(n int) (harness.Op, error) {
		stores, err := from(n, constructor, guarded()...)
		if err != nil {
			return harness.Op{}, err
		}
		return crowd(stores), nil
	}
}

// goroutines is the cost of a call against the number of goroutines that call.
func goroutines(limit int) family {
	sizes := upTo(limit, 1, 10, 100, 1000, 10000)
	return family{
		name: "goroutines", title: "A call, by goroutines that call at once",
		about: "Time per call is the time that all calls took together, by their number: with two processors, at best half of what one call " +
			"takes. Each method has a Retry with its defaults and a breaker. Shared is one method, with one budget and one breaker, for all goroutines; own is " +
			"one for each.",
		x: "goroutines", y: "time per call, ns", logX: true, logY: true, value: perCall,
		lines: []line{
			over(sizes, line{name: "plain call", floor: true}, shared(plain, newMemory)),
			over(sizes, line{name: "generated, shared"}, shared(generated, newMemory)),
			over(sizes, line{name: "generated, own"}, own(generated, newMemory)),
			over(sizes, line{name: "run-time, shared", dashed: true}, shared(runTime, newMemory)),
			over(sizes, line{name: "run-time, own", dashed: true}, own(runTime, newMemory)),
		},
	}
}

// inFlight is the same with calls that all are under way at once.
func inFlight(limit int) family {
	sizes := upTo(limit, 1, 10, 100, 1000, 10000)
	return family{
		name: "inflight", title: "A call, by calls that are under way at once",
		about: "As above, but each call yields the processor in the midst of its work, so that as many sessions are open as there are " +
			"goroutines. The plain call shows what the scheduler takes for that.",
		x: "goroutines, each in the midst of a call", y: "time per call, ns", logX: true, logY: true, value: perCall,
		lines: []line{
			over(sizes, line{name: "plain call", floor: true}, shared(plain, newYielding)),
			over(sizes, line{name: "generated, shared"}, shared(generated, newYielding)),
			over(sizes, line{name: "generated, own"}, own(generated, newYielding)),
			over(sizes, line{name: "run-time, shared", dashed: true}, shared(runTime, newYielding)),
		},
	}
}

// burst is how many calls each goroutine makes in one operation: so many that waking the goroutines up, which is timed,
// is little beside them.
const burst = 20

// perCall is the time of one call of so many goroutines.
func perCall(nanos float64, goroutines int) float64 { return nanos / burst / float64(goroutines) }

// crowd calls each store in a goroutine of its own, burst times in an operation. The goroutines wait between runs, so that
// neither starting them nor growing their stacks is timed.
func crowd(stores []Store) harness.Op {
	shares := make([]chan int, len(stores))
	errs := make([]error, len(stores))
	var running, alive sync.WaitGroup
	for i, s := range stores {
		shares[i] = make(chan int, 1)
		alive.Go(func() {
			ctx := context.Background()
			for n := range shares[i] {
				for range n {
					if err := call(ctx, s); err != nil {
						errs[i] = err
					}
				}
				running.Done()
			}
		})
	}
	return harness.Op{
		Run: func(_, n int) error {
			running.Add(len(shares))
			for _, s := range shares {
				s <- n * burst
			}
			running.Wait()
			return errors.Join(errs...)
		},
		Done: func(int) error {
			for _, s := range shares {
				close(s)
			}
			alive.Wait()
			return nil
		},
	}
}
