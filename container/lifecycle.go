package container

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/backstay/backstay/annotation"
)

// State is where a container is in its life: see [Container.Start].
type State string

// The states of a container.
const (
	StateNew      State = "new"      // neither Start nor Stop has been called
	StateStarting State = "starting" // Start runs
	StateRunning  State = "running"  // Start has returned nil
	StateStopping State = "stopping" // Stop runs, or a Start that has failed stops what it has started
	StateStopped  State = "stopped"  // Stop is over
	StateFailed   State = "failed"   // Start has failed, and everything is stopped
)

// State tells where the container is in its life.
func (c *Container) State() State {
	if c == nil {
		return StateNew
	}
	c.life.mu.Lock()
	defer c.life.mu.Unlock()
	return c.life.current()
}

// What a service of a container may be, by its methods.
type (
	starts  interface{ Start(context.Context) error }
	stops   interface{ Stop(context.Context) error }
	healthy interface{ Health(context.Context) error }
)

// livingTypes are what a service is that the life cycle has something to do with.
var livingTypes = append([]reflect.Type{reflect.TypeFor[starts](), reflect.TypeFor[stops](), reflect.TypeFor[healthy]()}, closeTypes[:]...)

// lifecycle is the life of a container.
type lifecycle struct {
	over atomic.Bool // Stop has begun, so what would have to be stopped is not built any more

	mu     sync.Mutex // guards what follows
	state  State
	ended  chan struct{}           // closed when the Start or Stop that runs is over
	cancel context.CancelCauseFunc // of the Start that runs
	gone   chan struct{}           // closed when what Start has started is stopped; nil before Start
	nodes  []*node                 // what was started, in the order of the graph; nil before

	hooks  sync.Map // numbers of the goroutines that run what the user wrote for Start and Stop
	checks checks
}

func (l *lifecycle) current() State {
	if l.state == "" {
		return StateNew
	}
	return l.state
}

// enter is the change of state that a call begins with. The function that it returns ends the call.
func (l *lifecycle) enter(s State) (leave func(State)) {
	l.state, l.ended = s, make(chan struct{})
	return func(next State) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.state = next
		close(l.ended)
		if l.gone != nil && (next == StateStopped || next == StateFailed) {
			close(l.gone)
		}
	}
}

// set is a change of state in the midst of a call.
func (l *lifecycle) set(s State) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = s
}

// blocked reports that the calling goroutine cannot wait for a Start or Stop, since that would wait for it.
func (c *Container) blocked(call, at string) error {
	if c.freezes() {
		return &annotation.DefinitionError{
			Problem: call + " in the Defaults, Validate or Set of an annotation, of which the plan is being made",
			Remedy:  "let them do nothing but their own", Place: at,
		}
	}
	c.mu.Lock()
	p := c.frozen
	c.mu.Unlock()
	if p != nil && p.inside() {
		return &annotation.DefinitionError{
			Problem: call + " inside a constructor that the same container runs",
			Remedy:  "call it when the container is built, or return an error", Place: at,
		}
	}
	if _, ok := c.life.hooks.Load(goroutineID()); ok {
		return &annotation.DefinitionError{
			Problem: call + " inside a hook that the same container runs, which it would wait for",
			Remedy:  "return an error, or call it in a goroutine of its own", Place: at,
		}
	}
	return nil
}

// live finds what the life cycle will have to do with, before anything is built, and reports what is wrong with it. Such
// services are built by our own hand: dig does not tell what it has built, and would build after Stop what nobody stops.
func (p *plan) live(s *settings) {
	p.report(nil, s.problems...)
	p.checkCleanups()
	for _, r := range p.registrations {
		if r.lifetime == singleton && r.function.IsValid() && r.mayLive() {
			r.finished = true
		}
	}
}

// mayLive reports whether the life cycle has, as far as can be told, something to do with the registration.
func (r *registration) mayLive() bool {
	if len(r.hooks)+len(r.cleanups) > 0 {
		return true
	}
	for _, s := range r.services {
		if !r.unmanaged && s.mayBe(livingTypes) {
			return true
		}
	}
	return false
}

// tooLate says why a singleton is not built any more: nothing would stop it.
func (p *plan) tooLate(r *registration) error {
	if !p.container.life.over.Load() || !r.function.IsValid() || !r.mayLive() {
		return nil
	}
	return r.wrong(fmt.Sprintf("the container is %s, and nothing would stop what is built now", p.container.State()), "get what is needed before Stop")
}
