package calls

import (
	"context"
	"math"
)

// always is the number of failures of a target that never succeeds.
const always = math.MaxInt

// maxWorkers is how many goroutines may call one target at a time.
const maxWorkers = 256

// Target is the service behind every contender. It follows a script: so many failures, then a success, and again. It
// counts its calls, so that what was timed can be checked.
//
// Workers must call with keys of their own, as key gives them. Each of them has the whole script to itself, and no two
// write to one cache line: a target that all workers shared would be what is measured.
type Target struct {
	failures int
	shards   [maxWorkers]shard
}

type shard struct {
	calls int
	left  int // failures before the next success
	_     [112]byte
}

// NewTarget returns a target that fails so many times before each success.
func NewTarget(failures int) *Target {
	t := &Target{failures: failures}
	for i := range t.shards {
		t.shards[i].left = failures
	}
	return t
}

// Get answers with the key, or fails.
func (t *Target) Get(_ context.Context, key string) (string, error) {
	s := &t.shards[key[0]]
	s.calls++
	if s.left > 0 {
		s.left--
		return "", ErrPeer
	}
	s.left = t.failures
	return key, nil
}

// Calls is how often the target was called in all.
func (t *Target) Calls() (n int) {
	for i := range t.shards {
		n += t.shards[i].calls
	}
	return n
}

// key is what a worker asks for.
func key(worker int) string { return string([]byte{byte(worker)}) + "key" }
