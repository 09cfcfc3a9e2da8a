package container

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/backstay/backstay/annotation"
)

// Stop ends the life of the container: what was started and what was built is stopped, each service before those that it
// needs, and what does not need each other at the same time. It may be called without Start. Of each service it calls, in
// this order,
//
//   - the hooks of [OnStop], the last one first;
//   - its method Stop(context.Context) error or, if it has none, Close(context.Context) error, Close() error or Close();
//   - the cleanups that its constructor has returned, the last one first.
//
// A service with a method Start whose Start has not returned nil is not stopped but closed, if it has a Close. What was
// supplied is stopped, but not closed, since it belongs to who supplied it. A woven interface is called through its weave,
// and a method that decorators hide is called all the same. A value that several registrations provide is stopped once.
//
// Each call has 15 s, or what [StopTimeout] says, and gets a context that ends then. What has not returned by then is not
// waited for longer; what is called, or still runs, when ctx is done gets a second. Stop calls all of them, even after
// errors, overruns and panics. The errors are joined, each with the service and the file and line of its registration or
// hook. A panic is raised again at the end, as by [Container.Start]: as an error whose text has the service or hook, its place,
// and the stack of the goroutine that has panicked, and in which errors.As finds a *retry.PanicError.
//
// Stop waits for constructors that run, and for a Start, whose context it ends. From then on a singleton that would have to
// be stopped is not built any more: a Get of it is an error, while what is built is still found. A second Stop waits for the
// first one, does nothing and returns nil. Scopes are closed by who opened them.
func (c *Container) Stop(ctx context.Context) error {
	return c.stop(ctx, "Stop", annotation.Caller(0))
}

// errStopped is why the context of a Start ends when Stop is called.
var errStopped = fmt.Errorf("Stop was called: %w", context.Canceled)

func (c *Container) stop(ctx context.Context, by, at string) error {
	if c == nil {
		return noContainer(at)
	}
	if err := c.blocked(by, at); err != nil {
		return err
	}
	l := &c.life
	l.mu.Lock()
	for l.state == StateStarting || l.state == StateStopping {
		ended, cancel := l.ended, l.cancel
		l.mu.Unlock()
		if cancel != nil {
			cancel(errStopped)
		}
		select {
		case <-ended:
		case <-ctx.Done():
			return fmt.Errorf("backstay: %s (%s): another Start or Stop has not returned: %w", by, at, context.Cause(ctx))
		}
		l.mu.Lock()
	}
	if l.state == StateStopped || l.state == StateFailed {
		l.mu.Unlock()
		return nil
	}
	leave := l.enter(StateStopping)
	l.mu.Unlock()

	s := c.shutDown(ctx)
	leave(StateStopped)
	if s.panicked != nil {
		panic(s.panicked)
	}
	return errors.Join(s.errs...)
}

// shutdown is one Stop, or the end of a Start that has failed.
type shutdown struct{ calls }

// shutDown stops everything.
func (c *Container) shutDown(ctx context.Context) *shutdown {
	c.life.over.Store(true)
	c.mu.Lock()
	p := c.frozen
	c.mu.Unlock()
	s := &shutdown{calls{plan: p, ctx: ctx}}
	if p == nil || len(p.errs) > 0 {
		return s // nothing is built, or will be that would have to be stopped
	}
	nodes := c.life.settled(&p.engine)
	if nodes == nil {
		nodes = p.nodes()
	}
	nodes = slices.Clone(nodes)
	slices.Reverse(nodes)
	walk(nodes, (*node).above, s.hasWork, s.work)
	return s
}

// settled is what was started, once whatever is being built is over: what comes later sees that it is too late.
func (l *lifecycle) settled(e *engine) []*node {
	e.mu.Lock()
	defer e.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.nodes
}

// hasWork reports whether a node may have something to stop.
func (s *shutdown) hasWork(n *node) bool {
	return len(n.parts)+len(n.hooks)+len(n.results) > 0
}

// work stops a node.
func (s *shutdown) work(n *node) {
	s.settle(n)
	for _, h := range slices.Backward(n.hooksOf(onStop)) {
		if n.isStarted(h.service) {
			if _, err := s.call(n, stopTimeout, h.failed, func(ctx context.Context) error { return h.call(ctx, h.value()) }); err != nil {
				s.fail(h.failed(err))
			}
		}
	}
	for _, p := range slices.Backward(n.parts) {
		verb, f := p.end()
		if f == nil {
			continue
		}
		told := func(err error) error { return p.service.failed(verb, err) }
		if _, err := s.call(n, stopTimeout, told, f); err != nil {
			s.fail(told(err))
		}
	}
	if n.results == nil {
		return
	}
	for _, c := range slices.Backward(n.cleanupsOf(n.results)) {
		told := func(err error) error { return c.service.failed(c.verb(), err) }
		if _, err := s.call(n, stopTimeout, told, c.close); err != nil {
			s.fail(told(err))
		}
	}
}

// settle waits for what has overrun its time to start.
func (s *shutdown) settle(n *node) {
	for _, p := range n.parts {
		if p.late != nil {
			p.started = s.await(n, p.late,
				func(err error) error { return p.service.failed("start", err) },
				func(err error) error { return p.service.failed("stop", err) })
		}
	}
	for _, h := range n.hooks {
		if h.late != nil {
			h.started = s.await(n, h.late, h.failed, h.failed)
		}
	}
}

// errStarting is why something is not stopped.
var errStarting = errors.New("it has still not returned from starting, so it is not stopped")

// await waits for a call of Start, and reports whether it has returned nil. told makes the errors of that call, and
// unstopped the one of the service that is not stopped since the call still runs.
func (s *shutdown) await(n *node, f *flight, told, unstopped func(error) error) bool {
	if !f.waitOn(s.ctx, s.plan.timeout(n.registration, stopTimeout)) {
		s.fail(unstopped(errStarting))
		return false
	}
	s.notice(f, told)
	return f.err == nil
}

// isStarted reports whether a service's hooks of OnStop are to be called: it has no other hooks, or some of these have
// returned nil.
func (n *node) isStarted(s *service) bool {
	waits := false
	for _, h := range n.hooksOf(onStart) {
		if h.service == s {
			if h.started {
				return true
			}
			waits = true
		}
	}
	return !waits
}

// end is what stops or closes the part, and what that is called; nil: nothing does.
func (p *part) end() (verb string, f func(context.Context) error) {
	_, has := find[starts](p)
	if !has || p.started {
		if v, ok := find[stops](p); ok {
			return "stop", v.Stop
		}
	}
	if p.supplied || p.late != nil && !p.late.isOver() {
		return "", nil
	}
	for _, v := range p.layers {
		if isCloser(v) {
			c := &closer{p.service, v}
			return c.verb(), c.close
		}
	}
	return "", nil
}
