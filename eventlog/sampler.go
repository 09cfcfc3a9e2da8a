package eventlog

import (
	"hash/maphash"
	"sync"
	"time"

	"github.com/backstay/backstay/retry"
)

// maxWindows is how many kinds of records of methods are told apart. The names of chains may be without end: those that find
// no room share one window for each kind, so that what is kept, and what is written in an interval, is bounded.
const maxWindows = 2000

// sampler lets the first records of an interval pass, for each kind and method.
type sampler struct {
	records  int
	interval time.Duration
	seed     maphash.Seed

	mu sync.Mutex
	// windows are known by a hash of kind and method, which holds on to no name. Two that collide, of 2000 in 2^64, would
	// share a window.
	windows map[uint64]window
	shared  [kinds]window
	swept   time.Time
}

// window counts the records of an interval.
type window struct {
	began      time.Time
	kind       kind
	written    int
	suppressed int // not told yet
}

func newSampler(records int, interval time.Duration) *sampler {
	return &sampler{records: records, interval: interval, seed: maphash.MakeSeed(), windows: map[uint64]window{}}
}

// take reports whether a record is to be written, when, and how many were not written since the one before it.
func (s *sampler) take(k kind, ref retry.MethodRef) (at time.Time, suppressed int, write bool) {
	key := s.key(k, ref)
	s.mu.Lock()
	defer s.mu.Unlock()
	at = time.Now() // under the lock: time never goes back for a window
	w, known := s.windows[key]
	if !known && !s.hasRoom(at) {
		suppressed, write = s.shared[k].take(s, at)
		return at, suppressed, write
	}
	w.kind = k
	suppressed, write = w.take(s, at)
	s.windows[key] = w
	return at, suppressed, write
}

// key tells kind and method apart.
func (s *sampler) key(k kind, ref retry.MethodRef) uint64 {
	type pair struct {
		kind
		retry.MethodRef
	}
	return maphash.Comparable(s.seed, pair{k, ref})
}

func (w *window) take(s *sampler, at time.Time) (suppressed int, write bool) {
	if s.isOver(w, at) {
		w.began, w.written = at, 0
	}
	if w.written >= s.records {
		w.suppressed++
		return 0, false
	}
	w.written++
	suppressed, w.suppressed = w.suppressed, 0
	return suppressed, true
}

// isOver reports whether the window's interval has passed. A window from the future is of another clock: that of a test whose
// time is not the real one.
func (s *sampler) isOver(w *window, at time.Time) bool {
	age := at.Sub(w.began)
	return age < 0 || age >= s.interval
}

// hasRoom reports whether there is room for one more window. Those that are over make room, once in an interval. Those among
// them that have something to tell are kept where half of the room is free without them; else the window that the others share
// tells it.
func (s *sampler) hasRoom(at time.Time) bool {
	if len(s.windows) < maxWindows {
		return true
	}
	if since := at.Sub(s.swept); since >= 0 && since < s.interval {
		return false
	}
	s.swept = at
	s.sweep(at, func(w *window) bool { return w.suppressed == 0 })
	if len(s.windows) > maxWindows/2 {
		s.sweep(at, func(*window) bool { return true })
	}
	return len(s.windows) < maxWindows
}

// sweep removes those windows among the ones that may go which are over.
func (s *sampler) sweep(at time.Time, mayGo func(*window) bool) {
	for key, w := range s.windows {
		if s.isOver(&w, at) && mayGo(&w) {
			s.shared[w.kind].suppressed += w.suppressed
			delete(s.windows, key)
		}
	}
}
