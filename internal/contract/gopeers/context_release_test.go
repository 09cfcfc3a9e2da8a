package gopeers_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// registering is a context of the test's own that lives for ever and counts who waits for its end.
type registering struct {
	context.Context
	done    chan struct{}
	waiting atomic.Int64
}

func (r *registering) Done() <-chan struct{} { return r.done }
func (r *registering) Err() error            { return nil }
func (r *registering) AfterFunc(func()) (stop func() bool) {
	r.waiting.Add(1)
	return sync.OnceValue(func() bool { r.waiting.Add(-1); return true })
}

// plain is one that knows no AfterFunc, so that whoever waits for its end needs a goroutine.
type plain struct {
	context.Context
	done chan struct{}
}

func (p *plain) Done() <-chan struct{} { return p.done }
func (p *plain) Err() error            { return nil }

// call is the context of one call. What is left of the call holds it.
type call struct{ context.Context }

// go:C11. The bound is an hour, not the 5 s of the case, so that a timer that was left behind cannot have gone by itself.
func TestNothingOfACallIsLeftInAParentThatLivesForEver(t *testing.T) {
	const calls = 5000
	forms := map[string]func(t *testing.T) *form{
		"fluent": func(t *testing.T) *form { return fluent(t, retry.With(retry.NewAttemptTimeout(time.Hour))) },
		"annotated": func(t *testing.T) *form {
			return annotated(t, annotation.AttemptTimeout(time.Hour))
		},
	}
	for name, protect := range forms {
		t.Run(name+", a standard context", func(t *testing.T) {
			parent, cancel := context.WithCancel(context.Background())
			defer cancel()
			p := protect(t)
			var collected atomic.Int64
			for range calls {
				ctx := &call{parent}
				runtime.AddCleanup(ctx, func(n *atomic.Int64) { n.Add(1) }, &collected)
				require.NoError(t, p.run(ctx, scripted(nil).run))
			}
			untilCollected(t, func() bool { return collected.Load() > calls*99/100 })
		})
		t.Run(name+", a context that registers", func(t *testing.T) {
			parent := &registering{Context: context.Background(), done: make(chan struct{})}
			p := protect(t)
			for range calls {
				require.NoError(t, p.run(parent, scripted(nil).run))
			}
			untilCollected(t, func() bool { return parent.waiting.Load() < calls/100 })
		})
		t.Run(name+", a context that takes a goroutine", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				parent := &plain{context.Background(), make(chan struct{})}
				p := protect(t)
				before := goroutines()
				require.Positive(t, before)
				for range calls {
					require.NoError(t, p.run(parent, scripted(nil).run))
				}
				synctest.Wait()
				require.Equal(t, before, goroutines())
			})
		})
	}
}

// untilCollected collects garbage until done says that enough of it is gone: what is let go in one collection may be gone
// after a later one.
func untilCollected(t *testing.T, done func() bool) {
	t.Helper()
	for range 200 {
		if done() {
			return
		}
		runtime.GC()
		runtime.Gosched()
	}
	t.Error("calls that have ended are still held")
}
