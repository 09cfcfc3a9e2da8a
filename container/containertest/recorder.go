package containertest

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// Recorder keeps what it is told, and makes sessions of it. [New] makes one that listens to its container; the zero value is
// ready too, for container.WithListener, or as a service that is provided as a retry.Listener. It is safe for concurrent use,
// starts no goroutine and no timer, and works in synctest bubbles.
//
// Its methods take a method expression, or Class@Method for all services of a class, or Class#name@Method for one of them. A
// method that no retry annotation is attached to has no sessions; a recorder that [New] made fails its test when it is asked
// for one, or for one that its container does not have.
type Recorder struct {
	t        testing.TB
	registry *annotation.Registry

	mu     sync.Mutex
	events []retry.Event
	waits  []retry.RetryScheduled
	sessions
}

var _ retry.Listener = (*Recorder)(nil)

// On records e. It is what sessions call.
func (r *Recorder) On(_ context.Context, e retry.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
	if w, ok := e.(retry.RetryScheduled); ok {
		r.waits = append(r.waits, w)
	}
	r.sessions.on(e)
}

// Events returns what was recorded so far, in order.
func (r *Recorder) Events() []retry.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.events)
}

// Reset forgets what was recorded so far. A session that is under way is recorded as a whole when it ends.
func (r *Recorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events, r.waits, r.ended = nil, nil, nil
}

// Attempts counts the attempts of the finished sessions of a method: retries and first attempts, whatever ended them.
func (r *Recorder) Attempts(method any) (n int) {
	r.helper()
	for _, s := range r.finished("Attempts", method) {
		n += s.Attempts
	}
	return n
}

// Sessions returns the finished sessions of a method, in the order in which they ended.
func (r *Recorder) Sessions(method any) []Session {
	r.helper()
	return r.finished("Sessions", method)
}

// Waits returns the waits of a method's sessions, finished or not, in the order in which they began. A zero is a retry that
// came at once.
func (r *Recorder) Waits(method any) (all []time.Duration) {
	r.helper()
	wanted := r.refs("Waits", method)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.waits {
		if wanted.meet(w.MethodRef) {
			all = append(all, w.Wait)
		}
	}
	return all
}

// finished are the finished sessions of a method, for the method of the recorder that by names.
func (r *Recorder) finished(by string, method any) (all []Session) {
	r.helper()
	wanted := r.refs(by, method)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.ended {
		if wanted.meet(s.Ref) {
			told := s.Session
			told.Waits = slices.Clone(told.Waits)
			all = append(all, told)
		}
	}
	return all
}

// refs are the methods of services that are meant.
func (r *Recorder) refs(by string, method any) references {
	r.helper()
	found, problem := retried(r.registry, method)
	if problem != "" && r.t != nil {
		r.t.Errorf("containertest: %s(%s): %s", by, textOf(method), problem)
	}
	return found
}

// helper lets the test's messages name the test's own line.
func (r *Recorder) helper() {
	if r.t != nil {
		r.t.Helper()
	}
}
