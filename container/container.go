package container

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// Container holds registrations, and the services built from them. Make one with [New]. It is safe for concurrent use,
// the first use of everything by many goroutines at once included; each service is built once. Constructors run one at a
// time, so one that waits for another goroutine to get a service of the same container waits for ever. Those of a scope run
// one at a time too, but those of different scopes do not wait for each other, and neither do transients that are asked of
// the container.
type Container struct {
	settings settings

	mu            sync.Mutex // guards what follows, and freezing
	registrations []*registration
	declared      []aspect.WeaverOption // for many services
	frozen        *plan                 // nil until the first use
	freezing      string                // that use: "Notes (shop/main.go:12)"
	late          []error               // of registrations that came after it
	freezer       atomic.Int64          // the goroutine that freezes; 0: none

	// The plan, once it is known to be right and its listeners listen: what Get finds without a lock. A late
	// registration takes it away again.
	live atomic.Pointer[plan]

	life lifecycle
}

// New returns an empty container.
func New(opts ...Option) *Container {
	c := &Container{}
	for _, o := range opts {
		if o != nil {
			o.option(&c.settings)
		}
	}
	return c
}

// Provide registers a constructor: a func whose parameters are built first and whose results are provided, each under
// its type. It may have several results, and an error as the last one. Parameters may be structs that embed [In], results
// structs that embed [Out].
//
// A func(), func() error, func(context.Context) or func(context.Context) error that is a result, but not the first, is a
// cleanup: it undoes what the constructor has done, and is called by [Container.Stop], or by [Scope.Close] for what is
// scoped, after the service's own Stop or Close. It may be nil. A func of a named type is a service.
//
// A constructor runs at most once, when what it builds is asked for; [Scoped] and [Transient] say otherwise. One that fails
// is run again by the next request that needs it, and by no other; what was built for it stays. It has cleaned up itself. Where
// a result is refused afterwards, since it is nil or has marks that were not known, nothing of what it built is handed out, and
// all of it is closed and cleaned up at once. A panic passes through to who asked, and counts as a failure.
//
// Provide returns nothing: what is wrong is reported by [Container.Verify], with the file and line of this call.
func (c *Container) Provide(constructor any, opts ...ProvideOption) {
	c.record(provide, placeOfCaller(), recipe{function: reflect.ValueOf(constructor)}, opts)
}

// Supply registers a value under its concrete type, or as what [As] says. With [Name], tags can refer to it: so matchers
// and funcs get names.
func (c *Container) Supply(value any, opts ...ProvideOption) {
	c.record(supply, placeOfCaller(), recipe{value: reflect.ValueOf(value)}, opts)
}

// Override replaces the target of a service, for tests: of the one that is provided as what the constructor returns,
// under the name that [Name] says and the types that [As] says. The new target stands under the weave: annotations, class,
// lifetime and references of the service stay, and marks on the new target are not read, so that a test proves something. It may
// come before or after the Provide that it overrides; of several overrides of one service the last one holds. A service
// that nobody provides cannot be overridden.
func (c *Container) Override(constructor any, opts ...ProvideOption) {
	c.record(override, placeOfCaller(), recipe{function: reflect.ValueOf(constructor)}, opts)
}

// record adds a registration to the plan, or to what came too late for it.
func (c *Container) record(v verb, at place, how recipe, opts []ProvideOption) {
	how.written = at
	r := &registration{verb: v, place: at, recipe: how, options: &noOptions}
	if len(opts) > 0 {
		r.options = &options{}
	}
	r.take(opts)
	c.change(func(why string) error { return r.wrong("it "+why, "call "+string(v)+" before the first use") }, func() {
		r.index = len(c.registrations)
		c.registrations = append(c.registrations, r)
	})
}

// change adds something to what will be the plan, or an error to all uses that follow where it comes too late.
func (c *Container) change(late func(why string) error, add func()) {
	if c == nil {
		return // every use says so
	}
	if c.freezes() {
		c.late = append(c.late, late("comes from the Defaults, Validate or Set of an annotation, of which the plan is being made"))
		return // the lock is this goroutine's own
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.frozen != nil {
		c.live.Store(nil)
		c.late = append(c.late, late(fmt.Sprintf("comes after %s, which has frozen the plan", c.freezing)))
		return
	}
	add()
}

// noContainer says that a nil *Container is used, which can have recorded nothing.
func noContainer(place string) error {
	return &annotation.DefinitionError{Problem: "the container is nil", Remedy: "make one by container.New", Place: place}
}

// noPlan is what a nil *Container has: an empty plan, and an error that says so.
func noPlan(place string) (*plan, error) {
	p := emptyPlan()
	return p, p.wrong(noContainer(place))
}

// emptyPlan is what there is where no plan can be.
func emptyPlan() *plan { return freeze(nil, nil, nil, &settings{}) }

// freezes reports whether the calling goroutine makes the plan: the user's code that is asked meanwhile asks back.
func (c *Container) freezes() bool {
	freezer := c.freezer.Load()
	return freezer != 0 && freezer == goroutineID()
}

// freeze makes the plan. The lock is held. Panics of the user's code are definition errors by then; only runtime.Goexit
// ends it before its time, and since registrations are parsed once there will be no other plan.
func (c *Container) freeze() {
	c.freezing = firstUse()
	c.freezer.Store(goroutineID())
	defer func() {
		c.freezer.Store(0)
		if c.frozen == nil {
			c.frozen = emptyPlan()
			c.frozen.errs = []error{&annotation.DefinitionError{
				Problem: "the goroutine that made the plan was ended in the Defaults, Validate or Set of an annotation",
				Remedy:  "return an error from Validate instead, and call neither runtime.Goexit nor t.FailNow there",
			}}
		}
	}()
	c.frozen = freeze(c, c.registrations, c.declared, &c.settings)
}

// plan freezes what is registered, once, and returns it with everything that is wrong.
func (c *Container) plan() (*plan, error) {
	if c == nil {
		return noPlan(annotation.Caller(1))
	}
	if c.freezes() {
		p := emptyPlan()
		return p, p.wrong(&annotation.DefinitionError{
			Problem: "the container is used by the Defaults, Validate or Set of an annotation, of which it is making its plan",
			Remedy:  "let them do nothing but their own, and use the container later",
		})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.frozen == nil {
		c.freeze()
	}
	return c.frozen, c.frozen.wrong(c.late...)
}

// current is the plan if it is known to be right, else what plan returns.
func (c *Container) current() (*plan, error) {
	if c == nil {
		return noPlan(annotation.Caller(1))
	}
	if p := c.live.Load(); p != nil {
		return p, nil
	}
	return c.plan()
}

// publish lets Get find built services without a lock, now that the listeners of the plan listen.
func (c *Container) publish(p *plan) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.late) == 0 {
		c.live.Store(p)
	}
}

// Notes lists what is not wrong but should be known: optional methods that a proxy hides, retried methods that take a
// reader, writer or channel, or no context, retries that nothing paces, woven services that can be had bare, services that
// could listen but are not provided as a retry.Listener, methods Start, Stop and Health that are not of the type that is
// called, groups that are taken and that nobody is in. It freezes the plan.
func (c *Container) Notes() []string {
	p, _ := c.plan()
	var notes []string
	for _, s := range p.services {
		if s.plan != nil {
			notes = append(notes, s.plan.Notes()...)
		}
		if s.bare != nil && s.isWoven() {
			notes = append(notes, s.bareNote())
		}
		notes = append(notes, s.lifeNotes()...)
		if s.isDeaf(c.settings.listeners) {
			notes = append(notes, fmt.Sprintf("%v: %v implements retry.Listener and is told nothing; provide it as one, by container.As[retry.Listener]() (%s)", s.ref, s.class(), s.registration.place))
		}
	}
	for _, r := range p.registrations {
		notes = append(notes, p.groupNotes(r)...)
	}
	return notes
}

// Registry tells what is declared, for which method, and where. It freezes the plan.
func (c *Container) Registry() *annotation.Registry {
	p, _ := c.plan()
	return p.weaver.Registry()
}
