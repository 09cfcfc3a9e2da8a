package aspect

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/internal/dynproxy"
)

// Weave puts the plan's chains around target and returns a value that implements all interfaces of the service. It may
// be called for several targets; chains are compiled by the first call that finds all that they need. A target that is
// nil is refused.
func (p *Plan) Weave(target reflect.Value, resolve Resolve) (reflect.Value, error) {
	return p.WeaveAround(target, reflect.Value{}, resolve)
}

// WeaveAround is Weave for a target that stands around another one, the core, and hides what the service's class has and no
// interface does: own methods that annotations refer to, and that are not found in the target, are the core's. The zero core
// is none.
func (p *Plan) WeaveAround(target, core reflect.Value, resolve Resolve) (reflect.Value, error) {
	if !p.IsWoven() {
		return target, nil
	}
	for target.Kind() == reflect.Interface && !target.IsNil() {
		target = target.Elem()
	}
	if !target.IsValid() || isNil(target) {
		return reflect.Value{}, &annotation.DefinitionError{
			Ref: p.service.Ref, Place: p.service.Place,
			Problem: "the service is nil, so there is nothing to weave", Remedy: "return a value, or an error beside it",
		}
	}
	methods, err := p.compile(resolve)
	if err != nil {
		return reflect.Value{}, err
	}
	i := &instance{target: target, core: core}
	switch {
	case p.generated != nil:
		p.weaveGenerated(i, methods)
	case p.proxy != nil:
		p.weaveRunTime(i, methods)
	default:
		p.weaveFunc(i, methodNamed(methods, "Call"))
	}
	return i.woven, nil
}

// weaveGenerated makes a generated proxy.
func (p *Plan) weaveGenerated(i *instance, methods []method) {
	i.kind = Generated
	chains := make([]Chain, 0, len(methods))
	i.woven = p.generated.make(Proxy{i}, i.target, func(name string) *Chain {
		m := methodNamed(methods, name)
		if m == nil {
			return nil
		}
		chains = append(chains, Chain{m, i})
		return &chains[len(chains)-1]
	})
}

// weaveRunTime makes a proxy at run time.
func (p *Plan) weaveRunTime(i *instance, methods []method) {
	i.kind = RunTime
	handlers := make([]dynproxy.Handler, p.proxy.NumMethod())
	for at := range handlers {
		name := p.proxy.Method(at).Name
		if m := methodNamed(methods, name); m != nil {
			bound, chain := i.target.MethodByName(name), &Chain{m, i}
			handlers[at] = func(args []reflect.Value) []reflect.Value { return chain.callReflected(&bound, args) }
		}
	}
	targets := make([]reflect.Value, p.proxy.NumInterface())
	for at := range targets {
		targets[at] = i.target
	}
	i.woven = reflect.ValueOf(p.proxy.New(targets, handlers, i))
}

// weaveFunc weaves a service whose type is a func.
func (p *Plan) weaveFunc(i *instance, m *method) {
	i.kind = RunTime
	t := p.service.Interfaces[0]
	i.target = i.target.Convert(t)
	chain := &Chain{m, i}
	i.woven = dynproxy.NewFunc(t, func(args []reflect.Value) []reflect.Value { return chain.callReflected(&i.target, args) }, i)
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Map, reflect.Slice, reflect.Chan, reflect.Interface:
		return v.IsNil()
	}
	return false
}

// compile makes the chains, once.
func (p *Plan) compile(resolve Resolve) ([]method, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.woven != nil {
		return p.woven, nil
	}
	all := make([]method, len(p.methods))
	class := p.service.class()
	for i, pm := range p.methods {
		m := &all[i]
		*m = method{signature: pm.signature, name: pm.name, ref: pm.ref, class: class, entries: pm.entries, aspects: make([]Aspect, 0, len(pm.advice))}
		for _, a := range pm.advice {
			x, err := a.aspect(resolve)
			if err != nil {
				return nil, err
			}
			if a.value() == nil { // else it was asked when the method was planned
				if errs := a.check(x, pm); len(errs) > 0 {
					return nil, joined(errs)
				}
			}
			m.aspects = append(m.aspects, x)
		}
		if pm.retry != nil {
			policy, err := pm.retry.build(resolve)
			if err != nil {
				return nil, atMethod(err, pm)
			}
			m.policy = policy
		}
	}
	p.woven = all
	return all, nil
}

// methodNamed is the method of that name; nil when it has no chain.
func methodNamed(all []method, name string) *method {
	for i := range all {
		if all[i].name == name {
			return &all[i]
		}
	}
	return nil
}

// atMethod says of a definition error where it belongs; the error of a constructor stays what it is.
func atMethod(err error, m *plannedMethod) error {
	if errors.As(err, new(*annotation.DefinitionError)) {
		return joined(complete(err, m.ref, m.retry.name, m.retry.place))
	}
	return err
}

func (a *advice) aspect(resolve Resolve) (Aspect, error) {
	if a.Aspect != nil {
		return a.Aspect, nil
	}
	v, _, err := resolve(a.Service)
	if err != nil {
		return nil, err
	}
	x, ok := v.Interface().(Aspect)
	if !ok {
		return nil, &annotation.DefinitionError{Problem: fmt.Sprintf("%v is no aspect.Aspect", v.Type()), Remedy: "give it a method Process(aspect.JoinPoint) error", Place: a.Place}
	}
	return x, nil
}
