package container

import (
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// Breaker returns the circuit breaker of a method, to read or to force it: by a method expression, by Class@Method or
// Class#name@Method, or by the name that BreakerName has given it. A breaker that methods share is that of each of them.
// It verifies first, once.
func (c *Container) Breaker(method any) (*retry.Breaker, error) {
	p, err := c.current()
	if err != nil {
		return nil, err
	}
	b, err := p.breaker(method)
	if err != nil {
		return nil, at(annotation.Caller(0), err)
	}
	return b, nil
}

// Breakers returns all circuit breakers, by name: those of methods under Class@Method, shared ones under their own. There
// are none if what was registered has definition errors. It freezes the plan.
func (c *Container) Breakers() []*retry.Breaker {
	p, _ := c.plan()
	if len(p.errs) > 0 {
		return nil
	}
	return p.weaver.Shared().Breakers()
}

func (p *plan) breaker(method any) (*retry.Breaker, error) {
	shared := p.weaver.Shared()
	text, isText := method.(string)
	if isText {
		if b, ok := shared.Breaker(text); ok {
			return b, nil
		}
	}
	if !isText || isReference(text) {
		ref, err := p.methodRef(method)
		if err != nil {
			return nil, err
		}
		text = ref.String()
		if b, ok := shared.Breaker(text); ok {
			return b, nil
		}
	}
	remedy := "Breakers lists all"
	if near := annotation.NearMiss(text, p.breakerNames()); near != "" {
		remedy = "did you mean " + near + "?"
	}
	return nil, &annotation.DefinitionError{Problem: "there is no breaker " + text, Remedy: remedy}
}

// isReference reports whether text is Class@Method, not a name.
func isReference(text string) bool {
	r, err := annotation.ParseReference(text)
	return err == nil && r.Class != ""
}

// breakerNames are the names of all breakers, and the methods that use them.
func (p *plan) breakerNames() (names []string) {
	shared := p.weaver.Shared()
	for _, b := range shared.Breakers() {
		names = append(names, b.Name())
	}
	for _, e := range annotation.AllOf[annotation.AbstractRetry](p.weaver.Registry()) {
		if _, ok := shared.Breaker(e.Ref.String()); ok {
			names = append(names, e.Ref.String())
		}
	}
	return names
}

// methodRef is the reference of a method of a service, by a method expression or in text.
func (p *plan) methodRef(method any) (ref retry.MethodRef, err error) {
	var s *service
	if text, ok := method.(string); ok {
		r, err := annotation.ParseReference(text)
		if err != nil {
			return ref, err
		}
		if s, err = p.byClass(r.Class, r.Service); err != nil {
			return ref, err
		}
		ref = s.ref
		ref.Method = r.Method
		return ref, nil
	}
	recv, name, err := annotation.MethodOf(method)
	if err != nil {
		return ref, err
	}
	found, err := directory{plan: p}.Type(recv)
	if err != nil {
		return ref, err
	}
	ref = found.ID.(*service).ref
	ref.Method = name
	return ref, nil
}
