package container

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/backstay/backstay/annotation"
)

// The forms of Close that a scope calls.
type (
	closesInTime interface{ Close(context.Context) error }
	closes       interface{ Close() error }
	closesWell   interface{ Close() }
)

var closeTypes = [...]reflect.Type{reflect.TypeFor[closesInTime](), reflect.TypeFor[closes](), reflect.TypeFor[closesWell]()}

// canClose reports whether instances of the service may have a Close, as far as their type is known.
func (s *service) canClose() bool { return s.mayBe(closeTypes[:]) }

// mayBe reports whether what the service is built as may implement one of some interfaces, as far as its type is known.
func (s *service) mayBe(some []reflect.Type) bool {
	t := s.t
	switch {
	case s.flattened(), s.isDecorated():
		return true // what is in it may
	case t.Kind() == reflect.Interface && (s.impl == nil || s.registration.overridden):
		return true
	case t.Kind() == reflect.Interface:
		t = s.impl
	}
	if t.NumMethod() == 0 {
		return false
	}
	for _, i := range some {
		if t.Implements(i) {
			return true
		}
	}
	return false
}

// closer is what a scope will close: an instance, or the cleanup of its constructor.
type closer struct {
	service *service
	value   any // with a Close, or a func(context.Context) error
}

func isCloser(v any) bool {
	switch v.(type) {
	case closesInTime, closes, closesWell:
		return true
	}
	return false
}

// appendClosers appends the closers of what a constructor has built for a service, if that has a Close. The woven one is
// preferred, so that what is declared for Close holds; a Close that decorators hide is called all the same. What is closed
// last comes first.
func (s *service) appendClosers(all []closer, target, woven reflect.Value, results, args []reflect.Value) []closer {
	switch {
	case s.registration.isSupplied(), s.registration.unmanaged:
		return all
	case !s.flattened():
		return s.appendCloser(all, target, woven, results, args, -1)
	case target.IsValid():
		for i := range target.Len() {
			e := target.Index(i)
			all = s.appendCloser(all, e, e, results, args, i)
		}
	}
	return all
}

// appendCloser is appendClosers for one value, in a slice that is flattened the i-th.
func (s *service) appendCloser(all []closer, target, woven reflect.Value, results, args []reflect.Value, i int) []closer {
	target = concrete(target)
	if target.IsValid() {
		x := woven.Interface()
		if !isCloser(x) {
			x = target.Interface()
		}
		if isCloser(x) && !s.registration.isForeign(target, args) {
			return append(all, closer{s, x})
		}
	}
	for _, at := range s.inner {
		v := at.of(results)
		if i >= 0 {
			v = v.Index(i)
		}
		if v = concrete(v); v.IsValid() && isCloser(v.Interface()) && !s.registration.isForeign(v, args) {
			return append(all, closer{s, v.Interface()})
		}
	}
	return all
}

// concrete is what an interface holds; invalid if it is nil.
func concrete(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}

// isSupplied reports whether what stands under the decorators was supplied, and so belongs to who supplied it.
func (r *registration) isSupplied() bool { return r.verb == supply && !r.overridden }

// isForeign reports whether a constructor has returned a nil pointer, or what it was given.
func (r *registration) isForeign(target reflect.Value, args []reflect.Value) bool {
	return target.Kind() == reflect.Pointer && (target.IsNil() || r.handsOn(target, args))
}

// handsOn reports whether a constructor has returned what it was given. It has not built that, so it is closed by whoever
// has, or not at all: it may be a singleton, or what the scope was supplied with.
func (r *registration) handsOn(target reflect.Value, args []reflect.Value) bool {
	for i := range r.inputs {
		in := &r.inputs[i]
		if in.kind != single {
			continue
		}
		v := args[in.parameter]
		if in.field != nil {
			v = v.FieldByIndex(in.field)
		}
		for v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if v.IsValid() && v.Type() == target.Type() && v.Pointer() == target.Pointer() {
			return true
		}
	}
	return false
}

// closing closes what a scope has built, the last one first.
type closing struct {
	ctx  context.Context
	rest []closer
	errs []error
}

// run closes all of it. When one panics or ends its goroutine, the rest is closed before that goes on.
func (c *closing) run() {
	defer func() {
		if len(c.rest) > 0 {
			c.run()
		}
	}()
	for len(c.rest) > 0 {
		last := c.rest[len(c.rest)-1]
		c.rest = c.rest[:len(c.rest)-1]
		if err := last.close(c.ctx); err != nil {
			c.errs = append(c.errs, last.service.failed(last.verb(), err))
		}
	}
}

func (c *closer) close(ctx context.Context) error {
	switch v := c.value.(type) {
	case closesInTime:
		return v.Close(ctx)
	case closes:
		return v.Close()
	case closesWell:
		v.Close()
	case func(context.Context) error:
		return v(ctx)
	}
	return nil
}

// verb is what is done to what is closed, as messages say it.
func (c *closer) verb() string {
	if _, ok := c.value.(func(context.Context) error); ok {
		return "clean up"
	}
	return "close"
}

// failed is the error of what was done to a service.
func (s *service) failed(verb string, err error) error {
	return fmt.Errorf("backstay: %s %v (%s): %w", verb, s.ref, s.registration.written, err)
}

// Close ends the scope: what was built in it is closed, in reverse order of construction, by its method
// Close(context.Context) error, Close() error or Close(), and after that by the cleanup that its constructor has returned
// (see [Container.Provide]). That holds for scoped services and for transients, those of a [Provider] included; not for singletons, for what was supplied, which belongs to who supplied it, or for what a
// constructor has only handed on. Close calls all of them, even after an error or a panic of one; the errors are joined,
// each with the service that it comes from, and a panic goes on after the rest is closed. What is declared for a method
// Close of a woven interface holds here too.
//
// Close waits for constructors that run in the scope; from then on every Get from the scope is an error. Closing again does
// nothing and returns nil. A constructor cannot close the scope that runs it.
func (s *Scope) Close(ctx context.Context) error {
	if s == nil || s.plan == nil {
		return nil
	}
	if s.isInside() {
		return refusal(request{form: "Scope.Close"}, "scope", annotation.Caller(0))
	}
	s.mu.Lock()
	all := s.closers
	s.closers = nil
	s.state.Store(closed)
	s.mu.Unlock()
	if len(all) == 0 {
		return nil
	}
	c := closing{ctx: ctx, rest: all}
	c.run()
	return errors.Join(c.errs...)
}
