package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/benchmarks/harness"
	"github.com/backstay/backstay/benchmarks/plot"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// holding is something whose memory is measured, by making many of it.
type holding struct {
	name string
	make func(n int) (held, error)
}

// held are n of them.
type held struct {
	keep any
	use  func(ctx context.Context) error // calls each of them once
}

// footprint is the memory of one of many, in bytes: before any call, after some, and what is left when it is let go.
type footprint struct {
	name             string
	idle, used, left float64
}

// The names of services of which only the difference is of interest.
const (
	oneOfTen = "ten methods, one woven, "
	allOfTen = "ten methods, all woven, "
)

// footprints are measured at so many of each, and used by so many calls. Some are differences of others.
func footprints(n, calls int) ([]footprint, error) {
	const last = 10 // methods of Wide
	byRetry := container.Annotate[aliases.Retry]("Load")
	byRetryAll := container.Annotate[aliases.Retry](methods(last))
	byBreaker := container.Annotate[aliases.CircuitBreaker]("Load")
	var all []footprint
	for _, h := range []holding{
		{"service that is not woven", inOne[Store]()},
		{"woven service, generated", inOne[Store](byRetry)},
		{"woven service, run-time", inOne[RunTimeStore](byRetry)},
		{"woven service with a breaker, generated", inOne[Store](byRetry, byBreaker)},
		{oneOfTen + "generated", inOne[Wide](byRetry)},
		{oneOfTen + "run-time", inOne[RunTimeWide](byRetry)},
		{allOfTen + "generated", inOne[Wide](byRetryAll)},
		{allOfTen + "run-time", inOne[RunTimeWide](byRetryAll)},
		{"breaker without a window", policiesOf(func() retry.Policy {
			return retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: 10 * time.Second})
		})},
		{"breaker, window of 100 calls", policiesOf(func() retry.Policy {
			return retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: 10 * time.Second, Window: 100, FailureRatio: 0.5})
		})},
		{"breaker, window of 10 s", policiesOf(func() retry.Policy {
			return retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: 10 * time.Second, WindowTime: 10 * time.Second, FailureRatio: 0.5})
		})},
		{"budget", policiesOf(func() retry.Policy {
			return retry.NewBudget(retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1, Percent: 0.2})
		})},
	} {
		f, err := h.measure(n, calls)
		if err != nil {
			return nil, fmt.Errorf("memory of %s: %w", h.name, err)
		}
		all = append(all, f)
	}
	for _, kind := range []string{"generated", "run-time"} {
		one, ten := named(all, oneOfTen+kind), named(all, allOfTen+kind)
		all = append(all, footprint{
			"each further woven method, " + kind, (ten.idle - one.idle) / (last - 1), (ten.used - one.used) / (last - 1), max(0, ten.left-one.left) / (last - 1),
		})
	}
	return all, nil
}

// measure tells the memory of one of n. What is made once for all of them is made before, by making one.
func (h holding) measure(n, calls int) (footprint, error) {
	if _, err := h.make(1); err != nil {
		return footprint{}, err
	}
	before := harness.Live()
	all, err := h.make(n)
	if err != nil {
		return footprint{}, err
	}
	idle := harness.Live()
	if err := useTogether(all.use, calls); err != nil {
		return footprint{}, err
	}
	used := harness.Live()
	runtime.KeepAlive(all)
	all = held{}
	left := harness.Live()
	each := func(bytes float64) float64 { return max(0, bytes-before) / float64(n) }
	return footprint{h.name, each(idle), each(used), each(left)}, nil
}

// useTogether makes calls on each of what is held, by several goroutines at once.
func useTogether(use func(context.Context) error, calls int) error {
	workers := 2 * runtime.GOMAXPROCS(0)
	errs := make(chan error, workers)
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for range (calls + workers - 1) / workers {
				if err := use(context.Background()); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	all.Wait()
	close(errs)
	return <-errs
}

// containers counts those whose memory is measured, so that no two have services of one name: package reflect keeps the types
// that a container makes for a name, and only the first to make them would be seen to pay for that.
var containers atomic.Int64

// inOne makes services in one container.
func inOne[S Store](opts ...container.ProvideOption) func(int) (held, error) {
	return func(n int) (held, error) {
		c, stores, err := inContainer[S](fmt.Sprint("store", containers.Add(1), "-"), n, newMemory, opts...)
		return held{keep: c, use: func(ctx context.Context) error {
			for _, s := range stores {
				if err := call(ctx, s); err != nil {
					return err
				}
			}
			return nil
		}}, err
	}
}

// policiesOf makes policies and runs each in a chain that goes away again.
func policiesOf(make1 func() retry.Policy) func(int) (held, error) {
	return func(n int) (held, error) {
		all := make([]retry.Policy, n)
		for i := range all {
			all[i] = make1()
		}
		attempts := retry.With(retry.NewClassifier(), retry.NewMaxAttempts(2))
		return held{keep: all, use: func(ctx context.Context) error {
			for _, p := range all {
				if err := attempts.With(p).Run(ctx, func(context.Context) error { return nil }); err != nil {
					return err
				}
			}
			return nil
		}}, nil
	}
}

// named is the footprint of that name, which is there.
func named(all []footprint, name string) footprint {
	for _, f := range all {
		if f.name == name {
			return f
		}
	}
	panic("there is no footprint of " + name)
}

// median takes the middle of several measurements of the same list.
func median(passes [][]footprint) (all []footprint) {
	for i, f := range passes[0] {
		var idle, used, left []float64
		for _, pass := range passes {
			idle, used, left = append(idle, pass[i].idle), append(used, pass[i].used), append(left, pass[i].left)
		}
		all = append(all, footprint{f.name, harness.Median(idle), harness.Median(used), harness.Median(left)})
	}
	return all
}

// writeMemory writes the table.
func writeMemory(w io.Writer, all []footprint, n, calls int) {
	fmt.Fprintf(w, "\n### %s\n\n![%s](plots/memory.svg)\n\n", memoryTitle, memoryTitle)
	fmt.Fprintf(w, "Live bytes after two garbage collections, by the number of things, %s of each: before any call, after %s calls of each by several goroutines "+
		"at once, and when all of them are let go: what is left then are types that package reflect keeps, once for each name of a service, however many containers have it. A woven method has a Retry with its defaults, so a budget; services are named, and what the container knows of them counts.\n\n", harness.Count(float64(n)), harness.Count(float64(calls)))
	var rows [][]string
	for _, f := range all {
		rows = append(rows, []string{f.name, harness.Count(f.idle), harness.Count(f.used), harness.Count(f.left)})
	}
	harness.Table(w, []string{"one", ">bytes, idle", ">bytes, after use", ">bytes, when let go"}, rows)
}

const memoryTitle = "Memory, by one of many"

// memoryBars is the picture of what is of interest in itself.
func memoryBars(all []footprint) plot.Bars {
	b := plot.Bars{Title: memoryTitle, X: "bytes", Sets: []plot.Set{{Name: "idle"}, {Name: "after use"}}}
	for _, f := range all {
		if strings.HasPrefix(f.name, oneOfTen) || strings.HasPrefix(f.name, allOfTen) {
			continue
		}
		b.Names = append(b.Names, f.name)
		b.Sets[0].Values = append(b.Sets[0].Values, f.idle)
		b.Sets[1].Values = append(b.Sets[1].Values, f.used)
	}
	return b
}
