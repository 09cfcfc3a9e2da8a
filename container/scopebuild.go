package container

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/backstay/backstay/annotation"
)

// obtain returns a service for a request that names itself: what is not built is built, and first the singletons that it
// needs, outside the scope's lock. So a scope never waits for the container while others wait for the scope.
func (s *Scope) obtain(of *service, by request) (v reflect.Value, err error) {
	if err := s.refuses(by); err != nil {
		return v, err
	}
	r := of.registration
	if err := s.plan.prepare(r); err != nil {
		return v, err
	}
	if r.lifetime == singleton {
		return of.woven, nil
	}
	if err := s.enter(); err != nil {
		return v, err
	}
	defer s.leave()
	v, f := taker{plan: s.plan, scope: s}.get(of)
	if f != nil {
		return v, f.explained(r)
	}
	return v, nil
}

// fill puts what an Invoke needs into the arguments of its func.
func (s *Scope) fill(args []reflect.Value, needs []input, targets []*registration) error {
	if err := s.refuses(request{form: "Scope.Invoke"}); err != nil {
		return err
	}
	for _, r := range targets {
		if err := s.plan.prepare(r); err != nil {
			return err
		}
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	return taker{plan: s.plan, scope: s}.fillAll(args, needs)
}

// refuses reports why a request cannot be answered, as far as that can be told before something is built for it.
func (s *Scope) refuses(by request) error {
	switch {
	case s.plan.inside():
		return refusal(by, "container", "")
	case s.isInside():
		return refusal(by, "scope", "")
	}
	if state := s.state.Load(); state != wrong && state != closed {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.problem()
}

// isInside reports whether the calling goroutine runs a constructor of the scope.
func (s *Scope) isInside() bool { return s.state.Load() == busy && runs(s) }

// enter takes the lock, to build something. It is not for those inside.
func (s *Scope) enter() error {
	s.mu.Lock()
	if err := s.problem(); err != nil {
		s.mu.Unlock()
		return err
	}
	s.state.Store(busy)
	return nil
}

func (s *Scope) leave() {
	if len(s.faults) > 0 {
		s.state.Store(wrong)
	} else {
		s.state.Store(idle)
	}
	s.mu.Unlock()
}

// problem is why nothing can be had from the scope. The lock is held.
func (s *Scope) problem() error {
	if s.state.Load() == closed {
		return &annotation.DefinitionError{Problem: "the scope is closed", Remedy: "get what is needed before its Close, or open another scope"}
	}
	return errors.Join(s.faults...)
}

// own is the scope's service, built if need be. The lock is held.
func (s *Scope) own(of *service) (v reflect.Value, f *failure) {
	c := &s.cells[of.cell]
	if !c.ready.Load() {
		r := of.registration
		if r.verb == expect {
			f = s.take(of, c)
		} else {
			first := r.services[0].cell
			f = s.plan.instantiate(r, s, s.cells[first:first+len(r.services)])
		}
		if f != nil {
			return v, f
		}
	}
	return c.value, nil
}

// take makes a service of what was supplied.
func (s *Scope) take(of *service, c *cell) *failure {
	r := of.registration
	if c.given != supplied {
		return &failure{r, of.wrong(fmt.Sprintf("the scope was not supplied with a %v", of.t), "call its Supply before what needs it is asked for")}
	}
	_, woven, err := s.plan.accept(of, []reflect.Value{c.value}, s.plan.resolve)
	if err != nil {
		return &failure{r, err}
	}
	c.value = woven
	c.ready.Store(true)
	return nil
}

// goesWithout reports whether something that can do without an expected value has to. The lock is held.
func (s *Scope) goesWithout(of *service) bool {
	c := &s.cells[of.cell]
	if c.given != supplied {
		c.given = missed
	}
	return c.given == missed
}
