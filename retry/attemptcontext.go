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
// read). It goes on following the session's context for as long as somebody holds it, or has a func or a context made
// from it wait for its end; then it leaves nothing behind there. Its Done channel alone does not hold it.
//
// Where following takes a goroutine, that ends with the attempt if nothing waits, and from then on Err alone follows.
type attemptContext struct {
	context.Context // the session
	deadline        time.Time
	done            chan struct{}

	mu       sync.Mutex
	err      error
	timer    *time.Timer
	finished bool
	after    map[*func()]struct{} // what AfterFunc has registered
	hold     *hold
	unfollow func() bool // ends the goroutine; nil where there is none
	follows  bool
}

// hold is known to the session's context, which knows the attempt's by a weak pointer else.
type hold struct{ c *attemptContext }

// attemptContextKey finds the nearest attemptContext.
var attemptContextKey any = attemptContextKeyType{}

type attemptContextKeyType struct{}

func newAttemptContext(s *Session, d time.Duration) *attemptContext {
	c := &attemptContext{Context: s, deadline: time.Now().Add(d), done: make(chan struct{}), hold: new(hold)}
	c.mu.Lock() // the timer may fire before the field is set
	defer c.mu.Unlock()
	c.timer = time.AfterFunc(d, func() { c.cancel(context.DeadlineExceeded) })
	c.follow(s)
	return c
}

// follow lets c end with the session's context. c is locked.
func (c *attemptContext) follow(s *Session) {
	c.follows = true
	if s.Done() == nil {
		return
	}
	w, h := weak.Make(c), c.hold
	stop, free := follow(s, func() {
		if c := w.Value(); c != nil {
			c.Err()
		}
		runtime.KeepAlive(h)
	})
	if free {
		runtime.AddCleanup(c, func(stop func() bool) { stop() }, stop)
	} else {
		c.unfollow = stop
	}
}

// rest lets go of what waiting funcs need, if there is none. c is locked.
func (c *attemptContext) rest() {
	if len(c.after) > 0 {
		return
	}
	c.hold.c = nil
	if c.unfollow != nil && c.finished {
		c.unfollow()
		c.unfollow, c.follows = nil, false
	}
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
	c.hold.c = c
	if !c.follows {
		c.follow(c.Context.(*Session))
	}
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		_, waiting := c.after[key]
		delete(c.after, key)
		c.rest()
		return waiting
	}
}

// cancel ends the context with err, unless it has ended already, and returns what it ended with.
func (c *attemptContext) cancel(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	c.err = err
	close(c.done)
	for f := range c.after {
		go (*f)()
	}
	c.after = nil
	c.rest()
	return err
}

// release ends the bound but not the context: the attempt has finished.
func (c *attemptContext) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.timer.Stop()
	c.finished = true
	c.rest()
}
