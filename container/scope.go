package container

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/backstay/backstay/annotation"
)

// Scope is a short life inside a container, such as a request's: scoped services are built once in it, when they are first
// needed. Open one by [Container.Scope], give it what only it knows by [Scope.Supply], use it by [Get] and [Scope.Invoke],
// and end it by [Scope.Close]. A scope that is given up without Close is garbage like anything else; what was built in it
// is not closed then.
//
// It is safe for concurrent use. Its constructors run one at a time, and what is built is found without a lock. Scopes
// share nothing and never wait for each other, except for a singleton that both are the first to need.
type Scope struct {
	container *Container
	plan      *plan // nil where the container is wrong
	cells     []cell

	state atomic.Uint32 // changed under the lock

	mu      sync.Mutex // held while a constructor runs
	faults  []error    // of Supply
	closers []closer   // in order of construction
}

// The states of a scope.
const (
	idle  uint32 = iota
	busy         // something is being built
	wrong        // Supply was used wrongly
	closed
)

// cell is where a scope has one service.
type cell struct {
	value reflect.Value // woven; before it is ready, what was supplied
	ready atomic.Bool
	given // guarded by the scope's lock
}

// given tells of a cell whether the scope was supplied with its value.
type given uint8

const (
	unsupplied given = iota
	supplied
	missed // something was built without it
)

// Scope opens a scope. It verifies first, once; the definition errors are those of every Get from the scope then. Who opens
// a scope closes it:
//
//	scope := c.Scope()
//	defer scope.Close(ctx)
//	scope.Supply(tenant)
//	catalog, err := container.Get[Catalog](scope)
//
// The container keeps nothing of a scope.
func (c *Container) Scope() *Scope {
	s := &Scope{container: c}
	if p, err := c.current(); err == nil {
		s.plan = p
		s.cells = make([]cell, p.cells)
	}
	return s
}

func (s *Scope) source() (*Container, *Scope) {
	if s == nil {
		return nil, nil
	}
	return s.container, s
}

// noScope says that a scope belongs to no container.
func noScope(place string) error {
	return &annotation.DefinitionError{Problem: "the scope is of no container", Remedy: "open it by Scope of a container that container.New has made", Place: place}
}

// Invoke calls function with its parameters injected, as [Container.Invoke] does, those that are scoped included, and
// returns its error, if it has one. The function runs outside every lock: it may use the scope.
func (s *Scope) Invoke(function any) error {
	p, err := s.current()
	if err != nil {
		return at(annotation.Caller(0), err)
	}
	f := reflect.ValueOf(function)
	needs, targets, errs := p.invocation(f, true)
	if len(errs) > 0 {
		return invocationErrors(errs, annotation.Caller(0))
	}
	args := zeros(f.Type())
	if err := s.fill(args, needs, targets); err != nil {
		return asked("Scope.Invoke", annotation.Caller(0), err)
	}
	return call(f, args)
}

// current is the plan, if it is right.
func (s *Scope) current() (*plan, error) {
	if s == nil || s.container == nil {
		return nil, noScope("")
	}
	p, err := s.container.current()
	if err == nil && s.plan == nil {
		err = &annotation.DefinitionError{Problem: "the scope was opened while the container made its plan", Remedy: "open it later"}
	}
	return p, err
}

// get is Get for what is not built, or while something is being built.
func (s *Scope) get(k key) (v reflect.Value, err error) {
	p, err := s.current()
	if err != nil {
		return v, err
	}
	o := p.find(k)
	if o == nil {
		return v, p.notProvided(k)
	}
	return s.obtain(o.service, request{"container.Get[%v]", k.t})
}

// ready is a service that is built in the scope; invalid if it is not, or not scoped. A nil scope has none.
func (s *Scope) ready(of *service) (v reflect.Value) {
	if s == nil || of.registration.lifetime != scoped {
		return v
	}
	if c := &s.cells[of.cell]; c.ready.Load() {
		return c.value
	}
	return v
}

// isIdle reports whether nothing keeps Get from what is built. A nil scope is idle.
func (s *Scope) isIdle() bool { return s == nil || s.state.Load() == idle }
