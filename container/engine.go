package container

import (
	"reflect"
	"sync"
	"sync/atomic"

	"go.uber.org/dig"

	"github.com/backstay/backstay/retry"
)

// engine builds the singletons of a plan. dig runs them: it calls constructors in order of need, fills what they take,
// and keeps what they return. It gets each registration once.
type engine struct {
	dig *dig.Container

	mu        sync.Mutex    // around dig, which is not safe for concurrent use
	owner     atomic.Int64  // the goroutine that builds; 0: none
	failure   *failure      // the first one of this build
	latest    *registration // whose constructor dig has run, as long as nothing else has run since; see unwound
	listening atomic.Bool   // the listeners that are services are built and told
}

// failure is why a registration could not be built.
type failure struct {
	at  *registration
	err error
}

// explained is the error of a request for from.
func (f *failure) explained(from *registration) *buildError {
	return &buildError{chain: chain(from, f.at), err: f.err}
}

// slot is the element type of the keys of registrations that have no key of their own in dig, because they are in a group
// alone: [7]slot is that of number 7.
type slot struct{}

// hand gives the plan to dig. dig cannot refuse what has been verified; if it does, that is a definition error as well.
func (e *engine) hand(p *plan) {
	e.dig = dig.New(dig.DeferAcyclicVerification())
	give := func(r *registration, constructor reflect.Value, opts ...dig.ProvideOption) {
		if err := e.dig.Provide(constructor.Interface(), opts...); err != nil {
			p.errs = append(p.errs, r.wrong(dig.RootCause(err).Error(), "Provide it in another way"))
		}
	}
	stands := map[key]bool{}
	var opts []dig.ProvideOption
	for _, r := range p.registrations {
		if r.lifetime != singleton {
			continue
		}
		r.canFail = p.mayFail(r)
		r.flat = r.isFlat()
		r.direct = p.isDirect(r)
		if r.value.IsValid() && !r.canFail {
			for _, s := range r.services { // several of a struct that embeds Out
				v := s.of([]reflect.Value{r.value})
				s.target, s.woven = v, v
			}
			r.done.Store(true)
		}
		opts = opts[:0]
		if name, same := r.digName(); same && name != "" {
			opts = append(opts, dig.Name(name))
		}
		if r.direct {
			give(r, r.function, append(opts, e.timing(r))...)
			continue
		}
		if r.function.IsValid() {
			opts = append(opts, dig.LocationForPC(r.function.Pointer()))
		}
		give(r, reflect.MakeFunc(p.digType(r), func(args []reflect.Value) []reflect.Value { return p.construct(r, p.arguments(r, args)) }), opts...)
		if r.flat {
			continue
		}
		for i := range r.inputs {
			// What is bound to its consumer, or new for it, is filled in when that is built. dig needs something to give.
			in := &r.inputs[i]
			k := key{in.t, in.name}
			if in.kind == grouped || !p.isOurs(in) || stands[k] {
				continue
			}
			stands[k] = true
			opts = opts[:0]
			if k.name != "" {
				opts = append(opts, dig.Name(k.name))
			}
			none := []reflect.Value{reflect.Zero(in.t)}
			give(r, reflect.MakeFunc(reflect.FuncOf(nil, []reflect.Type{in.t}, false), func([]reflect.Value) []reflect.Value { return none }), opts...)
		}
	}
}

// build builds what is not built yet of the targets and of what they need, and before the first of them the listeners.
// Nobody inside a constructor may call it: it waits for whoever builds.
func (p *plan) build(targets ...*registration) error {
	e := &p.engine
	if e.listening.Load() && done(targets) {
		return nil
	}
	id := goroutineID()
	e.mu.Lock()
	e.owner.Store(id)
	defer func() { // a constructor may panic
		e.failure = nil
		e.unwound()
		e.owner.Store(0)
		e.mu.Unlock()
	}()
	if err := p.listen(); err != nil {
		return err
	}
	for _, r := range targets {
		if err := p.ensure(r); err != nil {
			return p.explain(r, err)
		}
	}
	return nil
}

func done(all []*registration) bool {
	for _, r := range all {
		if !r.done.Load() {
			return false
		}
	}
	return true
}

// listen builds the listeners that are services, once, and lets them listen.
func (p *plan) listen() error {
	e := &p.engine
	if e.listening.Load() {
		return nil
	}
	var all []retry.Listener
	for _, s := range p.listeners {
		if err := p.ensure(s.registration); err != nil {
			return p.explain(s.registration, err)
		}
		all = append(all, s.woven.Interface().(retry.Listener))
	}
	if len(all) > 0 {
		p.hub.add(all...)
	}
	e.listening.Store(true)
	p.container.publish(p)
	return nil
}

// ensure builds one registration. The lock is held. It is also called while another one is being built, for what that
// one's weaving needs: dig can be asked again from inside a constructor, and cycles have been ruled out.
func (p *plan) ensure(r *registration) error {
	if r.done.Load() {
		return nil
	}
	t := reflect.FuncOf([]reflect.Type{r.digKey()}, nil, false)
	ask := reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		if r.direct {
			s := r.services[0]
			if s.ref.Name != "" {
				args[0] = args[0].Field(1)
			}
			s.target, s.woven = args[0], args[0]
			r.done.Store(true)
		}
		return nil
	})
	err := p.engine.dig.Invoke(ask.Interface())
	p.engine.latest = nil
	return err
}

// inside reports whether the calling goroutine runs a constructor of this plan.
func (p *plan) inside() bool {
	owner := p.engine.owner.Load()
	return owner != 0 && owner == goroutineID()
}
