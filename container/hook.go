package container

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/backstay/backstay/annotation"
)

// hookKind is when a hook is called.
type hookKind uint8

const (
	onStart hookKind = iota
	onStop
	onHealth
)

// String is the name of the option.
func (k hookKind) String() string { return [...]string{"OnStart", "OnStop", "OnHealth"}[k] }

// hook is what one call of OnStart, OnStop or OnHealth said.
type hook struct {
	kind    hookKind
	t       reflect.Type // of what it takes
	call    func(ctx context.Context, v any) error
	place   string
	service *service // that it is for

	// Of OnStart, written by Start and read by Stop.
	started bool    // it has returned nil
	late    *flight // it has overrun
}

func (h *hook) provide(r *registration) {
	if h.call == nil {
		d := r.wrong(fmt.Sprintf("container.%v of a nil func", h.kind), "give it a func, or leave it out")
		d.Place = h.place
		r.errs = append(r.errs, d)
		return
	}
	r.hooks = append(r.hooks, h)
}

func newHook[T any](kind hookKind, f func(context.Context, T) error, place string) ProvideOption {
	h := &hook{kind: kind, t: reflect.TypeFor[T](), place: place}
	if f != nil {
		h.call = func(ctx context.Context, v any) error { return f(ctx, v.(T)) }
	}
	return h
}

// OnStart lets [Container.Start] call f with the service, after the service's own Start, if it has one. T is the type of
// the service, or one that it is provided as: what is woven then goes through the weave. Any other T is a definition error.
// Of several, the first is called first.
//
//	c.Provide(NewServer, container.OnStart(func(ctx context.Context, s *http.Server) error { return listen(ctx, s) }))
//
// Hooks are for singletons and supplied values. They stay where [Container.Override] puts another target; one whose T that
// is not has nothing to start, and is not called.
func OnStart[T any](f func(ctx context.Context, service T) error) ProvideOption {
	return newHook(onStart, f, annotation.Caller(0))
}

// OnStop lets [Container.Stop] call f with the service, before the service's own Stop or Close. Of several, the last is
// called first. Where the service has hooks of [OnStart] too, they are called only if one of these has returned nil. T is
// what it is for OnStart.
func OnStop[T any](f func(ctx context.Context, service T) error) ProvideOption {
	return newHook(onStop, f, annotation.Caller(0))
}

// OnHealth lets [Container.Health] call f with the service; an error says that it is not well. T is what it is for
// [OnStart].
func OnHealth[T any](f func(ctx context.Context, service T) error) ProvideOption {
	return newHook(onHealth, f, annotation.Caller(0))
}

// assignHooks finds the service that each hook is for, and refuses hooks and timeouts where they would hold for nothing.
func (r *registration) assignHooks() {
	if len(r.hooks) == 0 && r.timeouts == (timeouts{}) && !(r.unmanaged && r.verb == override) {
		return
	}
	switch {
	case r.verb == override:
		r.problem("Override takes no hook, timeout or container.Unmanaged: those of the service that it replaces stay", "say them where the service is provided")
		return
	case r.lifetime != singleton:
		r.problem(fmt.Sprintf("hooks and timeouts are for what is there once, and %v() says otherwise", r.lifetime),
			"return a func that cleans up as another result of the constructor, or give the service a Close, for when its scope is closed")
		return
	}
	for _, h := range r.hooks {
		option := fmt.Sprintf("container.%v[%v]", h.kind, h.t)
		h.service = r.one(option, h.fits, func() {
			d := r.wrong(fmt.Sprintf("%s: the service is a %v", option, r.services[0].class()), "take what it is, or what it is provided as: "+r.services[0].hookTypes())
			d.Place = h.place
			r.errs = append(r.errs, d)
		})
	}
}

// fits reports whether the hook can be for the service.
func (h *hook) fits(s *service) bool {
	if s.whole != nil { // its whole fits as well
		return false
	}
	return h.t == s.t || !s.flattened() && (h.t == s.impl || slices.Contains(s.provided, h.t))
}

// hookTypes are the types that hooks of the service may take.
func (s *service) hookTypes() string {
	all := []reflect.Type{s.t}
	if !s.flattened() {
		all = append(all, s.provided...)
	}
	return list(slices.Compact(all), " or ")
}
