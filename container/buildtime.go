package container

import (
	"sync/atomic"
	"time"

	"go.uber.org/dig"
)

// buildTime is how long a constructor took, for those who ask while others build. The zero value says that nothing has been
// built.
type buildTime struct{ nanoseconds atomic.Int64 } // one more than it took; 0: not built

func (b *buildTime) set(d time.Duration) { b.nanoseconds.Store(max(int64(d), 0) + 1) }

// forget says that it has not been built after all.
func (b *buildTime) forget() { b.nanoseconds.Store(0) }

// known returns how long it took, and whether it has been built.
func (b *buildTime) known() (time.Duration, bool) {
	n := b.nanoseconds.Load()
	return time.Duration(max(n-1, 0)), n > 0
}

// stopwatch measures the first run of a constructor: a scope is too short to look at the clock for each.
type stopwatch struct {
	began time.Time // zero: it does not run
	took  time.Duration
}

// watch starts a stopwatch where nothing has been built.
func (b *buildTime) watch() (w stopwatch) {
	if _, built := b.known(); !built {
		w.began = time.Now()
	}
	return w
}

func (w *stopwatch) stop() {
	if !w.began.IsZero() {
		w.took = time.Since(w.began)
	}
}

// record keeps what was measured, if anything was.
func (b *buildTime) record(w stopwatch) {
	if !w.began.IsZero() {
		b.set(w.took)
	}
}

// timing lets dig measure a constructor that it runs itself.
func (e *engine) timing(r *registration) dig.ProvideOption {
	return dig.WithProviderCallback(func(info dig.CallbackInfo) {
		r.took.set(info.Runtime)
		e.latest = r
	})
}

// unwound is told when a build has ended, however. dig calls back after a constructor that panics too, so where a build
// does not return, and nothing else ran since, it was that constructor which did not.
func (e *engine) unwound() {
	if e.latest != nil {
		e.latest.took.forget()
		e.latest = nil
	}
}
