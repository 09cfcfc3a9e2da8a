package dashboard

import (
	"sync"
	"time"

	"github.com/backstay/backstay/retry"
)

// How many sessions are followed at a time, in all. One that begins when there are as many has no timeline; it is counted all
// the same.
const (
	trackerShards = 16
	maxUnderWay   = 512 // in a shard
	maxAwaited    = 256 // in a shard
)

// tracker follows sessions between their events: those under way in which an attempt has failed, and those that have ended in
// a way that a fallback may follow. Nobody tells that none follows, so of these only the last ones are remembered; where
// somebody else has taken the number meanwhile, they are forgotten before.
type tracker struct {
	shards [trackerShards]trackerShard
}

type trackerShard struct {
	mu       sync.Mutex
	underWay map[retry.SessionID]*session
	awaited  map[retry.SessionID]awaited
	order    [maxAwaited]retry.SessionID // of those that are awaited; a number here may be awaited no more, or again
	next     uint64                      // how many have been put in order; the place in it is the remainder

	_ [64]byte
}

// awaited is a session that has ended, whose fallback may come.
type awaited struct {
	session *session // nil where it is not kept
	at      int64    // the second in which its end was counted; 0: unknown
	place   uint64   // in the order
}

func (t *tracker) shard(id retry.SessionID) *trackerShard {
	return &t.shards[uint64(id)*0x9E3779B97F4A7C15>>60]
}

// attemptFailed begins to follow a session at its first attempt that failed, and goes on at the others.
func (t *tracker) attemptFailed(id retry.SessionID, attempt int, now int64, text string) {
	if id == 0 {
		return
	}
	s := t.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if attempt == 1 {
		s.begin(id)
	}
	if one := s.underWay[id]; one != nil {
		one.attemptFailed(now, text)
	}
}

// begin follows a session from here on. The lock is held.
func (s *trackerShard) begin(id retry.SessionID) {
	delete(s.awaited, id)
	delete(s.underWay, id)
	if len(s.underWay) == maxUnderWay {
		return
	}
	if s.underWay == nil {
		s.underWay = map[retry.SessionID]*session{}
	}
	s.underWay[id] = &session{}
}

// retryScheduled adds a wait.
func (t *tracker) retryScheduled(id retry.SessionID, now int64, long time.Duration) {
	s := t.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.underWay[id]; one != nil {
		one.retryScheduled(now, long)
	}
}

// end returns what was followed of a session that has ended; a session without a past when nothing was.
func (t *tracker) end(id retry.SessionID) *session {
	s := t.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.underWay[id]
	if one == nil {
		return &session{}
	}
	delete(s.underWay, id)
	return one
}

// await remembers a session that has ended, for its fallback.
func (t *tracker) await(id retry.SessionID, one awaited) {
	if id == 0 {
		return
	}
	s := t.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.awaited == nil {
		s.awaited = map[retry.SessionID]awaited{}
	}
	slot := &s.order[s.next%maxAwaited]
	if oldest, ok := s.awaited[*slot]; ok && oldest.place+maxAwaited == s.next {
		delete(s.awaited, *slot)
	}
	one.place = s.next
	s.awaited[id] = one
	*slot = id
	s.next++
}

// fallback returns the session whose fallback has ended, as far as it is known.
func (t *tracker) fallback(id retry.SessionID) awaited {
	s := t.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.awaited[id]
	delete(s.awaited, id)
	return one
}
