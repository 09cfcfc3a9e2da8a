package aspects

import (
	"container/list"
	"strconv"
	"sync"
	"time"
)

// entryLimit is how many entries a store holds.
type entryLimit int

func (n entryLimit) String() string { return "maxEntries " + strconv.Itoa(int(n)) }

// cacheKey finds an entry: methods that share a store have keys of their own.
type cacheKey struct {
	method *cachedMethod
	args   any
}

// cacheStore holds what is kept, and the calls whose results will be. It is safe for concurrent use.
type cacheStore struct {
	mu      sync.Mutex
	most    int
	entries map[cacheKey]*list.Element
	order   list.List // of *cacheEntry, the one used last in front
	flights map[cacheKey]*flight
}

// cacheEntry is what one call has returned.
type cacheEntry struct {
	key     cacheKey
	results []any // without the error
	expires time.Time
}

// flight is one call under way, for which others with the same key wait. What is below done is written before done is
// closed, and read after.
type flight struct {
	done    chan struct{}
	shared  bool  // the outcome is everybody's; else the call has ended for a reason of its own: who waits calls again
	results []any // without the error
	err     error
}

func newCacheStore(most entryLimit) *cacheStore {
	return &cacheStore{most: int(most), entries: map[cacheKey]*list.Element{}, flights: map[cacheKey]*flight{}}
}

// look finds what is kept under key, or the call that will tell, or begins that call: then leads is true, and the caller has
// to land it.
func (s *cacheStore) look(key cacheKey) (results []any, wait *flight, leads bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := s.entries[key]; at != nil {
		if e := at.Value.(*cacheEntry); time.Now().Before(e.expires) {
			s.order.MoveToFront(at)
			return e.results, nil, false
		}
		s.remove(at)
	}
	if f := s.flights[key]; f != nil {
		return nil, f, false
	}
	f := &flight{done: make(chan struct{})}
	s.flights[key] = f
	return nil, f, true
}

// land ends a call, and keeps its results if it succeeded and nobody has invalidated them in the meantime.
func (s *cacheStore) land(key cacheKey, f *flight, ttl time.Duration) {
	defer close(f.done)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.flights[key] != f {
		return // invalidated
	}
	delete(s.flights, key)
	if !f.shared || f.err != nil {
		return
	}
	s.entries[key] = s.order.PushFront(&cacheEntry{key, f.results, time.Now().Add(ttl)})
	if len(s.entries) > s.most {
		s.remove(s.order.Back())
	}
}

// invalidate forgets what is kept under the keys that match, and what calls under way will return.
func (s *cacheStore) invalidate(matches func(cacheKey) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, at := range s.entries {
		if matches(key) {
			s.remove(at)
		}
	}
	for key := range s.flights {
		if matches(key) {
			delete(s.flights, key)
		}
	}
}

// invalidateKey is invalidate of one key.
func (s *cacheStore) invalidateKey(key cacheKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := s.entries[key]; at != nil {
		s.remove(at)
	}
	delete(s.flights, key)
}

func (s *cacheStore) remove(at *list.Element) {
	delete(s.entries, s.order.Remove(at).(*cacheEntry).key)
}
