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
func (s *service) canClose() bool {
	t := s.t
	switch {
	case s.flattened():
		return true // what is in it may
	case t.Kind() == reflect.Interface && (s.impl == nil || s.registration.overridden):
		return true
	case t.Kind() == reflect.Interface:
		t = s.impl
	}
	for _, c := range closeTypes {
		if t.Implements(c) {
			return true
		}
	}
	return false
}

// closer is an instance that a scope will close.
type closer struct {
	service *service
	value   any
}

func isCloser(v any) bool {
	switch v.(type) {
	case closesInTime, closes, closesWell:
		return true
	}
	return false
}

// keep notes that an instance has to be closed, if it has a Close. The woven one is preferred, so that what is declared for
// Close holds. The lock is held.
func (s *Scope) keep(of *service, target, woven reflect.Value, args []reflect.Value) {
	if of.flattened() {
		for i := range target.Len() {
			s.keepOne(of, target.Index(i), target.Index(i), args)
		}
		return
	}
	s.keepOne(of, target, woven, args)
}

func (s *Scope) keepOne(of *service, target, woven reflect.Value, args []reflect.Value) {
	for target.Kind() == reflect.Interface {
		target = target.Elem()
	}
	if !target.IsValid() || target.Kind() == reflect.Pointer && (target.IsNil() || of.registration.handsOn(target, args)) {
		return
	}
	x := woven.Interface()
	if !isCloser(x) {
		x = target.Interface()
	}
	if isCloser(x) {
		s.closers = append(s.closers, closer{of, x})
	}
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
			r := last.service.registration
			c.errs = append(c.errs, fmt.Errorf("backstay: close %v (%s): %w", last.service.ref, r.written, err))
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
	}
	return nil
}

// Close ends the scope: what was built in it is closed, in reverse order of construction, by its method
// Close(context.Context) error, Close() error or Close(). That holds for scoped services and for transients, those of a
// [Provider] included; not for singletons, for what was supplied, which belongs to who supplied it, or for what a
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
