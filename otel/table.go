package backstayotel

import (
	"iter"
	"maps"
	"sync"
	"sync/atomic"
)

// table keeps what is made for each key, at most so many. What is made stays. It is for keys that are few and soon known, such
// as the methods of a program: those that are settled are read without a lock, which is half the time of a sync.Map.
type table[K comparable, V any] struct {
	most  int
	valid func(K) K // the key that stands for one that must not be told
	make  func(K) V
	rest  func() V // makes the one value of all keys beyond most

	settled atomic.Pointer[map[K]V] // never changed
	once    sync.Once
	others  atomic.Pointer[V] // the value of the rest, once there is one

	mu    sync.Mutex
	fresh map[K]V // not settled yet: to copy all for each that comes would take ages for many
	asked int     // how often for one of these
}

func newTable[K comparable, V any](most int, valid func(K) K, make func(K) V, rest func() V) *table[K, V] {
	t := &table[K, V]{most: most, valid: valid, make: make, rest: rest, fresh: map[K]V{}}
	t.settled.Store(&map[K]V{})
	return t
}

// get returns the value of k, and makes it if there is none. Only valid keys are kept, so for one that is found nobody asks
// whether it is.
func (t *table[K, V]) get(k K) V {
	all := *t.settled.Load()
	v, ok := all[k]
	if ok {
		return v
	}
	switch valid := t.valid(k); {
	case valid != k:
		return t.get(valid)
	case len(all) >= t.most:
		return t.other()
	}
	return t.getFresh(k)
}

func (t *table[K, V]) getFresh(k K) V {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := *t.settled.Load()
	if v, ok := all[k]; ok {
		return v
	}
	if len(all) >= t.most {
		return t.other()
	}
	v, ok := t.fresh[k]
	if !ok {
		v = t.make(k)
		t.fresh[k] = v
	}
	t.asked++
	if t.asked > len(all)/4 || len(all)+len(t.fresh) >= t.most {
		t.settle(all)
	}
	return v
}

// settle makes one map of what is settled and what is fresh. The lock is held.
func (t *table[K, V]) settle(old map[K]V) {
	all := make(map[K]V, len(old)+len(t.fresh))
	maps.Copy(all, old)
	maps.Copy(all, t.fresh)
	t.settled.Store(&all)
	clear(t.fresh)
	t.asked = 0
}

// other is the value of all keys beyond those that are told apart.
func (t *table[K, V]) other() V {
	t.once.Do(func() {
		v := t.rest()
		t.others.Store(&v)
	})
	return *t.others.Load()
}

// values are those of all keys so far, that of the rest included.
func (t *table[K, V]) values() iter.Seq[V] {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.fresh) > 0 {
		t.settle(*t.settled.Load())
	}
	all, other := *t.settled.Load(), t.others.Load()
	return func(yield func(V) bool) {
		for _, v := range all {
			if !yield(v) {
				return
			}
		}
		if other != nil {
			yield(*other)
		}
	}
}
