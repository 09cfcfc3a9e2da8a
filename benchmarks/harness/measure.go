package harness

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
)

// warmUp is the part of a measurement's time that is spent before it, on the same operation: caches, branches, the sizes
// that a library finds by use.
const warmUp = 20

// measure sets up one operation and times it for about d. perOp is what the operation is believed to cost; 0 if that is
// not known yet.
func measure(c Case, parallel bool, d time.Duration, perOp float64) (sample Sample, err error) {
	op, err := c.New()
	if err != nil {
		return Sample{}, fmt.Errorf("set up: %w", err)
	}
	total := 0
	defer func() {
		if op.Done != nil {
			err = errors.Join(err, op.Done(total))
		}
	}()
	workers := 1
	if parallel {
		workers = runtime.GOMAXPROCS(0)
	}
	run := func(n int) (time.Duration, int, error) {
		elapsed, did, err := timed(op, workers, n)
		total += did
		return elapsed, did, err
	}
	if perOp, err = settle(run, d, perOp); err != nil {
		return Sample{}, err
	}

	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	elapsed, n, err := run(max(1, int(float64(d)/perOp)))
	runtime.ReadMemStats(&after)
	if err != nil {
		return Sample{}, err
	}
	return Sample{
		Nanos:  float64(elapsed) / float64(n),
		Bytes:  float64(after.TotalAlloc-before.TotalAlloc) / float64(n),
		Allocs: float64(after.Mallocs-before.Mallocs) / float64(n),
	}, nil
}

// settle warms the operation up, and finds out what it costs if that is not known.
func settle(run func(int) (time.Duration, int, error), d time.Duration, perOp float64) (float64, error) {
	enough := d / warmUp
	if perOp > 0 {
		if n := int(float64(enough) / perOp); n > 0 {
			_, _, err := run(n)
			return perOp, err
		}
		return perOp, nil
	}
	for n := 1; ; n *= 2 {
		elapsed, did, err := run(n)
		if err != nil {
			return 0, err
		}
		if elapsed >= enough {
			return max(1, float64(elapsed)) / float64(did), nil
		}
	}
}

// timed runs the operation at least n times, by several workers at once, and returns how often it did.
func timed(op Op, workers, n int) (time.Duration, int, error) {
	if workers == 1 {
		start := time.Now()
		err := op.Run(0, n)
		return time.Since(start), n, err
	}
	each := (n + workers - 1) / workers
	errs := make([]error, workers)
	var ready, finished sync.WaitGroup
	start := make(chan struct{})
	for w := range workers {
		ready.Add(1)
		finished.Go(func() {
			ready.Done()
			<-start
			errs[w] = op.Run(w, each)
		})
	}
	ready.Wait()
	began := time.Now()
	close(start)
	finished.Wait()
	return time.Since(began), each * workers, errors.Join(errs...)
}
