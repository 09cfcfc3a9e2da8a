package main

import (
	"context"
	"slices"
	"sync"
	"time"
)

// result is what became of a mutant.
type result struct {
	mutant  *mutant
	outcome outcome
	by      string // the first test that failed, if one did
	broken  bool   // it did not compile
}

// runAll runs every mutant on so many binaries at once. A mutant that the tests of one package let live is tried on those
// of the next. Results come in the order of the mutants; done is told of each as it comes, one at a time.
func runAll(ctx context.Context, mutants []*mutant, binaries []*testBinary, parallel int, done func(result)) ([]result, error) {
	results := make([]result, len(mutants))
	var telling sync.Mutex
	err := atOnce(ctx, parallel, len(mutants), func(ctx context.Context, i int) (err error) {
		if results[i], err = runOne(ctx, mutants[i], binaries); err != nil {
			return err
		}
		telling.Lock()
		defer telling.Unlock()
		done(results[i])
		return nil
	})
	return results, err
}

// atOnce calls do with 0 to n-1, so many calls at once, and stops at the first error.
func atOnce(ctx context.Context, parallel, n int, do func(context.Context, int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan int)
	var workers sync.WaitGroup
	for range parallel {
		workers.Go(func() {
			for i := range next {
				if err := do(ctx, i); err != nil {
					stop(err)
				}
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		next <- i
	}
	close(next)
	workers.Wait()
	return context.Cause(ctx)
}

// quickFirst is how many tests a mutant meets before it meets all.
const quickFirst = 30

// try runs the tests of a binary with one mutant on until one fails: first some quick ones that reach the mutant, which
// kill most, then all others. Also those that were not seen to reach it, since a test may do another thing each time.
func (b *testBinary) try(ctx context.Context, id int) (o outcome, out []byte, err error) {
	first := b.likely(id, quickFirst)
	names := make([]string, len(first))
	timeout := 5 * time.Second // most of what a test took alone was the start of the binary
	for i, t := range first {
		names[i] = t.name
		timeout += t.took / 2
	}
	if len(first) > 0 {
		o, out, err = b.run(ctx, id, min(timeout, b.timeout), "-test.failfast", "-test.run="+namePattern(names), skipFlag(b.skipped))
		if err != nil || o != lived {
			return o, out, err
		}
	}
	return b.run(ctx, id, b.timeout, "-test.failfast", skipFlag(slices.Concat(b.skipped, names)))
}

func runOne(ctx context.Context, m *mutant, binaries []*testBinary) (result, error) {
	r := result{mutant: m}
	for _, b := range binaries {
		o, out, err := b.try(ctx, m.id)
		if err != nil {
			return r, err
		}
		if o == lived {
			continue
		}
		r.outcome = o
		if failed := failedTests(out); len(failed) > 0 {
			r.by = failed[0]
		}
		break
	}
	return r, nil
}
