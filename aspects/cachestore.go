package aspects

import (
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
	entries map[cacheKey]*cacheEntry
	ends    cacheEntry // of the ring of entries: next is the one used last, previous the one used the longest ago
	flights map[cacheKey]*flight
}

// cacheEntry is what one call has returned.
type cacheEntry struct {
	key            cacheKey
	results        []any // without the error
	expires        time.Time
	next, previous *cacheEntry
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
	s := &cacheStore{most: int(most), entries: map[cacheKey]*cacheEntry{}, flights: map[cacheKey]*flight{}}
	s.ends.next, s.ends.previous = &s.ends, &s.ends
	return s
}

// look finds what is kept under key, or the call that will tell, or begins that call: then leads is true, and the caller has
// to land it.
func (s *cacheStore) look(key cacheKey) (results []any, wait *flight, leads bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entries[key]; e != nil {
		if time.Now().Before(e.expires) {
			e.unlink()
			e.link(&s.ends)
			return e.results, nil, false
		}
		s.remove(e)
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
	e := &cacheEntry{key: key, results: f.results, expires: time.Now().Add(ttl)}
	s.entries[key] = e
	e.link(&s.ends)
	if len(s.entries) > s.most {
		s.remove(s.ends.previous)
	}
}

// invalidate forgets what is kept under the keys that match, and what calls under way will return.
func (s *cacheStore) invalidate(matches func(cacheKey) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, e := range s.entries {
		if matches(key) {
			s.remove(e)
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
	if e := s.entries[key]; e != nil {
		s.remove(e)
	}
	delete(s.flights, key)
}

func (s *cacheStore) remove(e *cacheEntry) {
	e.unlink()
	delete(s.entries, e.key)
}

// link puts e after at.
func (e *cacheEntry) link(at *cacheEntry) {
	e.previous, e.next = at, at.next
	e.previous.next, e.next.previous = e, e
}

func (e *cacheEntry) unlink() {
	e.previous.next, e.next.previous = e.next, e.previous
}
