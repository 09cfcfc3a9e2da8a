package container

import (
	"context"
	"errors"
	"reflect"
)

// cleanupTypes are the types of results by which a constructor gives a func that undoes what it has done.
var cleanupTypes = map[reflect.Type]bool{
	reflect.TypeFor[func()]():                      true,
	reflect.TypeFor[func() error]():                true,
	reflect.TypeFor[func(context.Context)]():       true,
	reflect.TypeFor[func(context.Context) error](): true,
}

// isCleanup reports whether the result of that number is no service but a cleanup. A func that is the first result is a
// service, and so is one of a named type.
func isCleanup(number int, t reflect.Type) bool {
	return number > 0 && t.Kind() == reflect.Func && cleanupTypes[t]
}

// cleanup makes one of what a constructor has returned; nil where that is nil.
func cleanup(v reflect.Value) func(context.Context) error {
	if v.IsNil() {
		return nil
	}
	switch f := v.Interface().(type) {
	case func():
		return func(context.Context) error { f(); return nil }
	case func() error:
		return func(context.Context) error { return f() }
	case func(context.Context):
		return func(ctx context.Context) error { f(ctx); return nil }
	case func(context.Context) error:
		return f
	}
	panic("container: " + v.Type().String() + " is no cleanup")
}

// checkCleanups refuses those that nobody would call.
func (p *plan) checkCleanups() {
	for _, r := range p.registrations {
		if len(r.cleanups) > 0 && r.lifetime == transient && !r.isBound() {
			p.report(r, r.wrong("its constructor returns a cleanup, and a transient belongs to whoever gets it",
				"say container.Scoped(), or give the service a Close for those who get it"))
		}
	}
}

// cleanupsOf are the closers for the cleanups among the results, in order.
func (r *registration) cleanupsOf(results []reflect.Value) (all []closer) {
	for _, i := range r.cleanups {
		if f := cleanup(results[i]); f != nil {
			all = append(all, closer{r.services[0], f})
		}
	}
	return all
}

// leftovers are what has to be closed of what a constructor has returned, the last one first, when nobody gets it.
func (r *registration) leftovers(results, args []reflect.Value) []closer {
	all := r.cleanupsOf(results)
	for _, s := range r.services {
		if s.whole != nil {
			continue
		}
		v := s.of(results)
		all = s.appendClosers(all, v, v, results, args)
	}
	return all
}

// discard closes what a constructor has returned and nobody gets, at once, and adds its errors to the reason.
func (p *plan) discard(reason error, all []closer) error {
	if len(all) == 0 {
		return reason
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.timeout(all[0].service.registration, stopTimeout))
	defer cancel()
	c := closing{ctx: ctx, rest: all}
	c.run()
	return errors.Join(append([]error{reason}, c.errs...)...)
}
