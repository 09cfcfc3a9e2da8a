package retry

import (
	"context"
	"runtime"
	"sync"
	"time"
	"weak"
)

// attemptContext bounds one attempt. It differs from context.WithTimeout in what happens when the attempt has finished:
// the timer goes, yet the context is not canceled, since what the attempt returned may still need it (a body to be
// read). It goes on following the session's context, and leaves nothing behind there once nobody holds it any more:
// the session's context knows it by a weak pointer alone. Where following takes a goroutine, that ends with the attempt,
// and from then on Err alone follows.
type attemptContext struct {
	context.Context // the session
	deadline        time.Time
	timer           *time.Timer
	done            chan struct{}
	unfollow        func() bool // ends the goroutine; nil where there is none

	mu    sync.Mutex
	err   error
	after map[*func()]struct{} // what AfterFunc has registered
}

// attemptContextKey finds the nearest attemptContext.
var attemptContextKey any = attemptContextKeyType{}

type attemptContextKeyType struct{}

func newAttemptContext(s *Session, d time.Duration) *attemptContext {
	c := &attemptContext{Context: s, deadline: time.Now().Add(d), done: make(chan struct{})}
	if s.Done() != nil {
		w := weak.Make(c)
		stop, free := follow(s, func() {
			if c := w.Value(); c != nil {
				c.Err()
			}
		})
		if free {
			runtime.AddCleanup(c, func(stop func() bool) { stop() }, stop)
		} else {
			c.unfollow = stop
		}
	}
	c.mu.Lock() // the timer may fire before the field is set
	c.timer = time.AfterFunc(d, func() { c.cancel(context.DeadlineExceeded) })
	c.mu.Unlock()
	return c
}

// Value finds the context itself, and what the session holds.
func (c *attemptContext) Value(key any) any {
	if key == attemptContextKey {
		return c
	}
	return c.Context.Value(key)
}

// Deadline is the attempt's, or the caller's if that is earlier.
func (c *attemptContext) Deadline() (time.Time, bool) {
	if d, ok := c.Context.Deadline(); ok && d.Before(c.deadline) {
		return d, true
	}
	return c.deadline, true
}

func (c *attemptContext) Done() <-chan struct{} { return c.done }

// Err sees at once what has become of the session's context, also before follow has told.
func (c *attemptContext) Err() error {
	c.mu.Lock()
	err := c.err
	c.mu.Unlock()
	if err == nil {
		if outer := c.Context.Err(); outer != nil {
			return c.cancel(outer)
		}
	}
	return err
}

// AfterFunc lets contexts made from this one follow it without a goroutine each; see [context.AfterFunc].
func (c *attemptContext) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		go f()
		return func() bool { return false }
	}
	if c.after == nil {
		c.after = map[*func()]struct{}{}
	}
	key := &f
	c.after[key] = struct{}{}
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		_, waiting := c.after[key]
		delete(c.after, key)
		return waiting
	}
}

// cancel ends the context with err, unless it has ended already, and returns what it ended with.
func (c *attemptContext) cancel(err error) error {
	c.mu.Lock()
	if c.err != nil {
		defer c.mu.Unlock()
		return c.err
	}
	c.err = err
	after := c.after
	c.after = nil
	close(c.done)
	timer := c.timer
	c.mu.Unlock()
	if timer != nil { // nil while it is being made
		timer.Stop()
	}
	for f := range after {
		go (*f)()
	}
	return err
}

// release ends the bound but not the context: the attempt has finished.
func (c *attemptContext) release() {
	c.timer.Stop()
	if c.unfollow != nil {
		c.unfollow()
	}
}
