package container

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/backstay/backstay/annotation"
)

// Start verifies, builds every singleton, and starts those that have a method
//
//	Start(context.Context) error
//
// or hooks of [OnStart]. What a service needs is started before it, what it takes as a [Lazy] or from a [Provider] too where
// that makes no cycle, and listeners before those of which they are told; what does not need each other is started at the
// same time. A woven interface that has Start is called through its weave. A value that several registrations provide is
// started once, after what the first of them needs. A service whose Start means something else is [Unmanaged].
//
// Each call has 15 s, or what [StartTimeout] says, and gets a context that ends then and when it returns. So Start is not
// the place to serve in: it starts a goroutine and returns.
//
// When something fails, overruns its time or panics, or ctx is done before everything is started, nothing more is started, the contexts of what is being
// started are ended, and all that was started or built is stopped as [Container.Stop] does. The errors are joined, each with
// the service and the file and line of its registration or hook; the failure of a constructor says who asked for whom. A
// panic of a Start or a hook is raised again when all is stopped. What is raised then is an error, whose text has the service
// or hook, its file and line, and the stack of the goroutine that has panicked; errors.As finds a *retry.PanicError in it, with
// the value of the panic. One of a constructor passes through. A call that has overrun is waited for once more as long as it may take to stop: if it returns nil then, the
// service is stopped like others; if it still runs, it is not, and the error says so.
//
// A container is started once: a second Start, and one after Stop or after a Start that has failed, is an error. Constructors
// are not interrupted. Scoped services and transients are not started.
func (c *Container) Start(ctx context.Context) error {
	return c.start(ctx, "Start", annotation.Caller(0))
}

func (c *Container) start(ctx context.Context, by, at string) (err error) {
	if c == nil {
		return noContainer(at)
	}
	if err := c.blocked(by, at); err != nil {
		return err
	}
	p, err := c.current()
	if err != nil {
		return err
	}
	ctx, leave, err := c.life.begin(ctx, by, at)
	if err != nil {
		return err
	}
	s := &startup{calls: calls{plan: p, ctx: ctx}, cancel: c.life.cancel}
	defer func() { // a constructor may panic
		s.cancel(nil)
		if s.up {
			leave(StateRunning)
			return
		}
		c.life.set(StateStopping)
		down := c.shutDown(context.WithoutCancel(ctx))
		leave(StateFailed)
		if len(down.errs) > 0 {
			err = errors.Join(append([]error{err}, down.errs...)...)
		}
		if v := cmp.Or(s.panicked, down.panicked); v != nil {
			panic(v)
		}
	}()
	if err := s.build(by, at); err != nil {
		return err
	}
	nodes := p.nodes()
	c.life.mu.Lock()
	c.life.nodes = nodes
	c.life.mu.Unlock()
	walk(nodes, (*node).below, s.hasWork, s.work)
	if len(s.errs) == 0 && ctx.Err() != nil && !(s.built && allUp(nodes)) {
		s.errs = []error{fmt.Errorf("backstay: %s (%s): ended before everything was started: %w", by, at, context.Cause(ctx))}
	}
	s.up = len(s.errs) == 0
	return errors.Join(s.errs...)
}

// allUp reports whether everything is started, whatever has become of the context meanwhile.
func allUp(nodes []*node) bool {
	return !slices.ContainsFunc(nodes, func(n *node) bool { return !n.isUp() })
}

// begin is the change of state at the beginning of Start.
func (l *lifecycle) begin(caller context.Context, by, at string) (ctx context.Context, leave func(State), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.current(); s != StateNew {
		remedy := "call it once"
		if s != StateStarting && s != StateRunning {
			remedy = "make another container"
		}
		return nil, nil, &annotation.DefinitionError{Problem: fmt.Sprintf("%s of a container that is %s", by, s), Remedy: remedy, Place: at}
	}
	leave = l.enter(StateStarting)
	ctx, l.cancel = context.WithCancelCause(caller)
	l.gone = make(chan struct{})
	return ctx, leave, nil
}

// calls are what the user wrote and the life cycle calls, many at a time, and what comes of it.
type calls struct {
	plan *plan
	ctx  context.Context

	mu       sync.Mutex // guards what follows
	errs     []error
	panicked *hookPanic // the first
}

// call calls f within a timeout of the node. The flight is the call if that is not over. told makes the error of the service
// or hook of what has happened.
func (c *calls) call(n *node, k timeoutKind, told func(error) error, f func(context.Context) error) (late *flight, err error) {
	hooks := &c.plan.container.life.hooks
	fl := launch(c.ctx, c.plan.timeout(n.registration, k), func(ctx context.Context) error {
		id := goroutineID()
		hooks.Store(id, nil)
		defer hooks.Delete(id)
		return f(ctx)
	})
	over, err := fl.wait()
	if !over {
		return fl, err
	}
	c.notice(fl, told)
	return nil, err
}

// notice keeps the panic of a call that is over, to be raised again.
func (c *calls) notice(f *flight, told func(error) error) {
	if f.panicked == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.panicked = cmp.Or(c.panicked, raised(f.panicked, told))
}

func (c *calls) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.errs = append(c.errs, err)
}

// startup is one Start.
type startup struct {
	calls
	cancel context.CancelCauseFunc
	built  bool // everything is built
	up     bool // everything is started
}

// errGivenUp is why the context of a start ends when another one has failed.
var errGivenUp = fmt.Errorf("another service has not started: %w", context.Canceled)

// build builds all singletons.
func (s *startup) build(by, at string) error {
	for _, r := range s.plan.registrations {
		if r.lifetime != singleton || r.done.Load() {
			continue
		}
		if s.ctx.Err() != nil {
			return nil
		}
		if err := s.plan.build(r); err != nil {
			return askedBy(by, at, err)
		}
	}
	s.built = true
	return s.plan.build() // the listeners, where there is nothing else
}

// hasWork reports whether a node has something to start, and may do so.
func (s *startup) hasWork(n *node) bool {
	return s.ctx.Err() == nil && n.canStart()
}

// work starts a node: its services, and then its hooks.
func (s *startup) work(n *node) {
	for _, p := range n.parts {
		f, ok := find[starts](p)
		if !ok {
			continue
		}
		told := func(err error) error { return p.service.failed("start", err) }
		late, err := s.call(n, startTimeout, told, f.Start)
		if err != nil {
			p.late = late
			s.abort(err, told(err))
			return
		}
		p.started = true
	}
	for _, h := range n.hooksOf(onStart) {
		late, err := s.call(n, startTimeout, h.failed, func(ctx context.Context) error { return h.call(ctx, h.value()) })
		if err != nil {
			h.late = late
			s.abort(err, h.failed(err))
			return
		}
		h.started = true
	}
	n.up.Store(true)
}

// abort ends the start. What fails because another one has is not told.
func (s *startup) abort(err, told error) {
	if context.Cause(s.ctx) == errGivenUp && errors.Is(err, context.Canceled) {
		return
	}
	s.fail(told)
	s.cancel(errGivenUp)
}

// failed is the error of a hook.
func (h *hook) failed(err error) error {
	return fmt.Errorf("backstay: %v of %v (%s): %w", h.kind, h.service.ref, h.place, err)
}
